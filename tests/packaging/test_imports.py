"""The game itself needs msgspec and the standard library: it runs wherever Python runs, a browser included."""

import subprocess
import sys

import pytest

PURE = ("rules", "gifts", "table", "bots", "wire", "live")

ALONE = """
import sys

class Nobody:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {"notahat", "msgspec", *sys.stdlib_module_names}:
            raise ModuleNotFoundError(f"{name} is not here", name=name)

sys.meta_path.insert(0, Nobody())
"""

PLAY = """
import notahat.rules, notahat.gifts, notahat.table, notahat.bots, notahat.wire, notahat.live
from notahat.gifts import cards, find
from notahat.bots import sit_down
from notahat.rules import Draw, deal, legal, play, view
round_ = deal(cards("classic"), seats=3, starter=0)
bots = [sit_down("casual", seat, 1) for seat in range(3)]
assert find("a hat", "en") == "hat"
print(legal(round_).moves)
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", ALONE + code], capture_output=True, text=True, check=False)


def test_the_game_needs_msgspec_and_nothing_else() -> None:
    ran = run(PLAY)
    assert (ran.stdout, ran.stderr) == ("('draw',)\n", "")


@pytest.mark.parametrize("part", PURE)
def test_every_module_of_the_pure_half_needs_msgspec_and_nothing_else(part: str) -> None:
    walk = f"""
import importlib, pkgutil
package = importlib.import_module("notahat.{part}")
names = [module.name for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""
    ran = run(walk)
    assert ran.stderr == ""
    assert int(ran.stdout) >= 1


def test_the_block_works() -> None:
    assert "rapidfuzz is not here" in run("import rapidfuzz").stderr
