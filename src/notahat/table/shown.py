"""Shown events: what guests see of a step, without hidden gifts, seeds and guest ids."""

from typing import assert_never

from msgspec import Struct

from notahat import rules
from notahat.table import events as log
from notahat.table.evolve import Step
from notahat.table.table import Kind, Table
from notahat.table.view import winners


class SatDown(Struct, frozen=True, tag="sat_down", tag_field="event"):
    """A player took a seat."""

    seat: int
    name: str
    kind: Kind


class WillSit(Struct, frozen=True, tag="will_sit", tag_field="event"):
    """A guest waits for the next round."""

    name: str


class GotUp(Struct, frozen=True, tag="got_up", tag_field="event"):
    """A player left; `seat` is their former seat."""

    seat: int
    name: str


class SentAway(Struct, frozen=True, tag="sent_away", tag_field="event"):
    """The host removed a player; `seat` is their former seat."""

    seat: int
    name: str


class MayComeBack(Struct, frozen=True, tag="may_come_back", tag_field="event"):
    """The host lets a removed guest come back."""

    name: str


class KnockShown(Struct, frozen=True, tag="knocked", tag_field="event"):
    """A stranger knocks at the running table."""

    name: str


class SeatsChanged(Struct, frozen=True, tag="seats_changed", tag_field="event"):
    """The seats were reordered: `order` lists the old seats in their new order."""

    order: tuple[int, ...]


class OptionsChanged(Struct, frozen=True, tag="options_changed", tag_field="event"):
    """The options or the deck changed."""


class HostChanged(Struct, frozen=True, tag="host_changed", tag_field="event"):
    """The host changed, or the absent host is back."""

    seat: int | None


class Locked(Struct, frozen=True, tag="locked", tag_field="event"):
    """The table was locked or opened again."""

    locked: bool


class MatchStarted(Struct, frozen=True, tag="match_started", tag_field="event"):
    """A match started."""


class RoundDealt(Struct, frozen=True, tag="round_dealt", tag_field="event"):
    """A round was dealt. Its first look lasts until the starter draws."""

    round: int
    starter: int


class DealtWithout(Struct, frozen=True, tag="dealt_without", tag_field="event"):
    """The round was dealt again without a player; `seat` is their former seat (8.4)."""

    seat: int
    name: str


class PlayedWithout(Struct, frozen=True, tag="left_out", tag_field="event"):
    """The next match is played without an absent player; `seat` is their former seat."""

    seat: int
    name: str


class OutOfTime(Struct, frozen=True, tag="out_of_time", tag_field="event"):
    """The player's time is up: the move that follows was made for them."""

    seat: int


class PlayedFor(Struct, frozen=True, tag="sat_in", tag_field="event"):
    """A stand-in plays for this seat."""

    seat: int


class IsReady(Struct, frozen=True, tag="is_ready", tag_field="event"):
    """A player is ready for the next round, or for the first draw."""

    seat: int


class MatchOver(Struct, frozen=True, tag="match_over", tag_field="event"):
    """The match is over: all rounds are played, or the host ended it."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]
    ended_early: bool


class Remarked(Struct, frozen=True, tag="remarked", tag_field="event"):
    """A computer player makes a remark: sentence `number` (modulo their count) of its character for an occasion."""

    seat: int
    character: str
    occasion: str
    number: int


class WantsAgain(Struct, frozen=True, tag="wants_again", tag_field="event"):
    """A player votes for another match."""

    seat: int


class LobbyAgain(Struct, frozen=True, tag="lobby_again", tag_field="event"):
    """The table is a lobby again."""


_SeatShown = SatDown | WillSit | log.Renamed | GotUp | SentAway | MayComeBack | KnockShown | SeatsChanged
_SetupShown = OptionsChanged | HostChanged | Locked | MatchStarted | RoundDealt | DealtWithout
_MatchShown = OutOfTime | log.Paused | log.Resumed | PlayedFor | log.MovedFor | log.TookBack | IsReady | MatchOver
_IdleShown = log.Nudged | log.Helped | log.CrowdVoted | PlayedWithout
_OtherShown = log.Emoted | log.Applauded | Remarked | WantsAgain | LobbyAgain
_MoveShown = rules.Drawn | rules.Wrapped | rules.Offered | rules.Accepted | rules.Refused
_VerdictShown = rules.Judged | rules.Penalised | rules.Ended
Shown = _SeatShown | _SetupShown | _MatchShown | _IdleShown | _OtherShown | _MoveShown | _VerdictShown


def shown(step: Step) -> tuple[Shown, ...]:  # noqa: C901 - one line for each event
    """Return what guests see of a step."""
    before, event, after = step.before, step.event, step.after
    match event:
        case log.Played():
            return _played(event, step.rule_events, after)
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
            return (MayComeBack(before.removed_names[before.removed.index(guest)]),)
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


def _played(event: log.Played, rule_events: tuple[rules.Event, ...], after: Table) -> tuple[Shown, ...]:
    out_of_time = (OutOfTime(event.move.seat),) if event.by == "time" else ()
    over = (_over(after),) if after.stage == "over" else ()
    return (*out_of_time, *rule_events, *over)


def _over(after: Table) -> MatchOver:
    return MatchOver(after.started_match.totals, winners(after), after.ended)
