"""The game needs only msgspec and the standard library, so that it also runs in a browser."""

import subprocess
import sys

import pytest

PURE = ("rules", "gifts", "table", "bots", "wire", "live")

BLOCK_IMPORTS = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {"notahat", "msgspec", *sys.stdlib_module_names}:
            raise ModuleNotFoundError(f"{name} is blocked", name=name)

sys.meta_path.insert(0, Blocker())
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
    return subprocess.run([sys.executable, "-c", BLOCK_IMPORTS + code], capture_output=True, text=True, check=False)


def test_game_needs_only_msgspec() -> None:
    ran = run(PLAY)
    assert (ran.stdout, ran.stderr) == ("('draw',)\n", "")


@pytest.mark.parametrize("part", PURE)
def test_pure_packages_need_only_msgspec(part: str) -> None:
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


def test_import_block_works() -> None:
    assert "rapidfuzz is blocked" in run("import rapidfuzz").stderr
