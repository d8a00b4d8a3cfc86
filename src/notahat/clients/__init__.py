"""The drivers of rooms other than the server, and a client of the protocol."""
