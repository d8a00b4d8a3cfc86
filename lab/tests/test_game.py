"""The laboratory and a live table play the same game: same moves at the same times."""

import pytest

from notahat.bots import sit_down
from notahat.rules import Move
from notahat.table import commands as do
from notahat.table.events import Dealt, Played, decode
from notahat_lab.game import play_out
from support.room_driver import RoomDriver

LEVELS = ("casual", "goldfish", "regular", "elephant")
Made = tuple[Move, float]


def live_round(seed: int, gifts: int) -> tuple[RoomDriver, Dealt, list[Made]]:
    """Play a round at a live table. Return it with the deal, and every move with the seconds since the deal."""
    driver = RoomDriver("Ada", options={"gifts_each": gifts, "starter": 2}).connect("Ada")
    for level in LEVELS:
        driver.send("Ada", do.AddBot(level), seed=seed)
    driver.send("Ada", do.Start(), seed=seed)
    driver.run_until(lambda one: one.room.table.stage != "play")
    dealt, began, moves = None, 0.0, []
    for written in driver.log:
        entry = decode(written.events)
        for event in entry.events:
            if isinstance(event, Dealt):
                dealt, began = event, entry.at
            elif isinstance(event, Played):
                moves.append((event.move, entry.at - began))
    assert dealt is not None
    return driver, dealt, moves


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("gifts", [1, 2])
def test_live_table_and_laboratory_make_the_same_moves(seed: int, gifts: int) -> None:
    driver, dealt, table_moves = live_round(seed, gifts)
    seats = driver.room.table.seats
    players = [sit_down(LEVELS[n], n, seed, seats[n].character) for n, seed in enumerate(dealt.seeds)]
    lab_moves = play_out(players, dealt.cards, gifts, starter=2).moves
    assert len(table_moves) > 20
    assert [move for move, _ in table_moves] == [made.move for made in lab_moves]
    times = [made.now for made in lab_moves]
    rounding = 0.001 * len(times)  # the log keeps milliseconds
    assert [seconds for _, seconds in table_moves] == pytest.approx(times, abs=rounding)
