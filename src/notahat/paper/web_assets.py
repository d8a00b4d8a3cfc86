"""Texts, drawings and fonts from the built web app, found by their source paths."""

import json
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

SANS = "node_modules/@fontsource-variable/nunito/files/nunito-latin-wght-normal.woff2"
HAND = "node_modules/@fontsource/patrick-hand/files/patrick-hand-latin-400-normal.woff2"
NOT_BUILT = "the web app, which has the drawings and texts, is not built: run `make web`"


def asset(source: str) -> Traversable:
    """Return the built file that was made from a source file."""
    return _static() / str(_manifest()[source]["file"])


def read_json(source: str) -> Any:
    return json.loads(asset(source).read_text("utf-8"))


def is_built() -> bool:
    return (_static() / "made-from.json").is_file()


def _static() -> Traversable:
    return files("notahat").joinpath("server", "static")


@cache
def _manifest() -> dict[str, Any]:
    if not is_built():
        raise LookupError(NOT_BUILT)
    manifest: dict[str, Any] = json.loads((_static() / "made-from.json").read_text("utf-8"))
    return manifest
