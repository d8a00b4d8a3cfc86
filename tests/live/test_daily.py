import pytest

from notahat.live.room import Room
from notahat.live.settings import TICK_SECONDS, Determinism, open_daily_table, parse_day
from notahat.rules import Illegal
from notahat.table import commands as do
from notahat.table.events import Dealt, Played, decode, encode
from support.room_driver import RoomDriver, StoredCommit
from support.tables import due_command, guest

NOON = 1_794_830_400.0  # 2026-11-16, UTC


def played(day: str, seed: int, patience: float, pace: str = "normal") -> list[object]:
    """Return the deals and moves of a game whose person always accepts, always claims "hat" and waits `patience`."""
    driver = RoomDriver()
    entry = open_daily_table(parse_day(day, NOON), "K7QX", guest("Ada"), seed * 1000.0, pace)
    driver.log = [StoredCommit(1, "opened", encode(entry))]
    opened = Room.open(None, driver.log, 0.0, 1000.0)
    assert opened is not None
    driver.room = opened
    driver.connect("Ada").send("Ada", do.Sit("Ada"), seed=seed)
    driver.send("Ada", do.Start(), seed=seed)
    if driver.room.table.is_first_look:
        driver.send("Ada", do.Ready(), seed=seed)
    for _ in range(80):
        table = driver.room.table
        if table.round is None or table.stage != "play":
            break
        due = table.due
        if due.seat != 3 or due.moves == ("wrap",):
            driver.run_until(lambda driver: driver.room.table.version > table.version)  # noqa: B023
            continue
        driver.advance(patience)
        driver.send("Ada", due_command(table, accepts=True), seed=seed)
    events = [event for written in driver.log for event in decode(written.events).events]
    return [event for event in events if isinstance(event, Dealt | Played)]


def test_daily_game_depends_on_date_and_moves_only() -> None:
    one = played("2026-11-16", seed=1, patience=0.5)
    assert len(one) > 15
    assert played("2026-11-16", seed=99, patience=17.0) == one
    assert played("2026-11-16", seed=1, patience=0.5, pace="brisk") == one
    assert played("2026-11-16", seed=1, patience=0.5, pace="relaxed") == one
    assert played("2026-11-17", seed=1, patience=0.5) != one


def test_seeded_table_counts_time_like_a_daily_one() -> None:
    """So it plays the same game on any machine and at any speed."""
    assert Determinism.seeded(7).tick == TICK_SECONDS


@pytest.mark.parametrize("day", ["2026-11-14", "2026-11-18", "yesterday", "2026-W47-1", ""])
def test_only_current_date_of_some_time_zone_is_accepted(day: str) -> None:
    for today in ("2026-11-15", "2026-11-16", "2026-11-17"):
        assert parse_day(today, NOON).isoformat() == today
    with pytest.raises(Illegal):
        parse_day(day, NOON)
