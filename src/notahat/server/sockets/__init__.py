"""WebSockets: upgrade, authorisation and one connection of one guest."""
