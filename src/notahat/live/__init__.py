"""A table being played, without I/O: each call reports an input and returns the effects to carry out."""
