"""The game needs only msgspec and the standard library, so that it also runs in a browser."""

import subprocess
import sys

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

PLAY = f"""
import importlib, pkgutil
for part in {PURE!r}:
    package = importlib.import_module(f"notahat.{{part}}")
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
from notahat.gifts import cards, find
from notahat.bots import sit_down
from notahat.rules import deal, legal
round_ = deal(cards("classic"), seats=3, starter=0)
bots = [sit_down("casual", seat, 1) for seat in range(3)]
assert find("a hat", "en") == "hat"
print(legal(round_).moves)
import rapidfuzz
"""


def test_game_needs_only_msgspec() -> None:
    command = [sys.executable, "-c", BLOCK_IMPORTS + PLAY]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stdout == "('draw',)\n", ran.stderr
    assert ran.stderr.endswith("ModuleNotFoundError: rapidfuzz is blocked\n"), ran.stderr
