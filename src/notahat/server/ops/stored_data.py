"""`notahat backup`, `restore` and `forget`: copy the SQLite store, put it back, or delete a table or a person."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

from notahat.server.http.guests import TICKET_SECONDS, Guests
from notahat.server.ops.store_check import check_opening, counted
from notahat.server.settings import Settings, add_store_options, exit_on, load_settings
from notahat.server.table_codes import split_code
from notahat.store import Store, Unavailable, open_store
from notahat.store.sqlite_backup import BackupError, BackupResult, back_up, restore
from notahat.table import Table, Unknown, fold
from notahat.table.events import decode

DUMP = "pg_dump --format=custom --schema=notahat --file={} URL"
LOAD = "pg_restore --clean --if-exists --single-transaction --no-owner --dbname=URL {}"

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_command(commands: Commands) -> None:
    summary = "write all tables and guests into one new file, while people play"
    _add(commands, "backup", summary, "the new file", _backup)
    summary = "replace the stored tables by a backup, while no server runs; the previous file is moved aside"
    _add(commands, "restore", summary, "the file that `notahat backup` made", _restore)
    _add_forget(commands)


def _add(commands: Commands, name: str, summary: str, file: str, run: Callable[[argparse.Namespace], int]) -> None:
    parser = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    parser.add_argument("file", metavar="FILE", type=Path, help=file)
    add_store_options(parser)
    parser.set_defaults(run=run)


def _backup(arguments: argparse.Namespace) -> int:
    with exit_on(ValueError, BackupError):
        path = _store_path(load_settings(arguments), DUMP.format(arguments.file))
        if not path.is_file():
            raise BackupError(f"there are no tables in {path}: name the folder with --data DIR (or NOTAHAT_DATA)")
        result = back_up(path, arguments.file)
    sys.stdout.write(f"Backed up {_counts(result)} to {arguments.file} ({result.bytes / 1e6:.1f} MB).\n")
    _warn(result)
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    with exit_on(ValueError, BackupError):
        path = _store_path(load_settings(arguments), LOAD.format(arguments.file))
        result = restore(arguments.file, path)
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
    return f"{counted(result.tables, 'table')} and {counted(result.guests, 'guest')}"


NOT_DONE = 1


def _add_forget(commands: Commands) -> None:
    summary = "delete a table, or a person's data, or end the tokens of a lost phone; also while people play"
    parser = commands.add_parser("forget", help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    subject = parser.add_mutually_exclusive_group(required=True)
    subject.add_argument("--table", metavar="CODE", help="delete this table with everything that happened there")
    subject.add_argument(
        "--guest",
        metavar="CODE/NAME",
        help="end all tokens of the person who has or had this name at this table, or knocked there under it, and "
        "delete all tables where they played",
    )
    parser.add_argument("--which", type=int, metavar="N", help="with --guest: which of several who had that name")
    parser.add_argument(
        "--only-tokens", action="store_true", help="with --guest: delete no table, and print a link for the new phone"
    )
    parser.add_argument("--yes", action="store_true", help="do it; without this the command only says what it would do")
    parser.add_argument("--public-url", metavar="URL", help="the server's address, for the link (NOTAHAT_PUBLIC_URL)")
    add_store_options(parser)
    parser.set_defaults(run=_forget)


def _forget(arguments: argparse.Namespace) -> int:
    with exit_on(ValueError, Unavailable, Unknown):
        if arguments.only_tokens and not arguments.guest:
            raise ValueError("--only-tokens needs --guest CODE/NAME")
        settings = load_settings(arguments)
        file = settings.sqlite_file
        if not settings.is_postgres and (file is None or not file.is_file()):  # do not create an empty store there
            place = settings.store or settings.folder
            raise ValueError(f"there are no tables in {place}: name the folder with --data DIR")
        asyncio.run(check_opening(settings))
        return asyncio.run(_run(arguments, settings))


async def _run(arguments: argparse.Namespace, settings: Settings) -> int:
    store = await open_store(settings.store_url)
    try:
        if arguments.table:
            return await _forget_table(store, arguments.table, arguments.yes)
        code, _, name = arguments.guest.partition("/")
        guest = await _guest(store, code, name, arguments.which)
        if arguments.only_tokens:
            return await _end_tokens(store, guest, settings.public_url, arguments.yes)
        return await _forget_guest(store, guest, arguments.yes)
    finally:
        await store.close()


async def _forget_table(store: Store, code: str, confirmed: bool) -> int:
    table = await _table(store, code)
    if not confirmed:
        return _not_done(f"This deletes the table {code.upper()} and everything that happened there.")
    await store.delete_table(table)
    sys.stdout.write(f"Deleted the table {code.upper()}. Guests who are connected leave it within half a minute.\n")
    await _say_erased(store)
    return 0


async def _forget_guest(store: Store, guest: UUID, confirmed: bool) -> int:
    tables = await store.tables_containing(str(guest).encode())
    if not confirmed:
        deleted = counted(len(tables), "table")
        return _not_done(f"This ends all tokens of this person and deletes {deleted}, for everyone there.")
    for table in tables:
        await store.delete_table(table)
    await store.end_tokens(guest)
    sys.stdout.write(f"Deleted {counted(len(tables), 'table')} and the person's tokens.\n")
    await _say_erased(store)
    return 0


async def _end_tokens(store: Store, guest: UUID, public_url: str, confirmed: bool) -> int:
    if not confirmed:
        return _not_done("This ends the tokens of this person on all devices and prints a link for the new one.")
    ended = await store.end_tokens(guest)
    path = f"/c/{await Guests(store).create_ticket(guest)}"
    tokens = counted(ended, "token")
    sys.stdout.write(f"Ended {tokens}; their open pages stop within a minute. The person continues elsewhere with\n")
    sys.stdout.write(f"{public_url.rstrip('/')}{path}\nwhich works once, within {TICKET_SECONDS // 60} minutes.\n")
    return 0


async def _table(store: Store, requested: str) -> UUID:
    code, _ = split_code(requested)
    table = None if code is None else await store.table_of(code)
    if table is None:
        raise ValueError(f"there is no table {requested!r}: name it by its code, such as K7QX")
    return table


async def _guest(store: Store, code: str, name: str, which: int | None) -> UUID:
    """Return the guest who ever had this name at a table; raise `ValueError` rather than guess between several."""
    table, names = None, dict[UUID, list[str]]()
    for commit in await store.read(await _table(store, code)):
        table = fold(table, (decode(commit.events),))
        for guest, called in _people(table):
            if called not in names.setdefault(guest, []):
                names[guest].append(called)
    found = [guest for guest, called in names.items() if name.strip().casefold() in map(str.casefold, called)]
    if not found:
        raise ValueError(f"nobody at the table {code.upper()} had the name {name!r}: use --guest CODE/NAME")
    if which is None and len(found) > 1:
        people = "; ".join(f"{number}: {', then '.join(names[guest])}" for number, guest in enumerate(found, 1))
        raise ValueError(f"several people had the name {name!r}, choose one with --which N ({people})")
    if not 1 <= (which or 1) <= len(found):
        raise ValueError(f"--which is a number from 1 to {len(found)}")
    return found[(which or 1) - 1]


def _people(table: Table) -> Iterator[tuple[UUID, str]]:
    """Yield every guest with a name at a table: seated, waiting, or knocking."""
    yield from ((seat.guest, seat.name) for seat in table.seats if seat.guest is not None)
    yield from ((guest, seat.name) for guest, seat in table.waiting.items())
    yield from ((guest, knocking.name) for guest, knocking in table.knocks.items())


async def _say_erased(store: Store) -> None:
    """Say what still has the data after a deletion."""
    kept = "" if await store.erase_deleted() else " The write-ahead file has it until the server is less busy or stops."
    sys.stdout.write(f"Backups and exports still have their data.{kept}\n")


def _not_done(message: str) -> int:
    sys.stdout.write(f"{message}\nNothing was changed: add --yes to do it.\n")
    return NOT_DONE
