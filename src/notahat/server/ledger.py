"""A table's log, folded on this node: its state, what computer players have seen, which commands were carried out."""

from collections import OrderedDict
from uuid import UUID

from notahat.server.watcher import Watcher, remarks
from notahat.store import Commit, Store
from notahat.table import Shown, Table, steps
from notahat.table.events import Dealt, Entry, decode
from notahat.table.shown import shown
from notahat.table.snapshot import SNAPSHOT_SCHEMA, decode_table, encode_table

MOST_REMEMBERED = 512
READ_BACK = 64  # commands before a snapshot that somebody might still send again
SNAPSHOT_EVERY = 256


class Ledger:
    """The past of one table, as much of it as the present needs."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._done: OrderedDict[str, None] = OrderedDict()
        self.watcher = Watcher()
        self._snapshot: tuple[int, bytes] | None = None

    @property
    def table(self) -> Table:
        if self._table is None:
            raise AssertionError("a log starts with the table being opened")
        return self._table

    @classmethod
    async def load(cls, store: Store, id_: UUID) -> "Ledger | None":
        """Read a table from its newest snapshot on; None if there is no such table."""
        ledger = cls()
        snapshot = await store.snapshot(id_)
        if snapshot is not None:
            ledger._resume(decode_table(snapshot.schema, snapshot.state))
        version = ledger._table.version if ledger._table else 0
        for commit in await store.read(id_, max(0, version - READ_BACK)):
            if commit.version > version:
                ledger.take(commit)
            else:
                ledger._remember(commit.command)
        return ledger if ledger._table else None

    def has_done(self, command: str) -> bool:
        return command in self._done

    def take(self, commit: Commit, known: Entry | None = None) -> tuple[Shown, ...]:
        """Let a commit happen, and say what people see of it. Whoever wrote it knows its entry."""
        entry = known or decode(commit.events)
        happened: list[Shown] = []
        dealt = False
        for step in steps(self._table, entry):
            self._table = step.after
            happened += shown(step)
            happened += remarks(step)
            if isinstance(step.event, Dealt):
                self.watcher.deal(step.after)
                dealt = True
            elif step.said:
                self.watcher.see(step.after, step.said)
        if self._table is None:
            raise AssertionError("a log starts with the table being opened")
        self._remember(commit.command)
        if dealt or (self._table.version % SNAPSHOT_EVERY == 0 and self._table.stage != "play"):
            self._snapshot = (self._table.version, encode_table(self._table))
        return tuple(happened)

    @property
    def snapshot_due(self) -> bool:
        return self._snapshot is not None

    async def save_snapshot(self, store: Store, id_: UUID) -> None:
        snapshot, self._snapshot = self._snapshot, None
        if snapshot is not None:
            await store.save_snapshot(id_, snapshot[0], SNAPSHOT_SCHEMA, snapshot[1])

    def _resume(self, table: Table | None) -> None:
        """Go on from a snapshot. They are made when a round is dealt or none is played: no sight is missed."""
        self._table = table
        if table is not None and table.stage == "play":
            self.watcher.deal(table)

    def _remember(self, command: str) -> None:
        self._done[command] = None
        if len(self._done) > MOST_REMEMBERED:
            self._done.popitem(last=False)
