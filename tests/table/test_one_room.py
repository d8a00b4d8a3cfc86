"""People in one room: one device for several, a big screen, those who look on, and verdicts that are corrected."""

import pytest

from notahat.table import commands as do
from notahat.table import may, view, welcome
from notahat.table.events import Applauded, TookBack
from notahat.table.shown import HostChanged, LobbyAgain, SatDown
from notahat.table.story import finished
from support.tables import Sitting, guest


def judged_to_the_end(sitting: Sitting) -> Sitting:
    """Every claim is refused, and every giver judged to be wrong."""
    while sitting.stage() == "play":
        sitting.draw_and_wrap()
        sitting.give(None)
        sitting.answer(accepts=False)
        sitting.does("Ada", do.Judge(sitting.turn, "giver"))
    return sitting


def on_a_tablet(*names: str, **options: object) -> Sitting:
    """Everybody on one device."""
    sitting = Sitting("Tablet", **{"claims": "spoken", "starter": 0, **options})  # type: ignore[arg-type]
    for name in names:
        sitting.does("Tablet", do.Sit(name))
    sitting.does("Tablet", do.Start())
    return sitting


@pytest.mark.parametrize(("rounds", "stage"), [("each", "between"), ("one", "over")])
def test_r12_2_a_hasty_verdict_is_corrected_also_the_one_that_ended_the_round(rounds: str, stage: str) -> None:
    sitting = Sitting(claims="spoken", starter=0, rounds=rounds).seated("Ada", "Ben", "Cem").started()
    judged_to_the_end(sitting)
    assert sitting.stage() == stage
    assert sitting.table.correctable
    (offered,) = (one for one in may(sitting.table, guest("Cem"), sitting.present) if one.do == "judge")
    assert offered.wrong == ("receiver",)
    sitting.does("Cem", do.Judge(sitting.turn, "receiver"))
    assert sitting.stage() == "play"
    assert max(view(sitting.table, sitting.present).round.scores) == 2  # type: ignore[union-attr]
    assert sitting.table.correctable
    sitting.does(sitting.name_at(sitting.table.round.phase.giver), do.Draw(sitting.turn))  # type: ignore[union-attr]
    assert not sitting.table.correctable


@pytest.mark.parametrize("rounds", ["each", "one"])
def test_r12_2_a_story_waits_until_its_verdict_cannot_be_corrected(rounds: str) -> None:
    sitting = Sitting(claims="spoken", starter=0, rounds=rounds).seated("Ada", "Ben", "Cem").started()
    judged_to_the_end(sitting)
    assert not finished(sitting.table, 1)
    assert not view(sitting.table, sitting.present).match.story  # type: ignore[union-attr]
    assert "ready" in sitting.may("Ben")
    sitting.does("Ben", do.Ready())
    assert finished(sitting.table, 1)
    assert view(sitting.table, sitting.present).match.story  # type: ignore[union-attr]
    assert "judge" not in sitting.may("Cem")
    assert sitting.refusal("Cem", do.Judge(sitting.turn, "receiver")) == "round_over"


@pytest.mark.parametrize(
    ("rounds", "goes_on"), [("each", do.Ready()), ("one", do.Ready()), ("one", do.Again(deal=True))]
)
def test_r9_5_a_round_whose_story_could_be_read_never_goes_on(rounds: str, goes_on: do.Ready | do.Again) -> None:
    sitting = Sitting(claims="spoken", starter=0, rounds=rounds).seated("Ada", "Ben", "Cem").started()
    judged_to_the_end(sitting)
    sitting.does("Cem", goes_on)
    sitting.does("Cem", do.Leave())
    assert finished(sitting.table, 1)
    assert "judge" not in sitting.may("Ada")
    assert sitting.refusal("Ada", do.Judge(sitting.turn, "receiver")) == "round_over"


