"""Events are the table's history as the log keeps it. It is not for players' eyes: `shown` makes what they see.

An entry is what one command caused. Its shape has a version; a log that holds something this program does not
know cannot be read by it, and nobody guesses.
"""

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
    """Somebody opened a table and is its host. A big `screen` is host only until somebody sits down; where the gift of
    a `day` is played, all luck follows from the date.
    """

    code: str
    host: UUID
    options: Options
    screen: bool = False
    day: str | None = None
    study: bool = False  # whether people are asked if their rounds may be studied


class Sat(Struct, frozen=True, tag="sat", tag_field="event"):
    """A person took the last chair."""

    guest: UUID
    name: str


class BotSat(Struct, frozen=True, tag="bot_sat", tag_field="event"):
    """A computer player took the last chair."""

    name: str
    level: str
    character: str | None


class Queued(Struct, frozen=True, tag="queued", tag_field="event"):
    """A person will sit down when the next round is dealt, or when the match is over."""

    guest: UUID
    name: str


class Unqueued(Struct, frozen=True, tag="unqueued", tag_field="event"):
    """A person does not wait for a seat any more."""

    guest: UUID


class Renamed(Struct, frozen=True, tag="renamed", tag_field="event"):
    """Somebody is called something else."""

    seat: int
    name: str


class Left(Struct, frozen=True, tag="left", tag_field="event"):
    """A person got up: in the lobby their chair is gone, during a match it waits for them."""

    seat: int


class Removed(Struct, frozen=True, tag="removed", tag_field="event"):
    """The host sent somebody away."""

    seat: int


class LetBack(Struct, frozen=True, tag="let_back", tag_field="event"):
    """The host lets somebody come back whom they had sent away."""

    guest: UUID


class SeatsOrdered(Struct, frozen=True, tag="seats_ordered", tag_field="event"):
    """People changed seats: `order` lists the old seats in their new order."""

    order: tuple[int, ...]


class OptionsSet(Struct, frozen=True, tag="options_set", tag_field="event"):
    """The table agreed on other options."""

    options: Options


class DeckPut(Struct, frozen=True, tag="deck_put", tag_field="event"):
    """The table plays with a deck that somebody made, or with its edition again. Here alone are the pictures."""

    deck: Deck | None


class HandedOver(Struct, frozen=True, tag="handed_over", tag_field="event"):
    """The host made somebody else the host."""

    guest: UUID


class HostPassed(Struct, frozen=True, tag="host_passed", tag_field="event"):
    """The host is away, and somebody else takes the role for the time being."""

    guest: UUID


class HostReturned(Struct, frozen=True, tag="host_returned", tag_field="event"):
    """The host has the role back."""


class LockTurned(Struct, frozen=True, tag="lock_turned", tag_field="event"):
    """The host locked the table, or opened it again."""

    locked: bool


class Started(Struct, frozen=True, tag="started", tag_field="event"):
    """A match began."""

    gifts_each: int
    rounds: Rounds
    starter: int


class Dealt(Struct, frozen=True, tag="dealt", tag_field="event"):
    """A round was dealt from these cards, top first; the seeds are the luck of computer players, seat by seat."""

    cards: tuple[Card, ...]
    seeds: tuple[int, ...]


class DealtIn(Struct, frozen=True, tag="dealt_in", tag_field="event"):
    """People who waited sit down for the round that is dealt next, with the highest total (8.3)."""

    guests: tuple[UUID, ...]
    gifts_each: int


class DealtOut(Struct, frozen=True, tag="dealt_out", tag_field="event"):
    """A seat is out of the match, and its round is broken off; the next one is dealt without it (8.4)."""

    seat: int
    gifts_each: int


By = Literal["person", "bot", "time", "itself", "another"]


class Played(Struct, frozen=True, tag="played", tag_field="event"):
    """A move was made: by whoever sits there, by a computer player, because the time was up, by itself, or by
    another person at the table for somebody who is away.
    """

    move: Move
    by: By


class Paused(Struct, frozen=True, tag="paused", tag_field="event"):
    """Somebody stopped the clock."""

    seat: int


class Resumed(Struct, frozen=True, tag="resumed", tag_field="event"):
    """Somebody let the clock go on."""

    seat: int


class SatIn(Struct, frozen=True, tag="sat_in", tag_field="event"):
    """A computer player plays for a person who is away or gone."""

    seat: int
    level: str


class MovedFor(Struct, frozen=True, tag="moved_for", tag_field="event"):
    """Somebody makes the move that follows for a person who is away."""

    seat: int
    by: int | None


class TookBack(Struct, frozen=True, tag="took_back", tag_field="event"):
    """A person plays for themselves again."""

    seat: int


class WasReady(Struct, frozen=True, tag="was_ready", tag_field="event"):
    """Somebody is ready: for the next round, or for a computer player to begin."""

    seat: int


class MatchEnded(Struct, frozen=True, tag="match_ended", tag_field="event"):
    """The host ended the match before its time."""


class Emoted(Struct, frozen=True, tag="emoted", tag_field="event"):
    """Somebody pulled a face."""

    seat: int
    emote: str


class Applauded(Struct, frozen=True, tag="applauded", tag_field="event"):
    """Somebody who watches pulled a face."""

    emote: str


class WantedAgain(Struct, frozen=True, tag="wanted_again", tag_field="event"):
    """Somebody proposes another match, or agrees to one."""

    seat: int


class WentAgain(Struct, frozen=True, tag="went_again", tag_field="event"):
    """The table is a lobby again; who left is gone, and who waited sits."""


class Agreed(Struct, frozen=True, tag="agreed", tag_field="event"):
    """A person agreed that the rounds they play from now on may be studied."""

    guest: UUID


class Withdrew(Struct, frozen=True, tag="withdrew", tag_field="event"):
    """A person took that back, for all rounds."""

    guest: UUID


Event = (
    Opened
    | Sat
    | BotSat
    | Queued
    | Unqueued
    | Renamed
    | Left
    | Removed
    | LetBack
    | SeatsOrdered
    | OptionsSet
    | DeckPut
    | HandedOver
    | HostPassed
    | HostReturned
    | LockTurned
    | Started
    | Dealt
    | DealtIn
    | DealtOut
    | Played
    | Paused
    | Resumed
    | SatIn
    | MovedFor
    | TookBack
    | WasReady
    | MatchEnded
    | Emoted
    | Applauded
    | WantedAgain
    | WentAgain
    | Agreed
    | Withdrew
)


class Entry(Struct, frozen=True):
    """All that one command caused, and when."""

    at: float
    events: tuple[Event, ...]
    schema: int = SCHEMA


class Unknown(Exception):  # noqa: N818 - said of the log, not of the program
    """The log holds something that a newer program wrote."""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Entry)


def encode(entry: Entry) -> bytes:
    return _encoder.encode(entry)


def decode(data: bytes) -> Entry:
    """An entry of the log; raises `Unknown` instead of guessing."""
    try:
        entry = _decoder.decode(data)
    except msgspec.DecodeError as error:
        raise Unknown(str(error)) from error
    if entry.schema > SCHEMA:
        raise Unknown(f"the log has schema {entry.schema}, this program reads {SCHEMA}")
    return entry
