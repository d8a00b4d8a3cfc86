"""A copy of the sources with the page and the pocket that are built, as in a used clone."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVER = Path("src/notahat/server")


def copy_sources(to: Path) -> Path:
    """Copy every file that is or could be in git, and what is built; return the folder."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    for file in filter(None, files):
        if (ROOT / file).exists():
            (to / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, to / file)
    for built in ("static", "pocket"):
        assert (ROOT / SERVER / built).exists(), "make web pocket"
        shutil.copytree(ROOT / SERVER / built, to / SERVER / built)
    return to
