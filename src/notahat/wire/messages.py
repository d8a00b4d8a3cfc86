"""The messages that go over the wire, both ways. docs/protocol.md tells their story."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from notahat.gifts import Word
from notahat.table import Chair, GuestCommand, MatchView, May, Options, Shown, Stage, TableView
from notahat.table.admission import Unwelcome

LONGEST_ID = 64
LONGEST_DETAIL = 200
MOST_BRACKETS = 100  # far more than any message has; a few thousand inside each other are too deep for a decoder


class State(Struct, frozen=True):
    """After every change: the whole present. `you` and `may` are personal, the rest is the same for all."""

    v: int
    view: TableView
    happened: tuple[Shown, ...]
    you: tuple[int, ...]
    may: tuple[May, ...]
    ack: str | None = None


class Changes(Struct, frozen=True, omit_defaults=True):
    """A state for who asked for changes only: `changed` replaces these parts of the view, `round` these parts of its
    round. `you` and `may` are left out while they stay as they were.
    """

    v: int
    changed: Mapping[str, Any]
    happened: tuple[Shown, ...]
    round: Mapping[str, Any] = {}
    you: tuple[int, ...] | None = None
    may: tuple[May, ...] | None = None
    ack: str | None = None


class No(Struct, frozen=True):
    """A refused command, by its id (null when the id could not be read). `detail` is English, for programmers."""

    no: str | None
    reason: str
    detail: str = ""


class Beat(Struct, frozen=True):
    """The heartbeat's echo: browsers cannot see pings."""

    beat: Literal[True] = True


class Refusal(Struct, frozen=True):
    """The body of every HTTP answer that says no."""

    reason: str
    detail: str = ""


class Token(Struct, frozen=True):
    """A guest's token for programs; browsers get a cookie and `null`."""

    token: str | None


class OpenTable(Struct, frozen=True):
    """What to open a table with; options left out have their defaults. Whoever opens it is the host; a big `screen`
    is so only until somebody sits down. With a `day` it is a table for the gift of that day, options and all.
    """

    options: Mapping[str, Any] = {}
    screen: bool = False
    day: str | None = None


class TableLink(Struct, frozen=True):
    """Where a new table is."""

    code: str
    link: str


class Ticket(Struct, frozen=True):
    """A one-time link to go on as the same guest on another device."""

    link: str
    seconds: int


class UseTicket(Struct, frozen=True):
    """What to send for a ticket: the last part of its link. A browser that is a guest already says that it will be
    this one `instead`.
    """

    ticket: str
    instead: bool = False


class Summary(Struct, frozen=True):
    """What anybody who knows the code may read of a table. `you` is why the guest who asks may not come in (`removed`,
    `no_spectators`) or may only watch (`locked`, `full`); null if nothing stands in the way. `invitation`
    is a link that lets in whoever has it, also when the four letters do not any more; `home` is where others reach this
    server, if it knows better than the browser that asks: a screen on the same machine is at 127.0.0.1, phones are not.
    """

    code: str
    stage: Stage
    seats: tuple[Chair, ...]
    watching: int
    locked: bool
    options: Options
    match: MatchView | None
    you: Unwelcome | None = None
    invitation: str = ""
    home: str = ""


def summary(seen: TableView, you: Unwelcome | None, invitation: str = "", home: str = "") -> Summary:
    """What of a view anybody may read."""
    return Summary(
        code=seen.code,
        stage=seen.stage,
        seats=seen.seats,
        watching=seen.watching,
        locked=seen.locked,
        options=seen.options,
        match=seen.match,
        you=you,
        invitation=invitation,
        home=home,
    )


class OwnTold(Struct, frozen=True):
    """An own gift of a deck. `words` has for each language its name, its name with an article, what a giver and what a
    doubting receiver says, other words for it, and nothing it could be taken for; `lang` in which language that is.
    """

    key: str
    kind: str
    picture: bytes
    words: dict[str, tuple[str, str, str, str, tuple[str, ...], tuple[str, ...]]]
    lang: dict[str, str]


