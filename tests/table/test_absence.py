"""Absent players, latecomers, removed guests and admission."""

from notahat.rules import Draw, legal
from notahat.table import admission_limit, view
from notahat.table import commands as do
from notahat.table.events import MovedFor
from notahat.table.shown import (
    DealtWithout,
    IsReady,
    LobbyAgain,
    MatchOver,
    MayComeBack,
    PlayedFor,
    RoundDealt,
    SatDown,
)
from support.tables import TableDriver, guest


def match_of(*names: str, **options: object) -> TableDriver:
    names = names or ("Ada", "Ben", "Cem", "Dora")
    return TableDriver(**{"starter": 0, **options}).seated(*names).started()  # type: ignore[arg-type]


def spoken(*names: str, **options: object) -> TableDriver:
    return match_of(*names, claims="spoken", **options)


def totals(driver: TableDriver) -> tuple[int, ...]:
    assert driver.table.match is not None
    return driver.table.match.totals


# absent players


def test_host_may_call_stand_in_at_once_others_later() -> None:
    driver = match_of()
    driver.away.add("Ben")
    assert "sit_in" in driver.may("Ada")
    assert "sit_in" not in driver.may("Cem")
    assert driver.refusal("Cem", do.SitIn(1)) == "not_host"
    driver.long_away.add("Ben")
    assert driver.refusal("Zoe", do.SitIn(1)) == "not_host", "she watches"
    assert driver.offers("Cem", "sit_in")[0].seats == (1,)
    assert driver.send("Cem", do.SitIn(1)) == (PlayedFor(1),)


def test_r12_others_move_for_absent_player_at_spoken_table() -> None:
    driver = spoken()
    driver.away.add("Ada")
    driver.long_away.add("Ada")
    assert "sit_in" not in driver.may("Ben")
    offered = driver.offers("Ben", "move_for")[0]
    assert (offered.seats, offered.moves) == ((0,), ("draw",))
    assert driver.send("Ben", do.MoveFor(0, 0, "draw"))[0] == MovedFor(0, 1)
    assert not driver.offers("Ben", "move_for")
    driver.wrap()
    given = driver.offers("Ben", "move_for")[0]
    assert (given.moves, given.to) == (("give",), legal(driver.table.round).receivers)  # type: ignore[arg-type]
    assert driver.refusal("Ben", do.MoveFor(0, 0, "give")) == "stale"
    driver.send("Dora", do.MoveFor(driver.turn, 0, "give"))
    assert not driver.offers("Ben", "move_for")
    assert driver.refusal("Ben", do.MoveFor(driver.turn, 0, "accept")) == "not_your_turn"


# dealing again without a player (8.4)


def test_r8_4_spoken_table_deals_again_without_absent_player() -> None:
    driver = spoken(rounds="each")
    driver.draw_and_wrap()
    driver.away.add("Ben")
    driver.long_away.add("Ben")
    assert driver.offers("Cem", "deal_again")[0].seats == (1,)
    assert driver.send("Cem", do.DealAgain(1)) == (DealtWithout(1, "Ben"), RoundDealt(1, 0))
    assert driver.names == ["Ada", "Cem", "Dora"]
    assert totals(driver) == (0, 0, 0)
    assert len(driver.table.seeds) == 3
    assert view(driver.table, driver.present).match.of == 4  # type: ignore[union-attr]


def test_r8_4_match_ends_with_fewer_than_two_players() -> None:
    driver = spoken("Ada", "Ben")
    driver.send("Ben", do.Leave())
    assert isinstance(driver.send("Ada", do.DealAgain(1))[0], MatchOver)
    assert driver.stage() == "over"
    driver.send("Ada", do.Again())
    assert driver.names == ["Ada"]


def test_r8_4_leaver_between_rounds_is_dealt_out() -> None:
    driver = spoken(rounds="each")
    driver.play_round()
    before = totals(driver)
    driver.send("Ben", do.Leave())
    driver.send("Cem", do.DealAgain(1))
    assert totals(driver) == (before[0], *before[2:])
    assert driver.stage() == "play"


def test_spoken_match_ends_when_last_person_leaves() -> None:
    driver = spoken("Ada", "Ben")
    driver.send("Eve", do.Sit("Eve"))
    driver.send("Ada", do.Leave())
    assert driver.send("Ben", do.Leave())[-1] == MatchOver((0, 0), (), ended_early=True)
    assert driver.send("Eve", do.Again()) == (LobbyAgain(),)
    assert driver.names == ["Eve"]


# latecomers (8.3)


