"""Events: a table's history as the log keeps it. They contain hidden gifts; guests see `shown` events only.

An entry contains all events of one command. Its schema has a version: a log with unknown events raises `Unknown`.
"""

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


class Opened(Struct, frozen=True, tag="opened", tag_field="event"):
    """A guest opened the table and is its host. A big `screen` is host only until a player sits down. For the gift of
    a `day`, all seeds follow from the date.
    """

    code: str
    host: UUID
    options: Options
    screen: bool = False
    day: str | None = None
    study: bool = False  # whether players are asked if their rounds may be studied
    probe: float = 0.0  # after which share of their decisions they are asked what they believe


class Sat(Struct, frozen=True, tag="sat", tag_field="event"):
    """A person took a new seat, the last one. Without a face (older logs) they get a free one."""

    guest: UUID
    name: str
    face: str | None = None
    program: bool = False


class BotSat(Struct, frozen=True, tag="bot_sat", tag_field="event"):
    """A computer player took a new seat, the last one."""

    name: str
    level: str
    character: str | None


class Queued(Struct, frozen=True, tag="queued", tag_field="event"):
    """A person waits for a seat until the next round is dealt or the match is over."""

    guest: UUID
    name: str
    face: str | None = None
    program: bool = False


class Unqueued(Struct, frozen=True, tag="unqueued", tag_field="event"):
    """A person no longer waits for a seat."""

    guest: UUID


class Renamed(Struct, frozen=True, tag="renamed", tag_field="event"):
    """A player changed their name."""

    seat: int
    name: str


class FaceSet(Struct, frozen=True, tag="face_set", tag_field="event"):
    """A player changed their face."""

    seat: int
    face: str


class Left(Struct, frozen=True, tag="left", tag_field="event"):
    """A person left: in the lobby the seat is removed, during a match it is kept for them."""

    seat: int


class Removed(Struct, frozen=True, tag="removed", tag_field="event"):
    """The host removed a player."""

    seat: int


class TurnedAway(Struct, frozen=True, tag="turned_away", tag_field="event"):
    """The host removed a guest who waited for a seat."""

    guest: UUID


class LetBack(Struct, frozen=True, tag="let_back", tag_field="event"):
    """The host lets a removed guest come back."""

    guest: UUID


class Knocked(Struct, frozen=True, tag="knocked", tag_field="event"):
    """A stranger knocks at the running table."""

    guest: UUID
    name: str


class KnockAnswered(Struct, frozen=True, tag="knock_answered", tag_field="event"):
    """A player let a stranger in or declined; null: no player has answered in time."""

    guest: UUID
    admitted: bool | None


class SeatsOrdered(Struct, frozen=True, tag="seats_ordered", tag_field="event"):
    """The seats were reordered: `order` lists the old seats in their new order."""

    order: tuple[int, ...]


class OptionsSet(Struct, frozen=True, tag="options_set", tag_field="event"):
    """The options changed."""

    options: Options


class DeckPut(Struct, frozen=True, tag="deck_put", tag_field="event"):
    """The table plays with an own deck, or with its edition again. Only this event contains the pictures."""

    deck: Deck | None


class HandedOver(Struct, frozen=True, tag="handed_over", tag_field="event"):
    """The host made another guest the host."""

    guest: UUID


class HostPassed(Struct, frozen=True, tag="host_passed", tag_field="event"):
    """A deputy takes the role of the absent host."""

    guest: UUID


class HostReturned(Struct, frozen=True, tag="host_returned", tag_field="event"):
    """The host has the role again."""


class LockTurned(Struct, frozen=True, tag="lock_turned", tag_field="event"):
    """The host locked the table, or opened it again."""

    locked: bool


class Started(Struct, frozen=True, tag="started", tag_field="event"):
    """A match started."""

    gifts_each: int
    rounds: Rounds
    starter: int


class Dealt(Struct, frozen=True, tag="dealt", tag_field="event"):
    """A round was dealt from these cards, top first; `seeds` are for computer players, one per seat."""

    cards: tuple[Card, ...]
    seeds: tuple[int, ...]


class DealtIn(Struct, frozen=True, tag="dealt_in", tag_field="event"):
    """Waiting guests get a seat in the round that is dealt next, with the highest total (8.3)."""

    guests: tuple[UUID, ...]
    gifts_each: int


