"""The gift of the day is the same for everyone: it follows from the date and from what one person does, whatever the
machine, its luck and its clock.
"""

import pytest

from notahat.live.daily import day_of, day_opened
from notahat.live.room import Room
from notahat.rules import Illegal, legal
from notahat.table import commands as do
from notahat.table.events import Dealt, Played, decode, encode
from support.room_driver import Driven, Written
from support.tables import guest

NOON = 1_794_830_400.0  # of the 16th of November 2026, UTC


def played(day: str, luck: int, patience: float) -> list[object]:
    """All that is dealt and done when somebody thanks for everything and always says hat, at their own pace."""
    driven = Driven()
    entry = day_opened(day_of(day, NOON), "K7QX", guest("Ada"), luck * 1000.0)
    driven.log = [Written(1, "opened", encode(entry))]
    opened = Room.open(None, driven.log, 0.0, 1000.0)
    assert opened is not None
    driven.room = opened
    driven.arrives("Ada").orders("Ada", do.Sit("Ada"), luck=luck)
    driven.orders("Ada", do.Start(), luck=luck)
    for _ in range(80):
        table = driven.room.table
        if table.round is None or table.stage != "play":
            break
        due, turn = legal(table.round), table.round.turn
        if due.seat != 3 or due.moves == ("wrap",):
            driven.until(lambda driven: driven.room.table.version > table.version)  # noqa: B023
            continue
        driven.passes(patience)
        moves: dict[str, do.GuestCommand] = {
            "draw": do.Draw(turn),
            "give": do.Give(turn, "hat", due.receivers[0] if due.receivers else None),
        }
        driven.orders("Ada", moves.get(due.moves[0], do.Accept(turn)), luck=luck)
    events = [event for written in driven.log for event in decode(written.events).events]
    return [event for event in events if isinstance(event, Dealt | Played)]


def test_everyone_is_dealt_the_same_and_meets_the_same_players() -> None:
    one = played("2026-11-16", luck=1, patience=0.5)
    assert len(one) > 15
    assert played("2026-11-16", luck=99, patience=17.0) == one
    assert played("2026-11-17", luck=1, patience=0.5) != one


@pytest.mark.parametrize("day", ["2026-11-14", "2026-11-18", "yesterday", "2026-W47-1", ""])
def test_only_today_can_be_played_wherever_on_earth_that_is(day: str) -> None:
    for today in ("2026-11-15", "2026-11-16", "2026-11-17"):
        assert day_of(today, NOON).isoformat() == today
    with pytest.raises(Illegal):
        day_of(day, NOON)
