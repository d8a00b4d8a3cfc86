"""The command `notahat`: one small parser, and each subcommand's own module does the work."""

import argparse
import sys
from collections.abc import Sequence

from notahat import __doc__ as about
from notahat import __version__

STOPPED = 130  # what a shell expects of a program that was stopped with Ctrl-C


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Ctrl-C is no accident, whenever it comes: while modules are loaded, too."""
    try:
        return _run(sys.argv[1:] if argv is None else list(argv))
    except KeyboardInterrupt:
        return STOPPED


def _run(argv: list[str]) -> int:
    from notahat.plain import speak_plainly

    speak_plainly()
    arguments = _parser().parse_args(_with_command(argv))
    status: int = arguments.run(arguments)
    return status


def _parser() -> argparse.ArgumentParser:
    from notahat import terminal
    from notahat.lab import command as lab
    from notahat.server import main as server

    parser = argparse.ArgumentParser(prog="notahat", description=about)
    parser.add_argument("--version", action="version", version=f"notahat {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    server.add_command(commands)
    terminal.add_command(commands)
    lab.add_command(commands)
    return parser


def _with_command(argv: list[str]) -> list[str]:
    """Plain `notahat`, and `notahat --port 9000`, serve."""
    serves = not argv or (argv[0].startswith("-") and argv[0] not in ("-h", "--help", "--version"))
    return ["serve", *argv] if serves else argv