class DealtOut(Struct, frozen=True, tag="dealt_out", tag_field="event"):
    """A seat is out of the match; its round is abandoned and the next one is dealt without it (8.4)."""

    seat: int
    gifts_each: int


By = Literal["person", "bot", "time", "itself", "another"]


class Played(Struct, frozen=True, tag="played", tag_field="event"):
    """A move was made: by the person, by a computer player, because the time was up, by itself (wrapping), or by
    another person for an absent one.
    """

    move: Move
    by: By


class Paused(Struct, frozen=True, tag="paused", tag_field="event"):
    """A player paused the match."""

    seat: int


class Resumed(Struct, frozen=True, tag="resumed", tag_field="event"):
    """A player ended the pause."""

    seat: int


class SatIn(Struct, frozen=True, tag="sat_in", tag_field="event"):
    """A stand-in plays for an absent person, or for a connected one who is `idle`."""

    seat: int
    level: str
    idle: bool = False


class MovedFor(Struct, frozen=True, tag="moved_for", tag_field="event"):
    """The move that follows is made by another person for an absent one."""

    seat: int
    by: int | None


class Nudged(Struct, frozen=True, tag="nudged", tag_field="event"):
    """A player reminded an idle player."""

    seat: int
    by: int


class Helped(Struct, frozen=True, tag="helped", tag_field="event"):
    """The move that follows is made by a computer player for an idle person, as another player wished."""

    seat: int
    by: int


class Crowd(Struct, frozen=True):
    """How many guests believed and doubted a claim."""

    believed: int
    doubted: int


class CrowdVoted(Struct, frozen=True, tag="crowd_voted", tag_field="event"):
    """So many guests believed or doubted the claim that was just refused; further events add to these numbers."""

    believed: int
    doubted: int


class LeftOut(Struct, frozen=True, tag="left_out", tag_field="event"):
    """The next match is played without an absent person."""

    seat: int


class TookBack(Struct, frozen=True, tag="took_back", tag_field="event"):
    """A person took their seat back."""

    seat: int


class WasReady(Struct, frozen=True, tag="was_ready", tag_field="event"):
    """A player is ready for the next round, or for a computer player's first draw."""

    seat: int


class MatchEnded(Struct, frozen=True, tag="match_ended", tag_field="event"):
    """The match was ended early."""


class Emoted(Struct, frozen=True, tag="emoted", tag_field="event"):
    """A player sent an emote."""

    seat: int
    emote: str


class Applauded(Struct, frozen=True, tag="applauded", tag_field="event"):
    """A spectator sent an emote."""

    emote: str


class WantedAgain(Struct, frozen=True, tag="wanted_again", tag_field="event"):
    """A player voted for another match."""

    seat: int


class WentAgain(Struct, frozen=True, tag="went_again", tag_field="event"):
    """The table returned to the lobby; players who left lost their seats, waiting guests got one."""


class Agreed(Struct, frozen=True, tag="agreed", tag_field="event"):
    """A person agreed that the rounds they play from now on may be studied."""

    guest: UUID


class Withdrew(Struct, frozen=True, tag="withdrew", tag_field="event"):
    """A person withdrew that for all rounds."""

    guest: UUID


class Probed(Struct, frozen=True, tag="probed", tag_field="event"):
    """A player of a study answered what they believed a gift to be after their decision at `turn`. Confidence is 0 (no
    idea) to 4 (certain); without it the question was skipped.
    """

    seat: int
    turn: int
    believed: str | None = None
    confidence: int | None = None


_SeatEvent = Opened | Sat | BotSat | Queued | Unqueued | Renamed | FaceSet | Left | Removed | TurnedAway | LetBack
_DoorEvent = Knocked | KnockAnswered | SeatsOrdered
_SetupEvent = OptionsSet | DeckPut | HandedOver | HostPassed | HostReturned | LockTurned
_RoundEvent = Started | Dealt | DealtIn | DealtOut | Played | Paused | Resumed | SatIn | MovedFor | TookBack | WasReady
_IdleEvent = Nudged | Helped | CrowdVoted | LeftOut
_OtherEvent = MatchEnded | Emoted | Applauded | WantedAgain | WentAgain | Agreed | Withdrew | Probed
Event = _SeatEvent | _DoorEvent | _SetupEvent | _RoundEvent | _IdleEvent | _OtherEvent
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
