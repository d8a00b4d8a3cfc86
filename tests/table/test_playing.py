import pytest

from notahat import rules
from notahat.gifts import cards
from notahat.rules import Draw, Wrap, legal
from notahat.table import commands as do
from notahat.table import view
from notahat.table.events import TookBack
from notahat.table.shown import (
    GotUp,
    IsReady,
    LobbyAgain,
    MatchOver,
    RoundDealt,
    SentAway,
)
from support.tables import TableDriver, guest


def match_of(**options: object) -> TableDriver:
    table = TableDriver(**{"starter": 0, **options})  # type: ignore[arg-type]
    return table.seated("Ada", "Ben", "Cem", "Dora").started()


def test_starter_is_the_named_or_a_random_seat() -> None:
    assert legal(match_of(starter=2).table.round).seat == 2  # type: ignore[arg-type]
    starters = set()
    for seed in range(40):
        driver = TableDriver(seed=seed * 10).seated("Ada", "Ben", "Cem").started()
        assert driver.table.match is not None
        starters.add(driver.table.match.starter)
    assert starters == {0, 1, 2}


@pytest.mark.parametrize("edition", ["classic", "special"])
@pytest.mark.parametrize("special_cards", [True, False])
@pytest.mark.parametrize("arrows", ["both", "black", "white"])
@pytest.mark.parametrize("gifts_each", [1, 2])
def test_every_variant_deals_all_its_cards_shuffled(
    edition: str, special_cards: bool, arrows: str, gifts_each: int
) -> None:
    options = {"edition": edition, "special_cards": special_cards, "arrows": arrows, "gifts_each": gifts_each}
    driver = TableDriver(**options).seated(*(f"P{n}" for n in range(7)), "Ada").started()  # type: ignore[arg-type]
    round_ = driver.table.round
    assert round_ is not None
    dealt = [card for column in round_.columns for card in column] + list(round_.shop)
    wanted = cards(edition, special_cards, arrows)
    assert sorted(card.gift for card in dealt) == sorted(card.gift for card in wanted)
    assert len(round_.columns[0]) == gifts_each
    assert [card.gift for card in dealt] != [card.gift for card in wanted]


def test_move_for_another_turn_is_stale() -> None:
    driver = match_of()
    assert driver.refusal("Ada", do.Draw(turn=1)) == "stale"
    driver.send("Ada", do.Draw(turn=0))
    assert driver.refusal("Ada", do.Draw(turn=0)) == "stale"
    assert driver.refusal("Ada", do.Draw(turn=1)) == "wrong_phase"


def test_only_the_due_player_may_move() -> None:
    driver = match_of()
    assert driver.refusal("Ben", do.Draw(turn=0)) == "not_your_turn"
    assert driver.refusal("Ben", do.Draw(turn=0, seat=0)) == "not_your_seat"
    assert driver.refusal("Zoe", do.Draw(turn=0)) == "not_seated"
    assert driver.refusal("Zoe", do.Draw(turn=0, seat=0)) == "not_seated"


def test_guest_with_several_seats_moves_from_the_due_one() -> None:
    driver = TableDriver(starter=2)
    for name in ("Ada", "Ben", "Cem"):
        driver.send("Ada", do.Sit(name))
    driver.started()
    driver.send("Ada", do.Draw(turn=0))
    assert driver.refusal("Ada", do.Give(turn=1, claim="hat", seat=0)) == "wrong_phase"


def test_claims_are_gifts_of_the_catalogue() -> None:
    driver = match_of()
    driver.draw_and_wrap()
    assert driver.refusal("Ada", do.Give(2, "unicorn horn")) == "unknown_gift"
    assert driver.refusal("Ada", do.Give(2)) == "claim_needed"
    driver.send("Ada", do.Give(2, "hat"))


def test_r12_1_claims_at_a_spoken_table_are_not_entered() -> None:
    driver = match_of(claims="spoken")
    driver.draw_and_wrap()
    assert driver.refusal("Ada", do.Give(2, "hat")) == "claims_are_spoken"
    driver.send("Ada", do.Give(2))


def test_only_the_system_wraps_cards() -> None:
    driver = match_of(show_seconds=3)
    driver.send("Ada", do.Draw(0))
    assert driver.table.patience == 3.0
    assert driver.may("Ada").isdisjoint({"wrap", "give"})
    assert driver.send(None, do.PlayFor(1, Wrap(0))) == (
        rules.Wrapped(0, driver.table.round.phase.card.back),  # type: ignore[union-attr]
    )


def test_patience_is_off_by_default_and_in_first_look() -> None:
    driver = match_of()
    assert driver.table.patience is None
    assert driver.refusal(None, do.PlayFor(0, Draw(0))) == "not_your_seat"
    hurried = match_of(patience_seconds=30)
    assert hurried.table.patience is None
    hurried.draw_and_wrap()
    assert hurried.table.patience == 30.0


def test_pause_stops_moves_and_resume_restarts_the_clock() -> None:
    driver = match_of(patience_seconds=30)
    driver.draw_and_wrap()
    driver.send("Ben", do.Pause())
    assert driver.table.patience is None
    assert view(driver.table, driver.present).paused
    assert driver.refusal("Ada", do.Give(2, "hat")) == "paused"
    assert driver.refusal(None, do.PlayFor(2, rules.Give(0, "hat"))) == "paused"
    assert driver.refusal("Ben", do.Pause()) == "paused"
    assert "give" not in driver.may("Ada")
    driver.send("Cem", do.Resume(), after=500)
    assert driver.table.since == driver.now
    assert driver.refusal("Ben", do.Resume()) == "not_paused"
    driver.send("Ada", do.Give(2, "hat"))


