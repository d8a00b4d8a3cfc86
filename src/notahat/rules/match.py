"""A match: one round or one per player, with summed scores; players may join and leave (8.2 to 8.4)."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct, structs

from notahat.rules.card import Card
from notahat.rules.events import Event
from notahat.rules.illegal import Illegal, Reason
from notahat.rules.moves import Move
from notahat.rules.round import Round, check_players, deal, lowest, play

Rounds = Literal["one", "each"]


class Match(Struct, frozen=True):
    """The agreed options, the scores of finished rounds, and the current round.

    `carried` are the points that latecomers start with (8.3).
    """

    seats: int
    gifts_each: int
    of: int
    starter: int
    finished: tuple[tuple[int, ...], ...] = ()
    round: Round | None = None
    carried: tuple[int, ...] = ()

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of finished rounds, and those that latecomers started with."""
        carried = self.carried or (0,) * self.seats
        return tuple(sum(scores) for scores in zip(carried, *self.finished, strict=True))

    @property
    def over(self) -> bool:
        return len(self.finished) == self.of

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the lowest total, empty until the match is over."""
        return lowest(self.totals) if self.over else ()

    @property
    def next_starter(self) -> int:
        """The starter of the next round: the next seat clockwise from the last one."""
        return (self.starter + len(self.finished)) % self.seats


def agree(seats: int, gifts_each: int = 1, rounds: Rounds = "one", starter: int = 0) -> Match:
    """Agree on a match before its first round is dealt."""
    check_players(seats, gifts_each)
    if not 0 <= starter < seats:
        raise Illegal(Reason.NO_SUCH_SEAT, f"the starter must be a seat from 0 to {seats - 1}, not {starter}")
    return Match(seats=seats, gifts_each=gifts_each, of=seats if rounds == "each" else 1, starter=starter)


def deal_round(match: Match, cards: Sequence[Card]) -> Match:
    """Deal the next round from shuffled cards. Raise `Illegal` while a round is running."""
    _check_between_rounds(match)
    return structs.replace(match, round=deal(cards, match.seats, match.gifts_each, match.next_starter))


def play_match(match: Match, move: Move) -> tuple[Match, tuple[Event, ...]]:
    """Return the match after a move, and its events. A corrected judgement may reopen a finished round (12.2)."""
    if match.round is None:
        raise Illegal(Reason.ROUND_OVER, "no round has been dealt")
    before = match.finished[:-1] if match.round.over else match.finished
    round_, events = play(match.round, move)
    finished = (*before, round_.scores) if round_.over else before
    return structs.replace(match, finished=finished, round=round_), events


def join(match: Match, players: int, gifts_each: int) -> Match:
    """Add players behind the last seat, each with the highest total so far (8.3)."""
    _check_between_rounds(match)
    check_players(match.seats + players, gifts_each)
    seats, rounds = match.seats + players, len(match.finished)
    starter = match.next_starter if rounds == 0 else (match.next_starter - 1) % match.seats + 1
    return structs.replace(
        match,
        seats=seats,
        gifts_each=gifts_each,
        starter=(starter - rounds) % seats,
        finished=tuple((*scores, *(0,) * players) for scores in match.finished),
        round=None,
        carried=(*(match.carried or (0,) * match.seats), *(max(match.totals),) * players),
    )


def drop(match: Match, seat: int, gifts_each: int) -> Match:
    """Remove a seat. A running round is abandoned and does not count (8.4).

    Its starter also starts the next round; if that is the removed seat, the next one clockwise does.
    """
    if match.over:
        raise Illegal(Reason.MATCH_OVER, "all rounds of this match have been played")
    if not 0 <= seat < match.seats:
        raise Illegal(Reason.NO_SUCH_SEAT, f"there is no seat {seat}")
    check_players(match.seats - 1, gifts_each)
    seats, rounds = match.seats - 1, len(match.finished)
    starter = match.next_starter - (match.next_starter > seat)
    return structs.replace(
        match,
        seats=seats,
        gifts_each=gifts_each,
        starter=(starter - rounds) % seats,
        finished=tuple(_without(scores, seat) for scores in match.finished),
        round=None,
        carried=_without(match.carried, seat),
    )


def _without(scores: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return scores[:seat] + scores[seat + 1 :]


def _check_between_rounds(match: Match) -> None:
    if match.over:
        raise Illegal(Reason.MATCH_OVER, "all rounds of this match have been played")
    if match.round is not None and not match.round.over:
        raise Illegal(Reason.ROUND_RUNNING, "the round on the table is not over yet")
