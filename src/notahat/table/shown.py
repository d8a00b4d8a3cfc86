"""What people at the table are shown as it happens: the rules' events, and the table's own without its secrets."""

from typing import Literal, assert_never

from msgspec import Struct

from notahat import rules
from notahat.table import events as log
from notahat.table.step import Step
from notahat.table.table import Table
from notahat.table.view import winners


class SatDown(Struct, frozen=True, tag="sat_down", tag_field="event"):
    """Somebody took a seat."""

    seat: int
    name: str
    kind: Literal["person", "bot"]


class WillSit(Struct, frozen=True, tag="will_sit", tag_field="event"):
    """Somebody waits for the next round."""

    name: str


class GotUp(Struct, frozen=True, tag="got_up", tag_field="event"):
    """Somebody left; `seat` is where they sat."""

    seat: int
    name: str


class SentAway(Struct, frozen=True, tag="sent_away", tag_field="event"):
    """The host removed somebody; `seat` is where they sat."""

    seat: int
    name: str


class MayComeBack(Struct, frozen=True, tag="may_come_back", tag_field="event"):
    """The host lets somebody come back whom they had removed."""

    name: str


class SeatsChanged(Struct, frozen=True, tag="seats_changed", tag_field="event"):
    """People changed seats: `order` lists the old seats in their new order."""

    order: tuple[int, ...]


class OptionsChanged(Struct, frozen=True, tag="options_changed", tag_field="event"):
    """The table agreed on other options."""


class HostChanged(Struct, frozen=True, tag="host_changed", tag_field="event"):
    """Somebody else is the host now, or the host is back."""

    seat: int | None


class Locked(Struct, frozen=True, tag="locked", tag_field="event"):
    """The table was locked or opened again."""

    locked: bool


class MatchStarted(Struct, frozen=True, tag="match_started", tag_field="event"):
    """A match began."""


class RoundDealt(Struct, frozen=True, tag="round_dealt", tag_field="event"):
    """A round lies on the table. Everyone looks round; the starter draws when they like."""

    round: int
    starter: int


class DealtWithout(Struct, frozen=True, tag="dealt_without", tag_field="event"):
    """The round is broken off and dealt again without somebody; `seat` is where they sat (8.4)."""

    seat: int
    name: str


class OutOfTime(Struct, frozen=True, tag="out_of_time", tag_field="event"):
    """The table's patience ended: the house makes the move that follows."""

    seat: int


class PlayedFor(Struct, frozen=True, tag="sat_in", tag_field="event"):
    """A computer player plays for somebody."""

    seat: int


class IsReady(Struct, frozen=True, tag="is_ready", tag_field="event"):
    """Somebody is ready, for the next round or to begin."""

    seat: int


class MatchOver(Struct, frozen=True, tag="match_over", tag_field="event"):
    """The match is over: all rounds are played, or the host ended it."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]
    ended_early: bool


class Remarked(Struct, frozen=True, tag="remarked", tag_field="event"):
    """A computer player says something: line `number` of its character for an occasion, counted round."""

    seat: int
    character: str
    occasion: str
    number: int


class WantsAgain(Struct, frozen=True, tag="wants_again", tag_field="event"):
    """Somebody wants another match."""

    seat: int


class LobbyAgain(Struct, frozen=True, tag="lobby_again", tag_field="event"):
    """The table is a lobby again."""


TableShown = (
    SatDown
    | WillSit
    | log.Renamed
    | GotUp
    | SentAway
    | MayComeBack
    | SeatsChanged
    | OptionsChanged
    | HostChanged
    | Locked
    | MatchStarted
    | RoundDealt
    | DealtWithout
    | OutOfTime
    | log.Paused
    | log.Resumed
    | PlayedFor
    | log.MovedFor
    | log.TookBack
    | IsReady
    | MatchOver
    | log.Emoted
    | log.Applauded
    | Remarked
    | WantsAgain
    | LobbyAgain
)
Shown = (
    TableShown
    | rules.Drawn
    | rules.Wrapped
    | rules.Offered
    | rules.Accepted
    | rules.Refused
    | rules.Judged
    | rules.Penalised
    | rules.Ended
)


def shown(step: Step) -> tuple[Shown, ...]:  # noqa: C901 - one line for each event
    """What people see of a step."""
    before, event, after = step.before, step.event, step.after
    match event:
        case log.Played():
            return _played(event, step.said, after)
        case log.Opened() | log.Unqueued() | log.Agreed() | log.Withdrew():
            return ()  # what somebody agreed to is theirs to tell
        case log.Renamed() | log.Paused() | log.Resumed() | log.MovedFor() | log.TookBack():
            return (event,)  # nothing in them is hidden
        case log.Emoted() | log.Applauded():
            return (event,)
        case log.Sat(name=name):
            return (SatDown(len(before.seats), name, "person"),)
        case log.BotSat(name=name):
            return (SatDown(len(before.seats), name, "bot"),)
        case log.Queued(name=name):
            return (WillSit(name),)
        case log.Left(seat=seat):
            return (GotUp(seat, before.seats[seat].name),)
        case log.Removed(seat=seat):
            return (SentAway(seat, before.seats[seat].name),)
        case log.LetBack(guest=guest):
            return (MayComeBack(before.removed_names[before.removed.index(guest)]),)
        case log.SeatsOrdered(order=order):
            return (SeatsChanged(order),)
        case log.OptionsSet() | log.DeckPut():
            return (OptionsChanged(),)
        case log.HandedOver() | log.HostPassed() | log.HostReturned():
            return (HostChanged(next(iter(after.held_by(after.host)), None)),)
        case log.LockTurned(locked=locked):
            return (Locked(locked),)
        case log.Started():
            return (MatchStarted(),)
        case log.Dealt():
            return (_dealt(before),)
        case log.DealtIn():
            seats = range(len(before.seats), len(after.seats))
            return tuple(SatDown(seat, after.seats[seat].name, "person") for seat in seats)
        case log.DealtOut(seat=seat):
            return (DealtWithout(seat, before.seats[seat].name),)
        case log.SatIn(seat=seat):
            return (PlayedFor(seat),)
        case log.WasReady(seat=seat):
            return (IsReady(seat),)
        case log.MatchEnded():
            return (_over(after),)
        case log.WantedAgain(seat=seat):
            return (WantsAgain(seat),)
        case log.WentAgain():
            return (LobbyAgain(),)
        case _:
            assert_never(event)


def _dealt(before: Table) -> RoundDealt:
    match = before.match
    if match is None:
        raise AssertionError("cards were dealt without a match")
    return RoundDealt(round=len(match.finished) + 1, starter=match.next_starter)


def _played(event: log.Played, said: tuple[rules.Event, ...], after: Table) -> tuple[Shown, ...]:
    out_of_time = (OutOfTime(event.move.seat),) if event.by == "time" else ()
    over = (_over(after),) if after.stage == "over" else ()
    return (*out_of_time, *said, *over)


def _over(after: Table) -> MatchOver:
    if after.match is None:
        raise AssertionError("a match ended that nobody started")
    return MatchOver(after.match.totals, winners(after), after.ended)
