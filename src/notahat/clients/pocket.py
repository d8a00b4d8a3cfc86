"""Drive a host inside a browser: JavaScript (web/src/net/local/worker.ts) calls `Pocket`, and keeps clock and log."""

from collections.abc import Callable
from typing import Protocol
from uuid import UUID

import msgspec
from msgspec import Struct, field

from notahat.gifts import read_deck
from notahat.live import effects, requests
from notahat.live.dedup import DEDUP_ENTRIES
from notahat.live.host import Host, answer_from_log
from notahat.live.limits import FRAMES_PER_SECOND, MAX_FRAMES, FrameGate, FrameRefused, RateLimit, TooManyStrikes
from notahat.live.settings import SYSTEM, Determinism, RoomSettings
from notahat.rules import Illegal, Reason
from notahat.table import TableView, Unknown
from notahat.table.commands import UploadDeck
from notahat.table.people import folded_name_keys
from notahat.table.table import SNAPSHOT_SCHEMA
from notahat.wire import messages
from notahat.wire.messages import ServerReason

YOU = UUID(int=1)  # the one guest of this device; several people may share it
MAX_GUESTS = 64  # whose frames are counted


class Browser(Protocol):
    """What the browser does for a pocket, in the order of the calls."""

    def load(self, code: str) -> None:
        """Read a table's snapshot and log, then call `loaded`."""

    def append(self, number: int, code: str, version: int, key: str, entry: str) -> None:
        """Write an entry after `version`, then call `committed` or `conflicted` with the number."""

    def read_log(self, number: int, code: str, version: int | None) -> None:
        """Read one entry of the log, or all, then call `log_read` with the number."""

    def save_snapshot(self, code: str, version: int, schema: int, state: str) -> None: ...
    def send(self, connection: str, message: str) -> None: ...
    def close(self, connection: str, close_code: int, reason: str) -> None: ...
    def reply(self, number: int, body: str) -> None: ...
    def schedule_wake(self, code: str, at: float | None) -> None:
        """Call `wake` at this time, instead of any earlier request."""


class StoredEntry(Struct, frozen=True):
    """An entry as the browser returns it from its log."""

    version: int
    key: str = field(name="command")
    entry: msgspec.Raw

    @property
    def events(self) -> bytes:
        return bytes(self.entry)


class Snapshot(Struct, frozen=True):
    """A table's state at one version."""

    version: int
    schema: int
    state: msgspec.Raw


_log = msgspec.json.Decoder(tuple[StoredEntry, ...])
_snapshot = msgspec.json.Decoder(Snapshot | None)
_word = msgspec.json.Decoder(messages.AskLines)
_options = msgspec.json.Decoder(dict[str, object])


