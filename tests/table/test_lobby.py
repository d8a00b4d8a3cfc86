import pytest

from notahat.rules import Illegal
from notahat.table import commands as do
from notahat.table import may, open_table, view
from notahat.table.options import Options, changed
from notahat.table.shown import GotUp, HostChanged, SatDown, SeatsChanged, SentAway
from notahat.table.table import MOST_APPLAUSE, MOST_FACES
from support.tables import Sitting, guest


def names(sitting: Sitting) -> list[str]:
    return [seat.name for seat in sitting.table.seats]


def starter(sitting: Sitting) -> int | str:
    return sitting.table.options.starter


def test_the_creator_is_host_before_sitting_down() -> None:
    sitting = Sitting()
    assert sitting.table.host == guest("Ada")
    assert view(sitting.table, sitting.present).host is None
    assert {"sit", "add_bot", "set_options", "lock"} <= sitting.may("Ada")
    sitting.seated("Ben", "Ada")
    assert view(sitting.table, sitting.present).host == 1


def test_everybody_sees_who_sits_down() -> None:
    sitting = Sitting()
    assert sitting.does("Ada", do.Sit("Ada")) == (SatDown(0, "Ada", "person"),)
    assert sitting.does("Ada", do.AddBot("casual", None, "Bo")) == (SatDown(1, "Bo", "bot"),)


def test_one_guest_may_hold_several_seats_on_one_device() -> None:
    sitting = Sitting()
    for name in ("Ada", "Ben", "Cem"):
        sitting.does("Ada", do.Sit(name))
    assert sitting.table.held_by(guest("Ada")) == (0, 1, 2)
    sitting.does("Ada", do.Rename("Dora", seat=2))
    assert names(sitting) == ["Ada", "Ben", "Dora"]
    sitting.does("Ada", do.Leave(seat=1))
    assert names(sitting) == ["Ada", "Dora"]


def test_names_are_unique_by_adding_a_number() -> None:
    sitting = Sitting()
    for _ in range(3):
        sitting.does("Ada", do.Sit("ada"))
    assert names(sitting) == ["ada", "ada 2", "ada 3"]
    sitting.does("Ada", do.Rename("ADA 2", seat=2))
    assert names(sitting)[2] == "ADA 2 2"
    sitting.does("Ada", do.Rename("ada", seat=0))
    assert names(sitting)[0] == "ada"


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u200e", "x" * 21, "\u0301", "👨‍👩‍👧" * 21])
def test_a_name_has_one_to_twenty_visible_characters(name: str) -> None:
    assert Sitting().refusal("Ada", do.Sit(name)) == "bad_name"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Ada\u202eneB", "AdaneB"),
        ("👩🏽‍🚀 Zoë", "👩🏽‍🚀 Zoë"),
        ("x" * 20, "x" * 20),
        ("שרה", "שרה"),
        ("A\nB\tC", "A B C"),
    ],
)
def test_names_keep_what_people_see_and_lose_the_rest(typed: str, kept: str) -> None:
    sitting = Sitting()
    sitting.does("Ada", do.Sit(typed))
    assert names(sitting) == [kept]


def test_a_long_name_makes_room_for_its_number() -> None:
    sitting = Sitting()
    sitting.does("Ada", do.Sit("x" * 20))
    sitting.does("Ada", do.Sit("x" * 20))
    assert names(sitting)[1] == "x" * 18 + " 2"


def test_no_more_than_eight_sit() -> None:
    sitting = Sitting().seated(*(f"P{n}" for n in range(8)))
    assert sitting.refusal("Ada", do.Sit("Ada")) == "table_full"
    assert sitting.refusal("Ada", do.AddBot("casual")) == "table_full"
    assert "sit" not in sitting.may("Ada")
    assert "add_bot" not in sitting.may("Ada")


def test_only_the_host_arranges_the_table() -> None:
    sitting = Sitting().seated("Ada", "Ben")
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
        assert sitting.refusal("Ben", command) == "not_host"
    assert sitting.may("Ben") == {"sit", "rename", "leave", "emote"}


