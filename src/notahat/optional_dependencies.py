"""How to add what only some need: the command that works for this very Python, wherever it was installed from."""

import importlib.util
import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires


def how_to_add(extra: str) -> str:
    """The command that installs what an extra (`lab`, `postgres`, `ray`) consists of."""
    return shlex.join([*_installer(), *(_parts(extra) or [f".[{extra}]"])])


def _installer() -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "install"]
    return ["uv", "pip", "install", "--python", sys.executable]


def _parts(extra: str) -> list[str]:
    """What the extra requires, as the installed package tells it."""
    try:
        required = requires("notahat") or []
    except PackageNotFoundError:  # run from its folder, without being installed
        return []
    belongs = re.compile(rf"""\bextra\s*==\s*['"]{re.escape(extra)}['"]""")
    split = (one.partition(";") for one in required)
    return [part.strip() for part, _, marker in split if belongs.search(marker)]