class Pocket:
    """The driver of all tables of one browser tab. Requests and appends have numbers that JavaScript passes back."""

    def __init__(self, browser: Browser, pace: float = 1.0, determinism: Determinism = SYSTEM) -> None:
        self._browser = browser
        self._host = Host[str](RoomSettings(speed=pace, determinism=determinism))
        self._appends: dict[int, effects.Append] = {}
        self._requests: dict[object, int] = {}
        self._reads: dict[int, effects.ReadLog] = {}
        self._last_append = 0
        self._gates: dict[str, FrameGate] = {}  # by connection; those of this device have no limits
        speed = max(1.0, pace)  # where clocks are faster, so are the players
        self._frames = RateLimit(MAX_FRAMES * speed, FRAMES_PER_SECOND * speed, keys=MAX_GUESTS)

    def opening_entry(self, code: str, options: str, at: float, day: str = "", guest: str = "") -> str:
        """Return the first log entry of a new table, or of the daily table of `day`; or a refusal."""

        def entry() -> bytes:
            request = requests.Open(code, code, _options.decode(options), at, day=day or None)
            match self._host.handle(request, _guest(guest), 0.0):
                case [effects.Append(entry=entry)]:
                    return entry
                case [effects.Reply(result=Illegal() as illegal)]:
                    raise illegal
            raise AssertionError(request)

        return _or_refusal(entry)

    def is_open(self, code: str) -> bool:
        return code in self._host.rooms

    def version(self, code: str) -> int:
        return self._host.rooms[code].table.version

    def devices(self, code: str) -> str:
        """Return the seats of each device, by its guest, and whether the game has not begun."""
        seats: dict[str, list[int]] = {}
        lobby = True
        if self.is_open(code):
            table = self._host.rooms[code].table
            lobby = table.stage == "lobby"
            for number, seat in enumerate(table.seats):
                if seat.guest is not None:
                    seats.setdefault(seat.guest.hex, []).append(number)
        return msgspec.json.encode({"seats": seats, "lobby": lobby}).decode()

    def replay_after(self, snapshot: str) -> int:
        """Return the version after which the log is needed to open a table that has this snapshot."""
        usable = _read_snapshot(snapshot)
        return max(0, usable.version - DEDUP_ENTRIES) if usable is not None else 0

    def loaded(self, code: str, snapshot: str, log: str, now: float, at: float) -> bool:
        """Open a table from the browser's log. Return False if a newer release wrote it."""
        usable = _read_snapshot(snapshot)
        start = (usable.schema, bytes(usable.state)) if usable is not None else None
        try:
            self._execute(code, self._host.loaded(code, start, _log.decode(log), now=now, at=at))
        except Unknown as unknown:
            self._execute(code, self._host.not_loaded(code, ServerReason.BUSY, str(unknown)))
            return False
        return True

    def close_if_idle(self, code: str) -> None:
        self._execute(code, self._host.close_if_idle(code))

    def connect(self, code: str, connection: str, now: float, deltas: bool = False) -> None:
        """Connect the people of this device."""
        self._gates[connection] = FrameGate()
        self._handle(requests.Connect(code, connection, deltas), now)

    def connect_guest(
        self, code: str, connection: str, guest: str, now: float, deltas: bool = False, screen: bool = False
    ) -> None:
        """Connect another device, perhaps as a `screen`. Its frames are limited as a server limits them."""
        self._gates[connection] = FrameGate(self._frames.bucket(UUID(guest)))
        self._handle(requests.Connect(code, connection, deltas, screen), now, UUID(guest))

    def disconnect(self, code: str, connection: str, now: float) -> None:
        self._gates.pop(connection, None)
        self._handle(requests.Disconnect(code, connection), now)

    def receive(self, code: str, connection: str, frame: str, now: float) -> None:
        """Handle a frame of docs/protocol.md; ignore it if the connection is closed."""
        gate = self._gates.get(connection)
        if gate is None:
            return
        try:
            id_, command = gate.read(frame.encode(), lambda: self._host.pending_commands(code, connection))
        except FrameRefused as refused:
            self._browser.send(connection, messages.encode_no(refused.id, refused.reason, refused.detail).decode())
        except TooManyStrikes:
            self.disconnect(code, connection, now)
            self._browser.close(connection, effects.POLICY_VIOLATION, ServerReason.TOO_FAST.value)
        else:
            if isinstance(command, messages.Heartbeat):
                self._browser.send(connection, messages.encode_message(messages.HeartbeatReply()).decode())
            else:
                self._handle(requests.Submit(code, connection, id_, command), now)

    def wake(self, code: str, now: float) -> None:
        self._handle(requests.Time(code), now)

    def summary(self, number: int, code: str, now: float, guest: str = "") -> None:
        self._ask(number, requests.Summarise(code), now, guest)

    def story(self, number: int, code: str, round_: int, now: float, guest: str = "") -> None:
        """Ask for the story of a finished round."""
        self._ask(number, requests.ReadStory(code, round_), now, guest)

    def deck(self, number: int, code: str, version: int, now: float, guest: str = "") -> None:
        """Ask for the gifts and pictures of the deck that came with a version."""
        self._ask(number, requests.ReadDeck(code, version), now, guest)

    def put_deck(self, number: int, code: str, id_: str, hat: str, now: float, guest: str = "") -> None:
        """Put a `.hat` file on a table. It is too large for a frame."""
        try:
            deck = read_deck(hat.encode(), folded_name_keys)
        except Illegal as illegal:
            self._browser.reply(number, _refusal(illegal))
        else:
            self._ask(number, requests.Submit(code, None, id_, UploadDeck(deck)), now, guest)

    def spoken_lines(self, word: str) -> str:
        """Return the spoken lines of an own gift with this word, or a refusal."""
        return _or_refusal(lambda: messages.encode_message(messages.lines_message(_word.decode(word))))

    def committed(self, number: int, code: str, now: float) -> None:
        self._execute(code, self._host.committed(code, self._appends.pop(number), now))

    def conflicted(self, number: int, code: str, log: str, now: float) -> None:
        """Another tab wrote first; `log` has its entries."""
        self._execute(code, self._host.conflicted(code, self._appends.pop(number), _log.decode(log), now))

    def commits_received(self, code: str, log: str, now: float) -> None:
        """Apply what another tab has written."""
        self._execute(code, self._host.commits_received(code, _log.decode(log), now))

    def log_read(self, number: int, log: str) -> None:
        read = self._reads.pop(number)
        answer = answer_from_log(read.request, _log.decode(log))
        self._reply(effects.Reply(read.request, Illegal(read.missing, "") if answer is None else answer))

    def log_unread(self, number: int) -> None:
        """Refuse a request whose log could not be read."""
        self._reply(effects.Reply(self._reads.pop(number).request, Illegal(ServerReason.BUSY, "")))

    def failed(self, code: str) -> None:
        """Close a table whose log could not be read or written. Its connections are closed and may reconnect."""
        self._execute(code, self._host.not_loaded(code, ServerReason.BUSY))
        self._execute(code, self._host.failed(code))

    def _handle(self, request: requests.Request[str], now: float, guest: UUID = YOU) -> None:
        self._execute(request.table, self._host.handle(request, guest, now))

    def _ask(self, number: int, request: requests.Request[str], now: float, guest: str = "") -> None:
        self._requests[request] = number
        self._handle(request, now, _guest(guest))

    def _reply(self, reply: effects.Reply) -> None:
        self._browser.reply(self._requests.pop(reply.request), _body(reply.result))

    def _execute(self, code: str, wanted: list[effects.Effect]) -> None:
        browser = self._browser
        for effect in wanted:
            match effect:
                case effects.Send(connection=str(connection), message=message):
                    browser.send(connection, message.decode())
                case effects.Close(connection=str(connection), code=close_code, reason=reason):
                    self._gates.pop(connection, None)
                    browser.close(connection, close_code, reason)
                case effects.Reply():
                    self._reply(effect)
                case effects.Load():
                    browser.load(code)
                case effects.Wake(at=at):
                    browser.schedule_wake(code, at)
                case effects.Unload():
                    browser.schedule_wake(code, None)
                case _:
                    self._use_log(code, effect)

    def _use_log(self, code: str, effect: effects.Effect) -> None:
        match effect:
            case effects.Append(version=version, key=key, entry=entry):
                self._last_append += 1
                self._appends[self._last_append] = effect
                self._browser.append(self._last_append, code, version, key, entry.decode())
            case effects.SaveSnapshot(version=version, schema=schema, state=state):
                self._browser.save_snapshot(code, version, schema, state.decode())
            case effects.ReadLog(request=request, version=one):
                number = self._requests[request]
                self._reads[number] = effect
                self._browser.read_log(number, code, one)


def _guest(guest: str) -> UUID:
    """Return the guest with this id; without one it is the people of this device."""
    return UUID(guest) if guest else YOU


def _read_snapshot(text: str) -> Snapshot | None:
    """Return None if there is no snapshot or its schema is another one."""
    snapshot = _snapshot.decode(text)
    return snapshot if snapshot is not None and snapshot.schema == SNAPSHOT_SCHEMA else None


def _body(result: object) -> str:
    match result:
        case bytes():
            return result.decode()
        case Illegal():
            return _refusal(result)
        case TableView(deck=deck):
            return msgspec.json.encode(deck).decode()
        case _:
            return msgspec.json.encode(result).decode()


def _or_refusal(make: Callable[[], bytes]) -> str:
    try:
        return make().decode()
    except Illegal as illegal:
        return _refusal(illegal)
    except msgspec.DecodeError as error:
        return _refusal(Illegal(Reason.UNREADABLE, str(error)))


def _refusal(illegal: Illegal) -> str:
    return messages.encode_http_refusal(illegal.reason.value, illegal.detail).decode()
