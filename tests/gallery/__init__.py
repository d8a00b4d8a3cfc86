"""The gallery: every state of every screen of a table (`make gallery`), and the layout law over it."""
