"""How long tests wait before they fail. It is long, because the machine may be busy."""

TIMEOUT = 120.0