def test_r8_3_latecomer_joins_next_round_with_highest_total() -> None:
    driver = match_of(rounds="each")
    driver.send("Eve", do.Sit("Eve"))
    assert driver.offers("Eve", "leave")[0].names == ("Eve",)
    driver.play_round()
    before = totals(driver)
    assert driver.send("Ada", do.Start()) == (SatDown(4, "Eve", "person"), RoundDealt(2, 1))
    assert totals(driver) == (*before, max(before))
    assert driver.table.seats_of(guest("Eve")) == (4,)
    assert not driver.table.waiting
    shown = view(driver.table, driver.present)
    assert shown.match is not None
    assert (shown.match.round, shown.match.of, shown.match.starter) == (2, 4, 1)
    assert len(driver.table.seeds) == 5
    assert len(driver.table.round.columns) == 5  # type: ignore[union-attr]


# the first look


def is_first_look(driver: TableDriver) -> bool:
    return driver.table.is_first_look


def test_r3_2_players_may_end_first_look_of_computer_starter() -> None:
    driver = TableDriver(starter=2).seated("Ada", "Ben")
    driver.send("Ada", do.AddBot("casual", None, "Bo"))
    driver.started()
    assert is_first_look(driver)
    assert "ready" in driver.may("Ada")
    assert driver.send("Ada", do.Ready()) == (IsReady(0),)
    assert "ready" not in driver.may("Ada")
    assert not driver.table.all_ready(driver.present)
    chairs = view(driver.table, driver.present).seats
    assert [chair.ready is True for chair in chairs] == [True, False, False]
    driver.send("Ben", do.Ready())
    assert driver.table.all_ready(driver.present)
    driver.send(None, do.PlayFor(0, Draw(2)))
    assert not is_first_look(driver)
    assert driver.table.ready == ()
    assert driver.refusal("Ada", do.Ready()) == "round_running"


def test_r3_2_human_starter_alone_ends_first_look() -> None:
    driver = match_of()
    assert not driver.table.is_first_look
    assert "ready" not in driver.may("Ben")
    assert driver.refusal("Ben", do.Ready()) == "round_running"


# removed guests


def test_host_readmits_removed_guest_by_name() -> None:
    driver = TableDriver().seated("Ada", "Ben", "Cem")
    assert not driver.offers("Ada", "let_in")
    driver.send("Ada", do.Remove(1))
    assert driver.offers("Ada", "let_in")[0].names == ("Ben",)
    assert "Ben" not in str(driver.offers("Cem")) + str(view(driver.table, driver.present)), "only the host sees it"
    assert driver.refusal("Cem", do.LetIn("Ben")) == "not_host"
    assert driver.refusal("Ada", do.LetIn("Zoe")) == "not_removed"
    assert driver.send("Ada", do.LetIn("Ben")) == (MayComeBack("Ben"),)
    assert driver.send("Ben", do.Sit("Ben")) == (SatDown(2, "Ben", "person"),)
    assert driver.refusal("Ada", do.LetIn("Ben")) == "not_removed"


# the host


def test_role_passes_to_waiting_guest_if_no_player_is_present() -> None:
    driver = match_of("Ada", "Ben")
    driver.send("Eve", do.Sit("Eve"))
    driver.away |= {"Ada", "Ben"}
    assert driver.table.host_candidates(driver.present) == (guest("Eve"),)
    driver.send(None, do.PassHost())
    assert {"sit_in", "end_match"} <= driver.may("Eve")
    driver.send("Eve", do.Leave())
    assert driver.table.host == guest("Ada")


# admission


def test_admission_limit_names_why_guest_cannot_enter() -> None:
    driver = TableDriver(spectators=False).seated("Ada", "Ben", "Cem")
    assert admission_limit(driver.table, guest("Zoe")) is None
    assert admission_limit(driver.table, None) is None
    driver.send("Ada", do.Lock(True))
    assert admission_limit(driver.table, guest("Zoe")) == "locked"
    assert admission_limit(driver.table, guest("Ben")) is None
    driver.started()
    assert admission_limit(driver.table, guest("Zoe")) == "no_spectators"
    assert admission_limit(driver.table, None) == "no_spectators"
    driver.send("Ada", do.Remove(1))
    assert admission_limit(driver.table, guest("Ben")) == "removed"
    driver.send("Cem", do.Leave())
    assert admission_limit(driver.table, guest("Cem")) is None
    full = TableDriver().seated("Ada", *(f"P{n}" for n in range(7)))
    assert [admission_limit(full.table, guest(name)) for name in ("Zoe", "P3")] == ["full", None]
