"""People in one room: several seats on one device, a big screen, spectators, and corrected verdicts."""

import pytest

from notahat.table import admission_limit, view
from notahat.table import commands as do
from notahat.table.events import Applauded, TookBack
from notahat.table.shown import HostChanged, SatDown
from notahat.table.story import is_story_public
from support.tables import TableDriver, guest


def match_on_one_device(*names: str, **options: object) -> TableDriver:
    """A match with all players on one device."""
    driver = TableDriver("Tablet", **{"claims": "spoken", "starter": 0, **options})  # type: ignore[arg-type]
    for name in names:
        driver.send("Tablet", do.Sit(name))
    driver.send("Tablet", do.Start())
    return driver


@pytest.mark.parametrize(("rounds", "stage"), [("each", "between"), ("one", "over")])
def test_r12_2_verdict_that_ended_the_round_can_be_corrected(rounds: str, stage: str) -> None:
    driver = TableDriver(claims="spoken", starter=0, rounds=rounds).seated("Ada", "Ben", "Cem").started()
    driver.play_round()
    assert driver.stage() == stage
    assert driver.table.correctable
    assert driver.offers("Cem", "judge")[0].wrong == ("receiver",)
    driver.send("Cem", do.Judge(driver.turn, "receiver"))
    assert driver.stage() == "play"
    assert max(view(driver.table, driver.present).round.scores) == 2  # type: ignore[union-attr]
    assert driver.table.correctable
    driver.send(driver.name_at(driver.table.round.phase.giver), do.Draw(driver.turn))  # type: ignore[union-attr]
    assert not driver.table.correctable


@pytest.mark.parametrize(
    ("rounds", "goes_on"), [("each", do.Ready()), ("one", do.Ready()), ("one", do.Again(deal=True))]
)
def test_r9_5_story_is_public_when_its_verdict_is_final(rounds: str, goes_on: do.Ready | do.Again) -> None:
    driver = TableDriver(claims="spoken", starter=0, rounds=rounds).seated("Ada", "Ben", "Cem").started()
    driver.play_round()
    assert not is_story_public(driver.table, 1)
    assert not view(driver.table, driver.present).match.story  # type: ignore[union-attr]
    driver.send("Cem", goes_on)
    driver.send("Cem", do.Leave())
    assert is_story_public(driver.table, 1)
    assert view(driver.table, driver.present).match.story  # type: ignore[union-attr]
    assert "judge" not in driver.may("Ada")
    assert driver.refusal("Ada", do.Judge(driver.turn, "receiver")) == "round_over"


def test_device_leaves_and_retakes_seats_one_by_one() -> None:
    driver = match_on_one_device("Mum", "Dad", "Zoe")
    driver.send("Tablet", do.Leave(seat=1))
    driver.send("Tablet", do.Leave(seat=2))
    assert driver.send("Tablet", do.Sit("Zoe")) == (TookBack(2),)
    assert [seat.gone for seat in driver.table.seats] == [False, True, False]
    assert driver.send("Tablet", do.Sit("somebody")) == (TookBack(1),)


def test_first_player_at_big_screen_becomes_host() -> None:
    driver = TableDriver("Screen", screen=True)
    assert "start" not in driver.may("Screen")
    assert driver.send("Ada", do.Sit("Ada")) == (SatDown(0, "Ada", "person"), HostChanged(0))
    assert "set_options" in driver.may("Ada")
    driver.seated("Ben")
    assert view(driver.table, driver.present).host == 0
    assert "lock" not in driver.may("Screen")


def test_big_screen_is_not_a_spectator() -> None:
    driver = TableDriver("Screen", screen=True, spectators=False).seated("Ada", "Ben").started()
    assert admission_limit(driver.table, guest("Screen")) is None
    assert admission_limit(driver.table, guest("Eva")) == "no_spectators"
    seen = view(driver.table, driver.present)
    assert (seen.screen, seen.watching) == (True, 0)
    assert not view(driver.table, driver.present - {guest("Screen")}).screen


def test_screen_by_link_goes_again_unless_the_table_is_locked() -> None:
    driver = TableDriver(starter=0).seated("Ada", "Ben").started()
    driver.screens.add("TV")
    assert "again" not in driver.may("TV")
    driver.play_round()
    assert "again" in driver.may("TV")
    assert not {"again", "start"} & driver.may("Eva")  # she watches without a screen
    assert driver.refusal("Eva", do.Again(deal=True)) == "not_seated"
    driver.send("Ada", do.Lock(True))
    assert driver.refusal("TV", do.Again(deal=True)) == "not_seated"
    driver.send("Ada", do.Lock(False))
    driver.send("TV", do.Again(deal=True))
    assert driver.stage() == "play"
    driver.play_round()
    driver.screens.add("Ben")  # his laptop shows the table: it votes for his seat only
    driver.send("Ben", do.Again(deal=True))
    assert (driver.stage(), driver.table.again) == ("over", (1,))


def test_big_screen_deals_the_next_match_without_a_vote() -> None:
    driver = TableDriver("Screen", screen=True, starter=0).seated("Ada", "Ben")
    driver.send("Screen", do.Start())
    driver.play_round()
    driver.send("Screen", do.Again(deal=True))
    assert driver.stage() == "play"
    driver.play_round()
    driver.away.add("Ben")  # the lobby asks whether to play without him
    driver.send("Screen", do.Again(deal=True))
    assert driver.stage() == "lobby"


def test_r12_2_verdict_of_ended_match_is_final() -> None:
    driver = TableDriver(claims="spoken", rounds="each").seated("Ada", "Ben", "Cem").started()
    driver.play_round()
    driver.send("Ada", do.EndMatch())
    assert not driver.table.correctable
    assert "judge" not in driver.may("Ben")


def test_spectators_send_emotes_if_applause_is_allowed() -> None:
    driver = TableDriver().seated("Ada", "Ben")
    driver.people.add("Eva")
    assert "emote" in driver.may("Eva")
    assert driver.send("Eva", do.Emote("clap")) == (Applauded("clap"),)
    assert driver.refusal("Eva", do.Emote("boo")) == "unknown_emote"
    assert driver.refusal("Eva", do.Emote("clap", seat=0)) == "not_seated"
    driver.send("Ada", do.SetOptions({"applause": False}))
    assert "emote" not in driver.may("Eva")
    assert driver.refusal("Eva", do.Emote("clap")) == "not_seated"
    assert "emote" in driver.may("Ben")
