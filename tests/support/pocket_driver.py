"""A pocket with a fake browser: `commit_pending` makes entries durable, and the test advances the clock."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec

from notahat.clients.pocket import YOU, Pocket, random_seed
from notahat.table import Table

CODE = "POCKET-1"


class FakeBrowser:
    """Records what the pocket asks for, and keeps the log."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, str, str]] = []  # version, command key, entry
        self.snapshot = "null"
        self.pending: list[tuple[str, int, str, str]] = []
        self.messages: defaultdict[str, list[str]] = defaultdict(list)
        self.closed: list[tuple[str, int, str]] = []
        self.wakes: dict[str, float] = {}

    def other_tab(self) -> "FakeBrowser":
        """Return another tab that shares the log."""
        other = FakeBrowser()
        other.rows, other.snapshot = self.rows, self.snapshot
        return other

    def append(self, code: str, version: int, key: str, entry: str) -> None:
        self.pending.append((code, version, key, entry))

    def save_snapshot(self, code: str, version: int, schema: int, state: str) -> None:
        assert code
        self.snapshot = f'{{"version":{version},"schema":{schema},"state":{state}}}'

    def send(self, connection: str, message: str) -> None:
        self.messages[connection].append(message)

    def close(self, connection: str, close_code: int, reason: str) -> None:
        self.closed.append((connection, close_code, reason))

    def schedule_wake(self, code: str, at: float | None) -> None:
        self.wakes.pop(code, None)
        if at is not None:
            self.wakes[code] = at

    def log(self, after: int = 0, until: float = float("inf")) -> str:
        rows = [
            f'{{"version":{version},"command":"{key}","entry":{entry}}}'
            for version, key, entry in self.rows
            if after < version <= until
        ]
        return f"[{','.join(rows)}]"


class PocketTable:
    """One table in a pocket."""

    def __init__(
        self,
        options: dict[str, object] | None = None,
        pace: float = 1.0,
        seed: Callable[[Table], int] = random_seed,
        tick: float = 0.0,
        log: list[str] | None = None,
        now: float = 100.0,
        at: float = 5000.0,
        browser: FakeBrowser | None = None,
    ) -> None:
        self.now = now
        self.frames: list[str] = []  # of all connections
        self.browser = browser or FakeBrowser()
        self.pocket = Pocket(self.browser, pace, seed, tick)
        if log is not None:
            self.browser.rows = [(version, "", entry) for version, entry in enumerate(log, 1)]
        elif not self.browser.rows:
            first = self.pocket.opening_entry(CODE, msgspec.json.encode(options or {}).decode(), at)
            self.browser.rows = [(1, "", first)]
        after = self.pocket.replay_after(self.browser.snapshot)
        assert self.pocket.open(CODE, self.browser.snapshot, self.browser.log(after), now, at) == ""

    def commit_pending(self) -> None:
        while self.browser.pending:
            code, version, key, entry = self.browser.pending.pop(0)
            known = {row[1] for row in self.browser.rows if row[1]}
            if version == len(self.browser.rows) and key not in known:
                self.browser.rows.append((version + 1, key, entry))
                self.pocket.handle_commit(code, version, self.now)
            else:
                self.pocket.handle_conflict(code, version, self.browser.log(self.pocket.version(code)), self.now)

    def connect(self, connection: str = "me", guest: UUID = YOU, changes: bool = False) -> None:
        self.pocket.connect(CODE, connection, self.now, changes, guest)
        self.commit_pending()

    def send(self, frame: bytes | str, connection: str = "me") -> None:
        self.frames.append(frame if isinstance(frame, str) else frame.decode())
        self.pocket.receive(CODE, connection, self.frames[-1], self.now)
        self.commit_pending()

    def do(self, command: str, connection: str = "me", **fields: object) -> dict[str, Any]:
        """Send a command and return the answer."""
        count = len(self.browser.messages[connection])
        self.send(msgspec.json.encode({"id": f"{command}{count}", "do": command, **fields}), connection)
        return self.last_message(connection)

    def put_deck(self, hat: str) -> dict[str, Any]:
        """Put an own deck on the table, over a connection of its own, as the browser's worker does."""
        self.connect("deck")
        self.pocket.put_deck(CODE, "deck", f"deck{len(self.browser.messages['deck'])}", hat, self.now)
        self.commit_pending()
        self.pocket.disconnect(CODE, "deck", self.now)
        return self.last_message("deck")

    def deck(self, version: int) -> str:
        """Return the deck that came with a version."""
        return self.pocket.deck(self.browser.log(version - 1, version))

    def run_next_wake(self) -> None:
        """Wake the room at the time it asked for, while `now` stands still, as in the server's test."""
        if CODE in self.browser.wakes:
            self.pocket.handle_wake(CODE, max(self.browser.wakes.pop(CODE), self.now))
            self.commit_pending()

    def run_all_wakes(self) -> None:
        while self.browser.wakes:
            self.run_next_wake()

    def last_message(self, connection: str = "me") -> dict[str, Any]:
        message: dict[str, Any] = msgspec.json.decode(self.browser.messages[connection][-1])
        return message
