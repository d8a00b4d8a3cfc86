"""Decisions of people, from a server's store: of rounds that everybody agreed to, without names, and nothing else."""

import asyncio
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from uuid import UUID

from msgspec import Struct

from notahat.gifts import catalogue
from notahat.lab.errors import Unusable
from notahat.lab.export import Decision, Ledger
from notahat.live import pace
from notahat.optional_dependencies import how_to_add
from notahat.store import POSTGRES, TooNew, Unavailable, open_store
from notahat.store.ping import must_answer
from notahat.table import Entry, Step, Table, Unknown
from notahat.table.events import Played, decode
from notahat.table.study import Finished, finished_rounds
from notahat.table.table import STAND_IN_LEVEL

_SALT_BYTES, _NAME_BYTES = 16, 5


class Exported(Struct):
    """What may leave a server, and how many finished rounds stay there."""

    decisions: list[Decision]
    rounds: int = 0
    kept_back: int = 0


class Pseudonyms:
    """Names that mean something within one export only: nobody keeps the salt that they are made with."""

    def __init__(self) -> None:
        self._salt = secrets.token_bytes(_SALT_BYTES)

    def __call__(self, id_: UUID, number: int = 0) -> str:
        return blake2b(id_.bytes + bytes([number]), key=self._salt, digest_size=_NAME_BYTES).hexdigest()


def from_server(store: str) -> Exported:
    """All that people at a server's tables agreed to; the store is an address, or SQLite's file."""
    url = store if "://" in store else f"sqlite:///{store}"
    file = Path(url.removeprefix("sqlite://").removeprefix("/"))
    if url.startswith("sqlite:") and not file.is_file():
        raise Unusable(f"no tables are kept in {file}")
    try:
        if url.startswith(POSTGRES):
            asyncio.run(must_answer(url))
        return asyncio.run(_from_store(url))
    except ImportError as missing:
        raise Unusable(f"PostgreSQL needs {missing.name or 'psycopg'}: {how_to_add('postgres')}") from missing
    except Unavailable as problem:  # without the address, in which a password may stand
        raise Unusable(f"cannot read these tables: {problem}") from problem
    except (ValueError, OSError, sqlite3.Error, TooNew, Unknown) as problem:
        raise Unusable(f"cannot read {store}: {problem}") from problem


async def _from_store(url: str) -> Exported:
    found, called = Exported([]), Pseudonyms()
    store = await open_store(url)
    try:
        for id_ in sorted(await store.tables(), key=called):  # so that not even their order tells anything
            entries = [decode(commit.events) for commit in await store.read(id_)]
            _add(found, entries, called(id_), called)
    finally:
        await store.close()
    return found


def _add(found: Exported, entries: Iterable[Entry], table: str, called: Pseudonyms) -> None:
    for round_, agreed in finished_rounds(entries):
        if not (agreed and _written_down(round_)):
            found.kept_back += 1
            continue
        found.rounds += 1
        found.decisions += decisions(round_, f"{table}/{round_.number}", called)


def _written_down(round_: Finished) -> bool:
    """Claims that were spoken nobody wrote down, and gifts of people's own are theirs."""
    dealt = round_.dealt.round
    if dealt is None or round_.dealt.spoken:
        return False
    return all(card.gift in catalogue() for cards in (*dealt.columns, dealt.shop) for card in cards)


def decisions(round_: Finished, game: str, called: Pseudonyms) -> list[Decision]:
    """Every claim and answer of a round. Times are seconds since the deal, less what it took to see what happened."""
    ledger, names = Ledger(game), _names(round_.dealt, called)
    speed, seen_for = pace.SPEED[round_.dealt.options.pace], 0.0
    for step, move in _moves(round_.moves):
        before, after = step.before, step.after
        if before.round is None:
            raise AssertionError("a move was made without a round")
        now, took = after.since - round_.dealt.since, after.since - before.since
        player = names[move.move.seat] if move.by == "person" else _bot(before, move.move.seat)
        ledger.note(before.round, move.move, step.said, now, max(0.0, took - seen_for), player)
        seen_for = pace.scene(step.said) / speed
    return ledger.decisions


def _moves(steps: Iterable[Step]) -> Iterator[tuple[Step, Played]]:
    return ((step, step.event) for step in steps if isinstance(step.event, Played))


def _names(dealt: Table, called: Pseudonyms) -> list[str]:
    """Who sat where: people on one device are told apart by the order they sit in."""
    held: dict[UUID, int] = {}
    names = []
    for seat in dealt.seats:
        if seat.guest is None:
            names.append("")
            continue
        names.append(f"person-{called(seat.guest, held.get(seat.guest, 0))}")
        held[seat.guest] = held.get(seat.guest, 0) + 1
    return names


def _bot(table: Table, seat: int) -> str:
    """A computer player as the arena would call it, also one that plays for somebody."""
    who = table.seats[seat]
    level = who.level or STAND_IN_LEVEL
    return f"{level}/{who.character}" if who.character else level
