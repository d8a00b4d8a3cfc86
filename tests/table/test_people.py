"""People come and go: who is away, who comes late, who was sent away, and who may come in."""

import pytest

from notahat.rules import Draw, legal
from notahat.table import May, may, view, welcome
from notahat.table import commands as do
from notahat.table.events import MovedFor
from notahat.table.shown import (
    DealtWithout,
    GotUp,
    IsReady,
    LobbyAgain,
    MatchOver,
    MayComeBack,
    PlayedFor,
    RoundDealt,
    SatDown,
    WillSit,
)
from notahat.table.story import story
from support.tables import Sitting, guest


def match_of(*names: str, **options: object) -> Sitting:
    names = names or ("Ada", "Ben", "Cem", "Dora")
    return Sitting(**{"starter": 0, **options}).seated(*names).started()  # type: ignore[arg-type]


def spoken(*names: str, **options: object) -> Sitting:
    return match_of(*names, claims="spoken", **options)


def offers(sitting: Sitting, name: str, what: str) -> list[May]:
    return [one for one in may(sitting.table, guest(name), sitting.present, sitting.absent) if one.do == what]


def offer(sitting: Sitting, name: str, what: str) -> May:
    (one,) = offers(sitting, name, what)
    return one


def totals(sitting: Sitting) -> tuple[int, ...]:
    assert sitting.table.match is not None
    return sitting.table.match.totals


# somebody is away


def test_the_host_lets_a_computer_play_at_once_and_others_after_a_while() -> None:
    sitting = match_of()
    sitting.away.add("Ben")
    assert "sit_in" in sitting.may("Ada")
    assert "sit_in" not in sitting.may("Cem")
    assert sitting.refusal("Cem", do.SitIn(1)) == "not_host"
    sitting.long_away.add("Ben")
    assert offer(sitting, "Cem", "sit_in").seats == (1,)
    assert sitting.does("Cem", do.SitIn(1)) == (PlayedFor(1),)


def test_who_only_watches_never_decides_about_others() -> None:
    sitting = match_of()
    sitting.away.add("Ben")
    sitting.long_away.add("Ben")
    assert "sit_in" not in sitting.may("Zoe")
    assert sitting.refusal("Zoe", do.SitIn(1)) == "not_host"


def test_who_is_here_again_is_not_away_however_long_it_was() -> None:
    sitting = match_of()
    sitting.long_away.add("Ben")
    assert "sit_in" not in sitting.may("Cem")
    assert "sit_in" not in sitting.may("Ada")
    assert sitting.refusal("Ada", do.SitIn(1)) == "not_away"


def test_r12_somebody_else_moves_for_who_is_away_at_a_spoken_table() -> None:
    sitting = spoken()
    sitting.away.add("Ada")
    sitting.long_away.add("Ada")
    assert "sit_in" not in sitting.may("Ben")
    offered = offer(sitting, "Ben", "move_for")
    assert (offered.seats, offered.moves) == ((0,), ("draw",))
    assert sitting.does("Ben", do.MoveFor(0, 0, "draw"))[0] == MovedFor(0, 1)
    assert not offers(sitting, "Ben", "move_for")
    sitting.wrap()
    given = offer(sitting, "Ben", "move_for")
    assert (given.moves, given.to) == (("give",), legal(sitting.table.round).receivers)  # type: ignore[arg-type]
    assert sitting.refusal("Ben", do.MoveFor(0, 0, "give")) == "stale"
    sitting.does("Dora", do.MoveFor(sitting.turn, 0, "give"))
    assert not offers(sitting, "Ben", "move_for")
    assert sitting.refusal("Ben", do.MoveFor(sitting.turn, 0, "accept")) == "not_your_turn"


@pytest.mark.parametrize("answer", ["accept", "refuse"])
def test_r12_a_gift_offered_to_who_is_away_is_answered_for_them(answer: str) -> None:
    sitting = spoken(arrows="black")
    sitting.draw_and_wrap()
    sitting.give(None)
    sitting.away.add("Ben")
    assert sitting.refusal("Cem", do.MoveFor(sitting.turn, 1, "accept")) == "not_host"
    sitting.does("Ada", do.MoveFor(sitting.turn, 1, answer))  # type: ignore[arg-type]
    assert sitting.refusal("Ada", do.MoveFor(sitting.turn, 1, "draw")) in ("wrong_phase", "not_your_turn")


def test_a_host_who_only_watches_may_move_for_who_is_away() -> None:
    sitting = Sitting(host="Tv", claims="spoken", starter=0).seated("Ada", "Ben", "Cem")
    sitting.does("Tv", do.Start())
    sitting.away.add("Ada")
    assert sitting.does("Tv", do.MoveFor(0, 0, "draw"))[0] == MovedFor(0, None)


