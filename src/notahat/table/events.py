"""Events: a table's history as the log keeps it, with hidden gifts. An entry has all events of one command."""

from collections.abc import Callable
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from notahat.gifts import Deck
from notahat.rules import Card, Move
from notahat.rules.match import Rounds
from notahat.table.options import Options

SCHEMA = 1


def snake_case(name: str) -> str:
    """Return the tag of a class."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).removeprefix("_")


class TableEvent(Struct, frozen=True, tag_field="event", tag=snake_case):
    """What has happened at a table."""


class SeatEvent(TableEvent, frozen=True):
    """What a player has done, or what was done about them."""

    seat: int


class GuestEvent(TableEvent, frozen=True):
    """What a guest has done, or what was done about them."""

    guest: UUID


class Opened(TableEvent, frozen=True):
    """A guest opened the table as host, a big `screen` until a player sits down. Seeds of a `day` follow from it."""

    code: str
    host: UUID
    options: Options
    screen: bool = False
    day: str | None = None
    study: bool = False  # whether players are asked if their rounds may be studied
    probe: float = 0.0  # after which share of their decisions they are asked what they believe


class Sat(GuestEvent, frozen=True):
    """A person took a new seat, the last one. Without a face (older logs) they get a free one."""

    name: str
    face: str | None = None
    program: bool = False


class BotSat(TableEvent, frozen=True):
    """A computer player took a new seat, the last one."""

    name: str
    level: str
    character: str | None
    dials: dict[str, float] | None = None
    surprise: int | None = None  # the seed of its dials


class Queued(GuestEvent, frozen=True):
    """A person waits for a seat until the next round is dealt or the match is over."""

    name: str
    face: str | None = None
    program: bool = False


class Unqueued(GuestEvent, frozen=True):
    """A person no longer waits for a seat."""


class Renamed(SeatEvent, frozen=True):
    """A player changed their name."""

    name: str


class FaceSet(SeatEvent, frozen=True):
    """A player changed their face."""

    face: str


class Left(SeatEvent, frozen=True):
    """A person left: in the lobby the seat is removed, during a match it is kept for them."""


class Removed(SeatEvent, frozen=True):
    """The host removed a player."""


class TurnedAway(GuestEvent, frozen=True):
    """The host removed a guest who waited for a seat."""


class LetBack(GuestEvent, frozen=True):
    """The host lets a removed guest come back."""


class Knocked(GuestEvent, frozen=True):
    """A stranger knocks at the running table."""

    name: str


class KnockAnswered(GuestEvent, frozen=True):
    """A player let a stranger in or declined; null: no player has answered in time."""

    admitted: bool | None


class SeatsOrdered(TableEvent, frozen=True):
    """The seats were reordered: `order` lists the old seats in their new order."""

    order: tuple[int, ...]


class OptionsSet(TableEvent, frozen=True):
    """The options changed."""

    options: Options


class DeckPut(TableEvent, frozen=True):
    """The table plays with an own deck, or with its edition again. Only this event contains the pictures."""

    deck: Deck | None


class HandedOver(GuestEvent, frozen=True):
    """The host made another guest the host."""


class HostPassed(GuestEvent, frozen=True):
    """A deputy takes the role of the absent host."""


class HostReturned(TableEvent, frozen=True):
    """The host has the role again."""


class LockTurned(TableEvent, frozen=True):
    """The host locked the table, or opened it again."""

    locked: bool


class Started(TableEvent, frozen=True):
    """A match started."""

    gifts_each: int
    rounds: Rounds
    starter: int


class Dealt(TableEvent, frozen=True):
    """A round was dealt from these cards, top first; `seeds` are for computer players, one per seat."""

    cards: tuple[Card, ...]
    seeds: tuple[int, ...]


class DealtIn(TableEvent, frozen=True):
    """Waiting guests get a seat in the round that is dealt next, with the highest total (8.3)."""

    guests: tuple[UUID, ...]
    gifts_each: int


class DealtOut(SeatEvent, frozen=True):
    """A seat is out of the match; its round is abandoned and the next one is dealt without it (8.4)."""

    gifts_each: int


By = Literal["person", "bot", "time", "itself", "another"]


class Played(TableEvent, frozen=True):
    """A move was made: by the person, a computer player, time, itself (wrapping), or another for an absent person."""

    move: Move
    by: By


class Paused(SeatEvent, frozen=True):
    """A player paused the match."""


class Resumed(SeatEvent, frozen=True):
    """A player ended the pause."""


class SatIn(SeatEvent, frozen=True):
    """A stand-in plays for an absent person, or for a connected one who is `idle`."""

    level: str
    idle: bool = False


class MovedFor(SeatEvent, frozen=True):
    """The move that follows is made by another person for an absent one."""

    by: int | None


class Nudged(SeatEvent, frozen=True):
    """A player reminded an idle player."""

    by: int


class Helped(SeatEvent, frozen=True):
    """The move that follows is made by a computer player for an idle person, as another player wished."""

    by: int


class Crowd(Struct, frozen=True):
    """How many guests believed and doubted a claim."""

    believed: int
    doubted: int


class CrowdVoted(TableEvent, frozen=True):
    """So many guests believed or doubted the claim that was just refused; further events add to these numbers."""

    believed: int
    doubted: int


class LeftOut(SeatEvent, frozen=True):
    """The next match is played without an absent person."""


class TookBack(SeatEvent, frozen=True):
    """A person took their seat back."""


class WasReady(SeatEvent, frozen=True):
    """A player is ready for the next round, or for a computer player's first draw."""


