"""The command `notahat`: one small parser, and each subcommand's own module does the work."""

import argparse
import errno
import os
import sys
from collections.abc import Sequence

from notahat import __doc__ as about
from notahat import __version__

COMMANDS = ("serve", "play", "backup", "restore", "doctor", "lab", "print")
UNUSABLE = 2
STOPPED = 130  # what a shell expects of a program that was stopped with Ctrl-C
UNREAD = 1  # whoever read has gone, as `head` does: rich ends so, too


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command. Ctrl-C is no accident, whenever it comes: while modules are loaded, too."""
    try:
        try:
            return _run(sys.argv[1:] if argv is None else list(argv))
        finally:
            sys.stdout.flush()  # here, where it can still be told that it failed
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        return _fall_silent(UNREAD)
    except OSError as problem:
        if problem.errno != errno.ENOSPC:
            raise
        print(f"notahat: what there is to say cannot be written: {problem.strerror}", file=sys.stderr)
        return _fall_silent(UNUSABLE)


def _fall_silent(status: int) -> int:
    """What is still to be said goes nowhere, or Python would try once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _run(argv: list[str]) -> int:
    from notahat.ascii_fallback import speak_plainly

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
        from notahat.clients import terminal

        terminal.add_command(commands)
    if _may_be(wanted, "backup", "restore"):
        from notahat.server.ops import backup

        backup.add_commands(commands)
    if _may_be(wanted, "doctor"):
        from notahat.server.ops import doctor

        doctor.add_command(commands)
    if _may_be(wanted, "lab"):
        from notahat.lab import lab_command as lab

        lab.add_command(commands)
    if _may_be(wanted, "print"):
        from notahat.paper import print_command as paper

        paper.add_command(commands)
    return parser


def _may_be(wanted: str, *names: str) -> bool:
    return wanted in names or wanted not in COMMANDS


def _with_command(argv: list[str]) -> list[str]:
    """Plain `notahat`, and `notahat --port 9000`, serve."""
    serves = not argv or (argv[0].startswith("-") and argv[0] not in ("-h", "--help", "--version"))
    return ["serve", *argv] if serves else argv
