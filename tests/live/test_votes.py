"""Votes on a claim: nothing that others receive depends on them until the gift is revealed, and never if accepted."""

import pytest

from notahat.table import commands as do
from support.room_driver import RoomDriver

PEOPLE = ("Ada", "Ben", "Cem", "Dora")
Ballot = dict[str, bool]


def voted(ballot: Ballot, answer: str) -> RoomDriver:
    """A claim on which guests vote, the answer to it, and another claim after it."""
    driver = RoomDriver("Ada", {"starter": 0, "show_seconds": 0})
    for name in (*PEOPLE, "Eva", "Finn"):
        driver.connect(name, changes=name in ("Dora", "Finn"))
    for name in PEOPLE:
        driver.send(name, do.Sit(name))
    driver.send("Ada", do.Start(), seed=3)
    driver.send("Ada", do.Draw(0))
    offer(driver)
    for number, (name, believe) in enumerate(ballot.items()):
        driver.send(name, do.Vote(driver.turn, believe), f"vote{number}")
    if answer != "none":
        reply(driver, answer)
    if answer == "accept":
        offer(driver)
    return driver


def acting(driver: RoomDriver) -> str:
    return PEOPLE[driver.room.table.due.seat or 0]


def offer(driver: RoomDriver) -> None:
    driver.run_until(lambda room: room.room.table.due.moves == ("give",))
    driver.send(acting(driver), do.Give(driver.turn, "hat"), "offer")


def reply(driver: RoomDriver, answer: str) -> None:
    command = do.Accept(driver.turn) if answer == "accept" else do.Refuse(driver.turn)
    driver.send(acting(driver), command, "reply")


RECEIVER = acting(voted({}, "none"))
FIRST, SECOND = (name for name in PEOPLE if name not in ("Ada", RECEIVER))
THIRD = "Eva"  # a spectator
BALLOTS: list[Ballot] = [
    {FIRST: True},
    {FIRST: False},
    {FIRST: True, SECOND: False, THIRD: True},
    {SECOND: False},
]


def messages_of(driver: RoomDriver, names: list[str]) -> dict[str, list[bytes]]:
    return {name: list(driver.messages[name]) for name in names}


@pytest.mark.parametrize("ballot", BALLOTS)
def test_accepted_gift_shows_no_vote_to_anybody(ballot: Ballot) -> None:
    others = [name for name in (*PEOPLE, "Eva", "Finn") if name not in ballot]
    assert messages_of(voted(ballot, "accept"), others) == messages_of(voted({}, "accept"), others)
    assert voted(ballot, "accept").log == voted({}, "accept").log


@pytest.mark.parametrize("ballot", BALLOTS)
def test_votes_change_no_byte_before_the_reveal(ballot: Ballot) -> None:
    others = [name for name in (*PEOPLE, "Eva", "Finn") if name not in ballot]
    with_votes, without = voted(ballot, "refuse"), voted({}, "refuse")
    assert with_votes.log[:-1] == without.log[:-1]
    for name in others:
        assert with_votes.messages[name][:-1] == without.messages[name][:-1]
        assert len(with_votes.messages[name]) == len(without.messages[name])
    believed = sum(ballot.values())
    crowd = {"believed": believed, "doubted": len(ballot) - believed}
    last = with_votes.last_message("Ada")
    assert last["happened"][-1] == {"event": "crowd_voted", **crowd}
    assert last["view"]["crowd"] == crowd


def test_votes_at_another_node_are_added() -> None:
    here, there = voted({}, "none"), voted({FIRST: True, SECOND: False}, "none")
    reply(here, "refuse")
    there.call("commits_received", here.log[-1:], there.now)
    assert [len(node.log) - len(here.log) for node in (here, there)] == [0, 0]
    assert there.last_message("Ada")["view"]["crowd"] == {"believed": 1, "doubted": 1}


def test_only_the_last_vote_of_a_guest_counts() -> None:
    driver = voted({}, "accept")
    name = next(one for one in ("Eva", "Finn"))
    for believe in (True, False, True):
        driver.send(name, do.Vote(driver.turn, believe))
    reply(driver, "refuse")
    crowd = driver.room.table.crowd
    assert crowd is not None
    assert (crowd.believed, crowd.doubted) == (1, 0)
