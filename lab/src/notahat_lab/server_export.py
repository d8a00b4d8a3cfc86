"""Export people's decisions from a server's store: only rounds that all players agreed to, without names."""

import asyncio
import secrets
import sqlite3
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from uuid import UUID

from msgspec import Struct

from notahat.gifts import catalogue
from notahat.live import pace
from notahat.optional_dependencies import install_command
from notahat.store import POSTGRES_SCHEMES, SchemaTooNew, Unavailable, open_store
from notahat.table import Entry, Table, Unknown
from notahat.table.events import decode
from notahat.table.story import PlayedRound, finished_rounds
from notahat.table.table import STAND_IN_LEVEL
from notahat_lab.errors import LabError
from notahat_lab.export import Decision, DecisionRecorder

CLOCK_TOLERANCE = 0.05  # seconds
_SALT_BYTES, _NAME_BYTES = 16, 5


class Exported(Struct):
    """Exported decisions, and the numbers of exported and withheld rounds."""

    decisions: list[Decision]
    rounds: int = 0
    withheld: int = 0
    too_quick: int = 0  # moves made before the table could have shown the one before


class Pseudonyms:
    """Pseudonyms that are valid within one export only: the salt is not stored."""

    def __init__(self) -> None:
        self._salt = secrets.token_bytes(_SALT_BYTES)

    def __call__(self, id_: UUID, number: int = 0) -> str:
        return blake2b(id_.bytes + bytes([number]), key=self._salt, digest_size=_NAME_BYTES).hexdigest()


def from_server(store: str, speed: float = 1.0) -> Exported:
    """Export from a store at a URL or in SQLite's file, played at `speed`. Raise `LabError` if it cannot be read."""
    url = store if "://" in store else f"sqlite:///{store}"
    file = Path(url.removeprefix("sqlite://").removeprefix("/"))
    if url.startswith("sqlite:") and not file.is_file():
        raise LabError(f"no database at {file}")
    try:
        if url.startswith(POSTGRES_SCHEMES):
            from notahat.store.postgres import ping

            asyncio.run(ping(url))
        return asyncio.run(_from_store(url, speed))
    except ImportError as missing:
        raise LabError(f"PostgreSQL needs {missing.name or 'psycopg'}: {install_command('postgres')}") from missing
    except Unavailable as problem:  # do not print the URL, which may contain a password
        raise LabError(f"cannot read these tables: {problem}") from problem
    except (ValueError, OSError, sqlite3.Error, SchemaTooNew, Unknown) as problem:
        raise LabError(f"cannot read {store}: {problem}") from problem


async def _from_store(url: str, speed: float) -> Exported:
    found, pseudonym = Exported([]), Pseudonyms()
    store = await open_store(url)
    try:
        for id_ in sorted(await store.tables(), key=pseudonym):  # their order must not reveal anything
            entries = [decode(commit.events) for commit in await store.read(id_)]
            _add(found, entries, pseudonym(id_), pseudonym, speed)
    finally:
        await store.close()
    return found


def _add(found: Exported, entries: Iterable[Entry], table: str, pseudonym: Pseudonyms, speed: float) -> None:
    for round_, agreed in finished_rounds(entries):
        if not (agreed and _is_exportable(round_)):
            found.withheld += 1
            continue
        found.rounds += 1
        rows, too_quick = decisions(round_, f"{table}/{round_.number}", pseudonym, speed)
        found.decisions += rows
        found.too_quick += too_quick


def _is_exportable(round_: PlayedRound) -> bool:
    """Return whether all claims were entered and all gifts are from the catalogue."""
    dealt = round_.dealt.round
    if dealt is None or round_.dealt.spoken:
        return False
    return all(card.gift in catalogue() for cards in (*dealt.columns, dealt.shop) for card in cards)


def decisions(
    round_: PlayedRound, game: str, pseudonym: Pseudonyms, server_speed: float = 1.0
) -> tuple[list[Decision], int]:
    """Return every claim and answer of a round without the time of scenes, and how many came too quickly."""
    options, dealt = round_.dealt.options, round_.dealt.round
    if dealt is None:
        raise AssertionError("no round was dealt")
    recorder, names = DecisionRecorder(game, dealt, options.edition, options.pace), _names(round_.dealt, pseudonym)
    probes = {one.turn: one for one in round_.probes}
    speed, shown_for, too_quick = pace.SPEED[options.pace] * server_speed, 0.0, 0
    for step, move in round_.moves:
        before, after = step.before, step.after
        if before.round is None:
            raise AssertionError("move without a round")
        now, took = after.since - round_.dealt.since, after.since - before.since
        by = before.seats[move.move.seat].kind if move.by == "person" else "bot"
        player = _bot(before, move.move.seat) if by == "bot" else names[move.move.seat]
        thought = took - shown_for
        too_quick += by == "bot" and thought < -CLOCK_TOLERANCE
        said = probes.get(before.round.turn)
        recorder.record(
            before.round,
            move.move,
            step.rule_events,
            now,
            max(0.0, thought),
            player,
            believed=said.believed if said else None,
            by=by,
            confidence=said.confidence if said else None,
        )
        shown_for = pace.scene(step.rule_events) / speed
    return recorder.decisions, too_quick


def _names(dealt: Table, pseudonym: Pseudonyms) -> list[str]:
    """Return each seat's pseudonym; people on one device are distinguished by the order of their seats."""
    held: dict[UUID, int] = {}
    names = []
    for seat in dealt.seats:
        if seat.guest is None:
            names.append("")
            continue
        names.append(f"{seat.kind}-{pseudonym(seat.guest, held.get(seat.guest, 0))}")
        held[seat.guest] = held.get(seat.guest, 0) + 1
    return names


def _bot(table: Table, seat: int) -> str:
    """Return a computer player's name as in the arena, also for a stand-in."""
    who = table.seats[seat]
    level = who.level or STAND_IN_LEVEL
    return f"{level}/{who.character}" if who.character else level
