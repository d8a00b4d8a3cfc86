"""The command `notahat`: one small parser, and each subcommand's own module does the work."""

import argparse
from collections.abc import Sequence

from notahat import terminal


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="notahat", description=__import__("notahat").__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    terminal.add_command(commands)
    arguments = parser.parse_args(argv)
    status: int = arguments.run(arguments)
    return status
