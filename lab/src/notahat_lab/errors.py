"""Errors of the laboratory."""


class LabError(LookupError):
    """A request that the laboratory cannot fulfil, printed in one line; other exceptions keep their traceback."""
