"""What the built page holds that paper needs too: sentences, drawings and fonts, each found by where it comes from."""

import json
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

SANS = "node_modules/@fontsource-variable/nunito/files/nunito-latin-wght-normal.woff2"
HAND = "node_modules/@fontsource/patrick-hand/files/patrick-hand-latin-400-normal.woff2"
NOT_BUILT = "the page is not built, and paper takes its drawings and words from there: run `make web`"


def found(source: str) -> Traversable:
    """The built file that was made from a source of the page."""
    return _static() / str(_made_from()[source]["file"])


def read(source: str) -> Any:
    """A JSON file of the page."""
    return json.loads(found(source).read_text("utf-8"))


def there() -> bool:
    """Whether the page is built."""
    return (_static() / "made-from.json").is_file()


def _static() -> Traversable:
    return files("notahat").joinpath("server", "static")


@cache
def _made_from() -> dict[str, Any]:
    if not there():
        raise LookupError(NOT_BUILT)
    made: dict[str, Any] = json.loads((_static() / "made-from.json").read_text("utf-8"))
    return made
