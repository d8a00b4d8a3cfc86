"""Exit with a clear message if this Python is too old."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - any Python may run this file
    sys.exit(
        "Not a Hat needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.11"
    )
