"""The build hook: a wheel or an sdist has the built web side inside; it is built first where it is missing."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parents[1]
BUILT = ROOT / "src" / "notahat" / "server" / "static" / "index.html"
# what tools/web_catalogue.py needs of the package it describes
NEEDED = ["msgspec>=0.22", "numpy>=2.4", "rapidfuzz>=3.14"]


class BuildWeb(BuildHookInterface[Any]):
    """Runs before files are collected."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if BUILT.exists() or self.target_name == "editable" else NEEDED

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        if version == "editable" or BUILT.exists():
            return
        paths = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
        for step in (("npm.py", "ci"), ("web_catalogue.py",), ("npm.py", "--silent", "run", "build")):
            subprocess.check_call([sys.executable, str(ROOT / "tools" / step[0]), *step[1:]])
