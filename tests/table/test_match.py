import pytest

from notahat import rules
from notahat.gifts import cards
from notahat.rules import Draw, Wrap, legal
from notahat.table import commands as do
from notahat.table import may, view
from notahat.table.events import Emoted, TookBack
from notahat.table.shown import (
    GotUp,
    IsReady,
    LobbyAgain,
    MatchOver,
    MatchStarted,
    OutOfTime,
    PlayedFor,
    RoundDealt,
    SentAway,
    WillSit,
)
from support.tables import Sitting, guest


def match_of(**options: object) -> Sitting:
    return Sitting(**{"starter": 0, **options}).seated("Ada", "Ben", "Cem", "Dora").started()  # type: ignore[arg-type]


def test_a_named_starter_begins_and_a_random_one_is_drawn() -> None:
    assert legal(match_of(starter=2).table.round).seat == 2  # type: ignore[arg-type]
    starters = set()
    for luck in range(40):
        sitting = Sitting(luck=luck * 10).seated("Ada", "Ben", "Cem").started()
        assert sitting.table.match is not None
        starters.add(sitting.table.match.starter)
    assert starters == {0, 1, 2}


def test_the_start_is_shown_without_the_cards() -> None:
    sitting = Sitting(starter=1).seated("Ada", "Ben", "Cem")
    assert sitting.does("Ada", do.Start()) == (MatchStarted(), RoundDealt(1, 1))
    assert sitting.refusal("Ada", do.Start()) == "match_running"


def test_r7_2_two_players_start_with_two_gifts_whatever_was_agreed() -> None:
    sitting = Sitting(gifts_each=1).seated("Ada", "Ben").started()
    assert sitting.table.round is not None
    assert [len(column) for column in sitting.table.round.columns] == [2, 2]
    shown = view(sitting.table, sitting.present)
    assert shown.match is not None
    assert shown.match.gifts_each == 2


@pytest.mark.parametrize("edition", ["classic", "special"])
@pytest.mark.parametrize("special_cards", [True, False])
@pytest.mark.parametrize("arrows", ["both", "black", "white"])
@pytest.mark.parametrize("gifts_each", [1, 2])
def test_every_variant_deals_all_its_cards_in_another_order(
    edition: str, special_cards: bool, arrows: str, gifts_each: int
) -> None:
    options = {"edition": edition, "special_cards": special_cards, "arrows": arrows, "gifts_each": gifts_each}
    sitting = Sitting(**options).seated(*(f"P{n}" for n in range(7)), "Ada").started()  # type: ignore[arg-type]
    round_ = sitting.table.round
    assert round_ is not None
    dealt = [card for column in round_.columns for card in column] + list(round_.shop)
    wanted = cards(edition, special_cards, arrows)
    assert sorted(card.gift for card in dealt) == sorted(card.gift for card in wanted)
    assert len(round_.columns[0]) == gifts_each
    assert [card.gift for card in dealt] != [card.gift for card in wanted]


def test_a_move_answers_a_turn_and_another_is_stale() -> None:
    sitting = match_of()
    assert sitting.refusal("Ada", do.Draw(turn=1)) == "stale"
    sitting.does("Ada", do.Draw(turn=0))
    assert sitting.refusal("Ada", do.Draw(turn=0)) == "stale"
    assert sitting.refusal("Ada", do.Draw(turn=1)) == "wrong_phase"


def test_only_whose_turn_it_is_may_move() -> None:
    sitting = match_of()
    assert sitting.refusal("Ben", do.Draw(turn=0)) == "not_your_turn"
    assert sitting.refusal("Ben", do.Draw(turn=0, seat=0)) == "not_your_seat"
    assert sitting.refusal("Zoe", do.Draw(turn=0)) == "not_seated"
    assert sitting.refusal("Zoe", do.Draw(turn=0, seat=0)) == "not_seated"


def test_a_guest_with_several_seats_plays_from_the_one_whose_turn_it_is() -> None:
    sitting = Sitting(starter=2)
    for name in ("Ada", "Ben", "Cem"):
        sitting.does("Ada", do.Sit(name))
    sitting.started()
    sitting.does("Ada", do.Draw(turn=0))
    assert sitting.refusal("Ada", do.Give(turn=1, claim="hat", seat=0)) == "wrong_phase"


def test_claims_are_gifts_of_the_catalogue() -> None:
    sitting = match_of()
    sitting.draw_and_wrap()
    assert sitting.refusal("Ada", do.Give(2, "unicorn horn")) == "unknown_gift"
    assert sitting.refusal("Ada", do.Give(2)) == "claim_needed"
    sitting.does("Ada", do.Give(2, "hat"))


def test_r12_1_claims_at_a_spoken_table_are_not_entered() -> None:
    sitting = match_of(claims="spoken")
    sitting.draw_and_wrap()
    assert sitting.refusal("Ada", do.Give(2, "hat")) == "claims_are_spoken"
    sitting.does("Ada", do.Give(2))


