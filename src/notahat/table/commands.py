"""Commands: what a guest or the room wants to happen. `GuestCommand` is the part that comes over the wire.

A guest with one seat may leave out `seat`. `turn` is the turn of the view that a move answers.
"""

from collections.abc import Mapping
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from notahat.gifts import Deck, Hat
from notahat.gifts.hat_file import NameKeys
from notahat.rules import Move
from notahat.rules.moves import Wrong
from notahat.table.events import Crowd
from notahat.table.name import folded_name_keys
from notahat.table.options import Pace

AbsentMove = Literal["draw", "give", "accept", "refuse"]


class Sit(Struct, frozen=True, tag="sit", tag_field="do"):
    """Take a seat, another seat on the same device, a seat left before, or a seat from the next round on.
    A wanted `face` that another person has is replaced by a free one. A `program` says that no person plays.
    """

    name: str
    face: str | None = None
    program: bool = False


class Rename(Struct, frozen=True, tag="rename", tag_field="do"):
    """Change the name of a seat."""

    name: str
    seat: int | None = None


class SetFace(Struct, frozen=True, tag="set_face", tag_field="do"):
    """Change the face of a seat to one that is free."""

    face: str
    seat: int | None = None


class Leave(Struct, frozen=True, tag="leave", tag_field="do"):
    """Give up a seat; without `seat`, all seats of this device."""

    seat: int | None = None


class AddBot(Struct, frozen=True, tag="add_bot", tag_field="do"):
    """Add a computer player."""

    level: str
    character: str | None = None
    name: str | None = None


class Remove(Struct, frozen=True, tag="remove", tag_field="do"):
    """Ban a guest from this table, or remove a computer player."""

    seat: int


class LetIn(Struct, frozen=True, tag="let_in", tag_field="do"):
    """Lift the ban of a removed guest, by the name they had."""

    name: str


class AnswerKnock(Struct, frozen=True, tag="answer_knock", tag_field="do"):
    """Let a stranger who knocks in, to watch and to play from the next round on; or do not."""

    name: str
    admit: bool


class MoveSeat(Struct, frozen=True, tag="move_seat", tag_field="do"):
    """Move a seat to another position; the others move up."""

    seat: int
    to: int


class ShuffleSeats(Struct, frozen=True, tag="shuffle_seats", tag_field="do"):
    """Put the seats into a random order."""


class SetOptions(Struct, frozen=True, tag="set_options", tag_field="do"):
    """Change options; those left out stay."""

    options: Mapping[str, Any]


class SetPace(Struct, frozen=True, tag="set_pace", tag_field="do"):
    """Change the pace, also during a match."""

    pace: Pace


class PutDeck(Struct, frozen=True, tag="put_deck", tag_field="do"):
    """Play with an own deck of the catalogue's gifts; null returns to the edition. A deck with own gifts is uploaded
    as a file.
    """

    deck: Hat | None


class HandOver(Struct, frozen=True, tag="hand_over", tag_field="do"):
    """Make another player the host."""

    seat: int


class Lock(Struct, frozen=True, tag="lock", tag_field="do"):
    """Close the table to new players, or open it again."""

    locked: bool


class Start(Struct, frozen=True, tag="start", tag_field="do"):
    """Start the match, or the next round without waiting until all are ready."""


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
    """Pause the match and its clock."""


class Resume(Struct, frozen=True, tag="resume", tag_field="do"):
    """End a pause."""


class SitIn(Struct, frozen=True, tag="sit_in", tag_field="do"):
    """Let a computer player play for an absent player until they are back."""

    seat: int


class Nudge(Struct, frozen=True, tag="nudge", tag_field="do"):
    """Remind an idle player that the table waits for them."""

    seat: int


class BotMove(Struct, frozen=True, tag="bot_move", tag_field="do"):
    """Let a computer player make the current move of an idle player, who keeps the seat."""

    turn: int
    seat: int


class Vote(Struct, frozen=True, tag="vote", tag_field="do"):
    """Say whether you would believe the current claim, as neither its giver nor its receiver. The room keeps votes to
    itself until the gift is revealed, and forgets them if it is accepted.
    """

    turn: int
    believe: bool


class MoveFor(Struct, frozen=True, tag="move_for", tag_field="do"):
    """Make the move of an absent player at a spoken table."""

    turn: int
    seat: int
    move: AbsentMove
    to: int | None = None


