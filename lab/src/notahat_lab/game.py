"""Play one game without waiting; a simulated clock advances as it would at a table."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from notahat.bots import Bot
from notahat.gifts import cards, read_deck
from notahat.gifts.gift import variant
from notahat.live import pace
from notahat.rules import Card, Draw, Event, Give, Illegal, Legal, Move, Round, View, Wrap, deal, legal, play, view
from notahat.rules.view import WrapView, view_after
from notahat_lab.baseline import Person
from notahat_lab.errors import LabError

SHOW_SECONDS = 3.0  # the default time for which a table shows a gift
CAP = 400  # passes; players with perfect memory would play forever (9.6)

_DRAW = ("draw",)


class TimedMove(Struct, frozen=True, gc=False):
    """A move with its thinking time, the time it was made, and the gift in the giver's hand."""

    move: Move
    seconds: float
    now: float
    gift: str | None


class GameRecord(Struct, frozen=True):
    """The moves of a game and its last round; `capped` if it was stopped at the cap."""

    moves: tuple[TimedMove, ...]
    round: Round

    @property
    def capped(self) -> bool:
        return not self.round.over


Observer = Callable[[Round, tuple[Event, ...], float], None]


def play_out(
    players: Sequence[Bot],
    cards: Sequence[Card],
    gifts_each: int = 1,
    starter: int = 0,
    cap: int = CAP,
    observer: Observer | None = None,
) -> GameRecord:
    """Play a round to its end or to the cap on passes. Call the observer after every move."""
    round_ = deal(cards, len(players), gifts_each, starter)
    first_look = pace.first_look(len(players) * gifts_each)
    now, passes, moves = 0.0, 0, []
    events: tuple[Event, ...] = ()
    seen = view(round_)
    while True:
        for player in players:
            player.see(seen, events, now)
        if observer is not None:
            observer(round_, events, now)
        if round_.over:
            break
        move, thinking, after = next_move(players, seen, legal(round_), events, now)
        passes += type(move) is Give
        if passes > cap:
            break
        now += after if events else first_look
        card = getattr(round_.phase, "card", None)
        moves.append(TimedMove(move, thinking, now, card and card.gift))
        before = round_
        round_, events = play(before, move)
        seen = view_after(seen, before, round_)
    return GameRecord(tuple(moves), round_)


def next_move(
    players: Mapping[int, Bot] | Sequence[Bot], seen: View, allowed: Legal, events: Sequence[Event], now: float
) -> tuple[Move, float, float]:
    """Return the next move, its thinking time, and the time until it is made."""
    seat = allowed.seat
    if seat is None:
        raise ValueError("the laboratory has no spoken claims to judge")
    if allowed.moves == _DRAW:
        return Draw(seat), 0.0, pace.draw_after(events)
    if isinstance(seen.phase, WrapView):
        return Wrap(seat), 0.0, pace.wrap_after(SHOW_SECONDS, seen.phase.from_shop, events)
    player = players[seat]
    answer = player.answer(seen, allowed, now)
    if type(player) is Person:  # the maximum thinking time applies to computer players only
        return answer.move, answer.seconds, pace.scene(events) + answer.seconds
    if isinstance(answer.move, Give):
        return answer.move, answer.seconds, pace.move_after(answer.seconds, events)
    return answer.move, answer.seconds, pace.answer_after(answer, events, speed=1.0)


@cache
def deck_cards(edition: str, special_cards: bool = True, arrows: str = "both") -> tuple[Card, ...]:
    """Return the cards of an edition, or of a `.hat` file of catalogue gifts. Raise `LabError`."""
    if not edition.endswith(".hat"):
        return cards(edition, special_cards, arrows)
    try:
        deck = read_deck(Path(edition).read_bytes())
    except OSError as problem:
        raise LabError(f"cannot read {edition}: {problem.strerror}") from None
    except Illegal as problem:
        raise LabError(f"{edition}: {problem.detail}") from None
    if deck.own:
        raise LabError(f"{edition}: the laboratory plays with gifts of the catalogue only")
    return variant(deck.cards, special_cards, arrows)