def test_r12_2_anyone_seated_judges_and_a_judgement_can_be_corrected_until_the_next_move() -> None:
    sitting = match_of(claims="spoken")
    sitting.draw_and_wrap()
    sitting.give(None)
    sitting.answer(accepts=False)
    first = [one for one in may(sitting.table, guest("Dora"), sitting.present) if one.do == "judge"]
    assert [one.wrong for one in first] == [("giver", "receiver")]
    sitting.does("Dora", do.Judge(sitting.turn, "giver"))
    again = [one for one in may(sitting.table, guest("Ben"), sitting.present) if one.do == "judge"]
    assert [one.wrong for one in again] == [("receiver",)]
    sitting.does("Ben", do.Judge(sitting.turn, "receiver"))
    sitting.draw_and_wrap()
    assert "judge" not in sitting.may("Ben")
    assert sitting.refusal("Ben", do.Judge(sitting.turn, "giver")) == "wrong_phase"


def test_r12_2_even_the_last_judgement_of_a_match_can_be_corrected() -> None:
    sitting = match_of(claims="spoken")
    while sitting.stage() == "play":
        sitting.draw_and_wrap()
        sitting.give(None)
        sitting.answer(accepts=False)
        sitting.does("Ada", do.Judge(sitting.turn, "giver"))
    assert sitting.stage() == "over"
    sitting.does("Ben", do.Judge(sitting.turn, "receiver"))
    assert sitting.stage() == "play"
    assert view(sitting.table, sitting.present).match.totals == (0, 0, 0, 0)  # type: ignore[union-attr]


def test_cards_wrap_themselves_and_nobody_else_does_it() -> None:
    sitting = match_of(show_seconds=3)
    sitting.does("Ada", do.Draw(0))
    assert sitting.table.patience == 3.0
    assert sitting.may("Ada").isdisjoint({"wrap", "give"})
    assert sitting.does(None, do.PlayFor(1, Wrap(0))) == (
        rules.Wrapped(0, sitting.table.round.phase.card.back),  # type: ignore[union-attr]
    )


def test_patience_is_off_unless_agreed_and_never_hurries_the_first_look() -> None:
    sitting = match_of()
    assert sitting.table.patience is None
    assert sitting.refusal(None, do.PlayFor(0, Draw(0))) == "not_your_seat"
    hurried = match_of(patience_seconds=30)
    assert hurried.table.patience is None
    hurried.draw_and_wrap()
    assert hurried.table.patience == 30.0


def test_when_patience_ends_the_house_makes_that_one_move() -> None:
    sitting = match_of(patience_seconds=30)
    sitting.draw_and_wrap()
    receiver = legal(sitting.table.round).receivers[0]  # type: ignore[arg-type]
    assert sitting.does(None, do.PlayFor(2, rules.Give(0, "hat"))) == (
        OutOfTime(0),
        rules.Offered(0, receiver, "hat"),
    )
    assert not sitting.table.seats[0].stand_in


def test_spoken_tables_wait_for_ever() -> None:
    sitting = match_of(claims="spoken", patience_seconds=30)
    sitting.draw_and_wrap()
    assert sitting.table.patience is None


def test_a_pause_stops_play_and_clock_and_a_resumed_decision_has_all_its_time() -> None:
    sitting = match_of(patience_seconds=30)
    sitting.draw_and_wrap()
    sitting.does("Ben", do.Pause())
    assert sitting.table.patience is None
    assert view(sitting.table, sitting.present).paused
    assert sitting.refusal("Ada", do.Give(2, "hat")) == "paused"
    assert sitting.refusal(None, do.PlayFor(2, rules.Give(0, "hat"))) == "paused"
    assert sitting.refusal("Ben", do.Pause()) == "paused"
    assert "give" not in sitting.may("Ada")
    sitting.does("Cem", do.Resume(), after=500)
    assert sitting.table.since == sitting.now
    assert sitting.refusal("Ben", do.Resume()) == "not_paused"
    sitting.does("Ada", do.Give(2, "hat"))


def test_a_computer_player_sits_in_for_somebody_away_until_they_are_back() -> None:
    sitting = match_of()
    assert sitting.refusal("Ada", do.SitIn(1)) == "not_away"
    sitting.away.add("Ben")
    assert "sit_in" in sitting.may("Ada")
    assert sitting.does("Ada", do.SitIn(1)) == (PlayedFor(1),)
    chair = view(sitting.table, sitting.present).seats[1]
    assert (chair.kind, chair.away, chair.stand_in) == ("person", True, True)
    assert sitting.refusal("Ada", do.SitIn(1)) == "not_a_person"
    sitting.away.clear()
    assert sitting.does(None, do.ComeBack(guest("Ben"))) == (TookBack(1),)
    assert not sitting.table.seats[1].stand_in
    assert sitting.refusal(None, do.ComeBack(guest("Ben"))) == "not_away"


