"""JavaScript for pages under test, from `tests/web/scripts`. Each file has one function as its default export."""

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "web" / "scripts"


@cache
def load(name: str) -> str:
    """Return a script as a function expression, for `evaluate` and `wait_for_function`."""
    _, _, function = (FOLDER / f"{name}.js").read_text("utf-8").partition("export default ")
    return function.rstrip().removesuffix(";")


def call(name: str) -> str:
    """Return a script as a statement that runs it, for `add_init_script`."""
    return f"({load(name)})();"
