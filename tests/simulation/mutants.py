"""Faults that the server once had, or could have: with each of them a law must break.

`make simulate MUTANT=lease` runs seeds with a fault until one breaks a law.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from unittest.mock import patch
from uuid import UUID

import psycopg
from msgspec import Struct

from notahat.live.dedup import Deduplicator
from notahat.live.effects import Append, Effect, ReadLog
from notahat.live.host import answer_from_log
from notahat.live.room import Room
from notahat.server.http.rendezvous import Message
from notahat.server.limits.accounts import Pool
from notahat.server.node import Node
from notahat.server.sockets.connection import GuestConnection
from notahat.server.table_sync import LogReader
from notahat.store import Conflict, postgres
from notahat.store.notifications import PresenceLeases
from notahat.store.sqlite_file import FileWatch
from notahat.store.writer import PendingAppend


class Mutant(Struct, frozen=True):
    """A faulty function instead of a right one, the laws that it may break, and the scenario that shows it."""

    owner: Any
    method: str
    faulty: Callable[..., Any]
    laws: tuple[str, ...]
    scenario: str

    @contextmanager
    def alive(self) -> Iterator[None]:
        with patch.object(self.owner, self.method, self.faulty):
            yield


def _renew_once(self: PresenceLeases) -> None:
    """Set the time of the next renewal before this one succeeded, and beside other writes."""

    async def upsert() -> None:
        with suppress(psycopg.Error):
            await self._upsert(list(self._present))

    if self._present and time.monotonic() >= self._renew_at:
        self._renew_at = time.monotonic() + self._seconds / 2
        self._renewal = asyncio.get_running_loop().create_task(upsert())  # type: ignore[attr-defined]


async def _read_whole_log(self: LogReader, table: UUID, read: ReadLog) -> bytes | None:
    """Read the log from the version on, and remember nothing."""
    commits = await self._store.read(table, (read.version or 1) - 1)
    return answer_from_log(read.request, commits[:1])


def _never_forgotten(self: Deduplicator, key: str) -> bool:
    """Carry out a command that was sent again when it is no longer known."""
    return False


def _ignore_frames(self: GuestConnection) -> bool:
    """Count no frame that ends no message: pongs, and parts of messages."""
    return True


def _shed_smallest(self: Pool) -> str:
    """Let those make room who hold least, as a queue of open connections does."""
    return min(self._held, key=self._held.__getitem__)


def _ignore_unread(self: GuestConnection, size: int) -> None:
    """Bound what each socket keeps, and not what all keep together."""


def _keep_message(self: Message) -> None:
    """Forget what a message takes, and keep the message."""


def _ignore_file(self: FileWatch) -> None:
    """Write into a file that was deleted."""


def _check_each(cursor: Any, jobs: list[PendingAppend]) -> None:
    """Make trips to the database for each job of a batch with a conflict."""
    for job in jobs:
        _append_checked(cursor, [job])


_append_checked = postgres.append_checked
_on_append, _broadcast, _room = Node._on_append, Room._broadcast, Node.room


async def _ignore_version(self: Node, id_: UUID, version: int = 0) -> Room | None:
    """Send a guest who comes from another node an older state than they have seen."""
    return await _room(self, id_)


def _forget_conflict(self: Node, id_: UUID, append: Append, result: Any) -> None:
    if not isinstance(result, Conflict):
        _on_append(self, id_, append, result)


def _leak_gift(self: Room, happened: Any, now: float, out: list[Effect], pending: Any = None) -> None:
    """Send a state twice where the hidden gift has a long name."""
    _broadcast(self, happened, now, out, pending)
    card = getattr(self.table.round and self.table.round.phase, "card", None)
    if card is not None and len(card.gift) > 5:
        _broadcast(self, (), now, out)


MUTANTS = {
    "lease": Mutant(PresenceLeases, "renew", _renew_once, ("presence",), "cluster"),
    "decks": Mutant(LogReader, "answer", _read_whole_log, ("waiting",), "single"),
    "file": Mutant(FileWatch, "check", _ignore_file, ("durable",), "single"),
    "window": Mutant(Deduplicator, "may_be_forgotten", _never_forgotten, ("durable",), "cluster"),
    "frames": Mutant(GuestConnection, "allows_frame", _ignore_frames, ("waiting",), "network"),
    "slots": Mutant(Pool, "_largest", _shed_smallest, ("waiting", "network"), "network"),
    "unread": Mutant(GuestConnection, "on_unread", _ignore_unread, ("network",), "network"),
    "letters": Mutant(Message, "shed", _keep_message, ("network",), "network"),
    "trips": Mutant(postgres, "append_checked", _check_each, ("share", "waiting"), "slow"),
    "conflict": Mutant(Node, "_on_append", _forget_conflict, ("waiting", "recovery"), "cluster"),
    "lag": Mutant(Node, "room", _ignore_version, ("agreement",), "cluster"),
    "leak": Mutant(Room, "_broadcast", _leak_gift, ("rule 9.5",), "twin"),
}