def test_who_leaves_during_a_match_is_played_on_and_takes_the_seat_back_by_sitting_down() -> None:
    sitting = match_of()
    assert sitting.does("Ben", do.Leave()) == (GotUp(1, "Ben"),)
    assert sitting.table.seats[1].played_by_bot
    assert sitting.table.held_by(guest("Ben")) == ()
    assert sitting.refusal(None, do.ComeBack(guest("Ben"))) == "not_away"
    assert "sit" in sitting.may("Ben")
    assert sitting.does("Ben", do.Sit("whatever")) == (TookBack(1),)
    assert sitting.name_at(1) == "Ben"


def test_a_person_removed_during_a_match_is_played_on_and_never_comes_back() -> None:
    sitting = match_of()
    assert sitting.does("Ada", do.Remove(1)) == (SentAway(1, "Ben"),)
    assert sitting.refusal("Ben", do.Sit("Ben")) == "removed"
    assert sitting.refusal("Ada", do.Remove(1)) == "match_running"
    sitting.does("Ada", do.EndMatch())
    sitting.does("Ada", do.Again())
    assert [seat.name for seat in sitting.table.seats] == ["Ada", "Cem", "Dora"]


def test_at_a_spoken_table_nobody_can_be_replaced() -> None:
    sitting = match_of(claims="spoken")
    sitting.away.add("Ben")
    assert sitting.refusal("Ada", do.SitIn(1)) == "no_bots_at_spoken_tables"
    assert sitting.refusal("Ada", do.Remove(1)) == "no_bots_at_spoken_tables"
    assert sitting.may("Ada").isdisjoint({"sit_in", "remove"})
    sitting.does("Ben", do.Leave())
    assert not sitting.table.seats[1].played_by_bot
    sitting.does("Ben", do.Sit("Ben"))
    assert sitting.table.held_by(guest("Ben")) == (1,)


def test_the_house_moves_computer_players_and_those_who_are_played_for() -> None:
    sitting = match_of()
    sitting.away.add("Ada")
    sitting.people.add("Ben")
    sitting.does(None, do.PassHost())
    sitting.does("Ben", do.SitIn(0))
    sitting.does(None, do.PlayFor(0, Draw(0)))
    assert sitting.table.round.turn == 1  # type: ignore[union-attr]


def test_r8_2_a_match_of_several_rounds_waits_for_ready_between_them() -> None:
    sitting = match_of(rounds="each")
    sitting.play_round()
    assert sitting.stage() == "between"
    first = view(sitting.table, sitting.present).match
    assert first is not None
    assert (first.round, first.of, first.number, sum(first.totals) >= 3) == (1, 4, 1, True)
    assert sitting.refusal("Ada", do.Draw(sitting.turn)) == "round_over"
    assert sitting.does("Ben", do.Ready()) == (IsReady(1),)
    assert view(sitting.table, sitting.present).seats[1].ready is True
    assert sitting.does("Ben", do.Ready()) == ()
    sitting.does("Cem", do.Ready())
    sitting.does("Dora", do.Ready())
    assert sitting.does("Ada", do.Ready()) == (IsReady(0), RoundDealt(2, 1))
    assert legal(sitting.table.round).seat == 1  # type: ignore[arg-type]
    second = view(sitting.table, sitting.present).match
    assert second is not None
    assert (second.round, second.number, second.starter, second.totals) == (2, 2, 1, first.totals)


def test_people_who_are_away_are_not_waited_for() -> None:
    sitting = match_of(rounds="each")
    sitting.play_round()
    sitting.away |= {"Cem", "Dora"}
    sitting.does("Ada", do.Ready())
    assert sitting.refusal(None, do.DealNext()) == "not_ready"
    sitting.away.add("Ben")
    assert sitting.does(None, do.DealNext()) == (RoundDealt(2, 1),)


def test_the_host_may_go_on_without_waiting() -> None:
    sitting = match_of(rounds="each")
    sitting.play_round()
    assert sitting.does("Ada", do.Start()) == (RoundDealt(2, 1),)


def test_one_guest_with_several_seats_is_ready_with_all_of_them() -> None:
    sitting = Sitting(rounds="each")
    for name in ("Ada", "Ben", "Cem"):
        sitting.does("Ada", do.Sit(name))
    sitting.started()
    while sitting.stage() == "play":
        due = legal(sitting.table.round)  # type: ignore[arg-type]
        assert due.seat is not None
        match due.moves[0]:
            case "draw":
                sitting.does("Ada", do.Draw(sitting.turn))
            case "wrap":
                sitting.wrap()
            case "give":
                sitting.does("Ada", do.Give(sitting.turn, "hat", due.receivers[0]))
            case _:
                sitting.does("Ada", do.Refuse(sitting.turn))
    ready = sitting.does("Ada", do.Ready())
    assert ready[:3] == (IsReady(0), IsReady(1), IsReady(2))
    assert isinstance(ready[3], RoundDealt)


