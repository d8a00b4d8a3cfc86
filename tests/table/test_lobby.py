import pytest
from msgspec import UNSET

from notahat.rules import Illegal
from notahat.table import commands as do
from notahat.table import open_table, view
from notahat.table.options import Options, change_options
from notahat.table.shown import GotUp, HostChanged
from notahat.table.table import MOST_APPLAUSE, MOST_EMOTES, dials_of
from notahat.table.view import Chair
from support.tables import TableDriver, guest


def starter(driver: TableDriver) -> int | str:
    return driver.table.options.starter


def test_surprises_are_hidden_until_the_end_and_one_is_sly() -> None:
    driver = TableDriver().seated("Ada")
    for name in ("Bo", "Cy", "Di"):
        driver.send("Ada", do.AddBot("casual", None, name, surprise=True))
    driver.send("Ada", do.AddBot("casual", None, "Ed", {"trust": 0.0}))

    def chairs() -> tuple[Chair, ...]:
        return view(driver.table, driver.present).seats[1:]

    driver.started()
    drawn = [dials_of(driver.table, seat) for seat in (1, 2, 3)]
    assert [(chair.level, chair.dials) for chair in chairs()] == [(UNSET, UNSET)] * 3 + [("casual", {"trust": 0.0})]
    driver.send("Ada", do.EndMatch())
    shown = [chair.dials for chair in chairs()[:3]]
    assert shown == drawn
    assert sum(isinstance(one, dict) and one["honesty"] == 0.0 for one in shown) == 1
    driver.send("Ada", do.Again())
    driver.started()
    assert [dials_of(driver.table, seat) for seat in (1, 2, 3)] != drawn


def test_table_has_at_most_eight_seats() -> None:
    driver = TableDriver().seated(*(f"P{n}" for n in range(8)))
    assert driver.refusal("Ada", do.Sit("Ada")) == "table_full"
    assert driver.refusal("Ada", do.AddBot("casual")) == "table_full"
    assert "sit" not in driver.may("Ada")
    assert "add_bot" not in driver.may("Ada")


def test_only_the_host_arranges_the_table() -> None:
    driver = TableDriver().seated("Ada", "Ben")
    for command in (
        do.AddBot("casual"),
        do.Remove(0),
        do.MoveSeat(0, 1),
        do.ShuffleSeats(),
        do.SetOptions({}),
        do.HandOver(1),
        do.Lock(True),
        do.Start(),
        do.SitIn(0),
        do.EndMatch(),
    ):
        assert driver.refusal("Ben", command) == "not_host"
    assert driver.may("Ben") == {"sit", "rename", "set_face", "leave", "emote"}


def test_named_starter_moves_with_the_seat() -> None:
    driver = TableDriver().seated("Ada", "Ben", "Cem")
    driver.send("Ada", do.SetOptions({"starter": 2}))
    driver.send("Ada", do.MoveSeat(2, 0))
    assert driver.names == ["Cem", "Ada", "Ben"]
    assert starter(driver) == 0
    driver.send("Ada", do.Remove(0))
    assert starter(driver) == "random"


def test_leaving_host_hands_over_to_present_player() -> None:
    driver = TableDriver().seated("Ada", "Ben", "Cem")
    driver.away.add("Ben")
    assert driver.send("Ada", do.Leave()) == (GotUp(0, "Ada"), HostChanged(1))
    assert driver.table.host == guest("Cem")


def test_absent_hosts_role_passes_on_and_returns() -> None:
    driver = TableDriver().seated("Ada", "Ben")
    assert driver.refusal(None, do.PassHost()) == "not_away"
    driver.away.add("Ada")
    assert driver.send(None, do.PassHost()) == (HostChanged(1),)
    assert "start" in driver.may("Ben")
    assert driver.refusal(None, do.ReturnHost()) == "not_away"
    driver.away.clear()
    assert driver.send(None, do.ReturnHost()) == (HostChanged(0),)
    assert driver.table.host == guest("Ada")


def test_deputy_cannot_hand_over_role_or_remove_host() -> None:
    driver = TableDriver().seated("Ada", "Ben", "Cem")
    driver.away.add("Ada")
    driver.send(None, do.PassHost())
    assert "hand_over" not in driver.may("Ben")
    assert driver.refusal("Ben", do.HandOver(2)) == "not_host"
    assert driver.refusal("Ben", do.Remove(0)) == "not_host"
    assert driver.offers("Ben", "remove")[0].seats == (2,)
    driver.send("Ben", do.Remove(2))


