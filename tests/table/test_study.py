"""Whose rounds may be studied: nobody's who did not say so, and nobody's who took it back."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notahat import rules
from notahat.rules import Illegal, Legal, legal
from notahat.table import commands as do
from notahat.table import may, may_watch
from notahat.table.study import finished_rounds
from support.tables import Sitting, guest

PEOPLE = ("Ada", "Ben", "Cem")


def studied(sitting: Sitting) -> list[int]:
    """The numbers of the rounds that may leave the server now."""
    return [round_.number for round_, agreed in finished_rounds(sitting.log) if agreed]


def agreeing(*names: str, rounds: str = "one", spectators: bool = True) -> Sitting:
    sitting = Sitting(study=True, rounds=rounds, spectators=spectators).seated(*names)
    for name in names:
        sitting.does(name, do.Study(agree=True))
    return sitting


def play_on(sitting: Sitting) -> None:
    """Everybody lies and is refused, computer players and several people on one device as well."""
    while sitting.stage() == "play":
        round_ = sitting.table.round
        assert round_ is not None
        due = legal(round_)
        assert due.seat is not None
        seat, turn = due.seat, sitting.turn
        lie = "hat" if round_.shop[0].gift != "hat" else "kite"
        by = next((name for name in PEOPLE if guest(name) == sitting.table.seats[seat].guest), None)
        if by is None or sitting.table.seats[seat].stand_in:
            sitting.does(None, do.PlayFor(turn, house_move(due, seat, lie)))
        elif due.moves[0] == "draw":
            sitting.does(by, do.Draw(turn, seat))
        elif due.moves[0] == "give":
            sitting.does(by, do.Give(turn, lie, due.receivers[0], seat))
        else:
            sitting.does(by, do.Refuse(turn, seat))
        sitting.wrap()


def house_move(due: Legal, seat: int, lie: str) -> rules.Move:
    if due.moves[0] == "draw":
        return rules.Draw(seat)
    return rules.Give(seat, lie, due.receivers[0]) if due.moves[0] == "give" else rules.Refuse(seat)


def again(sitting: Sitting) -> None:
    for name in PEOPLE:
        if sitting.stage() == "over":
            sitting.does(name, do.Again(deal=True))
    sitting.play_round()


def test_nobody_is_asked_unless_the_operator_wants_it() -> None:
    sitting = Sitting().seated("Ada", "Ben")
    assert "study" not in sitting.may("Ada")
    assert sitting.refusal("Ada", do.Study(agree=True)) == "no_study"


def test_it_is_off_until_somebody_says_yes_and_nobody_else_is_told() -> None:
    sitting = Sitting(study=True).seated("Ada", "Ben")

    def offered(name: str) -> list[bool | None]:
        return [one.agree for one in may(sitting.table, guest(name), sitting.present) if one.do == "study"]

    assert offered("Ada") == offered("Ben") == [True]
    assert sitting.does("Ada", do.Study(agree=True)) == ()
    assert (offered("Ada"), offered("Ben")) == ([False], [True])
    assert sitting.does("Ada", do.Study(agree=True)) == ()  # once more changes nothing
    assert sitting.does("Ada", do.Study(agree=False)) == ()
    assert offered("Ada") == [True]
    assert sitting.refusal("Ada", do.Study(agree=False)) == "no_study"
    assert sitting.refusal("Eva", do.Study(agree=True)) == "not_seated"


def test_one_who_did_not_agree_keeps_the_round_of_all() -> None:
    sitting = agreeing("Ada", "Ben").seated("Cem").started()
    sitting.play_round()
    assert studied(sitting) == []


def test_computer_players_need_not_be_asked() -> None:
    sitting = agreeing("Ada", "Ben")
    sitting.does("Ada", do.AddBot("casual", None, "Bo"))
    play_on(sitting.started())
    assert studied(sitting) == [1]


def test_a_round_that_runs_or_was_broken_off_is_no_finished_round() -> None:
    sitting = agreeing(*PEOPLE, rounds="each").started()
    assert studied(sitting) == []
    sitting.play_round()
    assert studied(sitting) == [1]
    sitting.does("Ada", do.Start())
    sitting.draw_and_wrap()
    sitting.does("Ada", do.EndMatch())
    assert studied(sitting) == [1]


def test_a_yes_counts_for_what_is_dealt_after_it_and_a_no_for_everything() -> None:
    sitting = agreeing("Ada", "Ben").seated("Cem").started()
    sitting.play_round()
    sitting.does("Cem", do.Study(agree=True))
    assert studied(sitting) == []
    again(sitting)
    assert studied(sitting) == [2]
    sitting.does("Ben", do.Study(agree=False))
    assert studied(sitting) == []
    sitting.does("Ben", do.Study(agree=True))
    again(sitting)
    assert studied(sitting) == [3]


def test_whoever_sits_down_on_the_same_device_is_asked_as_well() -> None:
    sitting = agreeing("Ada", "Ben")
    sitting.does("Ada", do.Sit("Anna"))
    sitting.started()
    assert not sitting.table.agrees(guest("Ada"))
    assert sitting.table.agrees(guest("Ben"))


def test_who_got_up_can_still_take_it_back_and_who_was_sent_away_has_not_agreed() -> None:
    sitting = agreeing(*PEOPLE, spectators=False).started()
    sitting.play_round()
    sitting.does("Ada", do.Again())
    sitting.does("Ben", do.Leave())
    sitting.does("Ada", do.Start())
    assert may_watch(sitting.table, guest("Ben"))
    assert studied(sitting) == [1]
    assert sitting.may("Ben") & {"study"}
    sitting.does("Ben", do.Study(agree=False))
    assert studied(sitting) == []
    assert not may_watch(sitting.table, guest("Ben"))

    sitting = agreeing(*PEOPLE).started()
    sitting.play_round()
    sitting.does("Ada", do.Again())
    sitting.does("Ada", do.Remove(2))
    assert studied(sitting) == []


def test_who_got_up_before_a_round_was_dealt_has_nothing_to_take_back() -> None:
    sitting = agreeing(*PEOPLE)
    sitting.does("Ben", do.Leave())
    assert not sitting.may("Ben") & {"study"}
    assert [one.guest for one in sitting.table.agreed] == [guest("Ada"), guest("Cem")]


def test_r12_spoken_tables_are_not_asked_but_may_take_back() -> None:
    sitting = agreeing("Ada", "Ben")
    sitting.does("Ada", do.SetOptions({"claims": "spoken"}))
    assert sitting.may("Ada") & {"study"}
    sitting.does("Ada", do.Study(agree=False))
    assert not sitting.may("Ada") & {"study"}


Order = tuple[str, do.Study | do.Sit | do.Leave | do.Remove | None]  # None: a round is played
ORDERS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(PEOPLE), st.builds(do.Study, st.booleans())),
        st.tuples(st.just("Ada"), st.one_of(st.none(), st.just(do.Remove(1)))),
        st.tuples(st.sampled_from(PEOPLE), st.just(do.Sit("Zoe"))),
        st.tuples(st.sampled_from(PEOPLE[1:]), st.just(do.Leave())),
    ),
    max_size=12,
)


@settings(max_examples=40)
@given(ORDERS)
def test_no_round_is_studied_unless_everybody_said_yes_before_it_and_never_no_since(orders: Sequence[Order]) -> None:
    """The law, kept by hand beside the table: since which round each of them says yes."""
    sitting = Sitting(study=True).seated(*PEOPLE)
    since: dict[str, int] = {}
    played: list[set[str]] = []
    for name, command in orders:
        if command is None:
            played += another_round(sitting)
        elif obeyed(sitting, name, command):
            match command:
                case do.Study(agree=True):
                    since.setdefault(name, len(played))
                case do.Study() | do.Sit():
                    since.pop(name, None)
                case do.Remove():
                    since = {who: n for who, n in since.items() if guest(who) not in sitting.table.removed}
                case do.Leave():
                    pass
    rounds = enumerate(played, start=1)
    assert studied(sitting) == [n for n, people in rounds if all(since.get(who, n) < n for who in people)]


def another_round(sitting: Sitting) -> list[set[str]]:
    """Who plays it, if there are enough of them."""
    if sitting.stage() == "over":
        sitting.does("Ada", do.Again())
    if len(sitting.table.seats) < 2:
        return []
    seated = {seat.guest for seat in sitting.table.seats}
    play_on(sitting.started())
    return [{who for who in PEOPLE if guest(who) in seated}]


def obeyed(sitting: Sitting, name: str, command: do.Command) -> bool:
    try:
        sitting.does(name, command)
    except Illegal:  # then nothing happened
        return False
    return True


@pytest.mark.parametrize("agree", [True, False])
def test_the_answer_is_in_the_log(agree: bool) -> None:
    sitting = agreeing("Ada", "Ben")
    if not agree:
        sitting.does("Ben", do.Study(agree=False))
    assert [type(event).__name__ for event in sitting.log[-1].events] == ["Agreed" if agree else "Withdrew"]
