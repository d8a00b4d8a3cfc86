"""What a player of a study says to believe reaches nobody: no byte that anybody receives depends on it."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from notahat.table import commands as do
from notahat.table.events import Probed, decode
from support.room_driver import RoomDriver
from support.tables import due_command

PEOPLE = ("Ada", "Ben")
Said = tuple[str | None, int | None]
ANSWERS = st.one_of(
    st.tuples(st.sampled_from(["hat", "kite", "teapot"]), st.integers(1, 4)), st.sampled_from([(None, 0), (None, None)])
)


def played(seed: int, said: list[Said]) -> RoomDriver:
    """Play with a computer player, a spectator and all questions answered, as long as there are answers."""
    rng, driver, answers = Random(seed), RoomDriver("Ada", {"show_seconds": 0}, probe=1.0), list(said)
    for name in (*PEOPLE, "Eva"):
        driver.connect(name, changes=name == "Ben")
    for name in PEOPLE:
        driver.send(name, do.Sit(name))
        driver.send(name, do.Study(agree=True))
    driver.send("Ada", do.AddBot("casual"))
    driver.send("Ada", do.Start(), seed=seed)
    for name in PEOPLE:
        driver.send(name, do.Ready())
    while answers and driver.room.table.stage == "play":
        driver.run_until(lambda room: room.room.table.stage != "play" or due(room) in (0, 1))
        if driver.room.table.stage == "play":
            act(driver, rng)
        for one in driver.room.table.asked:
            if answers:
                driver.send(PEOPLE[one.seat], do.Probe(one.turn, *answers.pop()))
    driver.connect("Ada", "again").connect("Ben", "again too")
    return driver


def due(driver: RoomDriver) -> int | None:
    now = driver.room.table.due
    return None if now.moves == ("wrap",) else now.seat


def act(driver: RoomDriver, rng: Random) -> None:
    seat = due(driver)
    assert seat is not None
    command = due_command(driver.room.table, rng.choice(["hat", "kite"]), accepts=rng.random() < 0.8)
    driver.send(PEOPLE[seat], command)


@settings(max_examples=15)
@given(st.integers(0, 999), st.lists(st.tuples(ANSWERS, ANSWERS), min_size=1, max_size=8))
def test_no_byte_depends_on_what_a_player_believes(seed: int, pairs: list[tuple[Said, Said]]) -> None:
    one, other = (played(seed, [pair[side] for pair in pairs]) for side in (0, 1))
    assert one.messages == other.messages
    assert len(one.log) == len(other.log)
    for first, second in zip(one.log, other.log, strict=True):
        if not any(isinstance(event, Probed) for event in decode(first.events).events):
            assert first == second
    assert b"confidence" not in b"".join(message for sent in one.messages.values() for message in sent)
