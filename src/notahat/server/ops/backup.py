"""`notahat backup FILE` and `notahat restore FILE`: one file that holds everything, made while people play."""

import argparse
import sys
from pathlib import Path

from notahat.server.settings import Settings, add_store_options, settled
from notahat.store import POSTGRES
from notahat.store.sqlite import MEMORY, path_of
from notahat.store.sqlite_backup import Copied, NoCopy, back_up, restore

DUMP = "pg_dump --format=custom --schema=notahat --file={} URL"
LOAD = "pg_restore --clean --if-exists --single-transaction --no-owner --dbname=URL {}"


def add_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    told = "write all tables and guests into one new file, while people play"
    _add(commands, "backup", told, "the new file", _backup)
    told = "put a backup in the place of what is kept, while no server runs; what was there is moved aside"
    _add(commands, "restore", told, "the file that `notahat backup` made", _restore)


def _add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, told: str, file: str, run: object
) -> None:
    parser = commands.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")
    parser.add_argument("file", metavar="FILE", type=Path, help=file)
    add_store_options(parser)
    parser.set_defaults(run=run)


def _backup(arguments: argparse.Namespace) -> int:
    try:
        path = _kept_in(settled(arguments), DUMP.format(arguments.file))
        if not path.is_file():
            raise NoCopy(f"no tables are kept in {path}: name the folder with --data DIR (or NOTAHAT_DATA)")
        copied = back_up(path, arguments.file)
    except (ValueError, NoCopy) as problem:
        return _no(problem)
    sys.stdout.write(f"Backed up {_counted(copied)} to {arguments.file} ({copied.bytes / 1e6:.1f} MB).\n")
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    try:
        path = _kept_in(settled(arguments), LOAD.format(arguments.file))
        copied = restore(arguments.file, path)
    except (ValueError, NoCopy) as problem:
        return _no(problem)
    sys.stdout.write(f"Restored {_counted(copied)} to {path}.\n")
    if copied.aside is not None:
        sys.stdout.write(f"What was there before is in {copied.aside}; delete it when you do not need it.\n")
    return 0


def _kept_in(settings: Settings, otherwise: str) -> Path:
    """The file that the settings mean; raises `ValueError` where it is none."""
    if settings.store_url.startswith(POSTGRES):
        raise ValueError(f"these tables are kept in PostgreSQL, which has its own way: {otherwise}")
    path = path_of(settings.store_url)
    if path == MEMORY:
        raise ValueError("tables in memory are kept nowhere")
    return Path(path)


def _counted(copied: Copied) -> str:
    tables = "1 table" if copied.tables == 1 else f"{copied.tables} tables"
    guests = "1 guest" if copied.guests == 1 else f"{copied.guests} guests"
    return f"{tables} and {guests}"


def _no(problem: Exception) -> int:
    sys.stderr.write(f"notahat: {problem}\n")
    return 2
