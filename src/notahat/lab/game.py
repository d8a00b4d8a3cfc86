"""One game, played out at once: nobody waits for thinking times, the clock just runs ahead."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from notahat.bots import Bot
from notahat.rules import Card, Draw, Event, Give, Legal, Move, Round, View, Wrap, deal, legal, play, view

LOOK_SECONDS = 6.0  # everyone looks round before the first draw
DRAW_SECONDS = 1.0
SHOW_SECONDS = 3.0
CAP = 400  # passes: a table of players who never forget would never end (9.6)

_DRAW, _WRAP = ("draw",), ("wrap",)


class Act(Struct, frozen=True, gc=False):
    """A move as it was made: how long it took, when it was made, and the gift in the giver's hand."""

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
    now, passes, acts = 0.0, 0, []
    events: tuple[Event, ...] = ()
    while True:
        seen = view(round_)
        for player in players:
            player.see(seen, events, now)
        if watch is not None:
            watch(round_, events, now)
        if round_.over:
            break
        move, seconds = _next_move(players, seen, legal(round_), now)
        passes += type(move) is Give
        if passes > cap:
            break
        now += seconds
        card = getattr(round_.phase, "card", None)
        acts.append(Act(move, seconds, now, card and card.gift))
        round_, events = play(round_, move)
    return Played(tuple(acts), round_)


def _next_move(players: Sequence[Bot], seen: View, allowed: Legal, now: float) -> tuple[Move, float]:
    """Whoever must act decides; draw and wrap are no decisions."""
    seat = allowed.seat
    if seat is None:
        raise ValueError("claims are entered in the laboratory: there is nothing to judge")
    if allowed.moves == _DRAW:
        return Draw(seat), DRAW_SECONDS if now else LOOK_SECONDS
    if allowed.moves == _WRAP:
        return Wrap(seat), SHOW_SECONDS
    answer = players[seat].answer(seen, allowed, now)
    return answer.move, answer.seconds