class DealAgain(Struct, frozen=True, tag="deal_again", tag_field="do"):
    """Deal again without an absent player at a spoken table (8.4)."""

    seat: int


class EndMatch(Struct, frozen=True, tag="end_match", tag_field="do"):
    """End the match early."""


class Emote(Struct, frozen=True, tag="emote", tag_field="do"):
    """Send an emote."""

    emote: str
    seat: int | None = None


class Ready(Struct, frozen=True, tag="ready", tag_field="do"):
    """Be ready for the next round, or for a computer player's first draw; without `seat`, all seats of this device."""

    seat: int | None = None


class Again(Struct, frozen=True, tag="again", tag_field="do"):
    """Return to the lobby after a match. With `deal`, vote for another match instead: it is dealt when all players who
    are present have voted.
    """

    deal: bool = False


class PlayWithout(Struct, frozen=True, tag="play_without", tag_field="do"):
    """Play the next match without an absent player."""

    seat: int


class Study(Struct, frozen=True, tag="study", tag_field="do"):
    """Agree that the operator may study the rounds played from now on, or withdraw that for all rounds."""

    agree: bool


class Probe(Struct, frozen=True, tag="probe", tag_field="do"):
    """Answer what you believe the gift of your decision at `turn` to be, and how surely: 1 (a guess) to 4 (certain), or
    0 without a gift. Without `confidence`, skip the question.
    """

    turn: int
    believed: str | None = None
    confidence: int | None = None


PlayCommand = Draw | Give | Accept | Refuse | Judge
_SeatCommand = Sit | Rename | SetFace | Leave | AddBot | Remove | LetIn | AnswerKnock | MoveSeat | ShuffleSeats
_SetupCommand = SetOptions | SetPace | PutDeck | HandOver | Lock | Start
_MatchCommand = Pause | Resume | SitIn | MoveFor | DealAgain | EndMatch | Emote | Ready | Again | PlayWithout
_StudyCommand = Study | Probe
_IdleCommand = Nudge | BotMove | Vote
GuestCommand = _SeatCommand | _SetupCommand | PlayCommand | _MatchCommand | _IdleCommand | _StudyCommand


class BringDeck(Struct, frozen=True):
    """Play with an uploaded deck. The driver has validated it already, because pictures are slow to check: so this
    command does not exist on the wire, and a retry after a conflict does not validate again.
    """

    deck: Deck


class PlayFor(Struct, frozen=True):
    """Make a move without a person: a card wraps itself, a computer player moves, or a player's time is up."""

    turn: int
    move: Move


class DealNext(Struct, frozen=True):
    """Deal the next round, as all players who are present are ready."""


class ComeBack(Struct, frozen=True):
    """Return the seats of a guest who is present again from the stand-in."""

    guest: UUID


class PassHost(Struct, frozen=True):
    """Give the role of an absent host to a deputy who is present."""


class ReturnHost(Struct, frozen=True):
    """Return the role to a host who is present again."""


class Knock(Struct, frozen=True):
    """Tell the players that a stranger is at the door. A stranger has no connection, so the driver reports it."""

    guest: UUID
    name: str


class ExpireKnock(Struct, frozen=True):
    """Forget a stranger whom no player has answered."""

    guest: UUID


class CallOff(Struct, frozen=True):
    """End a match that only computer players play: it might never end (9.6)."""


class CountVotes(Struct, frozen=True):
    """Add votes to those on the claim that was refused before `turn`, at another node."""

    turn: int
    votes: Crowd


AnyGuestCommand = GuestCommand | BringDeck  # by a frame or by an uploaded file
SystemCommand = PlayFor | CallOff | DealNext | ComeBack | PassHost | ReturnHost | Knock | ExpireKnock | CountVotes
Command = AnyGuestCommand | SystemCommand


class IssuedCommand(Struct, frozen=True):
    """A command with its circumstances: the guest who sent it (None: the room itself), the time, the guests who are
    present, those who have been away for long, a seed for shuffles, the seat that others may help, what a computer
    player would do there, and the votes on the current claim.
    """

    command: Command
    by: UUID | None
    at: float
    present: frozenset[UUID] = frozenset()
    seed: int = 0
    away: frozenset[UUID] = frozenset()
    name_keys: NameKeys = folded_name_keys  # which names look alike
    idle_seat: int | None = None
    bot_move: Move | None = None
    votes: Crowd | None = None