class DeckTold(Struct, frozen=True):
    """All gifts of a deck that somebody made, with no word about their arrows. Pictures come all at once and have no
    address of their own: nobody can tell from a request which gift is looked at.
    """

    name: str
    gifts: tuple[str, ...]
    own: tuple[OwnTold, ...]


class AskLines(Struct, frozen=True):
    """A word somebody thinks of for an own gift."""

    lang: str
    word: Word


class LinesTold(Struct, frozen=True):
    """The word with its article, and the two lines that grammar makes of it."""

    thing: str
    offer: str
    denial: str


class Heartbeat(Struct, frozen=True, tag="beat", tag_field="do"):
    """Are you there?"""


class _Address(Struct, frozen=True):
    id: str | None = None


_address = msgspec.json.Decoder(_Address)
_frame: "msgspec.json.Decoder[GuestCommand | Heartbeat]" = msgspec.json.Decoder(GuestCommand | Heartbeat)
_encoder = msgspec.json.Encoder()


class Unreadable(Exception):  # noqa: N818 - said of the frame
    """A frame that makes no sense; `id` is whose answer it would be, if that much could be read."""

    def __init__(self, id_: str | None, detail: str) -> None:
        super().__init__(detail)
        self.id = id_


def too_deep(data: bytes) -> bool:
    """Whether this could be nested deeper than anybody needs."""
    return data.count(b"[") + data.count(b"{") > MOST_BRACKETS


def read_frame(data: bytes) -> tuple[str, GuestCommand | Heartbeat]:
    """A client's frame: its id (empty for a heartbeat without one) and its command; raises `Unreadable`."""
    if too_deep(data):
        raise Unreadable(None, f"a message has no more than {MOST_BRACKETS} brackets")
    try:
        id_ = _address.decode(data).id
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(None, str(error)) from None
    if id_ is not None and not 0 < len(id_) <= LONGEST_ID:
        raise Unreadable(None, f"an id has 1 to {LONGEST_ID} characters")
    try:
        command = _frame.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(id_, str(error)) from None
    if id_ is None and not isinstance(command, Heartbeat):
        raise Unreadable(None, "a command has an id")
    return id_ or "", command


def write_shared(v: int, view: TableView, happened: tuple[Shown, ...]) -> bytes:
    """The part of a state that is the same for all, encoded once."""
    return b'{"v":%d,"view":%b,"happened":%b' % (v, _encoder.encode(view), _encoder.encode(happened))


def write_changes(v: int, changed: dict[str, object], round_: dict[str, object], happened: tuple[Shown, ...]) -> bytes:
    """The shared part for a client that asked for changes only."""
    told = (v, _encoder.encode(changed), _encoder.encode(round_), _encoder.encode(happened))
    return b'{"v":%d,"changed":%b,"round":%b,"happened":%b' % told


def write_state(shared: bytes, you: bytes, ack: str | None = None) -> bytes:
    """A state for one guest, made of the shared part and the personal one, which may be left out of changes."""
    if ack is None:
        return b"%b,%b}" % (shared, you) if you else b"%b}" % shared
    if not you:
        return b'%b,"ack":%b}' % (shared, _encoder.encode(ack))
    return b'%b,%b,"ack":%b}' % (shared, you, _encoder.encode(ack))


def write_personal(you: tuple[int, ...], may: tuple[May, ...]) -> bytes:
    return b'"you":%b,"may":%b' % (_encoder.encode(you), _encoder.encode(may))


def write_no(id_: str | None, reason: str, detail: str = "") -> bytes:
    """A command is refused; whatever the detail quotes, it is short."""
    return write(No(id_, reason, detail[:LONGEST_DETAIL]))


def write_refusal(reason: str, detail: str = "") -> bytes:
    """The same as the body of an answer."""
    return write(Refusal(reason, detail[:LONGEST_DETAIL]))


def write(message: Struct) -> bytes:
    return _encoder.encode(message)