def test_r8_2_the_lowest_total_wins_the_match() -> None:
    sitting = match_of(rounds="each")
    seen = sitting.play_round()
    for _ in range(3):
        sitting.does("Ada", do.Start())
        seen = sitting.play_round()
    assert sitting.stage() == "over"
    totals = sitting.table.match.totals  # type: ignore[union-attr]
    best = tuple(seat for seat in range(4) if totals[seat] == min(totals))
    assert seen[-1] == MatchOver(totals, best, ended_early=False)
    assert view(sitting.table, sitting.present).match.winners == best  # type: ignore[union-attr]
    assert sitting.refusal("Ada", do.Ready()) == "match_over"
    assert sitting.refusal("Ada", do.Pause()) == "match_over"


def test_again_is_a_new_match_with_the_same_people_at_the_same_link() -> None:
    sitting = match_of()
    sitting.does("Eva", do.Sit("Eva"))
    sitting.play_round()
    sitting.does("Dora", do.Leave())
    assert sitting.refusal("Zoe", do.Again()) == "not_seated"
    assert sitting.does("Ben", do.Again()) == (LobbyAgain(),)
    assert [seat.name for seat in sitting.table.seats] == ["Ada", "Ben", "Cem", "Eva"]
    assert view(sitting.table, sitting.present).match is None
    sitting.started()
    assert sitting.table.dealt == 2


def test_who_comes_during_a_match_watches_and_plays_from_the_next_one_on() -> None:
    sitting = match_of()
    assert sitting.does("Eva", do.Sit("Ada")) == (WillSit("Ada 2"),)
    shown = view(sitting.table, sitting.present | {guest("Zoe")})
    assert (shown.waiting, shown.watching) == (("Ada 2",), 1)
    assert sitting.refusal("Eva", do.Sit("Eva")) == "match_running"
    assert sitting.refusal("Ada", do.Sit("Ada's son")) == "match_running"
    sitting.does("Eva", do.Leave())
    assert sitting.table.waiting == ()


def test_the_host_may_end_a_match_before_its_time() -> None:
    sitting = match_of(rounds="each")
    assert sitting.does("Ada", do.EndMatch()) == (MatchOver((0, 0, 0, 0), (), ended_early=True),)
    assert sitting.stage() == "over"
    assert sitting.refusal("Ada", do.Draw(0)) == "no_match"
    assert sitting.refusal("Ada", do.EndMatch()) == "no_match"
    assert sitting.may("Ada").isdisjoint({"draw", "pause", "end_match"})
    sitting.does("Ada", do.Again())
    assert sitting.stage() == "lobby"


def test_a_match_ended_between_rounds_is_won_by_the_best_so_far() -> None:
    sitting = match_of(rounds="each")
    sitting.play_round()
    sitting.does("Ada", do.EndMatch())
    totals = sitting.table.match.totals  # type: ignore[union-attr]
    winners = view(sitting.table, sitting.present).match.winners  # type: ignore[union-attr]
    assert winners == tuple(seat for seat in range(4) if totals[seat] == min(totals))


def test_emotes_come_from_a_fixed_list() -> None:
    sitting = match_of()
    assert sitting.does("Ben", do.Emote("wow")) == (Emoted(1, "wow"),)
    assert sitting.refusal("Ben", do.Emote("<script>")) == "unknown_emote"
    assert sitting.refusal("Zoe", do.Emote("<script>")) == "unknown_emote"


def test_the_table_stays_as_it_is_during_a_match() -> None:
    sitting = match_of()
    for command in (do.AddBot("casual"), do.MoveSeat(0, 1), do.ShuffleSeats(), do.SetOptions({})):
        assert sitting.refusal("Ada", command) == "match_running"


def test_an_all_computer_table_can_be_watched() -> None:
    sitting = Sitting(starter=0)
    for _ in range(3):
        sitting.does("Ada", do.AddBot("casual"))
    sitting.started()
    sitting.does(None, do.PlayFor(0, Draw(0)))
    assert sitting.may("Ada") == {"lock", "end_match", "sit", "emote"}


def test_r9_6_a_match_that_only_computer_players_play_can_be_called_off() -> None:
    sitting = match_of()
    assert sitting.refusal(None, do.CallOff()) == "match_running"
    for name in ("Ben", "Cem", "Dora", "Ada"):
        sitting.does(name, do.Leave())
    assert sitting.does(None, do.CallOff()) == (MatchOver((0, 0, 0, 0), (), ended_early=True),)
