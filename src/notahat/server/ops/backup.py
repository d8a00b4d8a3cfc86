"""`notahat backup FILE` and `notahat restore FILE`: the whole SQLite store in one file, also while people play."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from notahat.server.settings import Settings, add_store_options, load_settings
from notahat.store.sqlite_backup import BackupError, BackupResult, back_up, restore

DUMP = "pg_dump --format=custom --schema=notahat --file={} URL"
LOAD = "pg_restore --clean --if-exists --single-transaction --no-owner --dbname=URL {}"

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_command(commands: Commands) -> None:
    summary = "write all tables and guests into one new file, while people play"
    _add(commands, "backup", summary, "the new file", _backup)
    summary = "replace the stored tables by a backup, while no server runs; the previous file is moved aside"
    _add(commands, "restore", summary, "the file that `notahat backup` made", _restore)


def _add(commands: Commands, name: str, summary: str, file: str, run: Callable[[argparse.Namespace], int]) -> None:
    parser = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    parser.add_argument("file", metavar="FILE", type=Path, help=file)
    add_store_options(parser)
    parser.set_defaults(run=run)


def _backup(arguments: argparse.Namespace) -> int:
    try:
        path = _store_path(load_settings(arguments), DUMP.format(arguments.file))
        if not path.is_file():
            raise BackupError(f"there are no tables in {path}: name the folder with --data DIR (or NOTAHAT_DATA)")
        result = back_up(path, arguments.file)
    except (ValueError, BackupError) as error:
        return _fail(error)
    sys.stdout.write(f"Backed up {_counts(result)} to {arguments.file} ({result.bytes / 1e6:.1f} MB).\n")
    _warn(result)
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    try:
        path = _store_path(load_settings(arguments), LOAD.format(arguments.file))
        result = restore(arguments.file, path)
    except (ValueError, BackupError) as error:
        return _fail(error)
    sys.stdout.write(f"Restored {_counts(result)} to {path}.\n")
    if result.aside is not None:
        sys.stdout.write(f"The previous file is now {result.aside}; delete it when you do not need it.\n")
    _warn(result)
    return 0


def _store_path(settings: Settings, postgres_command: str) -> Path:
    """Return the file of the store; raise `ValueError` if it is not in a file."""
    if settings.is_postgres:
        raise ValueError(f"these tables are in PostgreSQL, which has its own command: {postgres_command}")
    if settings.sqlite_file is None:
        raise ValueError("tables in memory have no file")
    return settings.sqlite_file


def _warn(result: BackupResult) -> None:
    """Print what was not copied, and which tables cannot be opened."""
    if result.left_out:
        sys.stdout.write(f"Left out, because it is not part of a store: {', '.join(result.left_out)}.\n")
    if result.damaged:
        tables = "1 table has" if result.damaged == 1 else f"{result.damaged} tables have"
        sys.stdout.write(f"{tables} a damaged log and cannot be opened.\n")


def _counts(result: BackupResult) -> str:
    tables = "1 table" if result.tables == 1 else f"{result.tables} tables"
    guests = "1 guest" if result.guests == 1 else f"{result.guests} guests"
    return f"{tables} and {guests}"


def _fail(error: Exception) -> int:
    sys.stderr.write(f"notahat: {error}\n")
    return 2
