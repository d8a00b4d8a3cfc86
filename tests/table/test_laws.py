"""What holds at every table, whatever people try: random tables with random people."""

from random import Random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notahat.gifts import catalogue, read_hat
from notahat.rules import Back, Card, Draw, Give, Illegal, Wrap, legal
from notahat.rules.round import Answering, Giving, Round
from notahat.table import EMOTES, Entry, May, Table, decide, fold, may, shown, steps, view
from notahat.table import commands as do
from notahat.table.commands import Command
from notahat.table.events import Dealt, Unknown, decode, encode
from notahat.table.snapshot import SNAPSHOT_SCHEMA, decode_table, encode_table
from support.pictures import hat
from support.tables import Sitting, guest

PEOPLE = ("Ada", "Ben", "Cem", "Dora")
GIFTS = sorted(catalogue())
SEATS = st.none() | st.integers(-1, 8)
TURNS = st.integers(-1, 30)
COMMANDS = st.one_of(
    st.builds(do.Sit, st.text(max_size=30)),
    st.builds(do.Rename, st.text(max_size=30), SEATS),
    st.builds(do.Leave, SEATS),
    st.builds(do.AddBot, st.sampled_from(["casual", "elephant"])),
    st.builds(do.Remove, st.integers(-1, 8)),
    st.builds(do.MoveSeat, st.integers(-1, 8), st.integers(-1, 8)),
    st.builds(do.ShuffleSeats),
    st.builds(do.SetOptions, st.dictionaries(st.sampled_from(["rounds", "claims", "starter", "nonsense"]), st.text())),
    st.builds(do.HandOver, st.integers(-1, 8)),
    st.builds(do.Lock, st.booleans()),
    st.builds(do.Start),
    st.builds(do.Draw, TURNS, SEATS),
    st.builds(do.Give, TURNS, st.none() | st.text(max_size=5), SEATS, SEATS),
    st.builds(do.Accept, TURNS, SEATS),
    st.builds(do.Refuse, TURNS, SEATS),
    st.builds(do.Judge, TURNS, st.sampled_from(["giver", "receiver"]), SEATS),
    st.builds(do.Pause),
    st.builds(do.Resume),
    st.builds(do.SitIn, st.integers(-1, 8)),
    st.builds(do.LetIn, st.sampled_from(PEOPLE)),
    st.builds(do.MoveFor, TURNS, st.integers(-1, 8), st.sampled_from(["draw", "give", "accept", "refuse"]), SEATS),
    st.builds(do.DealAgain, st.integers(-1, 8)),
    st.builds(do.EndMatch),
    st.builds(do.Emote, st.sampled_from([*EMOTES, "boo"]), SEATS),
    st.builds(do.Ready, SEATS),
    st.builds(do.Again),
)
RARE = {"remove", "leave", "end_match", "hand_over", "lock", "set_options", "pause"}
IDLE = {"sit", "rename", "emote", "add_bot", "move_seat", "shuffle_seats", "start", "sit_in", "let_in", "deal_again"}
PLAYS = {"move_for", "draw", "give", "accept", "refuse", "judge", "ready", "again", "resume", "sit", "start"}
OPTIONS = st.fixed_dictionaries(
    {
        "edition": st.sampled_from(["classic", "special"]),
        "rounds": st.sampled_from(["one", "each"]),
        "claims": st.sampled_from(["entered", "entered", "spoken"]),
        "gifts_each": st.sampled_from([1, 2]),
        "patience_seconds": st.sampled_from([0, 10]),
    }
)
SMALL_DECK = read_hat(hat(balanced=GIFTS[:12]))  # enough for three, and for nobody besides (9.3)