def test_seats_per_guest_are_limited() -> None:
    driver = TableDriver().seated("Ada")
    for name in "EFGH":
        driver.send("Eve", do.Sit(name))
    assert "sit" not in driver.may("Eve")
    assert driver.refusal("Eve", do.Sit("I")) == "table_full"
    driver.send("Ben", do.Sit("Ben"))
    driver.send("Ada", do.Remove(1))
    assert driver.names == ["Ada", "Ben"]
    for name in "CDEFGH":
        driver.send("Ada", do.Sit(name))


def test_emotes_per_deal_are_limited() -> None:
    driver = TableDriver().seated("Ada", "Ben")
    for _ in range(MOST_EMOTES):
        driver.send("Ada", do.Emote("wow"))
    assert driver.refusal("Ada", do.Emote("wow")) == "enough_faces"
    assert "emote" not in driver.may("Ada")
    driver.send("Ben", do.Emote("wow"))
    for _ in range(MOST_APPLAUSE):
        driver.send("Eve", do.Emote("clap"))
    assert driver.refusal("Eve", do.Emote("clap")) == "enough_faces"
    driver.started()
    driver.send("Ada", do.Emote("wow"))
    driver.send("Eve", do.Emote("clap"))


@pytest.mark.parametrize(
    "options",
    [
        {"edition": "deluxe"},
        {"gifts_each": 3},
        {"gifts_each": "2"},
        {"arrows": "left"},
        {"rounds": 2},
        {"claims": "sung"},
        {"starter": 8},
        {"starter": -1},
        {"starter": "Ada"},
        {"show_seconds": 11},
        {"show_seconds": -1},
        {"patience_seconds": 9},
        {"patience_seconds": 301},
        {"patience_seconds": 1.5},
        {"spectators": "yes"},
        {"pace": "hasty"},
        {"cards": ["hat"]},
    ],
)
def test_invalid_options_are_refused(options: dict[str, object]) -> None:
    assert TableDriver().refusal("Ada", do.SetOptions(options)) == "bad_options"
    with pytest.raises(Illegal):
        open_table("K7QX", guest("Ada"), options, 0.0)


def test_r2_special_edition_starts_without_special_cards() -> None:
    chosen = change_options(Options(), {"edition": "special"})
    assert not chosen.special_cards
    later = change_options(chosen, {"special_cards": True})
    assert change_options(later, {"edition": "special", "gifts_each": 2}).special_cards


def test_r12_spoken_tables_have_no_computer_players() -> None:
    driver = TableDriver(claims="spoken").seated("Ada")
    assert driver.refusal("Ada", do.AddBot("casual")) == "no_bots_at_spoken_tables"
    assert "add_bot" not in driver.may("Ada")
    other = TableDriver().seated("Ada")
    other.send("Ada", do.AddBot("casual"))
    assert other.refusal("Ada", do.SetOptions({"claims": "spoken"})) == "no_bots_at_spoken_tables"


def test_r3_1_match_needs_two_players() -> None:
    driver = TableDriver().seated("Ada")
    assert driver.refusal("Ada", do.Start()) == "too_few_players"
    assert "start" not in driver.may("Ada")


def test_locked_table_refuses_new_player() -> None:
    driver = TableDriver().seated("Ada", "Ben")
    driver.send("Ada", do.Lock(True))
    assert driver.refusal("Cem", do.Sit("Cem")) == "table_locked"
    assert "sit" not in driver.may("Cem")
    driver.send("Ben", do.Sit("Ben's son"))
    driver.send("Ada", do.Lock(False))
    driver.send("Cem", do.Sit("Cem"))


def test_former_host_loses_permissions() -> None:
    driver = TableDriver().seated("Ada", "Ben")
    driver.send("Ada", do.AddBot("casual", None, "Bo"))
    assert driver.refusal("Ada", do.HandOver(2)) == "not_a_person"
    assert driver.send("Ada", do.HandOver(1)) == (HostChanged(1),)
    assert driver.refusal("Ada", do.Lock(True)) == "not_host"
    driver.send("Ben", do.Lock(True))


def test_starter_without_seat_is_refused() -> None:
    driver = TableDriver(starter=5).seated("Ada", "Ben", "Cem")
    assert driver.refusal("Ada", do.Start()) == "no_such_seat"
