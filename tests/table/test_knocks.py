"""Knocking at a running table: any player answers, and the number of knocks is bounded."""

import pytest

from notahat.table import commands as do
from notahat.table.admission import is_known, is_open
from notahat.table.commands.knocks import MOST_PER_DEAL, MOST_WAITING
from notahat.table.shown import KnockShown, WillSit
from support.tables import TableDriver, guest


def running(rounds: str = "one") -> TableDriver:
    return TableDriver(starter=0, rounds=rounds).seated("Ada", "Ben").started()


def knock(driver: TableDriver, name: str, shown_as: str | None = None) -> tuple[object, ...]:
    return driver.send(None, do.Knock(guest(name), shown_as or name))


def heard_by(driver: TableDriver, name: str) -> tuple[str, ...]:
    return next((one.names for one in driver.offers(name, "answer_knock")), None) or ()


def test_any_player_lets_a_stranger_in_for_the_next_round() -> None:
    driver = running(rounds="each")
    assert knock(driver, "Eve") == (KnockShown("Eve"),)
    assert heard_by(driver, "Ada") == heard_by(driver, "Ben") == ("Eve",)
    assert heard_by(driver, "Eve") == ()
    assert driver.refusal("Zoe", do.AnswerKnock("Eve", True)) == "not_seated"
    assert driver.refusal("Ben", do.AnswerKnock("Zoe", True)) == "not_knocking"
    assert not is_known(driver.table, guest("Eve"))
    assert driver.send("Ben", do.AnswerKnock("Eve", True)) == (WillSit("Eve"),)
    assert is_known(driver.table, guest("Eve"))
    assert heard_by(driver, "Ada") == ()
    driver.people.add("Eve")
    driver.play_round()
    driver.send("Ada", do.Start())
    assert driver.names == ["Ada", "Ben", "Eve"]


def test_declined_stranger_learns_nothing_until_the_next_deal() -> None:
    driver = running(rounds="each")
    knock(driver, "Eve")
    assert driver.send("Ada", do.AnswerKnock("Eve", False)) == ()
    assert not is_known(driver.table, guest("Eve"))
    assert knock(driver, "Eve") == ()
    driver.play_round()
    driver.send("Ada", do.Start())
    assert knock(driver, "Eve") == (KnockShown("Eve"),)
    driver.send(None, do.ExpireKnock(guest("Eve")))
    assert heard_by(driver, "Ada") == ()
    assert knock(driver, "Eve") == (KnockShown("Eve"),), "a stranger without an answer may knock again"


def test_knocks_are_bounded_at_once_and_per_deal() -> None:
    driver = running()
    for number in range(MOST_WAITING + 2):
        knock(driver, f"Eve {number}")
    assert len(heard_by(driver, "Ada")) == MOST_WAITING
    for number in range(100):
        for name in heard_by(driver, "Ada"):
            driver.send("Ada", do.AnswerKnock(name, False))
        knock(driver, f"Zoe {number}")
    assert driver.table.knocks_heard == MOST_PER_DEAL


@pytest.mark.parametrize("case", ["lobby", "locked", "no_spectators", "away", "removed"])
def test_knock_is_not_heard(case: str) -> None:
    driver = TableDriver(starter=0, spectators=case != "no_spectators").seated("Ada", "Ben", "Eve")
    if case == "removed":
        driver.send("Ada", do.Remove(2))
    if case != "lobby":
        driver.started()
    if case == "locked":
        driver.send("Ada", do.Lock(True))
    if case == "away":
        driver.away |= {"Ada", "Ben", "Eve"}
    assert knock(driver, "Eve" if case == "removed" else "Zoe") == ()
    assert is_open(driver.table) == (case == "lobby")


def test_stranger_cannot_look_like_a_player() -> None:
    driver = running()
    knock(driver, "Eve", "  ben\u202e ")
    knock(driver, "Zoe", "BEN")
    assert heard_by(driver, "Ada") == ("ben 2", "BEN 3")
    driver.send("Ada", do.AnswerKnock("ben 2", True))
    assert [waiting.name for waiting in driver.table.waiting.values()] == ["ben 2"]


def test_host_changes_the_pace_during_a_match() -> None:
    driver = running()
    assert "set_pace" in driver.may("Ada")
    assert "set_pace" not in driver.may("Ben")
    driver.send("Ada", do.SetPace("brisk"))
    assert driver.table.options.pace == "brisk"
    assert driver.refusal("Ben", do.SetPace("relaxed")) == "not_host"
    assert driver.send("Ada", do.SetPace("brisk")) == ()