def command_for(sitting: Sitting, one: May, luck: Random) -> Command:
    """An order that `may` promises to be possible."""
    turn = sitting.table.round.turn if sitting.table.round else 0
    some_seat = luck.choice(one.seats) if one.seats else 0
    claim = None if sitting.table.spoken else luck.choice(GIFTS)
    orders: dict[str, Command] = {
        "sit": do.Sit("Somebody"),
        "rename": do.Rename("Somebody else", one.seat),
        "leave": do.Leave(one.seat),
        "emote": do.Emote(luck.choice(EMOTES), one.seat),
        "lock": do.Lock(luck.random() < 0.5),
        "hand_over": do.HandOver(some_seat),
        "set_options": do.SetOptions({"show_seconds": luck.randrange(11)}),
        "put_deck": do.PutDeck(luck.choice((None, SMALL_DECK))),
        "add_bot": do.AddBot("casual"),
        "move_seat": do.MoveSeat(some_seat, luck.choice(one.seats or (0,))),
        "shuffle_seats": do.ShuffleSeats(),
        "remove": do.Remove(some_seat),
        "start": do.Start(),
        "sit_in": do.SitIn(some_seat),
        "end_match": do.EndMatch(),
        "draw": do.Draw(turn, one.seat),
        "give": do.Give(turn, claim, luck.choice(one.to or (0,)), one.seat),
        "accept": do.Accept(turn, one.seat),
        "refuse": do.Refuse(turn, one.seat),
        "let_in": do.LetIn(luck.choice(one.names or ("",))),
        "move_for": do.MoveFor(
            turn, some_seat, luck.choice(one.moves or ()) if one.moves else "draw", luck.choice(one.to or (None,))
        ),
        "deal_again": do.DealAgain(some_seat),
        "judge": do.Judge(turn, luck.choice(one.wrong or ("giver",)), one.seat),
        "pause": do.Pause(),
        "resume": do.Resume(),
        "ready": do.Ready(one.seat),
        "again": do.Again(),
    }
    return orders[one.do]


def let_the_house_play(sitting: Sitting, luck: Random) -> None:
    """What the house would do by itself now, if anything."""
    round_ = sitting.table.round
    if round_ is None or sitting.table.stage != "play" or sitting.table.paused:
        return
    due = legal(round_)
    if due.seat is None:
        return
    bot = sitting.table.seats[due.seat].played_by_bot
    if due.moves == ("wrap",):
        sitting.does(None, do.PlayFor(round_.turn, Wrap(due.seat)))
    elif bot and due.moves == ("draw",):
        sitting.does(None, do.PlayFor(round_.turn, Draw(due.seat)))
    elif bot and due.moves == ("give",):
        sitting.does(None, do.PlayFor(round_.turn, Give(due.seat, luck.choice(GIFTS), due.receivers[0])))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), options=OPTIONS)
def test_everything_that_may_promises_is_possible(seed: int, options: dict[str, object]) -> None:
    luck = Random(seed)
    sitting = Sitting(luck=seed, **options)  # type: ignore[arg-type]
    sitting.people |= set(PEOPLE)
    if luck.random() < 0.7:
        sitting.seated(*PEOPLE[: luck.randrange(2, 5)]).started()
    for _ in range(120):
        if luck.random() < 0.03:
            sitting.away ^= {luck.choice(PEOPLE)}
            sitting.long_away = set(luck.sample(PEOPLE, 2))
        name = luck.choice(PEOPLE)
        offers = may(sitting.table, guest(name), sitting.present, sitting.absent)
        wanted = RARE if luck.random() < 0.03 else IDLE if luck.random() < 0.1 else PLAYS
        chosen = [one for one in offers if one.do in wanted]
        if chosen:
            sitting.does(name, command_for(sitting, luck.choice(chosen), luck))
        let_the_house_play(sitting, luck)
    assert fold(None, sitting.log) == sitting.table


