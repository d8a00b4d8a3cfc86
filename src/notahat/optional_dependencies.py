"""The commands that install an optional dependency or another distribution for the running Python."""

import importlib.util
import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires


def install_command(extra: str, distribution: str = "notahat") -> str:
    """Return the command that installs what an extra of a distribution needs (`mcp`, `postgres`, `terminal`)."""
    return shlex.join([*_installer(), *(_requirements(extra, distribution) or [f".[{extra}]"])])


def install_lab() -> str:
    """Return the command that installs the laboratory, and where it is."""
    return f"{shlex.join([*_installer(), 'notahat-lab'])} (a wheel of the release, or ./lab in a clone)"


def _installer() -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "install"]
    return ["uv", "pip", "install", "--python", sys.executable]


def _requirements(extra: str, distribution: str) -> list[str]:
    """Return the requirements of an extra, as the installed distribution declares them."""
    try:
        required = requires(distribution) or []
    except PackageNotFoundError:  # run from its folder, without being installed
        return []
    of_extra = re.compile(rf"""\bextra\s*==\s*['"]{re.escape(extra)}['"]""")
    split = (line.partition(";") for line in required)
    return [name.strip() for name, _, marker in split if of_extra.search(marker)]
