"""Whole rounds between computer players, without a table."""

from collections.abc import Callable, Sequence

from notahat.bots import Answer, Bot
from notahat.rules import Card, Draw, Event, Move, Round, Wrap, deal, legal, play, view

SECONDS = 3.0  # between two moves


def play_out(
    players: Sequence[Bot],
    cards: Sequence[Card],
    gifts_each: int = 1,
    cap: int = 400,
    observer: Callable[[Round, tuple[Event, ...], float], None] = lambda *_: None,
) -> tuple[Answer, ...]:
    """Play to the end or to the cap on decisions, and return these."""
    round_, now = deal(cards, len(players), gifts_each, starter=0), 0.0
    events: tuple[Event, ...] = ()
    answers: list[Answer] = []
    while True:
        for player in players:
            player.see(view(round_), events, now)
        observer(round_, events, now)
        if round_.over or len(answers) == cap:
            return tuple(answers)
        allowed = legal(round_)
        assert allowed.seat is not None
        if allowed.moves in (("draw",), ("wrap",)):
            move: Move = Draw(allowed.seat) if allowed.moves == ("draw",) else Wrap(allowed.seat)
        else:
            answers.append(players[allowed.seat].answer(view(round_), allowed, now))
            move = answers[-1].move
        round_, events = play(round_, move)
        now += SECONDS