def test_moving_a_seat_inserts_it_and_the_others_move_up() -> None:
    sitting = Sitting().seated("Ada", "Ben", "Cem", "Dora")
    assert sitting.does("Ada", do.MoveSeat(0, 2)) == (SeatsChanged((1, 2, 0, 3)),)
    assert names(sitting) == ["Ben", "Cem", "Ada", "Dora"]
    assert sitting.refusal("Ada", do.MoveSeat(4, 0)) == "no_such_seat"
    assert sitting.refusal("Ada", do.MoveSeat(0, -1)) == "no_such_seat"


def test_shuffled_seats_hold_the_same_people() -> None:
    sitting = Sitting().seated("Ada", "Ben", "Cem", "Dora", "Eva", "Finn")
    sitting.does("Ada", do.ShuffleSeats())
    assert sorted(names(sitting)) == ["Ada", "Ben", "Cem", "Dora", "Eva", "Finn"]
    assert names(sitting) != ["Ada", "Ben", "Cem", "Dora", "Eva", "Finn"]


def test_a_named_starter_keeps_the_first_draw_wherever_they_sit() -> None:
    sitting = Sitting().seated("Ada", "Ben", "Cem")
    sitting.does("Ada", do.SetOptions({"starter": 2}))
    sitting.does("Ada", do.MoveSeat(2, 0))
    assert names(sitting) == ["Cem", "Ada", "Ben"]
    assert starter(sitting) == 0
    sitting.does("Ada", do.Remove(0))
    assert starter(sitting) == "random"


def test_whoever_was_removed_stays_out() -> None:
    sitting = Sitting().seated("Ada", "Ben")
    sitting.does("Ben", do.Sit("Ben's son"))
    assert sitting.does("Ada", do.Remove(1)) == (SentAway(1, "Ben"),)
    assert names(sitting) == ["Ada"]
    assert sitting.refusal("Ben", do.Sit("Ben")) == "removed"
    assert sitting.may("Ben") == set()
    assert sitting.refusal("Ada", do.Remove(0)) == "not_a_person"


def test_a_removed_computer_player_is_just_gone() -> None:
    sitting = Sitting().seated("Ada")
    sitting.does("Ada", do.AddBot("casual", None, "Bo"))
    sitting.does("Ada", do.Remove(1))
    assert names(sitting) == ["Ada"]
    assert sitting.table.removed == ()


def test_a_locked_table_takes_nobody_new() -> None:
    sitting = Sitting().seated("Ada", "Ben")
    sitting.does("Ada", do.Lock(True))
    assert sitting.refusal("Cem", do.Sit("Cem")) == "table_locked"
    assert "sit" not in sitting.may("Cem")
    sitting.does("Ben", do.Sit("Ben's son"))
    sitting.does("Ada", do.Lock(False))
    sitting.does("Cem", do.Sit("Cem"))


def test_the_host_can_hand_over_and_is_then_one_of_many() -> None:
    sitting = Sitting().seated("Ada", "Ben")
    sitting.does("Ada", do.AddBot("casual", None, "Bo"))
    assert sitting.refusal("Ada", do.HandOver(2)) == "not_a_person"
    assert sitting.does("Ada", do.HandOver(1)) == (HostChanged(1),)
    assert sitting.refusal("Ada", do.Lock(True)) == "not_host"
    sitting.does("Ben", do.Lock(True))


def test_a_host_who_leaves_hands_over_to_somebody_who_is_here() -> None:
    sitting = Sitting().seated("Ada", "Ben", "Cem")
    sitting.away.add("Ben")
    assert sitting.does("Ada", do.Leave()) == (GotUp(0, "Ada"), HostChanged(1))
    assert sitting.table.host == guest("Cem")


def test_an_absent_hosts_role_passes_on_and_returns_with_them() -> None:
    sitting = Sitting().seated("Ada", "Ben")
    assert sitting.refusal(None, do.PassHost()) == "not_away"
    sitting.away.add("Ada")
    assert sitting.does(None, do.PassHost()) == (HostChanged(1),)
    assert "start" in sitting.may("Ben")
    assert sitting.refusal(None, do.ReturnHost()) == "not_away"
    sitting.away.clear()
    assert sitting.does(None, do.ReturnHost()) == (HostChanged(0),)
    assert sitting.table.host == guest("Ada")


