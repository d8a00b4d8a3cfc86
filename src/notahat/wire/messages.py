"""The messages of the protocol in both directions, their encoding, and all reasons for refusals: docs/protocol.md."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

import msgspec
from msgspec import Struct

from notahat.gifts import LANGUAGES, Deck, DeckReason, Own, Word
from notahat.gifts.grammar import display_texts
from notahat.gifts.hat_file import check_word
from notahat.rules import Reason
from notahat.table import Chair, GuestCommand, MatchView, May, Options, Shown, Stage, TableReason, TableView
from notahat.table.admission import AdmissionLimit
from notahat.table.commands import ANY_GUEST_COMMAND
from notahat.table.events import DeckPut, decode


class ServerReason(StrEnum):
    """Reasons of the server itself, before a table is involved."""

    NO_GUEST = "no_guest"
    BAD_ORIGIN = "bad_origin"
    TOO_FAST = "too_fast"
    TOO_MANY_GUESTS = "too_many_guests"
    TOO_MANY_TRIES = "too_many_tries"
    TOO_BIG = "too_big"
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_ROUND = "no_such_round"
    NO_SUCH_DECK = "no_such_deck"
    NO_SUCH_TICKET = "no_such_ticket"
    ALREADY_SOMEBODY = "already_somebody"
    NO_SUCH_PAGE = "no_such_page"
    NOT_PACKED = "not_packed"
    WRONG_METHOD = "wrong_method"
    NO_SPECTATORS = "no_spectators"
    GOING_AWAY = "going_away"
    BUSY = "busy"


_KINDS = (Reason, TableReason, DeckReason, ServerReason)


def reasons() -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason.value for kind in _KINDS for reason in kind))


LONGEST_ID = 64
LONGEST_DETAIL = 200
MAX_BRACKETS = 100  # more than any message has; a decoder fails at a few thousand nested ones


class State(Struct, frozen=True):
    """The whole state after a change. `you` and `may` are personal, the rest is the same for all."""

    v: int
    view: TableView
    happened: tuple[Shown, ...]
    you: tuple[int, ...]
    may: tuple[May, ...]
    ack: str | None = None


class Changes(Struct, frozen=True, omit_defaults=True):
    """A state as a delta: `changed` replaces parts of the view, `round` parts of its round; equal ones are left out."""

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


class HeartbeatReply(Struct, frozen=True):
    """The answer to a heartbeat: browsers cannot see pings."""

    beat: Literal[True] = True


class Refusal(Struct, frozen=True):
    """The body of every HTTP refusal."""

    reason: str
    detail: str = ""


class Token(Struct, frozen=True):
    """A guest's token for programs; browsers get a cookie, and `null` here."""

    token: str | None


class NewGuest(Struct, frozen=True):
    """A request to become a guest: of a page below a `base` path, or without `cookies`, for a token as programs get."""

    base: str = "/"
    cookies: bool = True


class OpenTable(Struct, frozen=True):
    """A request for a new table, perhaps on a big `screen`, with options, or for the gift of a `day` and a pace."""

    options: Mapping[str, Any] = {}
    screen: bool = False
    day: str | None = None


class TableLink(Struct, frozen=True):
    """The address of a new table."""

    code: str
    link: str


class KnockRequest(Struct, frozen=True):
    """A request to be let in at a running table by its code alone. The same request again asks for the answer."""

    name: str


class KnockAnswer(Struct, frozen=True):
    """Whether the code alone is enough now, and how many seconds a player may still let this guest in."""

    admitted: bool
    seconds: int


class Ticket(Struct, frozen=True):
    """A one-time link to continue as the same guest on another device."""

    link: str
    seconds: int


class UseTicket(Struct, frozen=True):
    """A request that redeems a ticket, `instead` of a guest that the browser has. The rest is as in `NewGuest`."""

    ticket: str
    instead: bool = False
    base: str = "/"
    cookies: bool = True


class HouseTable(Struct, frozen=True):
    """An open lobby in this house: the name of its first person, and how many sit there."""

    code: str
    name: str
    players: int


class House(Struct, frozen=True):
    """The open lobbies of a server for one network (`notahat serve --lan`)."""

    tables: tuple[HouseTable, ...]


class Summary(Struct, frozen=True):
    """The public summary of a table. `you` is why this guest may not enter (`removed`, `no_spectators`) or may only
    watch (`locked`, `full`), or null. `invitation` is a link that still admits guests when the code alone does not.
    `home` is the address for other devices if the server knows a better one than the browser, such as for 127.0.0.1.
    """

    code: str
    stage: Stage
    seats: tuple[Chair, ...]
    watching: int
    locked: bool
    options: Options
    match: MatchView | None
    you: AdmissionLimit | None = None
    invitation: str = ""
    home: str = ""


def summary(seen: TableView, you: AdmissionLimit | None) -> Summary:
    """Return the public part of a view."""
    public = {name: getattr(seen, name) for name in Summary.__struct_fields__ if name in TableView.__struct_fields__}
    return Summary(**public, you=you)


class SealedMessage(Struct, frozen=True):
    """A message at the rendezvous: numbers grow, `age` is in seconds, and only browsers can read `body`."""

    number: int
    age: float
    body: str


class SealedMessages(Struct, frozen=True):
    """The new messages of a box at the rendezvous; none if none came while the request waited."""

    messages: tuple[SealedMessage, ...]


class OwnContents(Struct, frozen=True):
    """An own gift. `words`: name, with its article, two lines, synonyms, an empty list; `lang` is their language."""

    key: str
    kind: str
    picture: bytes
    words: dict[str, tuple[str, str, str, str, tuple[str, ...], tuple[str, ...]]]
    lang: dict[str, str]


