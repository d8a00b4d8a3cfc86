"""A room that waits for one person: the times, who learns of it, and the move that a computer player makes."""

import msgspec
import pytest

from notahat.table import commands as do
from notahat.table.view import Idle
from support.room_driver import RoomDriver

NUDGE_AFTER, HELP_AFTER = 20, 40


def offering(*people: str, bots: int = 0, **options: object) -> RoomDriver:
    """A room with these people in which the first one has drawn a gift and is to give it."""
    driver = RoomDriver(people[0], {"starter": 0, "show_seconds": 0, **options})
    for name in people:
        driver.connect(name)
        driver.send(name, do.Sit(name))
    for _ in range(bots):
        driver.send(people[0], do.AddBot("casual"))
    driver.send(people[0], do.Start())
    driver.send(people[0], do.Draw(0))
    driver.run_until(lambda room: room.room.table.due.moves == ("give",))
    return driver


def idle(driver: RoomDriver, connection: str) -> Idle | msgspec.UnsetType:
    return driver.states(connection)[-1].view.idle


def permitted(driver: RoomDriver, connection: str) -> set[str]:
    return {one.do for one in driver.states(connection)[-1].may} & {"nudge", "bot_move"}


def test_idle_player_is_nudged_and_then_others_may_help() -> None:
    driver = offering("Ada", "Ben", "Cem")
    driver.connect("Eva")
    driver.advance(NUDGE_AFTER - 1)
    assert idle(driver, "Ben") is msgspec.UNSET
    driver.advance(1)
    assert idle(driver, "Ben") == idle(driver, "Ada") == Idle(0)
    assert not permitted(driver, "Ben")
    driver.advance(HELP_AFTER - NUDGE_AFTER)
    assert idle(driver, "Eva") == idle(driver, "Ada") == Idle(0, help=True)
    assert permitted(driver, "Ben") == permitted(driver, "Cem") == {"nudge", "bot_move"}
    assert not permitted(driver, "Ada")
    assert not permitted(driver, "Eva")


def test_computer_player_helps_once_with_what_the_seat_saw() -> None:
    driver = offering("Ada", "Ben", "Cem")
    before = driver.turn
    driver.advance(HELP_AFTER)
    driver.send("Ben", do.BotMove(before, 0), "b1")
    last = driver.states("Ada")[-1]
    assert [event["event"] for event in driver.last_message("Ada")["happened"]][:2] == ["helped", "offered"]
    assert driver.turn == before + 1
    assert idle(driver, "Ben") is msgspec.UNSET
    assert not last.view.seats[0].stand_in
    driver.send("Cem", do.BotMove(before, 0), "c1")
    assert driver.last_message("Cem")["reason"] == "stale"


def test_no_nudge_when_no_other_person_waits() -> None:
    driver = offering("Ada", bots=2)
    driver.advance(10 * HELP_AFTER)
    assert idle(driver, "Ada") is msgspec.UNSET


@pytest.mark.parametrize("options", [{"nudge_seconds": 0}, {"patience_seconds": 300}])
def test_no_nudge_at_endless_and_strict_tables(options: dict[str, object]) -> None:
    driver = offering("Ada", "Ben", **options)  # type: ignore[arg-type]
    driver.advance(5 * HELP_AFTER)
    assert idle(driver, "Ben") is msgspec.UNSET


def test_no_nudge_during_a_pause() -> None:
    driver = offering("Ada", "Ben")
    driver.send("Ben", do.Pause())
    driver.advance(HELP_AFTER)
    assert idle(driver, "Ben") is msgspec.UNSET
