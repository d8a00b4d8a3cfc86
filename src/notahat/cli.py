"""The command `notahat`. Each subcommand is implemented in its own module."""

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from notahat import __doc__ as about
from notahat import __version__

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

MODULES = {  # each has `add_command`
    "serve": "notahat.server.main",
    "play": "notahat.clients.terminal",
    "rendezvous": "notahat.server.main",
    "backup": "notahat.server.ops.stored_data",
    "restore": "notahat.server.ops.stored_data",
    "doctor": "notahat.server.ops.doctor",
    "deploy": "notahat.server.ops.deploy_command",
    "forget": "notahat.server.ops.stored_data",
    "mcp": "notahat.clients.mcp",
}
GROUP = "notahat.commands"  # entry points by which other distributions add commands: a function like `add_command`
LAB = "lab"  # the command that notahat-lab adds
OPTIONAL = {"rich": "terminal"}  # packages that a server does not need, and the extra that brings them
UNUSABLE = 2
INTERRUPTED = 130  # the exit code that shells expect after Ctrl-C
BROKEN_PIPE = 1  # the reader, such as `head`, has closed the pipe; rich exits with the same code


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code. Handle Ctrl-C at any time, also while modules are imported."""
    try:
        try:
            return _run(sys.argv[1:] if argv is None else list(argv))
        finally:
            sys.stdout.flush()  # here, where a failure can still be reported
    except KeyboardInterrupt:
        return INTERRUPTED
    except _MissingError as missing:
        print(f"notahat: {missing}", file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        return _discard_output(BROKEN_PIPE)
    except OSError as problem:
        if problem.errno != errno.ENOSPC:
            raise
        print(f"notahat: cannot write the output: {problem.strerror}", file=sys.stderr)
        return _discard_output(UNUSABLE)


def _discard_output(status: int) -> int:
    """Redirect standard output to the null device, because Python flushes it again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _run(argv: list[str]) -> int:
    from notahat.ascii_fallback import use_ascii_fallback

    use_ascii_fallback()
    argv = _with_command(argv)
    arguments = _parser(argv[0]).parse_args(argv)
    status: int = arguments.run(arguments)
    return status


def _parser(wanted: str) -> argparse.ArgumentParser:
    """Return a parser with the wanted command only, because imports take time, or with all of them for the help."""
    parser = argparse.ArgumentParser(prog="notahat", description=about)
    parser.add_argument("--version", action="version", version=f"notahat {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    if wanted == "--version":
        return parser
    others = {} if wanted in MODULES else _commands_of_others()
    if wanted in others:
        others[wanted].load()(commands)
        return parser
    if wanted == LAB:
        from notahat.optional_dependencies import install_lab

        raise _MissingError("notahat-lab", install_lab())
    modules = [MODULES[wanted]] if wanted in MODULES else dict.fromkeys(MODULES.values())
    for module in modules:
        try:
            import_module(module).add_command(commands)
        except ModuleNotFoundError as missing:
            package = (missing.name or "").partition(".")[0]
            if package not in OPTIONAL:
                raise
            if wanted in MODULES:
                from notahat.optional_dependencies import install_command

                raise _MissingError(package, install_command(OPTIONAL[package])) from None
    for other in others.values():
        other.load()(commands)
    return parser


def _commands_of_others() -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points  # here, because it takes time

    return {point.name: point for point in entry_points(group=GROUP)}


class _MissingError(Exception):
    """A command needs a package that is not installed."""

    def __init__(self, package: str, command: str) -> None:
        super().__init__(f"this command needs {package}: {command}")


def _with_command(argv: list[str]) -> list[str]:
    """Add `serve` if the arguments name no command."""
    serves = not argv or (argv[0].startswith("-") and argv[0] not in ("-h", "--help", "--version"))
    return ["serve", *argv] if serves else argv
