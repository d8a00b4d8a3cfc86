"""The command that installs an optional dependency for the running Python."""

import importlib.util
import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires


def install_command(extra: str) -> str:
    """Return the command that installs an extra (`lab`, `mcp`, `postgres`, `print`, `ray`)."""
    return shlex.join([*_installer(), *(_requirements(extra) or [f".[{extra}]"])])


def _installer() -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "install"]
    return ["uv", "pip", "install", "--python", sys.executable]


def _requirements(extra: str) -> list[str]:
    """Return the requirements of an extra, as the installed package declares them."""
    try:
        required = requires("notahat") or []
    except PackageNotFoundError:  # run from its folder, without being installed
        return []
    of_extra = re.compile(rf"""\bextra\s*==\s*['"]{re.escape(extra)}['"]""")
    split = (line.partition(";") for line in required)
    return [name.strip() for name, _, marker in split if of_extra.search(marker)]
