"""The command `notahat`: one small parser, and each subcommand's own module does the work."""

import argparse
import sys
from collections.abc import Sequence

from notahat import terminal
from notahat.lab import command as lab
from notahat.server import main as server


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="notahat", description=__import__("notahat").__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    server.add_command(commands)
    terminal.add_command(commands)
    lab.add_command(commands)
    arguments = parser.parse_args(_with_command(sys.argv[1:] if argv is None else list(argv)))
    status: int = arguments.run(arguments)
    return status


def _with_command(argv: list[str]) -> list[str]:
    """Plain `notahat`, and `notahat --port 9000`, serve."""
    serves = not argv or (argv[0].startswith("-") and argv[0] not in ("-h", "--help"))
    return ["serve", *argv] if serves else argv
