"""Not a Hat: an unofficial, fan-made way to play the memory and bluffing game *That's Not a Hat*."""

__version__ = "0.4.0"
