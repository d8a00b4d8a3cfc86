"""Commands are orders: what somebody at the table wants. The first part comes over the wire, as it is written here.

`seat` may be left out by a guest who holds one seat only. `turn` is the turn of the view that a move answers.
"""

from collections.abc import Mapping
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from notahat.gifts import Deck, Hat
from notahat.rules import Move
from notahat.rules.moves import Wrong
from notahat.table.name import Looks, folded

AbsentMove = Literal["draw", "give", "accept", "refuse"]


class Sit(Struct, frozen=True, tag="sit", tag_field="do"):
    """Take a seat, another one on the same device, the seat one had left, or one from the next round on."""

    name: str


class Rename(Struct, frozen=True, tag="rename", tag_field="do"):
    """Be called something else."""

    name: str
    seat: int | None = None


class Leave(Struct, frozen=True, tag="leave", tag_field="do"):
    """Get up for good; without `seat`, with everybody on this device."""

    seat: int | None = None


class AddBot(Struct, frozen=True, tag="add_bot", tag_field="do"):
    """Seat a computer player."""

    level: str
    character: str | None = None
    name: str | None = None


class Remove(Struct, frozen=True, tag="remove", tag_field="do"):
    """Send somebody away from this table for good, or take a computer player's chair away."""

    seat: int


class LetIn(Struct, frozen=True, tag="let_in", tag_field="do"):
    """Let somebody come back who was sent away, by the name they had."""

    name: str


class MoveSeat(Struct, frozen=True, tag="move_seat", tag_field="do"):
    """Let somebody sit elsewhere; the others move up."""

    seat: int
    to: int


class ShuffleSeats(Struct, frozen=True, tag="shuffle_seats", tag_field="do"):
    """Seat everyone at random."""


class SetOptions(Struct, frozen=True, tag="set_options", tag_field="do"):
    """Agree on other options; those left out stay."""

    options: Mapping[str, Any]


class PutDeck(Struct, frozen=True, tag="put_deck", tag_field="do"):
    """Play with a deck of the catalogue's gifts that somebody made (own ones are brought as a file); null takes it
    away, and the edition is played again.
    """

    deck: Hat | None


class HandOver(Struct, frozen=True, tag="hand_over", tag_field="do"):
    """Make somebody else the host."""

    seat: int


class Lock(Struct, frozen=True, tag="lock", tag_field="do"):
    """Let nobody else sit down, or let them again."""

    locked: bool


class Start(Struct, frozen=True, tag="start", tag_field="do"):
    """Start the match, or the next round without waiting for everyone to be ready."""


class Draw(Struct, frozen=True, tag="draw", tag_field="do"):
    """Take the shop's top card (4.1)."""

    turn: int
    seat: int | None = None


class Give(Struct, frozen=True, tag="give", tag_field="do"):
    """Pass the wrapped card on (4.3)."""

    turn: int
    claim: str | None = None
    to: int | None = None
    seat: int | None = None


class Accept(Struct, frozen=True, tag="accept", tag_field="do"):
    """Thank you (5)."""

    turn: int
    seat: int | None = None


class Refuse(Struct, frozen=True, tag="refuse", tag_field="do"):
    """That's not a hat! (6)"""

    turn: int
    seat: int | None = None


class Judge(Struct, frozen=True, tag="judge", tag_field="do"):
    """Mark who was wrong about a spoken claim, or correct that (12.2)."""

    turn: int
    wrong: Wrong
    seat: int | None = None


class Pause(Struct, frozen=True, tag="pause", tag_field="do"):
    """Stop the clock and the play."""


class Resume(Struct, frozen=True, tag="resume", tag_field="do"):
    """Go on after a pause."""


class SitIn(Struct, frozen=True, tag="sit_in", tag_field="do"):
    """Let a computer player play for somebody who is away, until they are back."""

    seat: int


class MoveFor(Struct, frozen=True, tag="move_for", tag_field="do"):
    """Make the move of somebody who is away, at a spoken table: draw, pass on what they say, or answer for them."""

    turn: int
    seat: int
    move: AbsentMove
    to: int | None = None


class DealAgain(Struct, frozen=True, tag="deal_again", tag_field="do"):
    """Deal again without somebody who is away, at a spoken table (8.4)."""

    seat: int


class EndMatch(Struct, frozen=True, tag="end_match", tag_field="do"):
    """End the match before its time."""


class Emote(Struct, frozen=True, tag="emote", tag_field="do"):
    """Pull a face."""

    emote: str
    seat: int | None = None


class Ready(Struct, frozen=True, tag="ready", tag_field="do"):
    """Be ready for the next round, or for a computer player to begin; without `seat`, everybody on this device."""

    seat: int | None = None


class Again(Struct, frozen=True, tag="again", tag_field="do"):
    """After a match: back to the lobby, with the same people and those who waited. To `deal` is a proposal: the next
    match is dealt as soon as everybody who is here wants it, and nobody is torn away from anything before.
    """

    deal: bool = False


class Study(Struct, frozen=True, tag="study", tag_field="do"):
    """Agree that whoever runs the server may study the rounds one plays here from now on, or take that back for all."""

    agree: bool


PlayCommand = Draw | Give | Accept | Refuse | Judge
GuestCommand = (
    Sit
    | Rename
    | Leave
    | AddBot
    | Remove
    | LetIn
    | MoveSeat
    | ShuffleSeats
    | SetOptions
    | PutDeck
    | HandOver
    | Lock
    | Start
    | PlayCommand
    | Pause
    | Resume
    | SitIn
    | MoveFor
    | DealAgain
    | EndMatch
    | Emote
    | Ready
    | Again
    | Study
)


class BringDeck(Struct, frozen=True):
    """Play with a deck that somebody brought as a file. Whoever drives the table has looked through it, as pictures
    take a while: so no frame can say this, and it is not done again where the order comes second.
    """

    deck: Deck


class PlayFor(Struct, frozen=True):
    """The house makes a move: a card wraps itself, a computer player plays, or somebody's time has run out."""

    turn: int
    move: Move


class DealNext(Struct, frozen=True):
    """The house deals the next round, as everybody who is here is ready."""


class ComeBack(Struct, frozen=True):
    """Somebody for whom a computer player sat in is here again."""

    guest: UUID


class PassHost(Struct, frozen=True):
    """The host has been away for a while: somebody who is here takes the role, until they are back."""


class ReturnHost(Struct, frozen=True):
    """The host is here again."""


class CallOff(Struct, frozen=True):
    """The house ends a match that nobody plays any more: computer players could go on for ever (9.6)."""


Wish = GuestCommand | BringDeck  # all that a guest may want, by a frame or by a file
HouseCommand = PlayFor | CallOff | DealNext | ComeBack | PassHost | ReturnHost
Command = Wish | HouseCommand


class Order(Struct, frozen=True):
    """A command with all that is known about it: who gives it (None is the house: timers and computer players),
    when, who is here at that time, who has been away for a while, and fresh luck for shuffles.
    """

    command: Command
    by: UUID | None
    at: float
    present: frozenset[UUID] = frozenset()
    luck: int = 0
    away: frozenset[UUID] = frozenset()
    looks: Looks = folded  # what names look like, as far as whoever drives the table knows