def test_who_stands_in_for_the_host_can_neither_keep_the_role_nor_send_the_host_away() -> None:
    sitting = Sitting().seated("Ada", "Ben", "Cem")
    sitting.away.add("Ada")
    sitting.does(None, do.PassHost())
    assert "hand_over" not in sitting.may("Ben")
    assert sitting.refusal("Ben", do.HandOver(2)) == "not_host"
    assert sitting.refusal("Ben", do.Remove(0)) == "not_host"
    (removable,) = (one.seats for one in may(sitting.table, guest("Ben"), sitting.present) if one.do == "remove")
    assert removable == (2,)
    sitting.does("Ben", do.Remove(2))


def test_a_stranger_cannot_take_every_free_seat() -> None:
    sitting = Sitting().seated("Ada")
    for name in "EFGH":
        sitting.does("Eve", do.Sit(name))
    assert "sit" not in sitting.may("Eve")
    assert sitting.refusal("Eve", do.Sit("I")) == "table_full"
    sitting.does("Ben", do.Sit("Ben"))
    sitting.does("Ada", do.Remove(1))
    assert [seat.name for seat in sitting.table.seats] == ["Ada", "Ben"], "with all that they held"
    for name in "CDEFGH":
        sitting.does("Ada", do.Sit(name))


def test_faces_are_not_kept_without_end() -> None:
    sitting = Sitting().seated("Ada", "Ben")
    for _ in range(MOST_FACES):
        sitting.does("Ada", do.Emote("wow"))
    assert sitting.refusal("Ada", do.Emote("wow")) == "enough_faces"
    assert "emote" not in sitting.may("Ada")
    sitting.does("Ben", do.Emote("wow"))
    for _ in range(MOST_APPLAUSE):
        sitting.does("Eve", do.Emote("clap"))
    assert sitting.refusal("Eve", do.Emote("clap")) == "enough_faces"
    sitting.started()
    sitting.does("Ada", do.Emote("wow"))
    sitting.does("Eve", do.Emote("clap"))


def test_a_deputy_who_leaves_gives_the_role_back() -> None:
    sitting = Sitting().seated("Ada", "Ben")
    sitting.away.add("Ada")
    sitting.does(None, do.PassHost())
    sitting.does("Ben", do.Leave())
    assert sitting.table.host == guest("Ada")


def test_people_without_a_seat_have_little_to_say() -> None:
    sitting = Sitting().seated("Ada")
    for command in (do.Rename("x"), do.Leave(), do.Emote("wow", seat=0)):
        assert sitting.refusal("Cem", command) == "not_seated"
    assert sitting.refusal("Ada", do.Rename("x", seat=5)) == "not_your_seat"
    sitting.seated("Ben")
    assert sitting.refusal("Ada", do.Leave(seat=1)) == "not_your_seat"


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
        {"cards": ["hat"]},
    ],
)
def test_options_that_cannot_be_agreed_on_are_refused(options: dict[str, object]) -> None:
    assert Sitting().refusal("Ada", do.SetOptions(options)) == "bad_options"
    with pytest.raises(Illegal):
        open_table("K7QX", guest("Ada"), options, 0.0)


def test_a_whole_number_may_be_written_with_a_point() -> None:
    assert changed(Options(), {"starter": 6.0, "gifts_each": 2.0}) == Options(starter=6, gifts_each=2)


def test_options_left_out_stay_as_they_are() -> None:
    sitting = Sitting(rounds="each")
    sitting.does("Ada", do.SetOptions({"patience_seconds": 10}))
    assert sitting.table.options.rounds == "each"
    assert sitting.table.options.patience_seconds == 10


def test_r12_spoken_tables_have_no_computer_players() -> None:
    sitting = Sitting(claims="spoken").seated("Ada")
    assert sitting.refusal("Ada", do.AddBot("casual")) == "no_bots_at_spoken_tables"
    assert "add_bot" not in sitting.may("Ada")
    other = Sitting().seated("Ada")
    other.does("Ada", do.AddBot("casual"))
    assert other.refusal("Ada", do.SetOptions({"claims": "spoken"})) == "no_bots_at_spoken_tables"


def test_r3_1_nobody_starts_alone() -> None:
    sitting = Sitting().seated("Ada")
    assert sitting.refusal("Ada", do.Start()) == "too_few_players"
    assert "start" not in sitting.may("Ada")


def test_a_starter_who_does_not_sit_here_is_refused() -> None:
    sitting = Sitting(starter=5).seated("Ada", "Ben", "Cem")
    assert sitting.refusal("Ada", do.Start()) == "no_such_seat"
