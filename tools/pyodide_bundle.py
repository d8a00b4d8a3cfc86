"""Compile the game, msgspec and the used part of the standard library for browsers. Runs inside Pyodide.

It plays a game to find out which modules of the standard library are imported. The repository is mounted at /repo, the
wheel of msgspec is /wheel.whl, and the output goes to /out.
"""

import importlib.util
import json
import marshal
import sys
import zipfile
from pathlib import Path
from types import ModuleType

REPO, OUT = Path("/repo"), Path("/out")
SITE = Path("/lib/python3.14/site-packages")
STDLIB = "/lib/python314.zip"
CODE = "POCKET-1"
MOST_MOVES = 400
PARTS = ("rules", "gifts", "bots", "table", "wire", "live")
DATA = {".toml"}
# imported only to report errors
ERROR_MODULES = ("traceback", "linecache", "tokenize", "textwrap", "encodings.ascii", "encodings.latin_1")
UNCHECKED = (1).to_bytes(4, "little") + bytes(8)  # the .pyc header for code that is not compared with its source


def main() -> None:
    with zipfile.ZipFile("/wheel.whl") as wheel:
        wheel.extractall(SITE)  # pip has checked its hash
    sys.path.insert(0, str(REPO / "src"))
    play()
    for name in ERROR_MODULES:
        importlib.import_module(name)
    with zipfile.ZipFile(STDLIB) as whole, zipfile.ZipFile(OUT / "python_stdlib.zip", "w") as small:
        for path in sorted(used_sources(whole)):
            small.writestr(zipfile.ZipInfo(f"{path}c"), compile_module(whole.read(path), f"{STDLIB}/{path}", 2))
    write_archive(OUT / "msgspec.tree", SITE, sorted((SITE / "msgspec").rglob("*")), {".so"})
    own = [REPO / "src/notahat" / name for name in ("__init__.py", "clients/__init__.py", "clients/pocket.py")]
    for part in PARTS:
        own += sorted((REPO / "src/notahat" / part).rglob("*"))
    write_archive(OUT / "notahat.tree", REPO / "src", own, DATA)


class FakeBrowser:
    """Keeps the log of one table in memory."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.wakes: list[float] = []
        self.pending: list[int] = []
        self.reads: list[int] = []
        self.replies: list[str] = []

    def append(self, number: int, _code: str, _version: int, _key: str, entry: str) -> None:
        self.log.append(entry)
        self.pending.append(number)

    def read_log(self, number: int, *_: object) -> None:
        self.reads.append(number)

    def reply(self, _number: int, body: str) -> None:
        self.replies.append(body)

    def load(self, *_: object) -> None: ...
    def save_snapshot(self, *_: object) -> None: ...
    def send(self, *_: object) -> None: ...
    def close(self, *_: object) -> None: ...

    def schedule_wake(self, _code: str, at: float | None) -> None:
        self.wakes = [] if at is None else [at]

    def rows(self) -> str:
        rows = ('{"version":%d,"command":"","entry":%s}' % row for row in enumerate(self.log, 1))  # noqa: UP031
        return f"[{','.join(rows)}]"


def play() -> None:
    """Play a game against computer players, and call every other method of a pocket."""
    from notahat.clients.pocket import Pocket

    browser, now = FakeBrowser(), 0.0
    pocket = Pocket(browser)
    browser.log.append(pocket.opening_entry(CODE, '{"patience_seconds":10}', now))
    pocket.connect(CODE, "me", now)
    pocket.loaded(CODE, "null", browser.rows(), now, now)
    commands = ['"do":"sit","name":"Ada"', *['"do":"add_bot","level":"casual"'] * 3, '"do":"start"']
    last = {MOST_MOVES - 1: '"do":"end_match"'}  # if the match is not over by then
    for number in range(MOST_MOVES):
        command = last.get(number) if number >= len(commands) else commands[number]
        if command:
            pocket.receive(CODE, "me", f'{{"id":"o{number}",{command}}}', now)
        elif browser.wakes:
            now = max(now, browser.wakes.pop())
            pocket.wake(CODE, now)
        while browser.pending:
            pocket.committed(browser.pending.pop(), CODE, now)
    pocket.story(1, CODE, 1, now)
    pocket.log_read(browser.reads.pop(), browser.rows())
    if '"steps"' not in browser.replies[-1]:
        raise AssertionError("the match is not over")
    pocket.put_deck(2, CODE, "deck", json.dumps({"hat": 1, "name": "Some", "balanced": ["hat"]}), now)
    pocket.summary(3, CODE, now)
    answers = (
        pocket.opening_entry(CODE, "{}", now, "1970-01-01"),
        pocket.spoken_lines('{"lang":"en","word":{"name":"tart"}}'),
        browser.replies[-1],
    )
    if any('"reason"' in answer for answer in answers):
        raise AssertionError(answers)


def used_sources(whole: zipfile.ZipFile) -> set[str]:
    """Return the standard library sources of all imported modules and of their packages."""
    names = {name for name, module in sys.modules.items() if origin(module).startswith(STDLIB)}
    packages = {name.rpartition(".")[0] for name in names} - {""}
    existing = set(whole.namelist())
    paths = {path for name in names | packages for path in possible_paths(name) if path in existing}
    return {path for path in paths if not path.startswith("_ssl")}


def possible_paths(name: str) -> tuple[str, str]:
    path = name.replace(".", "/")
    return f"{path}.py", f"{path}/__init__.py"


def origin(module: ModuleType) -> str:
    try:
        return str(module.__spec__.origin)  # type: ignore[union-attr]
    except AttributeError:
        return ""


def compile_module(source: bytes, path: str, optimize: int) -> bytes:
    code = compile(source, path, "exec", dont_inherit=True, optimize=optimize)
    return importlib.util.MAGIC_NUMBER + UNCHECKED + marshal.dumps(code)


def write_archive(out: Path, root: Path, paths: list[Path], data: set[str]) -> None:
    """Write one file: a JSON line with names and lengths, then the contents."""
    files: list[tuple[str, bytes]] = []
    for path in paths:
        name = path.relative_to(root).as_posix()
        if path.suffix == ".py" and "/__pycache__/" not in name:
            files.append((f"{name}c", compile_module(path.read_bytes(), f"/hat/{name}", 0)))
        elif path.suffix in data:
            files.append((name, path.read_bytes()))
    head = json.dumps([[name, len(content)] for name, content in files])
    out.write_bytes(head.encode() + b"\n" + b"".join(content for _, content in files))


main()
