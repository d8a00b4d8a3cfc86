"""A pocket with a fake browser: `commit_pending` makes entries durable, and the test advances the clock."""

from collections import defaultdict
from typing import Any
from uuid import UUID

import msgspec

from notahat.clients.pocket import YOU, Pocket
from notahat.live.settings import SYSTEM, Determinism

CODE = "POCKET-1"


class FakeBrowser:
    """Records what the pocket asks for, and keeps the log."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, str, str]] = []  # version, command key, entry
        self.snapshot = "null"
        self.pending: list[tuple[int, str, int, str, str]] = []
        self.loads: list[str] = []
        self.reads: list[tuple[int, int | None]] = []
        self.replies: list[str] = []
        self.messages: defaultdict[str, list[str]] = defaultdict(list)
        self.closed: list[tuple[str, int, str]] = []
        self.wakes: dict[str, float] = {}

    def other_tab(self) -> "FakeBrowser":
        """Return another tab that shares the log."""
        other = FakeBrowser()
        other.rows, other.snapshot = self.rows, self.snapshot
        return other

    def load(self, code: str) -> None:
        self.loads.append(code)

    def append(self, number: int, code: str, version: int, key: str, entry: str) -> None:
        self.pending.append((number, code, version, key, entry))

    def read_log(self, number: int, code: str, version: int | None) -> None:
        assert code
        self.reads.append((number, version))

    def reply(self, number: int, body: str) -> None:
        assert number
        self.replies.append(body)

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
        determinism: Determinism = SYSTEM,
        log: list[str] | None = None,
        now: float = 100.0,
        at: float = 5000.0,
        browser: FakeBrowser | None = None,
    ) -> None:
        self.now = now
        self.frames: list[str] = []  # of all connections
        self.browser = browser or FakeBrowser()
        self.pocket = Pocket(self.browser, pace, determinism)
        self._at = at
        if log is not None:
            self.browser.rows = [(version, "", entry) for version, entry in enumerate(log, 1)]
        elif not self.browser.rows:
            first = self.pocket.opening_entry(CODE, msgspec.json.encode(options or {}).decode(), at)
            self.browser.rows = [(1, "", first)]

    def commit_pending(self) -> None:
        """Do what the pocket asked of the log."""
        browser = self.browser
        while browser.loads or browser.pending or browser.reads:
            for code in browser.loads[:]:
                browser.loads.remove(code)
                log = browser.log(self.pocket.replay_after(browser.snapshot))
                assert self.pocket.loaded(code, browser.snapshot, log, self.now, self._at)
            for number, code, version, key, entry in browser.pending[:]:
                browser.pending.pop(0)
                if version == len(browser.rows):
                    browser.rows.append((version + 1, key, entry))
                    self.pocket.committed(number, code, self.now)
                else:
                    self.pocket.conflicted(number, code, browser.log(version), self.now)
            for number, one in browser.reads[:]:
                browser.reads.remove((number, one))
                self.pocket.log_read(number, browser.log(*((one - 1, one) if one else ())))

    def connect(self, connection: str = "me", guest: UUID = YOU, changes: bool = False) -> None:
        if guest == YOU:
            self.pocket.connect(CODE, connection, self.now, changes)
        else:
            self.pocket.connect_guest(CODE, connection, str(guest), self.now, changes)
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

    def ask(self, what: str, *values: object) -> str:
        """Send a request and return the reply."""
        getattr(self.pocket, what)(1, CODE, *values, self.now)
        self.commit_pending()
        return self.browser.replies.pop()

    def put_deck(self, hat: str) -> dict[str, Any]:
        """Put an own deck on the table; return its view or a refusal."""
        answer: dict[str, Any] = msgspec.json.decode(self.ask("put_deck", f"deck{len(self.browser.rows)}", hat))
        return answer

    def deck(self, version: int) -> str:
        """Return the deck that came with a version."""
        return self.ask("deck", version)

    def run_next_wake(self) -> None:
        """Wake the room at the time it asked for, while `now` stands still, as in the server's test."""
        if CODE in self.browser.wakes:
            self.pocket.wake(CODE, max(self.browser.wakes.pop(CODE), self.now))
            self.commit_pending()

    def run_all_wakes(self) -> None:
        while self.browser.wakes:
            self.run_next_wake()

    def last_message(self, connection: str = "me") -> dict[str, Any]:
        message: dict[str, Any] = msgspec.json.decode(self.browser.messages[connection][-1])
        return message
