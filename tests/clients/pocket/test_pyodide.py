"""Pyodide and CPython give the same bytes; test_drivers.py compares CPython with a server."""

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import build_pocket
from support.pictures import large_deck
from support.recorded_games import messages_of, opening, other_answers, play_in_pocket

ROOT = Path(__file__).parents[3]
POCKET = build_pocket.BUILT
LOGS = sorted((ROOT / "tests/table/logs").glob("*/*.jsonl"))
GAME = {"edition": "special", "special_cards": True, "show_seconds": 0}
ENOUGH_BYTES = 400_000

PROGRAM = """
import json
from support.recorded_games import other_answers, opening, play_in_pocket, messages_of
pocket = play_in_pocket(opening(**{game!r}), {hat!r})
messages = [messages_of(log) for log in json.loads({logs!r})]
log = [entry for _, _, entry in pocket.browser.rows]
json.dumps([pocket.browser.messages["me"], log, messages, other_answers(pocket)])
"""


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """Unpack what a browser installs, and put the test support beside the game."""
    assert build_pocket.POCKET.is_current(), "make pocket"
    for pack in json.loads((POCKET / "parcel.json").read_text())["packs"]:
        unpack(gzip.decompress((POCKET / pack["file"]).read_bytes()), tmp_path)
    for tree in tmp_path.glob("*.tree"):
        unpack(tree.read_bytes(), tmp_path / "site")
    for name in ("__init__", "recorded_games", "pocket_driver"):
        (tmp_path / "site/support").mkdir(exist_ok=True)
        shutil.copy(ROOT / f"tests/support/{name}.py", tmp_path / "site/support")
    return tmp_path


def unpack(pack: bytes, folder: Path) -> None:
    head, _, rest = pack.partition(b"\n")
    for name, length in json.loads(head):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(rest[:length])
        rest = rest[length:]


def run_in_pyodide(packed: Path, program: str) -> str:
    """Run a program in Pyodide under Node; return the value of its last expression."""
    (packed / "program.py").write_text(program)
    command = [sys.executable, str(ROOT / "tools/npm.py"), "--silent", "run", "run-pyodide", "--", str(packed)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def test_pyodide_gives_the_same_bytes_as_cpython(packed: Path) -> None:
    hat, logs = large_deck(), [path.read_text("utf-8").splitlines() for path in LOGS]
    there = json.loads(run_in_pyodide(packed, PROGRAM.format(game=GAME, hat=hat, logs=json.dumps(logs))))
    pocket = play_in_pocket(opening(**GAME), hat)
    assert len(logs) >= 7
    assert there[0] == pocket.browser.messages["me"]
    assert there[1] == [entry for _, _, entry in pocket.browser.rows]
    assert there[2] == [messages_of(log) for log in logs]
    assert there[3] == other_answers(pocket)
    assert len(json.dumps(there)) > ENOUGH_BYTES
