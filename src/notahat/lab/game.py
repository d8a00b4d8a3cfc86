"""One game, played out at once: nobody waits, but the clock runs ahead as far as it would at a table."""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from notahat.bots import Bot
from notahat.lab.human_timing import Person
from notahat.live import pace
from notahat.rules import Card, Draw, Event, Give, Legal, Move, Round, View, Wrap, deal, legal, play, view
from notahat.rules.view import view_after

SHOW_SECONDS = 3.0  # how long a table shows a gift unless it is told otherwise
CAP = 400  # passes: a table of players who never forget would never end (9.6)

_DRAW, _WRAP = ("draw",), ("wrap",)


class Act(Struct, frozen=True, gc=False):
    """A move as it was made: how long it was thought about, when it was made, and the gift in the giver's hand."""

    move: Move
    seconds: float
    now: float
    gift: str | None


class Played(Struct, frozen=True):
    """A finished game, or one that hit the cap: what is needed to measure it."""

    acts: tuple[Act, ...]
    round: Round

    @property
    def capped(self) -> bool:
        return not self.round.over


Watch = Callable[[Round, tuple[Event, ...], float], None]


def play_out(
    players: Sequence[Bot],
    cards: Sequence[Card],
    gifts_each: int = 1,
    starter: int = 0,
    cap: int = CAP,
    watch: Watch | None = None,
) -> Played:
    """Let players play a round to its end, or to the cap on passes."""
    round_ = deal(cards, len(players), gifts_each, starter)
    first_look = pace.first_look(len(players) * gifts_each)
    now, passes, acts = 0.0, 0, []
    events: tuple[Event, ...] = ()
    seen = view(round_)
    while True:
        for player in players:
            player.see(seen, events, now)
        if watch is not None:
            watch(round_, events, now)
        if round_.over:
            break
        move, thinking, after = next_move(players, seen, legal(round_), events, now)
        passes += type(move) is Give
        if passes > cap:
            break
        now += after if events else first_look
        card = getattr(round_.phase, "card", None)
        acts.append(Act(move, thinking, now, card and card.gift))
        before = round_
        round_, events = play(before, move)
        seen = view_after(seen, before, round_)
    return Played(tuple(acts), round_)


def next_move(
    players: Mapping[int, Bot] | Sequence[Bot], seen: View, allowed: Legal, events: Sequence[Event], now: float
) -> tuple[Move, float, float]:
    """A move, how long it was thought about, and after how long it is made. Draw and wrap are no decisions."""
    seat = allowed.seat
    if seat is None:
        raise ValueError("claims are entered in the laboratory: there is nothing to judge")
    if allowed.moves == _DRAW:
        return Draw(seat), 0.0, pace.draw_after(events)
    if allowed.moves == _WRAP:
        return Wrap(seat), 0.0, pace.wrap_after(SHOW_SECONDS, events)
    player = players[seat]
    answer = player.answer(seen, allowed, now)
    if type(player) is Person:  # only computer players are never slower than the longest thought
        return answer.move, answer.seconds, pace.scene(events) + answer.seconds
    return answer.move, answer.seconds, pace.move_after(answer.seconds, events)
