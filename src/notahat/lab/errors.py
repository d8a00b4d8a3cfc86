"""Errors of the laboratory."""

from collections.abc import Iterator
from contextlib import contextmanager

from notahat.optional_dependencies import install_command


class LabError(LookupError):
    """A request that the laboratory cannot fulfil; the command prints it in one line.

    Other exceptions keep their traceback, because they may come from a user's own player.
    """


@contextmanager
def needs_lab_extra(what: str) -> Iterator[None]:
    """Raise `LabError` with the install command if a module imported in this block is missing."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise LabError(f"{what} needs {missing.name}: {install_command('lab')}") from missing