def test_where_computers_can_play_nobody_else_does() -> None:
    sitting = match_of()
    sitting.away.add("Ada")
    sitting.long_away.add("Ada")
    assert sitting.may("Ben").isdisjoint({"move_for", "deal_again"})
    assert sitting.refusal("Ben", do.MoveFor(0, 0, "draw")) == "bots_can_play"
    assert sitting.refusal("Ben", do.DealAgain(0)) == "bots_can_play"


def test_nobody_moves_for_somebody_who_is_here() -> None:
    sitting = spoken()
    assert sitting.refusal("Ben", do.MoveFor(0, 0, "draw")) == "not_host"
    assert sitting.refusal("Ada", do.DealAgain(1)) == "not_away"


def test_who_leaves_on_their_turn_at_a_spoken_table_is_played_for_at_once() -> None:
    sitting = spoken()
    assert sitting.does("Ada", do.Leave())[0] == GotUp(0, "Ada")
    assert view(sitting.table, sitting.present).seats[0].gone is True
    assert {"move_for", "deal_again"} <= sitting.may("Cem")
    sitting.does("Cem", do.MoveFor(0, 0, "draw"))
    sitting.does("Ada", do.Sit("Ada"))
    assert not offers(sitting, "Cem", "deal_again")


def test_a_move_made_for_another_is_told_as_such() -> None:
    sitting = spoken()
    sitting.away.add("Ada")
    sitting.long_away.add("Ada")
    sitting.does("Ben", do.MoveFor(0, 0, "draw"))
    told = story(sitting.log, 1)
    assert told is not None
    assert [step.by for step in told.steps] == ["another"]


# 8.4


def test_r8_4_a_spoken_table_deals_again_without_who_is_away() -> None:
    sitting = spoken(rounds="each")
    sitting.draw_and_wrap()
    sitting.away.add("Ben")
    sitting.long_away.add("Ben")
    assert offer(sitting, "Cem", "deal_again").seats == (1,)
    assert sitting.does("Cem", do.DealAgain(1)) == (DealtWithout(1, "Ben"), RoundDealt(1, 0))
    assert [seat.name for seat in sitting.table.seats] == ["Ada", "Cem", "Dora"]
    assert totals(sitting) == (0, 0, 0)
    assert len(sitting.table.seeds) == 3
    assert view(sitting.table, sitting.present).match.of == 4  # type: ignore[union-attr]


def test_r8_4_totals_stay_and_the_broken_round_counts_for_nobody() -> None:
    sitting = spoken(rounds="each")
    blame_the_giver_until_it_is_over(sitting)
    before = totals(sitting)
    sitting.does("Ada", do.Start())
    sitting.away.add("Dora")
    sitting.does("Ada", do.DealAgain(3))
    assert totals(sitting) == before[:3]
    assert sitting.stage() == "play"


def test_r8_4_two_who_are_left_have_two_gifts_each() -> None:
    sitting = spoken("Ada", "Ben", "Cem")
    sitting.does("Cem", do.Leave())
    sitting.does("Ben", do.DealAgain(2))
    assert [len(column) for column in sitting.table.round.columns] == [2, 2]  # type: ignore[union-attr]


def test_r8_4_with_fewer_than_two_left_the_match_is_over() -> None:
    sitting = spoken("Ada", "Ben")
    sitting.does("Ben", do.Leave())
    assert isinstance(sitting.does("Ada", do.DealAgain(1))[0], MatchOver)
    assert sitting.stage() == "over"
    sitting.does("Ada", do.Again())
    assert [seat.name for seat in sitting.table.seats] == ["Ada"]


def test_r8_4_between_two_rounds_the_next_is_dealt_without_them() -> None:
    sitting = spoken(rounds="each")
    blame_the_giver_until_it_is_over(sitting)
    before = totals(sitting)
    sitting.does("Ben", do.Leave())
    sitting.does("Cem", do.DealAgain(1))
    assert totals(sitting) == (before[0], *before[2:])
    assert sitting.stage() == "play"


def test_who_is_out_of_the_match_may_come_back_as_a_latecomer() -> None:
    sitting = spoken(rounds="each")
    sitting.does("Ben", do.Leave())
    sitting.does("Cem", do.DealAgain(1))
    assert sitting.does("Ben", do.Sit("Ben")) == (WillSit("Ben"),)


