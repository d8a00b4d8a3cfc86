"""Drivers of rooms besides the server, and a client of the protocol."""
