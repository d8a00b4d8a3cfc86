"""Run the command `notahat` as `python -m notahat`."""

import sys

from notahat.cli import main

if __name__ == "__main__":
    sys.exit(main())
