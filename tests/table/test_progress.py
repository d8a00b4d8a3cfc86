"""No table can get stuck: some present guest always has a command that advances the match."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from notahat.table import May, may
from notahat.table import commands as do
from support.permitted import command_for, run_system
from support.tables import TableDriver, guest

PEOPLE = ("Ada", "Ben", "Cem", "Dora", "Eve")
ADVANCING = {
    "draw",
    "give",
    "accept",
    "refuse",
    "judge",
    "resume",
    "sit_in",
    "move_for",
    "deal_again",
    "ready",
    "again",
}
OPTIONS = st.fixed_dictionaries(
    {
        "edition": st.sampled_from(["classic", "special"]),
        "rounds": st.sampled_from(["one", "each"]),
        "claims": st.sampled_from(["entered", "spoken"]),
        "patience_seconds": st.sampled_from([0, 10]),
    }
)
MOST_STEPS = 3000


def let_a_player_leave(driver: TableDriver, rng: Random) -> None:
    """Let a player leave, pause and disconnect, or disconnect. One of them always stays."""
    candidates = [name for name in PEOPLE if name not in driver.away and driver.table.seats_of(guest(name))]
    if len(candidates) < 2:
        return
    name = rng.choice(candidates)
    match rng.randrange(4):
        case 0:
            driver.send(name, do.Leave())
            driver.away.add(name)
        case 1 if driver.stage() == "play" and not driver.table.paused:
            driver.send(name, do.Pause())
            driver.away.add(name)
        case _:
            driver.away.add(name)


def advancing_commands(driver: TableDriver) -> list[tuple[str, May]]:
    driver.long_away = set(driver.away)
    return [
        (name, one)
        for name in PEOPLE
        if name not in driver.away
        for one in may(driver.table, guest(name), driver.present, driver.absent)
        if one.do in ADVANCING
    ]


@settings(max_examples=80)
@given(seed=st.integers(0, 2**32), options=OPTIONS, people=st.integers(2, 4), computers=st.integers(0, 2))
def test_present_players_can_always_finish_the_match(
    seed: int, options: dict[str, object], people: int, computers: int
) -> None:
    rng = Random(seed)
    driver = TableDriver(seed=seed, **options).seated(*PEOPLE[:people])  # type: ignore[arg-type]
    for _ in range(0 if driver.table.spoken else computers):
        driver.send("Ada", do.AddBot("casual"))
    driver.started()
    for _ in range(MOST_STEPS):
        if driver.stage() == "over":
            break
        if rng.random() < 0.05:
            let_a_player_leave(driver, rng)
        if rng.random() < 0.02 and len(driver.table.seats) + len(driver.table.waiting) < 8:
            driver.away.discard("Eve")
            if "sit" in driver.may("Eve"):
                driver.send("Eve", do.Sit("Eve"))
        if run_system(driver, rng):
            continue
        possible = advancing_commands(driver)
        assert possible, (driver.stage(), driver.away, driver.table)
        preferred = [one for one in possible if one[1].do != "accept"] or possible  # refusals bring a round to its end
        name, one = rng.choice(preferred)
        driver.send(name, command_for(driver, one, rng))
    assert driver.stage() == "over"
    assert "again" in {one.do for _, one in advancing_commands(driver)}
