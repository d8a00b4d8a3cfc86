"""The laws that hold at every step of a simulation.

- durable: an acknowledged command is in the log exactly once, and no server shows what is not in the log.
- agreement: a table has the same state on every server that knows the same version: seats, turn and all else.
- waiting: a command is answered, or its connection closed, in bounded time; so is every other request.
- network: every honest client is answered within its bound, and what is kept for hostile ones is bounded.
- share: a server with a slow link to the database writes at least 0.3 times as often as another one.
- presence: a guest who stays connected is present on all servers, and one who has left is not.
- no errors: nothing is logged as an error, and no exception reaches the event loop.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec
from msgspec import Struct

from notahat.live.presence import Presence
from notahat.live.room import Room
from notahat.store import Commit
from notahat.table import Table, fold
from notahat.table.events import decode
from simulation.loop import Process, VirtualLoop

if TYPE_CHECKING:
    from simulation.world import Link, Server

ANSWER_SECONDS = 8.0  # three slow statements
SETTLE_SECONDS = 12.0  # lingering, a poll and a slow statement
LEASE_SECONDS = 20.0
PRESENCE_SECONDS = 0.1  # between two looks at the same presence: its bounds are seconds


class Wait(Struct, eq=False):
    """A request that waits for a process."""

    process: Process
    what: str
    since: float
    seconds: float


class Answer(Struct):
    """What the laws read of a message."""

    v: int = 0
    ack: str | None = None


class History:
    """The durable log of a table, and its state after each version."""

    def __init__(self) -> None:
        self.states: list[Table] = []
        self.versions: dict[str, int] = {}  # by command

    def add(self, commits: list[Commit]) -> str | None:
        """Add new commits; return what is wrong with them."""
        for commit in commits:
            if commit.version != len(self.states) + 1:
                return f"version {commit.version} follows {len(self.states)}"
            if commit.key in self.versions:
                return f"{commit.key} is in the log as {self.versions[commit.key]} and {commit.version}"
            self.versions[commit.key] = commit.version
            self.states.append(fold(self.states[-1] if self.states else None, (decode(commit.events),)))
        return None


class Laws(logging.Handler):
    """All laws of one run. They also receive the log messages of the servers."""

    def __init__(self, loop: VirtualLoop, read_log: Callable[[UUID, int], list[Commit]]) -> None:
        super().__init__(logging.ERROR)
        self.servers: dict[Process, Server] = {}
        self.acknowledged = 0
        self.may_change_nothing: set[str] = set()  # command keys
        self._loop = loop
        self._read_log = read_log
        self._histories: defaultdict[UUID, History] = defaultdict(History)
        self._checked: dict[tuple[Process, UUID], int] = {}
        self._presence: dict[tuple[Process, UUID], tuple[Presence, float]] = {}
        self._waits: dict[int, Wait] = {}
        self._number = count()
        self._links: defaultdict[UUID, list[Link]] = defaultdict(list)
        self._away_by: dict[UUID, float] = {}  # when others must know at the latest that a guest has left
        loop.after_step = self.after_step

    def emit(self, record: logging.LogRecord) -> None:
        self._loop.fail("no errors", f"{record.getMessage()} {record.exc_info and record.exc_info[1]!r}")

    @contextmanager
    def listening(self, logger: logging.Logger) -> Iterator[None]:
        logger.addHandler(self)
        try:
            yield
        finally:
            logger.removeHandler(self)

    def history(self, table: UUID) -> History:
        history = self._histories[table]
        if wrong := history.add(self._read_log(table, len(history.states))):
            self._loop.fail("durable", wrong)
        return history

    @contextmanager
    def waiting(self, process: Process, what: str, seconds: float = ANSWER_SECONDS) -> Iterator[None]:
        """Inside this block a request waits for a process."""
        number = next(self._number)
        self._waits[number] = Wait(process, what, self._loop.now, seconds)
        try:
            yield
        finally:
            del self._waits[number]

    def joined(self, link: "Link") -> None:
        self._links[link.guest].append(link)

    def left(self, link: "Link") -> None:
        self._links[link.guest].remove(link)
        self._away_by[link.guest] = max(self._away_by.get(link.guest, 0.0), self._loop.now + SETTLE_SECONDS)

    def killed(self, links: "list[Link]") -> None:
        """A server was killed: its leases remain for a while, also those that it was about to end."""
        for link in links:
            self.left(link)
        latest = self._loop.now + LEASE_SECONDS + SETTLE_SECONDS
        self._away_by = dict.fromkeys(self._away_by, latest)

    def sent(self, link: "Link", message: bytes) -> None:
        """Check a message that a server sends to a guest."""
        answer = msgspec.json.decode(message, type=Answer)
        if b'"v":' in message[:5]:
            if answer.v < link.version:
                self._loop.fail("agreement", f"{link.name} is sent version {answer.v} after {link.version}")
            link.version = answer.v
        if answer.ack is None:
            return
        key = f"{link.guest.hex}:{answer.ack}"
        version = self.history(link.table).versions.get(key)
        self.acknowledged += version is not None
        if version is None and key not in self.may_change_nothing:
            self._loop.fail("durable", f"{link.name}'s command {answer.ack} is acknowledged and not in the log")
        elif version is not None and version > answer.v:
            self._loop.fail("durable", f"{link.name}'s command {answer.ack} is acknowledged before its version")

    def after_step(self, process: Process) -> None:
        server = self.servers.get(process)
        for id_, room in server.rooms.items() if server else ():
            if self._checked.get((process, id_)) != room.table.version:
                self._checked[process, id_] = room.table.version
                self._check_state(process, id_, room.table)
            if room.connections and self._is_presence_due(process, id_, room):  # somebody sees it
                self._check_presence(process, id_, room)
        for wait in self._waits.values():
            if self._loop.now > max(wait.since, wait.process.excused_until) + wait.seconds:
                self._loop.fail("waiting", f"{wait.what}, and waits for {self._loop.now - wait.since:.1f} s")

    def _check_state(self, process: Process, id_: UUID, table: Table) -> None:
        states = self.history(id_).states
        if table.version > len(states):
            self._loop.fail("durable", f"{process.name} shows version {table.version}, the log has {len(states)}")
        elif states[table.version - 1] != table:
            self._loop.fail("agreement", f"{process.name} has another state of version {table.version}")

    def _is_presence_due(self, process: Process, id_: UUID, room: Room) -> bool:
        """Return whether a room's presence has changed, or was not checked for a while."""
        last, at = self._presence.get((process, id_), (None, 0.0))
        if last is room.presence and self._loop.now < at + PRESENCE_SECONDS:
            return False
        self._presence[process, id_] = room.presence, self._loop.now
        return True

    def _check_presence(self, process: Process, id_: UUID, room: Room) -> None:
        now, present = self._loop.now, room.presence.present
        for guest, links in self._links.items():
            here = [link for link in links if link.table == id_]
            if guest not in present:
                for link in here:
                    since = max(link.since, link.process.excused_until, process.excused_until)
                    if now - since > SETTLE_SECONDS:
                        self._loop.fail(
                            "presence", f"{link.name} is connected to {link.process.name} and away on {process.name}"
                        )
            elif not links:
                troubled = max(one.excused_until for one in self.servers)
                if now > max(self._away_by[guest], troubled + SETTLE_SECONDS):
                    self._loop.fail("presence", f"a guest has left and is present on {process.name}")
