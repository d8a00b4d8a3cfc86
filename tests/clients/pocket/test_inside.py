"""The very Python that browsers get is the same game, too: its bytes are compared with those of the Python here, which
tests/clients/pocket/test_same_bytes.py compares with a server's.
"""

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import build_pocket
from support.pictures import a_large_deck
from support.recorded_games import besides, opening, play_in_the_pocket, told_of

ROOT = Path(__file__).parents[3]
POCKET = build_pocket.BUILT
LOGS = sorted((ROOT / "tests/table/logs").glob("*/*.jsonl"))
GAME = {"edition": "special", "show_seconds": 0}
ENOUGH_BYTES = 400_000

# what is asked of both Pythons; tests/support lies beside the game
PROGRAM = """
import json
from support.recorded_games import besides, opening, play_in_the_pocket, told_of
pocket = play_in_the_pocket(opening(**{game!r}), {hat!r})
told = [told_of(log) for log in json.loads({logs!r})]
json.dumps([pocket.shelf.heard["me"], [entry for _, _, entry in pocket.shelf.rows], told, besides(pocket)])
"""


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """What a browser has after it took the game along: Python's own files, and beside them what it imports."""
    assert build_pocket.POCKET.fresh(), "make pocket"
    for pack in json.loads((POCKET / "parcel.json").read_text())["packs"]:
        unpack(gzip.decompress((POCKET / pack["file"]).read_bytes()), tmp_path)
    for tree in tmp_path.glob("*.tree"):
        unpack(tree.read_bytes(), tmp_path / "site")
    for name in ("__init__", "games", "pocketing"):
        (tmp_path / "site/support").mkdir(exist_ok=True)
        shutil.copy(ROOT / f"tests/support/{name}.py", tmp_path / "site/support")
    return tmp_path


def unpack(pack: bytes, folder: Path) -> None:
    head, _, rest = pack.partition(b"\n")
    for name, length in json.loads(head):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(rest[:length])
        rest = rest[length:]


def inside(packed: Path, program: str) -> str:
    """What a program says in the Python of browsers, which runs in Node as well."""
    (packed / "program.py").write_text(program)
    command = [sys.executable, str(ROOT / "tools/npm.py"), "--silent", "run", "inside", "--", str(packed)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def test_a_browsers_python_tells_golden_logs_and_a_whole_game_with_the_same_bytes(packed: Path) -> None:
    hat, logs = a_large_deck(), [path.read_text("utf-8").splitlines() for path in LOGS]
    there = json.loads(inside(packed, PROGRAM.format(game=GAME, hat=hat, logs=json.dumps(logs))))
    pocket = play_in_the_pocket(opening(**GAME), hat)
    assert len(logs) >= 7
    assert there[0] == pocket.shelf.heard["me"]
    assert there[1] == [entry for _, _, entry in pocket.shelf.rows]
    assert there[2] == [told_of(log) for log in logs]
    assert there[3] == besides(pocket)
    assert len(json.dumps(there)) > ENOUGH_BYTES
