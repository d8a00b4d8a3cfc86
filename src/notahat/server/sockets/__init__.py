"""WebSockets: upgrade, authorisation and connections of guests."""
