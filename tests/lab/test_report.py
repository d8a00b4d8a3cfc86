"""Measuring, reporting and watching."""

import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from notahat.bots.character import NOBODY
from notahat.bots.level import levels
from notahat.bots.player import Player
from notahat.cli import main
from notahat.gifts import cards
from notahat.lab.game import play_out
from notahat.lab.memory_metrics import AGES, Claim, Probe, Study, forgetting, skew, slower, study
from notahat.lab.report import page
from notahat.lab.targets import Line, _thinking, _wrong_claims
from notahat.lab.tournament import Setup
from notahat.lab.watch import watch
from notahat.rules.round import Giving


def test_forgetting_counts_who_was_right_again_by_age() -> None:
    probes = [Probe(12.0, True), Probe(15.0, False), Probe(30.0, True), Probe(100.0, False), Probe(9.0, True)]
    assert forgetting(probes) == [(1, 2), (1, 1), (0, 0), (0, 1)]
    assert len(AGES) == 4


def claim(seconds: float, true: bool) -> Claim:
    return Claim(seconds, true, in_play=True, look_alike=False, chance=0.0)


def test_slower_is_cohens_d() -> None:
    claims = [claim(s, True) for s in (1.0, 2.0, 3.0)] + [claim(s, False) for s in (2.0, 3.0, 4.0)]
    assert slower(claims) == pytest.approx(1.0 / (2 / 3) ** 0.5)
    assert slower([claim(1.0, True)]) == 0.0


def test_a_long_tail_to_the_right_is_a_positive_skew() -> None:
    assert skew([1, 1, 1, 1, 9]) > 0 > skew([9, 9, 9, 9, 1])


def test_a_study_finds_memories_that_fade_and_claims_that_are_wrong() -> None:
    found = study("goldfish", games=12, seed=5)
    (soon_right, soon), *_, (late_right, late) = forgetting(found.probes)
    assert soon_right / soon > late_right / late
    wrong = [one for one in found.claims if not one.true]
    assert 0.1 < len(wrong) / len(found.claims) < 0.6
    assert sum(one.in_play for one in wrong) / len(wrong) > 0.7
    assert skew([one.seconds for one in found.claims]) > 0


def test_a_study_asks_with_fresh_noise_each_time() -> None:
    """Else a bystander who was right a moment ago would be right again for the same luck, not for what it remembers."""
    players = [Player(levels()["goldfish"], seat, seat, NOBODY) for seat in range(4)]
    played = play_out(players, cards("classic"), cap=20)
    assert type(played.round.phase) is Giving
    studies = [Study([player]) for player in players]
    for second in range(200):
        for asked in studies:
            asked(played.round, (), float(second))
    assert {True, False} in [{probe.right for probe in asked.probes} for asked in studies]


def test_what_never_happened_in_few_games_holds_nothing_and_breaks_nothing() -> None:
    claims = study("regular", games=1, seed=33).claims
    assert all(one.true for one in claims)
    lines = [_thinking("regular", claims), *_wrong_claims("regular", [])]
    assert [(line.figure, line.holds) for line in lines] == [("never asked", False)] * 3


def test_r9_6_a_game_that_is_stopped_says_so() -> None:
    out = StringIO()
    watch(Setup(("perfect",) * 4, seed=1, cap=20), Console(file=out, width=200))
    assert out.getvalue().splitlines()[-1].startswith("stopped after 20 passes")


def test_the_report_measures_every_line_and_draws_every_plot(tmp_path: Path) -> None:
    few = ["--games", "1", "--jobs", "1", "--seed", "5", "--further", "6", "--out", str(tmp_path)]
    assert main(["lab", "report", *few]) == 0
    lines = json.loads((tmp_path / "figures.json").read_text())
    assert len(lines) > 80
    assert {"what", "target", "figure", "holds"} == set(lines[0])
    for plot in ("win-share", "forgetting", "thinking", "length"):
        assert (tmp_path / f"{plot}.svg").stat().st_size > 1000
        assert (tmp_path / f"{plot}.png").stat().st_size > 1000
    written = (tmp_path / "report.md").read_text("utf-8")
    assert all(line["what"] in written for line in lines)
    assert "| what | target | 6 |" in written
    assert len(json.loads((tmp_path / "figures-6.json").read_text())) == len(lines)


def test_without_matplotlib_the_report_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("notahat.lab.report", "notahat.lab.plot"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["lab", "report", "--games", "1"]) == 2
    assert "pip install" in (said := capsys.readouterr().err)
    assert "matplotlib>=" in said


def test_a_page_tells_failures_too() -> None:
    written = page([Line("a", "1", "1", True), Line("b", "2", "3", False)], 10, 1, "plots")
    assert "1 of 2 targets hold" in written
    assert "| b | 2 | 3 | **no** |" in written
    assert "further" not in written


def test_the_report_has_a_column_for_each_further_seed() -> None:
    found = [Line("a", "1", "1", True)]
    written = page(found, 10, 1, "plots", {6: found, 8: [Line("a", "1", "2", False)]})
    assert "| what | target | 6 | 8 |" in written
    assert "| a | 1 | 1 | **2** |" in written


def test_watching_shows_the_truth_and_what_everyone_believes() -> None:
    console = Console(record=True, width=140, file=StringIO())
    watch(Setup(("goldfish", "perfect", "casual/dolores", "elephant"), seed=4, gifts=2), console)
    shown = console.export_text()
    assert "truth" in shown
    assert "casual/dolores" in shown
    assert "I have a nice" in shown
    assert " won, " in shown
    assert "%" in shown


def test_the_watch_command_plays_to_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "watch", "--seats", "goldfish,goldfish,goldfish", "--seed", "2"]) == 0
    assert " won, " in capsys.readouterr().out
