"""Say clearly when this Python is too old, before anything else fails in a stranger way."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this file is run by whatever Python is there
    sys.exit(
        "Not a Hat needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.11"
    )
