"""Errors of the laboratory."""


class LabError(LookupError):
    """A request that the laboratory cannot fulfil; the command prints it in one line.

    Other exceptions keep their traceback, because they may come from a user's own player.
    """
