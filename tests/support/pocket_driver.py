"""A pocket whose browser is a test: entries are durable as soon as it is asked again, and time goes on when told to."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec

from notahat.clients.pocket import YOU, Pocket, chance
from notahat.table import Table

CODE = "POCKET-1"


class Shelf:
    """The browser's side: what it was asked to do, and the log it keeps."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, str, str]] = []
        self.kept = "null"
        self.flying: list[tuple[str, int, str, str]] = []
        self.heard: defaultdict[str, list[str]] = defaultdict(list)
        self.closed: list[tuple[str, int, str]] = []
        self.wakes: dict[str, float] = {}

    def beside(self) -> "Shelf":
        """Another tab's, with the same log."""
        other = Shelf()
        other.rows, other.kept = self.rows, self.kept
        return other

    def append(self, code: str, version: int, key: str, entry: str) -> None:
        self.flying.append((code, version, key, entry))

    def keep(self, code: str, version: int, schema: int, state: str) -> None:
        assert code
        self.kept = f'{{"version":{version},"schema":{schema},"state":{state}}}'

    def send(self, line: str, message: str) -> None:
        self.heard[line].append(message)

    def close(self, line: str, code: int, reason: str) -> None:
        self.closed.append((line, code, reason))

    def wake(self, code: str, at: float | None) -> None:
        self.wakes.pop(code, None)
        if at is not None:
            self.wakes[code] = at

    def log(self, after: int = 0) -> str:
        rows = [f'{{"version":{v},"command":"{key}","entry":{entry}}}' for v, key, entry in self.rows if v > after]
        return f"[{','.join(rows)}]"


class Pocketed:
    """One table in a pocket."""

    def __init__(
        self,
        options: dict[str, object] | None = None,
        pace: float = 1.0,
        luck: Callable[[Table], int] = chance,
        tick: float = 0.0,
        log: list[str] | None = None,
        now: float = 100.0,
        at: float = 5000.0,
        shelf: Shelf | None = None,
    ) -> None:
        self.now = now
        self.shelf = shelf or Shelf()
        self.pocket = Pocket(self.shelf, pace, luck, tick)
        if log is not None:
            self.shelf.rows = [(version, "", entry) for version, entry in enumerate(log, 1)]
        elif not self.shelf.rows:
            first = self.pocket.first_entry(CODE, msgspec.json.encode(options or {}).decode(), at)
            self.shelf.rows = [(1, "", first)]
        after = self.pocket.read_from(self.shelf.kept)
        assert self.pocket.open(CODE, self.shelf.kept, self.shelf.log(after), now, at) == ""

    def settle(self) -> None:
        """Everything that waits to be written is."""
        while self.shelf.flying:
            code, version, key, entry = self.shelf.flying.pop(0)
            known = {row[1] for row in self.shelf.rows if row[1]}
            if version == len(self.shelf.rows) and key not in known:
                self.shelf.rows.append((version + 1, key, entry))
                self.pocket.committed(code, version, self.now)
            else:
                self.pocket.overtaken(code, version, self.shelf.log(self.pocket.version(code)), self.now)

    def arrives(self, line: str = "me", guest: UUID = YOU, changes: bool = False) -> None:
        self.pocket.arrived(CODE, line, self.now, changes, guest)
        self.settle()

    def sends(self, frame: bytes | str, line: str = "me") -> None:
        self.pocket.received(CODE, line, frame if isinstance(frame, str) else frame.decode(), self.now)
        self.settle()

    def orders(self, order: str, line: str = "me", **fields: object) -> dict[str, Any]:
        count = len(self.shelf.heard[line])
        self.sends(msgspec.json.encode({"id": f"{order}{count}", "do": order, **fields}), line)
        return self.last(line)

    def brings(self, hat: str) -> dict[str, Any]:
        """A deck of somebody's own, on a line for this one order, as the browser's worker has it."""
        self.arrives("errand")
        self.pocket.put_deck(CODE, "errand", f"deck{len(self.shelf.heard['errand'])}", hat, self.now)
        self.settle()
        self.pocket.left(CODE, "errand", self.now)
        return self.last("errand")

    def deck(self, version: int) -> str:
        """What is told of the deck that came with a version."""
        rows = [f'{{"version":{v},"command":"","entry":{entry}}}' for v, _, entry in self.shelf.rows if v == version]
        return self.pocket.deck(f"[{','.join(rows)}]")

    def sleeps(self) -> None:
        """Until the time that was wished for; the clock itself stands still, as in the server's test."""
        if CODE in self.shelf.wakes:
            self.pocket.woken(CODE, max(self.shelf.wakes.pop(CODE), self.now))
            self.settle()

    def last(self, line: str = "me") -> dict[str, Any]:
        message: dict[str, Any] = msgspec.json.decode(self.shelf.heard[line][-1])
        return message