def test_a_match_at_a_spoken_table_ends_with_the_last_person_who_leaves() -> None:
    sitting = spoken("Ada", "Ben")
    sitting.does("Eve", do.Sit("Eve"))
    sitting.does("Ada", do.Leave())
    assert sitting.does("Ben", do.Leave())[-1] == MatchOver((0, 0), (), ended_early=True)
    assert sitting.does("Eve", do.Again()) == (LobbyAgain(),)
    assert [seat.name for seat in sitting.table.seats] == ["Eve"]


def blame_the_giver_until_it_is_over(sitting: Sitting) -> None:
    while sitting.stage() == "play":
        sitting.draw_and_wrap()
        sitting.give(None)
        sitting.answer(accepts=False)
        sitting.does("Ada", do.Judge(sitting.turn, "giver"))


# 8.3


def test_r8_3_who_comes_late_is_dealt_in_at_the_next_round_with_the_highest_total() -> None:
    sitting = match_of(rounds="each")
    sitting.does("Eve", do.Sit("Eve"))
    assert offer(sitting, "Eve", "leave").names == ("Eve",)
    sitting.play_round()
    before = totals(sitting)
    assert sitting.does("Ada", do.Start()) == (SatDown(4, "Eve", "person"), RoundDealt(2, 1))
    assert totals(sitting) == (*before, max(before))
    assert sitting.table.held_by(guest("Eve")) == (4,)
    assert sitting.table.waiting == ()
    shown = view(sitting.table, sitting.present)
    assert shown.match is not None
    assert (shown.match.round, shown.match.of, shown.match.starter) == (2, 4, 1)
    assert len(sitting.table.seeds) == 5
    assert len(sitting.table.round.columns) == 5  # type: ignore[union-attr]


def test_r8_3_latecomers_are_dealt_in_when_everybody_is_ready_too() -> None:
    sitting = match_of("Ada", "Ben", rounds="each")
    sitting.does("Eve", do.Sit("Eve"))
    sitting.play_round()
    sitting.does("Ada", do.Ready())
    seen = sitting.does("Ben", do.Ready())
    assert seen == (IsReady(1), SatDown(2, "Eve", "person"), RoundDealt(2, 1))
    assert sitting.table.match.gifts_each == 1  # type: ignore[union-attr] # two players need two, three do not


def test_r8_3_who_comes_late_and_is_away_again_is_not_waited_for() -> None:
    sitting = match_of(rounds="each")
    sitting.does("Eve", do.Sit("Eve"))
    sitting.play_round()
    sitting.away.add("Eve")
    assert sitting.does("Ada", do.Start()) == (RoundDealt(2, 1),)
    assert [waiting.name for waiting in sitting.table.waiting] == ["Eve"]


def test_r8_3_a_match_of_one_round_has_no_next_round_but_the_next_match() -> None:
    sitting = match_of()
    sitting.does("Eve", do.Sit("Eve"))
    sitting.play_round()
    assert sitting.stage() == "over"
    sitting.does("Eve", do.Again())
    assert sitting.table.seats[-1].name == "Eve"


# the first look


def looking(sitting: Sitting) -> bool:
    return sitting.table.looking


def test_r3_2_whoever_has_seen_enough_is_ready_before_a_computer_begins() -> None:
    sitting = Sitting(starter=2).seated("Ada", "Ben")
    sitting.does("Ada", do.AddBot("casual", None, "Bo"))
    sitting.started()
    assert looking(sitting)
    assert "ready" in sitting.may("Ada")
    assert sitting.does("Ada", do.Ready()) == (IsReady(0),)
    assert "ready" not in sitting.may("Ada")
    assert not sitting.table.all_ready(sitting.present)
    chairs = view(sitting.table, sitting.present).seats
    assert [chair.ready is True for chair in chairs] == [True, False, False]
    sitting.does("Ben", do.Ready())
    assert sitting.table.all_ready(sitting.present)
    sitting.does(None, do.PlayFor(0, Draw(2)))
    assert not looking(sitting)
    assert sitting.table.ready == ()
    assert sitting.refusal("Ada", do.Ready()) == "round_running"


def test_r3_2_where_a_person_begins_they_alone_end_the_first_look() -> None:
    sitting = match_of()
    assert not sitting.table.looking
    assert "ready" not in sitting.may("Ben")
    assert sitting.refusal("Ben", do.Ready()) == "round_running"


# sent away, and back


