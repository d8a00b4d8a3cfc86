"""A table being played, without I/O: told what came in, it says what should go out."""
