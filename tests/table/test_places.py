"""A guest has at most one place: seats, a place in the queue, or a knock. Nobody is dealt in who is not there."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from notahat.rules import Illegal, Judge
from notahat.table import Entry, Table, fold
from notahat.table import commands as do
from notahat.table.commands import Command
from notahat.table.events import Dealt, DealtIn, Event, Played, WentAgain
from support.tables import TableDriver, due_move, guest

GUESTS = ("Ada", "Ben", "Cem", "Eve", "Zoe")
SCREEN = "TV"


def some_command(driver: TableDriver, rng: Random) -> Command:
    name, seat = rng.choice(GUESTS), rng.randrange(4)
    commands: tuple[Command, ...] = (
        do.Knock(guest(name), name),
        do.ExpireKnock(guest(name)),
        do.AnswerKnock(name, True),
        do.Sit(name),
        do.Leave(),
        do.Remove(seat),
        do.Remove(name=name),
        do.LetIn(name),
        do.Again(),
        do.Again(deal=True),
        do.DealNext(),
        do.PlayWithout(seat),
        do.HandOver(seat),
        do.PassHost(),
        do.ReturnHost(),
        do.Lock(rng.random() < 0.3),
        do.AddBot("casual"),
        do.SitIn(seat),
        do.ComeBack(guest(name)),
        do.DealAgain(seat),
        do.Ready(),
        do.Start(),
        do.Start(),
        do.EndMatch(),
    )
    return rng.choice(commands)


def finish_round(driver: TableDriver) -> None:
    """Let time make all moves of a round, in which everybody refuses."""
    while driver.stage() == "play":
        judging, claim = driver.table.due.moves == ("judge",), None if driver.table.spoken else "hat"
        move = Judge(0, "giver") if judging else due_move(driver.table, claim)
        driver.log.append(Entry(driver.now, (Played(move, "time"),)))
        driver.table = fold(driver.table, driver.log[-1:])


def places(table: Table, name: str) -> list[str]:
    """Return the kinds of places that a guest has."""
    one = guest(name)
    kinds = {
        "seat": any(seat.guest == one for seat in table.seats),
        "queue": one in table.waiting,
        "knock": one in table.knocks,
    }
    return [kind for kind, has in kinds.items() if has]


def check_deal(before: Table, after: Table, events: tuple[Event, ...], driver: TableDriver) -> None:
    """A guest who gets a seat by a deal, and all who are dealt another match, are present or played for."""
    kinds = {type(event) for event in events}
    another_match = WentAgain in kinds and Dealt in kinds
    if not another_match and DealtIn not in kinds:
        return
    new = [seat for seat in after.seats if another_match or seat.guest not in {one.guest for one in before.seats}]
    assert all(seat.played_by_bot or seat.guest in driver.present for seat in new), events
    assert not another_match or any(seat.guest in driver.present for seat in after.seats), events


@settings(max_examples=150)
@given(seed=st.integers(0, 2**32), spoken=st.booleans())
def test_guest_has_one_place_and_is_present_when_dealt_in(seed: int, spoken: bool) -> None:
    rng = Random(seed)
    driver = TableDriver(host=SCREEN, seed=seed, screen=True, rounds="each", claims="spoken" if spoken else "entered")
    driver.people |= set(GUESTS)
    driver.seated(*GUESTS[:2]).send("Ada", do.Start())
    for _ in range(80):
        if rng.random() < 0.15:
            driver.away ^= {rng.choice((*GUESTS, SCREEN))}
        if rng.random() < 0.05 and not driver.table.paused:
            finish_round(driver)
        before, entries = driver.table, len(driver.log)
        command = some_command(driver, rng)
        here = sorted({*GUESTS, SCREEN} - driver.away)
        by = None if isinstance(command, do.SystemCommand) or not here else rng.choice(here)
        try:
            driver.send(by, command)
        except Illegal:
            continue
        for name in GUESTS:
            assert len(places(driver.table, name)) <= 1, (name, command)
            assert guest(name) not in driver.table.removed or places(driver.table, name) in ([], ["seat"])
        if len(driver.log) > entries:
            check_deal(before, driver.table, driver.log[-1].events, driver)


def test_host_removes_a_guest_who_waits_for_a_seat() -> None:
    driver = TableDriver().seated("Ada", "Ben").started().seated("Eve")
    [offered] = driver.offers("Ada", "remove")
    assert (offered.seats, offered.names) == ((1,), ("Eve",))
    assert driver.refusal("Ben", do.Remove(name="Eve")) == "not_host"
    assert driver.refusal("Ada", do.Remove(name="Zoe")) == "no_such_seat"
    assert driver.refusal("Ada", do.Remove()) == "no_such_seat"
    driver.send("Ada", do.Remove(name="Eve"))
    assert not driver.table.waiting
    assert driver.refusal("Eve", do.Sit("Eve")) == "removed"
    driver.send("Ada", do.LetIn("Eve"))
    driver.seated("Eve")
