"""The command `notahat`: one small parser, and each subcommand's own module does the work."""

import argparse
import sys
from collections.abc import Sequence

from notahat import __doc__ as about
from notahat import __version__

COMMANDS = ("serve", "play", "backup", "restore", "doctor", "lab", "print")
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
    argv = _with_command(argv)
    arguments = _parser(argv[0]).parse_args(argv)
    status: int = arguments.run(arguments)
    return status


def _parser(wanted: str) -> argparse.ArgumentParser:
    """With the command that is wanted, because loading the others takes time; with all of them where help is."""
    parser = argparse.ArgumentParser(prog="notahat", description=about)
    parser.add_argument("--version", action="version", version=f"notahat {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    if wanted == "--version":
        return parser
    if _may_be(wanted, "serve"):
        from notahat.server import main as server

        server.add_command(commands)
    if _may_be(wanted, "play"):
        from notahat import terminal

        terminal.add_command(commands)
    if _may_be(wanted, "backup", "restore"):
        from notahat.server import backup

        backup.add_commands(commands)
    if _may_be(wanted, "doctor"):
        from notahat.server import doctor

        doctor.add_command(commands)
    if _may_be(wanted, "lab"):
        from notahat.lab import command as lab

        lab.add_command(commands)
    if _may_be(wanted, "print"):
        from notahat.paper import command as paper

        paper.add_command(commands)
    return parser


def _may_be(wanted: str, *names: str) -> bool:
    return wanted in names or wanted not in COMMANDS


def _with_command(argv: list[str]) -> list[str]:
    """Plain `notahat`, and `notahat --port 9000`, serve."""
    serves = not argv or (argv[0].startswith("-") and argv[0] not in ("-h", "--help", "--version"))
    return ["serve", *argv] if serves else argv
