"""What somebody asked of the laboratory and cannot have."""


class Unusable(LookupError):  # noqa: N818 - it says so
    """Told in one line. Other faults are not: they may be those of somebody's own player, who needs the trace."""
