"""Data files of this package."""

import tomllib
from importlib.resources import files
from typing import Any


def load_toml(name: str) -> dict[str, Any]:
    """Read a TOML file of this package."""
    return tomllib.loads(files("notahat.bots").joinpath(name).read_text("utf-8"))