def test_r12_2_a_verdict_of_the_next_round_is_corrected_as_ever() -> None:
    sitting = judged_to_the_end(Sitting(claims="spoken", starter=0, rounds="each").seated("Ada", "Ben").started())
    sitting.does("Ada", do.Ready())
    sitting.does("Ben", do.Ready())
    assert judged_to_the_end(sitting).table.dealt == 2
    assert sitting.table.correctable


def test_r12_2_what_the_host_broke_off_is_not_corrected() -> None:
    sitting = judged_to_the_end(Sitting(claims="spoken", rounds="each").seated("Ada", "Ben", "Cem").started())
    sitting.does("Ada", do.EndMatch())
    assert not sitting.table.correctable
    assert "judge" not in sitting.may("Ben")


def test_several_on_one_device_leave_and_take_their_seats_again_one_by_one() -> None:
    sitting = on_a_tablet("Mum", "Dad", "Zoe")
    sitting.does("Tablet", do.Leave(1))
    sitting.does("Tablet", do.Leave(2))
    assert sitting.does("Tablet", do.Sit("Zoe")) == (TookBack(2),)
    assert [seat.gone for seat in sitting.table.seats] == [False, True, False]
    assert sitting.does("Tablet", do.Sit("somebody")) == (TookBack(1),)


def test_several_on_one_device_are_renamed_one_by_one() -> None:
    sitting = on_a_tablet("Mum", "Dad", "Zoe")
    sitting.does("Tablet", do.Rename("Daddy", 1))
    assert [seat.name for seat in sitting.table.seats] == ["Mum", "Daddy", "Zoe"]


def test_whoever_sits_down_first_at_a_big_screen_is_the_host() -> None:
    sitting = Sitting("Screen", screen=True)
    assert "start" not in sitting.may("Screen")  # nobody is there
    assert sitting.does("Ada", do.Sit("Ada")) == (SatDown(0, "Ada", "person"), HostChanged(0))
    assert "set_options" in sitting.may("Ada")
    sitting.seated("Ben")
    assert view(sitting.table, sitting.present).host == 0
    assert "lock" not in sitting.may("Screen")


def test_the_big_screen_can_start_and_go_on_too() -> None:
    sitting = Sitting("Screen", screen=True, rounds="each", starter=0).seated("Ada", "Ben")
    assert "start" in sitting.may("Screen")
    assert "start" not in sitting.may("Ben")
    sitting.does("Screen", do.Start())
    sitting.play_round()
    sitting.does("Screen", do.Start())
    sitting.play_round()
    assert sitting.does("Screen", do.Again()) == (LobbyAgain(),)


def test_a_big_screen_that_everybody_has_left_waits_for_the_next_host() -> None:
    sitting = Sitting("Screen", screen=True).seated("Ada")
    sitting.does("Ada", do.Leave())
    sitting.does("Ben", do.Sit("Ben"))
    assert sitting.table.host == guest("Ben")


def test_a_big_screen_is_no_spectator() -> None:
    sitting = Sitting("Screen", screen=True, spectators=False).seated("Ada", "Ben").started()
    assert welcome(sitting.table, guest("Screen")) is None
    assert welcome(sitting.table, guest("Eva")) == "no_spectators"
    seen = view(sitting.table, sitting.present)
    assert (seen.screen, seen.watching) == (True, 0)
    assert not view(sitting.table, sitting.present - {guest("Screen")}).screen


def test_those_who_watch_applaud_where_the_host_allows_it() -> None:
    sitting = Sitting().seated("Ada", "Ben")
    sitting.people.add("Eva")
    assert "emote" in sitting.may("Eva")
    assert sitting.does("Eva", do.Emote("clap")) == (Applauded("clap"),)
    assert sitting.refusal("Eva", do.Emote("boo")) == "unknown_emote"
    assert sitting.refusal("Eva", do.Emote("clap", 0)) == "not_seated"
    sitting.does("Ada", do.SetOptions({"applause": False}))
    assert "emote" not in sitting.may("Eva")
    assert sitting.refusal("Eva", do.Emote("clap")) == "not_seated"
    assert "emote" in sitting.may("Ben")