class MatchEnded(TableEvent, frozen=True):
    """The match was ended early."""


class Emoted(SeatEvent, frozen=True):
    """A player sent an emote."""

    emote: str


class Applauded(TableEvent, frozen=True):
    """A spectator sent an emote."""

    emote: str


class WantedAgain(SeatEvent, frozen=True):
    """A player voted for another match."""


class WentAgain(TableEvent, frozen=True):
    """The table returned to the lobby; players who left lost their seats, waiting guests got one."""


class Agreed(GuestEvent, frozen=True):
    """A person agreed that the rounds they play from now on may be studied."""


class Withdrew(GuestEvent, frozen=True):
    """A person withdrew that for all rounds."""


class Probed(SeatEvent, frozen=True):
    """A player of a study said what they believed at `turn`: confidence 0 (no idea) to 4 (certain); None: skipped."""

    turn: int
    believed: str | None = None
    confidence: int | None = None


_SeatsEvent = Opened | Sat | BotSat | Queued | Unqueued | Renamed | FaceSet | Left | Removed | TurnedAway | LetBack
_KnockEvent = Knocked | KnockAnswered | SeatsOrdered
_SetupEvent = OptionsSet | DeckPut | HandedOver | HostPassed | HostReturned | LockTurned
_RoundEvent = Started | Dealt | DealtIn | DealtOut | Played | Paused | Resumed | SatIn | MovedFor | TookBack | WasReady
_IdleEvent = Nudged | Helped | CrowdVoted | LeftOut
_OtherEvent = MatchEnded | Emoted | Applauded | WantedAgain | WentAgain | Agreed | Withdrew | Probed
Event = _SeatsEvent | _KnockEvent | _SetupEvent | _RoundEvent | _IdleEvent | _OtherEvent
Events = tuple[Event, ...]


class Entry(Struct, frozen=True):
    """All events of one command, and their time."""

    at: float
    events: Events
    schema: int = SCHEMA


class Unknown(Exception):  # noqa: N818 - a public name
    """The log contains something that a newer program wrote."""


encode: Callable[[Entry], bytes] = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Entry)


def decode(data: bytes) -> Entry:
    """Return an entry of the log; raise `Unknown` if its schema or an event is unknown."""
    try:
        entry = _decoder.decode(data)
    except msgspec.DecodeError as error:
        raise Unknown(str(error)) from error
    if entry.schema > SCHEMA:
        raise Unknown(f"the log has schema {entry.schema}, this program reads {SCHEMA}")
    return entry
