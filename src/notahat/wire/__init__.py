"""The messages of the protocol, shared by server and client."""
