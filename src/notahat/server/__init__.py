"""HTTP, sockets, guests, timers: the live tables on a network."""