class DeckContents(Struct, frozen=True):
    """All gifts of a deck without arrows. Pictures have no URL, so that no request reveals which gift is looked at."""

    name: str
    gifts: tuple[str, ...]
    own: tuple[OwnContents, ...]


class AskLines(Struct, frozen=True):
    """A request for the lines of a word."""

    lang: str
    word: Word


class SpokenLines(Struct, frozen=True):
    """The word with its article, and the two spoken lines."""

    thing: str
    offer: str
    denial: str


class Heartbeat(Struct, frozen=True, tag="beat", tag_field="do"):
    """A request for a `HeartbeatReply`."""


class _Address(Struct, frozen=True):
    id: str | None = None


_address = msgspec.json.Decoder(_Address)
_frame: "msgspec.json.Decoder[GuestCommand | Heartbeat]" = msgspec.json.Decoder(ANY_GUEST_COMMAND | Heartbeat)
_encoder = msgspec.json.Encoder()


class MalformedFrame(Exception):  # noqa: N818
    """A frame that cannot be decoded; `id` is the command id if that could be."""

    def __init__(self, id_: str | None, detail: str) -> None:
        super().__init__(detail)
        self.id = id_


def is_too_nested(data: bytes) -> bool:
    """Return whether data may be nested too deeply for a decoder."""
    return data.count(b"[") + data.count(b"{") > MAX_BRACKETS


def decode_frame(data: bytes) -> tuple[str, GuestCommand | Heartbeat]:
    """Return id (empty for a heartbeat without one) and command of a frame. Raise `MalformedFrame`."""
    if is_too_nested(data):
        raise MalformedFrame(None, f"a message has at most {MAX_BRACKETS} brackets")
    try:
        id_ = _address.decode(data).id
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise MalformedFrame(None, str(error)) from None
    if id_ is not None and not 0 < len(id_) <= LONGEST_ID:
        raise MalformedFrame(None, f"an id has 1 to {LONGEST_ID} characters")
    try:
        command = _frame.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise MalformedFrame(id_, str(error)) from None
    if id_ is None and not isinstance(command, Heartbeat):
        raise MalformedFrame(None, "a command needs an id")
    return id_ or "", command


def encode_shared(v: int, view: TableView, happened: tuple[Shown, ...]) -> bytes:
    """Encode the part of a state that is the same for all guests."""
    return b'{"v":%d,"view":%b,"happened":%b' % (v, _encoder.encode(view), _encoder.encode(happened))


def encode_delta(v: int, changed: dict[str, object], round_: dict[str, object], happened: tuple[Shown, ...]) -> bytes:
    """Encode the shared part for clients that ask for deltas."""
    parts = (v, _encoder.encode(changed), _encoder.encode(round_), _encoder.encode(happened))
    return b'{"v":%d,"changed":%b,"round":%b,"happened":%b' % parts


def encode_state(shared: bytes, you: bytes, ack: str | None = None) -> bytes:
    """Join the shared and the personal part; the personal part of a delta may be empty."""
    if ack is not None:
        you = b'%b,"ack":%b' % (you, _encoder.encode(ack)) if you else b'"ack":%b' % _encoder.encode(ack)
    return b"%b,%b}" % (shared, you) if you else b"%b}" % shared


def encode_may(may: tuple[May, ...]) -> bytes:
    """Encode a part of `may`, without brackets."""
    return _encoder.encode(may)[1:-1]


def encode_personal(you: tuple[int, ...], *may: bytes) -> bytes:
    """Encode a guest's own seats, and the encoded parts of `may`."""
    return b'"you":%b,"may":[%b]' % (_encoder.encode(you), b",".join(filter(None, may)))


def encode_no(id_: str | None, reason: str, detail: str = "") -> bytes:
    """Encode the refusal of a command, with the detail cut to its maximum."""
    return encode_message(No(id_, reason, detail[:LONGEST_DETAIL]))


def encode_http_refusal(reason: str, detail: str = "") -> bytes:
    """Encode the body of an HTTP refusal."""
    return encode_message(Refusal(reason, detail[:LONGEST_DETAIL]))


def encode_message(message: Struct) -> bytes:
    return _encoder.encode(message)


def deck_message_in(entry: bytes) -> bytes | None:
    """Return the encoded deck of a log entry, or None if it brought none."""
    decks = (event.deck for event in decode(entry).events if isinstance(event, DeckPut))
    deck = next(decks, None)
    return None if deck is None else encode_message(deck_message(deck))


def deck_message(deck: Deck) -> DeckContents:
    """Return what players may know of a deck, sorted by key (a hash), so that the order tells nothing about arrows."""
    gifts = tuple(sorted(card.gift for card in deck.cards))
    return DeckContents(deck.name, gifts, tuple(_own(gift, deck) for gift in sorted(deck.own, key=lambda own: own.key)))


def lines_message(request: AskLines) -> SpokenLines:
    """Return the spoken lines of a word. Raise `Illegal` if its grammar is incomplete."""
    check_word(request.word, request.lang, "this word")
    return SpokenLines(*display_texts(request.word, request.lang)[1:])


def _own(gift: Own, deck: Deck) -> OwnContents:
    spoken = {lang: gift.spoken(lang, deck.language) for lang in LANGUAGES}
    words = {lang: _texts(gift.words[of], of) for lang, of in spoken.items()}
    return OwnContents(gift.key, gift.kind, gift.picture, words, spoken)


def _texts(word: Word, lang: str) -> tuple[str, str, str, str, tuple[str, ...], tuple[str, ...]]:
    return (*display_texts(word, lang), word.synonyms, ())