def every_plain_order(sitting: Sitting) -> dict[tuple[str, int | None], Command]:
    """All orders that need no words, about every seat there is and one that is not."""
    seats = range(len(sitting.table.seats) + 1)
    orders: dict[tuple[str, int | None], Command] = {
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
        orders["hand_over", seat] = do.HandOver(seat)
        orders["remove", seat] = do.Remove(seat)
        orders["sit_in", seat] = do.SitIn(seat)
        orders["deal_again", seat] = do.DealAgain(seat)
    return orders


def is_done(sitting: Sitting, name: str, command: Command) -> bool:
    try:
        decide(sitting.table, do.Order(command, guest(name), sitting.now, sitting.present, 0, sitting.absent))
    except Illegal:
        return False
    return True


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), options=OPTIONS)
def test_what_may_does_not_promise_is_refused(seed: int, options: dict[str, object]) -> None:
    luck = Random(seed)
    sitting = Sitting(luck=seed, **options)  # type: ignore[arg-type]
    sitting.people |= set(PEOPLE)
    sitting.seated(*PEOPLE[: luck.randrange(2, 5)])
    for _ in range(25):
        if luck.random() < 0.1:
            sitting.away ^= {luck.choice(PEOPLE)}
            sitting.long_away = set(luck.sample(PEOPLE, 2))
        name = luck.choice(PEOPLE)
        offers = may(sitting.table, guest(name), sitting.present, sitting.absent)
        promised = {(one.do, seat) for one in offers for seat in one.seats or (None,)}
        for key, command in every_plain_order(sitting).items():
            assert (key in promised) == is_done(sitting, name, command), (name, key)
        if offers:
            sitting.does(name, command_for(sitting, luck.choice(offers), luck))
        let_the_house_play(sitting, luck)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    orders=st.lists(st.tuples(st.sampled_from(PEOPLE), COMMANDS), max_size=30),
    people=st.integers(0, 4),
    starts=st.booleans(),
)
def test_whatever_people_try_the_table_answers(orders: list[tuple[str, Command]], people: int, starts: bool) -> None:
    sitting = Sitting().seated(*PEOPLE[:people])
    if starts and people > 1:
        sitting.started()
    for name, command in orders:
        before = sitting.table
        try:
            sitting.does(name, command)
        except Illegal:
            assert sitting.table == before
        view(sitting.table, sitting.present)


def played(seed: int, moves: int = 40) -> Sitting:
    luck = Random(seed)
    sitting = Sitting(luck=seed, edition="special").seated(*PEOPLE).started()
    for _ in range(moves):
        let_the_house_play(sitting, luck)
        for name in PEOPLE:
            plays = [one for one in may(sitting.table, guest(name), sitting.present) if one.seat is not None]
            plays = [one for one in plays if one.do in ("draw", "give", "accept", "accept", "refuse", "judge")]
            if plays and sitting.stage() == "play":
                kinder = [one for one in plays if one.do != "refuse"] if luck.random() < 0.85 else plays
                sitting.does(name, command_for(sitting, luck.choice(kinder or plays), luck))
    return sitting


def hidden_places(round_: Round) -> list[tuple[int, int]]:
    """Cards that lie face down in columns, as (seat, place)."""
    return [
        (seat, place)
        for seat, column in enumerate(round_.columns)
        for place in range(round_.unwrapped[seat], len(column))
    ]


