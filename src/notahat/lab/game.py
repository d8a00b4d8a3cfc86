"""One game, played out at once: nobody waits for thinking times, the clock just runs ahead."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from notahat.bots import Bot
from notahat.rules import Card, Draw, Event, Give, Move, Round, Wrap, deal, legal, play, view

LOOK_SECONDS = 5.0  # everyone looks round before the first draw
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
    seen = view(round_)
    for player in players:
        player.see(seen, (), 0.0)
    if watch is not None:
        watch(round_, (), 0.0)
    now, passes, acts = LOOK_SECONDS, 0, []
    while not round_.over:
        allowed = legal(round_)
        seat = allowed.seat
        if seat is None:
            raise ValueError("claims are entered in the laboratory: there is nothing to judge")
        if allowed.moves == _DRAW:
            move: Move = Draw(seat)
            seconds = DRAW_SECONDS
        elif allowed.moves == _WRAP:
            move = Wrap(seat)
            seconds = SHOW_SECONDS
        else:
            answer = players[seat].answer(seen, allowed, now)
            move, seconds = answer.move, answer.seconds
            if type(move) is Give:
                passes += 1
                if passes > cap:
                    break
        now += seconds
        card = getattr(round_.phase, "card", None)
        acts.append(Act(move, seconds, now, card and card.gift))
        round_, events = play(round_, move)
        seen = view(round_)
        for player in players:
            player.see(seen, events, now)
        if watch is not None:
            watch(round_, events, now)
    return Played(tuple(acts), round_)