def test_leaver_gets_stand_in_and_takes_seat_back_by_sitting() -> None:
    driver = match_of()
    assert driver.send("Ben", do.Leave()) == (GotUp(1, "Ben"),)
    assert driver.table.seats[1].played_by_bot
    assert driver.table.seats_of(guest("Ben")) == ()
    assert driver.refusal(None, do.ComeBack(guest("Ben"))) == "not_away"
    assert "sit" in driver.may("Ben")
    assert driver.send("Ben", do.Sit("whatever")) == (TookBack(1),)
    assert driver.name_at(1) == "Ben"


def test_removed_player_gets_stand_in_and_cannot_return() -> None:
    driver = match_of()
    assert driver.send("Ada", do.Remove(1)) == (SentAway(1, "Ben"),)
    assert driver.refusal("Ben", do.Sit("Ben")) == "removed"
    assert driver.refusal("Ada", do.Remove(1)) == "match_running"
    driver.send("Ada", do.EndMatch())
    driver.send("Ada", do.Again())
    assert driver.names == ["Ada", "Cem", "Dora"]


def test_spoken_table_refuses_removal_in_match() -> None:
    driver = match_of(claims="spoken")
    driver.away.add("Ben")
    assert driver.refusal("Ada", do.SitIn(1)) == "no_bots_at_spoken_tables"
    assert driver.refusal("Ada", do.Remove(1)) == "no_bots_at_spoken_tables"
    assert driver.may("Ada").isdisjoint({"sit_in", "remove"})
    driver.send("Ben", do.Leave())
    assert not driver.table.seats[1].played_by_bot
    driver.send("Ben", do.Sit("Ben"))
    assert driver.table.seats_of(guest("Ben")) == (1,)


def test_r8_2_next_round_waits_until_all_are_ready() -> None:
    driver = match_of(rounds="each")
    driver.play_round()
    assert driver.stage() == "between"
    first = view(driver.table, driver.present).match
    assert first is not None
    assert (first.round, first.of, first.number, sum(first.totals) >= 3) == (1, 4, 1, True)
    assert driver.refusal("Ada", do.Draw(driver.turn)) == "round_over"
    assert driver.send("Ben", do.Ready()) == (IsReady(1),)
    assert view(driver.table, driver.present).seats[1].ready is True
    assert driver.send("Ben", do.Ready()) == ()
    driver.send("Cem", do.Ready())
    driver.send("Dora", do.Ready())
    assert driver.send("Ada", do.Ready()) == (IsReady(0), RoundDealt(2, 1))
    assert legal(driver.table.round).seat == 1  # type: ignore[arg-type]
    second = view(driver.table, driver.present).match
    assert second is not None
    assert (second.round, second.number, second.starter, second.totals) == (2, 2, 1, first.totals)


def test_again_returns_to_lobby_with_same_players() -> None:
    driver = match_of()
    driver.send("Eva", do.Sit("Eva"))
    driver.play_round()
    driver.send("Dora", do.Leave())
    assert driver.refusal("Zoe", do.Again()) == "not_seated"
    assert driver.send("Ben", do.Again()) == (LobbyAgain(),)
    assert driver.names == ["Ada", "Ben", "Cem", "Eva"]
    assert view(driver.table, driver.present).match is None
    driver.started()
    assert driver.table.dealt == 2


def test_host_may_end_match_early() -> None:
    driver = match_of(rounds="each")
    assert driver.send("Ada", do.EndMatch()) == (MatchOver((0, 0, 0, 0), (), ended_early=True),)
    assert driver.stage() == "over"
    assert driver.refusal("Ada", do.Draw(0)) == "no_match"
    assert driver.refusal("Ada", do.EndMatch()) == "no_match"
    assert driver.may("Ada").isdisjoint({"draw", "pause", "end_match"})
    driver.send("Ada", do.Again())
    assert driver.stage() == "lobby"


def test_setup_commands_are_refused_during_a_match() -> None:
    driver = match_of()
    for command in (do.AddBot("casual"), do.MoveSeat(0, 1), do.ShuffleSeats(), do.SetOptions({})):
        assert driver.refusal("Ada", command) == "match_running"


def test_r9_6_match_of_computer_players_can_be_called_off() -> None:
    driver = match_of()
    assert driver.refusal(None, do.CallOff()) == "match_running"
    for name in ("Ben", "Cem", "Dora", "Ada"):
        driver.send(name, do.Leave())
    assert driver.send(None, do.CallOff()) == (MatchOver((0, 0, 0, 0), (), ended_early=True),)


def test_spoken_table_has_no_patience() -> None:
    driver = match_of(claims="spoken", patience_seconds=30)
    driver.draw_and_wrap()
    assert driver.table.patience is None


def test_absent_players_are_not_waited_for() -> None:
    driver = match_of(rounds="each")
    driver.play_round()
    driver.away |= {"Cem", "Dora"}
    driver.send("Ada", do.Ready())
    assert driver.refusal(None, do.DealNext()) == "not_ready"
    driver.away.add("Ben")
    assert driver.send(None, do.DealNext()) == (RoundDealt(2, 1),)


def test_match_ended_between_rounds_is_won_by_lowest_total() -> None:
    driver = match_of(rounds="each")
    driver.play_round()
    driver.send("Ada", do.EndMatch())
    totals = driver.table.match.totals  # type: ignore[union-attr]
    winners = view(driver.table, driver.present).match.winners  # type: ignore[union-attr]
    assert winners == tuple(seat for seat in range(4) if totals[seat] == min(totals))
