"""The game needs only msgspec and the standard library, so that it also runs in a browser."""

import subprocess
import sys

IMPORT_ALL = """
import importlib, pkgutil, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {"notahat", "msgspec", *sys.stdlib_module_names}:
            raise ModuleNotFoundError(f"{name} is blocked", name=name)

sys.meta_path.insert(0, Blocker())
for part in ("rules", "gifts", "table", "bots", "wire", "live"):
    package = importlib.import_module(f"notahat.{part}")
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
import rapidfuzz
"""


def test_game_needs_only_msgspec() -> None:
    ran = subprocess.run([sys.executable, "-c", IMPORT_ALL], capture_output=True, text=True, check=False)
    assert ran.stderr.endswith("ModuleNotFoundError: rapidfuzz is blocked\n"), ran.stderr