def exchanged(table: Table, luck: Random) -> Table | None:
    """The same table, with the gifts of face-down cards exchanged among each other (9.5)."""
    round_ = table.round
    assert round_ is not None
    places = hidden_places(round_)
    in_the_air = round_.phase.card if isinstance(round_.phase, Giving | Answering) else None
    gifts = [round_.columns[seat][place].gift for seat, place in places]
    gifts += [in_the_air.gift] if in_the_air else []
    if len(gifts) < 2:
        return None
    luck.shuffle(gifts)
    columns = [list(column) for column in round_.columns]
    for (seat, place), gift in zip(places, gifts, strict=False):
        columns[seat][place] = Card(gift, columns[seat][place].back)
    phase = round_.phase
    if isinstance(phase, Giving | Answering):
        phase = msgspec.structs.replace(phase, card=Card(gifts[-1], phase.card.back))
    layout = msgspec.structs.replace(round_.layout, columns=tuple(map(tuple, columns)))
    other = msgspec.structs.replace(round_, layout=layout, phase=phase)
    assert table.match is not None
    return msgspec.structs.replace(table, match=msgspec.structs.replace(table.match, round=other))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_r9_5_exchanging_hidden_gifts_changes_nothing_that_anybody_is_sent(seed: int) -> None:
    sitting = played(seed % 50, 5 + seed % 30)
    other = exchanged(sitting.table, Random(seed)) if sitting.stage() == "play" else None
    if other is None:
        return
    assert view(other, sitting.present) == view(sitting.table, sitting.present)
    for name in PEOPLE:
        assert may(other, guest(name), sitting.present) == may(sitting.table, guest(name), sitting.present)
    due = legal(sitting.table.round)  # type: ignore[arg-type]
    if due.moves == ("accept", "refuse"):
        before = sitting.table
        sitting.does(sitting.name_at(due.seat or 0), do.Accept(sitting.turn))
        new = sitting.log[-1]
        assert [shown(step) for step in steps(other, new)] == [shown(step) for step in steps(before, new)]


def test_a_face_down_card_has_an_arrow_and_nothing_else() -> None:
    sitting = played(3)
    round_ = msgspec.to_builtins(view(sitting.table, sitting.present))["round"]
    down = [card for seat in round_["seats"] for card in seat["column"] if card["face"] == "down"]
    assert down
    assert all(set(card) == {"face", "back"} for card in down)


def test_nothing_secret_is_shown() -> None:
    sitting = played(4)
    secrets = {str(seed) for seed in sitting.table.seeds} | {str(guest(name)) for name in PEOPLE}
    words = msgspec.json.encode(view(sitting.table, sitting.present)).decode()
    table: Table | None = None
    for entry in sitting.log:
        taken = steps(table, entry)
        words += msgspec.json.encode([shown(step) for step in taken]).decode()
        table = taken[-1].after
    assert not [secret for secret in secrets if secret in words]


def test_a_log_replays_exactly_and_in_any_number_of_steps() -> None:
    sitting = played(5)
    assert fold(None, sitting.log) == sitting.table
    assert fold(fold(None, sitting.log[:20]), sitting.log[20:]) == sitting.table
    assert sitting.table.version == len(sitting.log)
    again = [decode(encode(entry)) for entry in sitting.log]
    assert fold(None, again) == sitting.table


def test_time_never_runs_backwards_in_a_log() -> None:
    sitting = Sitting()
    sitting.does("Ada", do.Sit("Ada"))
    sitting.does("Ada", do.Emote("wow"), after=-500)
    times = [entry.at for entry in sitting.log]
    assert times == sorted(times)


def test_a_snapshot_is_the_state_and_one_of_another_shape_is_thrown_away() -> None:
    sitting = played(6)
    state = encode_table(sitting.table)
    assert decode_table(SNAPSHOT_SCHEMA, state) == sitting.table
    assert decode_table(SNAPSHOT_SCHEMA + 1, state) is None
    assert decode_table(SNAPSHOT_SCHEMA, b'{"code": 3}') is None


def test_a_log_of_a_newer_program_is_not_guessed_at() -> None:
    entry = msgspec.to_builtins(Entry(1.0, ()))
    for strange in (entry | {"schema": 99}, entry | {"events": [{"event": "teleported", "seat": 1}]}):
        with pytest.raises(Unknown):
            decode(msgspec.json.encode(strange))


def test_shuffles_and_seeds_stand_in_the_log() -> None:
    sitting = played(7)
    dealt = [event for entry in sitting.log for event in entry.events if isinstance(event, Dealt)]
    assert len(dealt) == 1
    assert {card.back for card in dealt[0].cards} == set(Back)
    assert dealt[0].seeds == sitting.table.seeds
    assert len(set(dealt[0].seeds)) == len(PEOPLE)
