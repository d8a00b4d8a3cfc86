"""The laboratory's bare loop and a living table play the same game: same sights, same moves, at the same times."""

import pytest

from notahat.bots import sit_down
from notahat.lab.game import play_out
from notahat.rules import Move
from notahat.table import commands as do
from notahat.table.events import Dealt, Played, decode
from support.room_driver import Driven

LEVELS = ("casual", "goldfish", "regular", "elephant")
Made = tuple[Move, float]


def a_round_among_computer_players(luck: int, gifts: int) -> tuple[Driven, Dealt, list[Made]]:
    """Somebody watches four of them: how it was dealt, and every move with the seconds since the deal."""
    driven = Driven("Ada", options={"gifts_each": gifts, "starter": 2}).arrives("Ada")
    for level in LEVELS:
        driven.orders("Ada", do.AddBot(level), luck=luck)
    driven.orders("Ada", do.Start(), luck=luck)
    driven.until(lambda one: one.room.table.stage != "play")
    dealt, began, moves = None, 0.0, []
    for written in driven.log:
        entry = decode(written.events)
        for event in entry.events:
            if isinstance(event, Dealt):
                dealt, began = event, entry.at
            elif isinstance(event, Played):
                moves.append((event.move, entry.at - began))
    assert dealt is not None
    return driven, dealt, moves


@pytest.mark.parametrize("luck", [1, 2, 3])
@pytest.mark.parametrize("gifts", [1, 2])
def test_the_same_seeds_give_the_same_moves_at_the_same_times(luck: int, gifts: int) -> None:
    driven, dealt, at_the_table = a_round_among_computer_players(luck, gifts)
    seats = driven.room.table.seats
    players = [sit_down(LEVELS[n], n, seed, seats[n].character) for n, seed in enumerate(dealt.seeds)]
    in_the_laboratory = play_out(players, dealt.cards, gifts, starter=2).acts
    assert len(at_the_table) > 20
    assert [move for move, _ in at_the_table] == [act.move for act in in_the_laboratory]
    times = [act.now for act in in_the_laboratory]
    rounding = 0.001 * len(times)  # the log keeps milliseconds
    assert [seconds for _, seconds in at_the_table] == pytest.approx(times, abs=rounding)
