"""How long tests wait for what must come: a machine may be slow for a while, and that is no bug."""

PATIENCE = 120.0
