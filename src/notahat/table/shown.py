"""Shown events: what guests see of a step, without hidden gifts, seeds and guest ids."""

from typing import assert_never

from notahat import rules
from notahat.table import events as log
from notahat.table.events import SeatEvent, TableEvent
from notahat.table.evolve import Step
from notahat.table.table import Kind, Table
from notahat.table.view import winners


class SatDown(SeatEvent, frozen=True):
    """A player took a seat."""

    name: str
    kind: Kind


class WillSit(TableEvent, frozen=True):
    """A guest waits for the next round."""

    name: str


class FormerSeat(SeatEvent, frozen=True):
    """A player is no longer at the table; `seat` was theirs."""

    name: str


class GotUp(FormerSeat, frozen=True):
    """A player left."""


class SentAway(FormerSeat, frozen=True):
    """The host removed a player."""


class MayComeBack(TableEvent, frozen=True):
    """The host lets a removed guest come back."""

    name: str


class KnockShown(TableEvent, frozen=True, tag="knocked"):
    """A stranger knocks at the running table."""

    name: str


class SeatsChanged(TableEvent, frozen=True):
    """The seats were reordered: `order` lists the old seats in their new order."""

    order: tuple[int, ...]


class OptionsChanged(TableEvent, frozen=True):
    """The options or the deck changed."""


class HostChanged(TableEvent, frozen=True):
    """The host changed, or the absent host is back."""

    seat: int | None


class Locked(TableEvent, frozen=True):
    """The table was locked or opened again."""

    locked: bool


class MatchStarted(TableEvent, frozen=True):
    """A match started."""


class RoundDealt(TableEvent, frozen=True):
    """A round was dealt. Its first look lasts until the starter draws."""

    round: int
    starter: int


class DealtWithout(FormerSeat, frozen=True):
    """The round was dealt again without a player (8.4)."""


class PlayedWithout(FormerSeat, frozen=True, tag="left_out"):
    """The next match is played without an absent player."""


class OutOfTime(SeatEvent, frozen=True):
    """The player's time is up: the move that follows was made for them."""


class PlayedFor(SeatEvent, frozen=True, tag="sat_in"):
    """A stand-in plays for this seat."""


class IsReady(SeatEvent, frozen=True):
    """A player is ready for the next round, or for the first draw."""


class MatchOver(TableEvent, frozen=True):
    """The match is over: all rounds are played, or the host ended it."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]
    ended_early: bool


class Remarked(SeatEvent, frozen=True):
    """A computer player makes a remark: sentence `number` (modulo their count) of its character for an occasion."""

    character: str
    occasion: str
    number: int


class WantsAgain(SeatEvent, frozen=True):
    """A player votes for another match."""


class LobbyAgain(TableEvent, frozen=True):
    """The table is a lobby again."""


_SeatsShown = SatDown | WillSit | log.Renamed | GotUp | SentAway | MayComeBack | KnockShown | SeatsChanged
_SetupShown = OptionsChanged | HostChanged | Locked | MatchStarted | RoundDealt | DealtWithout
_MatchShown = OutOfTime | log.Paused | log.Resumed | PlayedFor | log.MovedFor | log.TookBack | IsReady | MatchOver
_IdleShown = log.Nudged | log.Helped | log.CrowdVoted | PlayedWithout
_OtherShown = log.Emoted | log.Applauded | Remarked | WantsAgain | LobbyAgain
_MoveShown = rules.Drawn | rules.Wrapped | rules.Offered | rules.Accepted | rules.Refused
_VerdictShown = rules.Judged | rules.Penalised | rules.Ended
Shown = _SeatsShown | _SetupShown | _MatchShown | _IdleShown | _OtherShown | _MoveShown | _VerdictShown


def shown(step: Step) -> tuple[Shown, ...]:  # noqa: C901 - one line for each event
    """Return what guests see of a step."""
    before, event, after = step.before, step.event, step.after
    match event:
        case log.Played():
            out_of_time = (OutOfTime(event.move.seat),) if event.by == "time" else ()
            return (*out_of_time, *step.rule_events, *((_over(after),) if after.stage == "over" else ()))
        case log.Opened() | log.Unqueued() | log.TurnedAway() | log.KnockAnswered():
            return ()  # the view shows who waits, and a declined stranger is not news
        case log.FaceSet() | log.Agreed() | log.Withdrew() | log.Probed():
            return ()  # faces are in the view, agreements are private, and answers are for the export alone
        case log.Renamed() | log.Paused() | log.Resumed() | log.MovedFor() | log.TookBack():
            return (event,)  # they contain nothing hidden
        case log.Emoted() | log.Applauded() | log.Nudged() | log.Helped() | log.CrowdVoted():
            return (event,)
        case log.Sat(name=name) | log.BotSat(name=name):
            return (SatDown(len(before.seats), name, after.seats[-1].kind),)
        case log.Queued(name=name):
            return (WillSit(name),)
        case log.Left(seat=seat):
            return (GotUp(seat, before.seats[seat].name),)
        case log.LeftOut(seat=seat):
            return (PlayedWithout(seat, before.seats[seat].name),)
        case log.Removed(seat=seat):
            return (SentAway(seat, before.seats[seat].name),)
        case log.LetBack(guest=guest):
            return (MayComeBack(before.removed[guest]),)
        case log.Knocked(name=name):
            return (KnockShown(name),)
        case log.SeatsOrdered(order=order):
            return (SeatsChanged(order),)
        case log.OptionsSet() | log.DeckPut():
            return (OptionsChanged(),)
        case log.HandedOver() | log.HostPassed() | log.HostReturned():
            return (HostChanged(next(iter(after.seats_of(after.host)), None)),)
        case log.LockTurned(locked=locked):
            return (Locked(locked),)
        case log.Started():
            return (MatchStarted(),)
        case log.Dealt():
            match = before.started_match
            return (RoundDealt(round=len(match.finished) + 1, starter=match.next_starter),)
        case log.DealtIn():
            seats = range(len(before.seats), len(after.seats))
            return tuple(SatDown(seat, after.seats[seat].name, after.seats[seat].kind) for seat in seats)
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


def _over(after: Table) -> MatchOver:
    return MatchOver(after.started_match.totals, winners(after), after.ended)