def test_the_host_lets_somebody_back_in_by_name() -> None:
    sitting = Sitting().seated("Ada", "Ben", "Cem")
    assert not offers(sitting, "Ada", "let_in")
    sitting.does("Ada", do.Remove(1))
    assert offer(sitting, "Ada", "let_in").names == ("Ben",)
    assert "let_in" not in sitting.may("Cem")
    assert sitting.refusal("Cem", do.LetIn("Ben")) == "not_host"
    assert sitting.refusal("Ada", do.LetIn("Zoe")) == "not_removed"
    assert sitting.does("Ada", do.LetIn("Ben")) == (MayComeBack("Ben"),)
    assert sitting.does("Ben", do.Sit("Ben")) == (SatDown(2, "Ben", "person"),)
    assert sitting.refusal("Ada", do.LetIn("Ben")) == "not_removed"


def test_two_of_one_name_who_were_sent_away_can_be_told_apart() -> None:
    sitting = Sitting().seated("Ada", "Ben")
    sitting.does("Ada", do.Remove(1))
    sitting.does("Ben's brother", do.Sit("Ben"))
    sitting.does("Ada", do.Remove(1))
    assert sitting.table.removed_names == ("Ben", "Ben 2")
    sitting.does("Ada", do.LetIn("Ben 2"))
    assert welcome(sitting.table, guest("Ben")) == "removed"
    assert welcome(sitting.table, guest("Ben's brother")) is None


def test_who_is_let_back_in_during_a_match_takes_the_seat_back() -> None:
    sitting = match_of()
    sitting.does("Ada", do.Remove(1))
    sitting.does("Ada", do.LetIn("Ben"))
    sitting.does("Ben", do.Sit("Ben"))
    assert sitting.table.held_by(guest("Ben")) == (1,)
    assert not sitting.table.seats[1].played_by_bot


def test_no_view_and_nobody_but_the_host_hears_who_is_kept_out() -> None:
    sitting = Sitting().seated("Ada", "Ben", "Cem")
    sitting.does("Ada", do.Remove(1))
    assert "Ben" not in str(view(sitting.table, sitting.present))
    assert "Ben" not in str(may(sitting.table, guest("Cem"), sitting.present))


# the host


def test_a_host_without_a_seat_can_start() -> None:
    sitting = Sitting(host="Tv").seated("Ada", "Ben", "Cem")
    assert view(sitting.table, sitting.present).host is None
    assert "start" in sitting.may("Tv")
    sitting.does("Tv", do.Start())
    assert sitting.stage() == "play"


def test_everybody_sees_whether_the_host_is_here() -> None:
    sitting = Sitting(host="Tv").seated("Ada", "Ben")
    assert view(sitting.table, sitting.present).host_away is False
    sitting.away.add("Tv")
    assert view(sitting.table, sitting.present).host_away is True


def test_the_hosts_role_passes_to_who_waits_if_nobody_else_is_here() -> None:
    sitting = match_of("Ada", "Ben")
    sitting.does("Eve", do.Sit("Eve"))
    sitting.away |= {"Ada", "Ben"}
    assert sitting.table.heirs(sitting.present) == (guest("Eve"),)
    sitting.does(None, do.PassHost())
    assert {"sit_in", "end_match"} <= sitting.may("Eve")
    sitting.does("Eve", do.Leave())
    assert sitting.table.host == guest("Ada")


# at the door


def test_at_the_door_everybody_is_told_why_they_cannot_come_in_or_play() -> None:
    sitting = Sitting(spectators=False).seated("Ada", "Ben", "Cem")
    assert welcome(sitting.table, guest("Zoe")) is None
    assert welcome(sitting.table, None) is None
    sitting.does("Ada", do.Lock(True))
    assert welcome(sitting.table, guest("Zoe")) == "locked"
    assert welcome(sitting.table, guest("Ben")) is None
    sitting.started()
    assert welcome(sitting.table, guest("Zoe")) == "no_spectators"
    assert welcome(sitting.table, None) == "no_spectators"
    sitting.does("Ada", do.Remove(1))
    assert welcome(sitting.table, guest("Ben")) == "removed"
    sitting.does("Cem", do.Leave())
    assert welcome(sitting.table, guest("Cem")) is None


def test_at_a_full_table_one_more_is_told_so() -> None:
    sitting = Sitting().seated("Ada", *(f"P{n}" for n in range(7)))
    assert welcome(sitting.table, guest("Zoe")) == "full"
    assert welcome(sitting.table, guest("P3")) is None


@pytest.mark.parametrize("pace", ["relaxed", "normal", "brisk"])
def test_a_table_agrees_on_its_pace(pace: str) -> None:
    sitting = Sitting().seated("Ada")
    sitting.does("Ada", do.SetOptions({"pace": pace}))
    assert view(sitting.table, sitting.present).options.pace == pace
    assert sitting.refusal("Ada", do.SetOptions({"pace": "hasty"})) == "bad_options"
