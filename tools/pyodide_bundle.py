"""Runs inside Pyodide, by the Python that will run in browsers: finds out what a game needs of the standard library by
playing one, and compiles that, msgspec and the game, so that no browser has to.

The repository is at /repo, the wheel of msgspec at /wheel.whl; what is made goes to /out.
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
# what only a mishap needs: to say what happened
BESIDES = ("traceback", "linecache", "tokenize", "textwrap", "encodings.ascii", "encodings.latin_1")
UNCHECKED = (1).to_bytes(4, "little") + bytes(8)  # a .pyc that is not compared with any source


def main() -> None:
    with zipfile.ZipFile("/wheel.whl") as wheel:
        wheel.extractall(SITE)  # its hash was checked
    sys.path.insert(0, str(REPO / "src"))
    play()
    for name in BESIDES:
        importlib.import_module(name)
    with zipfile.ZipFile(STDLIB) as whole, zipfile.ZipFile(OUT / "python_stdlib.zip", "w") as small:
        for path in sorted(used(whole)):
            small.writestr(zipfile.ZipInfo(f"{path}c"), compiled(whole.read(path), f"{STDLIB}/{path}", 2))
    tree(OUT / "msgspec.tree", SITE, sorted((SITE / "msgspec").rglob("*")), {".so"})
    own = [REPO / "src/notahat" / name for name in ("__init__.py", "clients/__init__.py", "clients/pocket.py")]
    for part in PARTS:
        own += sorted((REPO / "src/notahat" / part).rglob("*"))
    tree(OUT / "notahat.tree", REPO / "src", own, DATA)


class Evening:
    """The browser's side of one table, which nobody keeps."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.wakes: list[float] = []
        self.flying: list[int] = []

    def append(self, _code: str, version: int, _key: str, entry: str) -> None:
        self.log.append(entry)
        self.flying.append(version)

    def keep(self, *_: object) -> None: ...
    def send(self, *_: object) -> None: ...
    def close(self, *_: object) -> None: ...

    def wake(self, _code: str, at: float | None) -> None:
        self.wakes = [] if at is None else [at]

    def rows(self) -> str:
        rows = ('{"version":%d,"command":"","entry":%s}' % row for row in enumerate(self.log, 1))  # noqa: UP031
        return f"[{','.join(rows)}]"


def play() -> None:
    """A short game against computer players, its story, and all that is asked of a pocket besides."""
    from notahat.clients.pocket import Pocket

    evening, now = Evening(), 0.0
    pocket = Pocket(evening, luck=lambda table: table.version)
    evening.log.append(pocket.first_entry(CODE, '{"patience_seconds":10}', now))
    pocket.open(CODE, "null", evening.rows(), now, now)
    pocket.arrived(CODE, "line", now)
    orders = ['"do":"sit","name":"Ada"', *['"do":"add_bot","level":"casual"'] * 3, '"do":"start"']
    last = {MOST_MOVES - 1: '"do":"end_match"'}  # where it has not come to an end by itself
    for number in range(MOST_MOVES):
        order = last.get(number) if number >= len(orders) else orders[number]
        if order:
            pocket.received(CODE, "line", f'{{"id":"o{number}",{order}}}', now)
        elif evening.wakes:
            now = max(now, evening.wakes.pop())
            pocket.woken(CODE, now)
        while evening.flying:
            pocket.committed(CODE, evening.flying.pop(), now)
    if '"steps"' not in pocket.story(CODE, 1, evening.rows()):
        raise AssertionError("the game did not come to an end")
    hat = json.dumps({"hat": 1, "name": "Some", "balanced": ["hat"]})
    pocket.put_deck(CODE, "line", "deck", hat, now)
    besides = (
        pocket.first_entry(CODE, "{}", now, "1970-01-01"),
        pocket.lines('{"lang":"en","word":{"name":"tart"}}'),
        pocket.summary(CODE),
    )
    if any('"reason"' in told for told in besides):
        raise AssertionError(besides)


def used(whole: zipfile.ZipFile) -> set[str]:
    """The sources in the standard library of all that is imported now, packages around it included."""
    names = {name for name, module in sys.modules.items() if origin(module).startswith(STDLIB)}
    around = {name.rpartition(".")[0] for name in names} - {""}
    there = set(whole.namelist())
    paths = {path for name in names | around for path in (places(name)) if path in there}
    return {path for path in paths if not path.startswith("_ssl")}


def places(name: str) -> tuple[str, str]:
    path = name.replace(".", "/")
    return f"{path}.py", f"{path}/__init__.py"


def origin(module: ModuleType) -> str:
    try:
        return str(module.__spec__.origin)  # type: ignore[union-attr]
    except AttributeError:
        return ""


def compiled(source: bytes, path: str, optimize: int) -> bytes:
    code = compile(source, path, "exec", dont_inherit=True, optimize=optimize)
    return importlib.util.MAGIC_NUMBER + UNCHECKED + marshal.dumps(code)


def tree(out: Path, root: Path, paths: list[Path], data: set[str]) -> None:
    """Files in one: a line that names them and their lengths, then all of them."""
    named: list[tuple[str, bytes]] = []
    for path in paths:
        name = path.relative_to(root).as_posix()
        if path.suffix == ".py" and "/__pycache__/" not in name:
            named.append((f"{name}c", compiled(path.read_bytes(), f"/hat/{name}", 0)))
        elif path.suffix in data:
            named.append((name, path.read_bytes()))
    head = json.dumps([[name, len(content)] for name, content in named])
    out.write_bytes(head.encode() + b"\n" + b"".join(content for _, content in named))


main()
