"""Laws of a table, tested with random commands."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect

from notahat.rules import Illegal
from notahat.table import EMOTES, FACES, Entry, GuestCommand, May, Table, decide, fold, may, shown, steps, view
from notahat.table import commands as do
from notahat.table.commands import GUEST_COMMANDS, Command
from notahat.table.events import Unknown, decode
from notahat.table.people import faces_taken
from notahat.table.table import SNAPSHOT_SCHEMA, decode_table, encode_table
from support.hidden_gifts import hidden_gifts, running_game, with_swapped_gifts
from support.permitted import command_for, run_system
from support.tables import TableDriver, guest

PEOPLE = ("Ada", "Ben", "Cem", "Dora")
TEXTS = st.sampled_from([*PEOPLE, *EMOTES, *FACES, "casual", "hat"]) | st.text(max_size=30)
OPTION_NAMES = st.sampled_from(["rounds", "claims", "starter", "nonsense"])


def some_value(kind: inspect.Type) -> st.SearchStrategy[object]:
    """Return values of a field, possible or not."""
    match kind:
        case inspect.UnionType(types=types):
            return st.one_of(*map(some_value, types))
        case inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case inspect.IntType():
            return st.integers(-1, 30)
        case inspect.BoolType():
            return st.booleans()
        case inspect.StrType():
            return TEXTS
        case inspect.DictType():
            return st.dictionaries(OPTION_NAMES, TEXTS)
        case _:  # decks
            return st.none()


def some_command(kind: type[GuestCommand]) -> st.SearchStrategy[GuestCommand]:
    fields = inspect.type_info(kind).fields  # type: ignore[attr-defined]
    return st.builds(kind, **{field.name: some_value(field.type) for field in fields})


COMMANDS = st.one_of(*map(some_command, GUEST_COMMANDS))
RARE = {"remove", "leave", "end_match", "hand_over", "lock", "set_options", "set_pace", "pause"}
PLAYS = {"move_for", "draw", "give", "accept", "refuse", "judge", "ready", "again", "resume", "sit", "start"}
OTHERWISE_TESTED = {"vote", "bot_move", "probe"}  # only with a claim, with a computer player, or in a study
OPTIONS = st.fixed_dictionaries(
    {
        "edition": st.sampled_from(["classic", "special"]),
        "rounds": st.sampled_from(["one", "each"]),
        "claims": st.sampled_from(["entered", "entered", "spoken"]),
        "gifts_each": st.sampled_from([1, 2]),
        "patience_seconds": st.sampled_from([0, 10]),
    }
)


def run(driver: TableDriver, rng: Random) -> None:
    """Send the system command that is due, if any; sometimes a stranger knocks."""
    if rng.random() < 0.03:
        driver.send(None, do.Knock(guest("Eve"), "Eve"))
    run_system(driver, rng)


def others(permissions: tuple[May, ...]) -> set[str]:
    return {one.do for one in permissions} - RARE - OTHERWISE_TESTED


def idle_seat(driver: TableDriver) -> int | None:
    """The seat of a present person whose move it is."""
    due, table = driver.table.due, driver.table
    is_person = due.seat in table.present_players(driver.present) and due.moves != ("wrap",)
    return due.seat if is_person and table.stage == "play" and not table.paused else None


@settings(max_examples=80)
@given(seed=st.integers(0, 2**32), options=OPTIONS)
def test_everything_in_may_is_possible(seed: int, options: dict[str, object]) -> None:
    rng = Random(seed)
    driver = TableDriver(seed=seed, **options)  # type: ignore[arg-type]
    driver.people |= set(PEOPLE)
    if rng.random() < 0.7:
        driver.seated(*PEOPLE[: rng.randrange(2, 5)]).started()
    for _ in range(120):
        if rng.random() < 0.03:
            driver.away ^= {rng.choice(PEOPLE)}
            driver.long_away = set(rng.sample(PEOPLE, 2))
        driver.idle_seat = idle_seat(driver)
        name = rng.choice(PEOPLE)
        permissions = may(driver.table, guest(name), driver.present, driver.absent, driver.idle_seat)
        wanted = RARE if rng.random() < 0.03 else others(permissions) if rng.random() < 0.1 else PLAYS
        chosen = [one for one in permissions if one.do in wanted]
        if chosen:
            driver.send(name, command_for(driver, rng.choice(chosen), rng))
        run(driver, rng)
    assert fold(None, driver.log) == driver.table


def plain_commands(driver: TableDriver) -> dict[tuple[str, int | None], Command]:
    """Return all commands without texts, for every seat and one that does not exist."""
    seats = range(len(driver.table.seats) + 1)
    commands: dict[tuple[str, int | None], Command] = {
        ("lock", None): do.Lock(True),
        ("set_options", None): do.SetOptions({}),
        ("add_bot", None): do.AddBot("casual"),
        ("start", None): do.Start(),
        ("end_match", None): do.EndMatch(),
        ("pause", None): do.Pause(),
        ("resume", None): do.Resume(),
        ("again", None): do.Again(),
        ("sit", None): do.Sit("Somebody"),
        ("leave", None): do.Leave(),
        ("emote", None): do.Emote("wow"),
    }
    for seat in seats:
        commands["hand_over", seat] = do.HandOver(seat)
        commands["remove", seat] = do.Remove(seat)
        commands["sit_in", seat] = do.SitIn(seat)
        commands["deal_again", seat] = do.DealAgain(seat)
        commands["play_without", seat] = do.PlayWithout(seat)
        commands["nudge", seat] = do.Nudge(seat)
    return commands


def is_possible(driver: TableDriver, name: str, command: Command) -> bool:
    try:
        decide(driver.context(guest(name)), command)
    except Illegal:
        return False
    return True


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), options=OPTIONS)
def test_everything_not_in_may_is_refused(seed: int, options: dict[str, object]) -> None:
    rng = Random(seed)
    driver = TableDriver(seed=seed, **options)  # type: ignore[arg-type]
    driver.people |= set(PEOPLE)
    driver.seated(*PEOPLE[: rng.randrange(2, 5)])
    for _ in range(25):
        if rng.random() < 0.1:
            driver.away ^= {rng.choice(PEOPLE)}
            driver.long_away = set(rng.sample(PEOPLE, 2))
        driver.idle_seat = idle_seat(driver)
        name = rng.choice(PEOPLE)
        everything = may(driver.table, guest(name), driver.present, driver.absent, driver.idle_seat)
        permissions = [one for one in everything if one.do not in OTHERWISE_TESTED]
        permitted = {(one.do, seat) for one in permissions for seat in one.seats or (None,)}
        for key, command in plain_commands(driver).items():
            assert (key in permitted) == is_possible(driver, name, command), (name, key)
        if permissions:
            driver.send(name, command_for(driver, rng.choice(permissions), rng))
        run(driver, rng)


@settings(max_examples=60)
@given(
    commands=st.lists(st.tuples(st.sampled_from(PEOPLE), COMMANDS), max_size=30),
    people=st.integers(0, 4),
    starts=st.booleans(),
)
def test_any_command_is_done_or_refused(commands: list[tuple[str, Command]], people: int, starts: bool) -> None:
    driver = TableDriver().seated(*PEOPLE[:people])
    if starts and people > 1:
        driver.started()
    for name, command in commands:
        before = driver.table
        try:
            driver.send(name, command)
        except Illegal:
            assert driver.table == before
        view(driver.table, driver.present)
        faces = faces_taken(driver.table)
        assert len(set(faces)) == len(faces)
        assert len(faces) == sum(1 for seat in driver.table.seats if seat.guest) + len(driver.table.waiting)


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_r9_5_exchanged_hidden_gifts_change_no_message(seed: int) -> None:
    driver = running_game(seed, own_gifts=False)
    other = fold(None, with_swapped_gifts(driver.log, hidden_gifts(driver)))
    assert other != driver.table
    assert view(other, driver.present) == view(driver.table, driver.present)
    for name in PEOPLE:
        assert may(other, guest(name), driver.present) == may(driver.table, guest(name), driver.present)
    before = driver.table
    driver.answer(accepts=True)
    new = driver.log[-1]
    assert [shown(step) for step in steps(other, new)] == [shown(step) for step in steps(before, new)]


def test_seeds_and_guest_ids_are_never_shown() -> None:
    driver = running_game(4, own_gifts=False)
    secrets = {str(seed) for seed in driver.table.seeds} | {str(guest(name)) for name in PEOPLE}
    words = msgspec.json.encode(view(driver.table, driver.present)).decode()
    table: Table | None = None
    for entry in driver.log:
        made = steps(table, entry)
        words += msgspec.json.encode([shown(step) for step in made]).decode()
        table = made[-1].after
    assert not [secret for secret in secrets if secret in words]


def test_entry_times_never_decrease() -> None:
    driver = TableDriver()
    driver.send("Ada", do.Sit("Ada"))
    driver.send("Ada", do.Emote("wow"), after=-500)
    times = [entry.at for entry in driver.log]
    assert times == sorted(times)


def test_snapshot_of_other_schema_is_ignored() -> None:
    driver = running_game(6, own_gifts=False)
    state = encode_table(driver.table)
    assert decode_table(SNAPSHOT_SCHEMA, state) == driver.table
    assert decode_table(SNAPSHOT_SCHEMA + 1, state) is None
    assert decode_table(SNAPSHOT_SCHEMA, b'{"code": 3}') is None


def test_log_of_newer_program_raises_unknown() -> None:
    entry = msgspec.to_builtins(Entry(1.0, ()))
    for strange in (entry | {"schema": 99}, entry | {"events": [{"event": "teleported", "seat": 1}]}):
        with pytest.raises(Unknown):
            decode(msgspec.json.encode(strange))
