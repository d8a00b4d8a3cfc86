"""`notahat forget`: delete a table, delete all that is stored of a person, or end the tokens of a lost phone."""

import argparse
import asyncio
import sys
from uuid import UUID

from notahat.server.http.guests import TICKET_SECONDS, Guests
from notahat.server.ops.store_check import check_opening
from notahat.server.settings import Settings, add_store_options, load_settings
from notahat.server.table_codes import split_code
from notahat.store import Store, Unavailable, open_store
from notahat.table import Unknown
from notahat.table.events import Queued, Sat, decode

NOT_DONE = 1
UNUSABLE = 2


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    summary = "delete a table, or a person's data, or end the tokens of a lost phone; also while people play"
    parser = commands.add_parser("forget", help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    subject = parser.add_mutually_exclusive_group(required=True)
    subject.add_argument("--table", metavar="CODE", help="delete this table with everything that happened there")
    subject.add_argument(
        "--guest",
        metavar="CODE/NAME",
        help="end all tokens of the person with this name at this table, and delete all tables where they played",
    )
    parser.add_argument(
        "--only-tokens", action="store_true", help="with --guest: delete no table, and print a link for the new phone"
    )
    parser.add_argument("--yes", action="store_true", help="do it; without this the command only says what it would do")
    parser.add_argument("--public-url", metavar="URL", help="the server's address, for the link (NOTAHAT_PUBLIC_URL)")
    add_store_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        if arguments.only_tokens and not arguments.guest:
            raise ValueError("--only-tokens needs --guest CODE/NAME")
        settings = load_settings(arguments)
        _require_file(settings)
        asyncio.run(check_opening(settings))
        return asyncio.run(_run(arguments, settings))
    except (ValueError, Unavailable, Unknown) as error:
        sys.stderr.write(f"notahat: {error}\n")
        return UNUSABLE


def _require_file(settings: Settings) -> None:
    """Raise `ValueError` instead of creating an empty store in the wrong folder."""
    file = settings.sqlite_file
    if not settings.is_postgres and (file is None or not file.is_file()):
        raise ValueError(f"there are no tables in {settings.store or settings.folder}: name the folder with --data DIR")


async def _run(arguments: argparse.Namespace, settings: Settings) -> int:
    store = await open_store(settings.store_url)
    try:
        if arguments.table:
            return await _forget_table(store, arguments.table, arguments.yes)
        code, _, name = arguments.guest.partition("/")
        guest = await _guest(store, code, name)
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
    return 0


async def _forget_guest(store: Store, guest: UUID, confirmed: bool) -> int:
    tables = await store.tables_containing(str(guest).encode())
    if not confirmed:
        return _not_done(f"This ends all tokens of this person and deletes {_count(tables)}, for everyone there.")
    for table in tables:
        await store.delete_table(table)
    await store.end_tokens(guest)
    sys.stdout.write(f"Deleted {_count(tables)} and the person's tokens. Backups and exports still have their data.\n")
    return 0


async def _end_tokens(store: Store, guest: UUID, public_url: str, confirmed: bool) -> int:
    if not confirmed:
        return _not_done("This ends the tokens of this person on all devices and prints a link for the new one.")
    ended = await store.end_tokens(guest)
    path = f"/c/{await Guests(store).create_ticket(guest)}"
    tokens = "1 token" if ended == 1 else f"{ended} tokens"
    sys.stdout.write(f"Ended {tokens}; their open pages stop within a minute. The person continues elsewhere with\n")
    sys.stdout.write(f"{public_url.rstrip('/')}{path}\nwhich works once, within {TICKET_SECONDS // 60} minutes.\n")
    return 0


async def _table(store: Store, requested: str) -> UUID:
    code, _ = split_code(requested)
    table = None if code is None else await store.table_of(code)
    if table is None:
        raise ValueError(f"there is no table {requested!r}: name it by its code, such as K7QX")
    return table


async def _guest(store: Store, code: str, name: str) -> UUID:
    """Return the guest who sat or waited at a table under this name."""
    found = set()
    for commit in await store.read(await _table(store, code)):
        for event in decode(commit.events).events:
            if isinstance(event, Sat | Queued) and event.name.casefold() == name.strip().casefold():
                found.add(event.guest)
    if len(found) != 1:
        number = "nobody" if not found else "more than one person"
        raise ValueError(f"{number} at the table {code.upper()} has the name {name!r}: use --guest CODE/NAME")
    return found.pop()


def _not_done(message: str) -> int:
    sys.stdout.write(f"{message}\nNothing was changed: add --yes to do it.\n")
    return NOT_DONE


def _count(tables: list[UUID]) -> str:
    return "1 table" if len(tables) == 1 else f"{len(tables)} tables"
