"""Memory metrics and the report."""

import json
from pathlib import Path

import pytest

from notahat.bots.character import NEUTRAL
from notahat.bots.level import levels
from notahat.bots.player import Player
from notahat.cli import main
from notahat.gifts import cards
from notahat.rules.round import Giving
from notahat_lab.game import play_out
from notahat_lab.report.memory_metrics import (
    AGES,
    Claim,
    MemoryRecorder,
    Probe,
    cohens_d,
    forgetting,
    measure_memory,
)
from notahat_lab.report.report import page
from notahat_lab.report.targets import TargetResult, _thinking, _wrong_claims


def test_forgetting_counts_right_probes_by_age() -> None:
    probes = [Probe(12.0, True), Probe(15.0, False), Probe(30.0, True), Probe(100.0, False), Probe(9.0, True)]
    assert forgetting(probes) == [(1, 2), (1, 1), (0, 0), (0, 1)]
    assert len(AGES) == 4


def claim(seconds: float, true: bool) -> Claim:
    return Claim(seconds, true, in_play=True, look_alike=False, chance=0.0)


def test_cohens_d_of_false_and_true_claims() -> None:
    claims = [claim(s, True) for s in (1.0, 2.0, 3.0)] + [claim(s, False) for s in (2.0, 3.0, 4.0)]
    assert cohens_d(claims) == pytest.approx(1.0 / (2 / 3) ** 0.5)
    assert cohens_d([claim(1.0, True)]) == 0.0


def test_memories_fade_and_some_claims_are_wrong() -> None:
    found = measure_memory("goldfish", 5, range(12))
    (soon_right, soon), *_, (late_right, late) = forgetting(found.probes)
    assert soon_right / soon > late_right / late
    wrong = [one for one in found.claims if not one.true]
    assert 0.1 < len(wrong) / len(found.claims) < 0.6
    assert sum(one.in_play for one in wrong) / len(wrong) > 0.6


def test_each_probe_has_its_own_noise() -> None:
    """Otherwise a bystander would be right again because of the same noise, not because of its memory."""
    found = []
    for seed in range(6):
        players = [Player(levels()["goldfish"], seat, 10 * seed + seat, NEUTRAL) for seat in range(4)]
        played = play_out(players, cards("classic"), cap=20)
        if type(played.round.phase) is not Giving:
            continue
        for recorder in (MemoryRecorder([player]) for player in players):
            for second in range(200):
                recorder(played.round, (), float(second))
            found.append({probe.right for probe in recorder.probes})
    assert {True, False} in found


def test_targets_without_data_fail_without_crashing() -> None:
    claims = [one for one in measure_memory("regular", 33, range(1)).claims if one.true]
    results = [_thinking("regular", claims), *_wrong_claims("regular", [])]
    assert [(line.figure, line.holds) for line in results] == [("never asked", False)] * 3


def test_report_contains_every_target_on_every_seed(tmp_path: Path) -> None:
    few = ["--games", "1", "--jobs", "1", "--seed", "5", "--further", "6", "--out", str(tmp_path)]
    assert main(["lab", "report", *few]) == 0
    lines, further = (json.loads((tmp_path / name).read_text()) for name in ("figures.json", "figures-6.json"))
    assert len(lines) > 80
    assert {"what", "target", "figure", "holds"} == set(lines[0])
    assert [line["what"] for line in further] == [line["what"] for line in lines]
    assert [line["figure"] for line in further] != [line["figure"] for line in lines]
    written = (tmp_path / "report.md").read_text("utf-8")
    assert all(line["what"] in written for line in lines)
    assert all(line["figure"] in written for line in further)


def test_page_shows_failures() -> None:
    written = page([TargetResult("a", "1", "1", True), TargetResult("b", "2", "3", False)], 10, 1)
    assert "1 of 2 targets hold" in written
    assert "| b | 2 | 3 | **no** |" in written
    assert "further" not in written


def test_page_has_a_column_for_each_further_seed() -> None:
    found = [TargetResult("a", "1", "1", True)]
    written = page(found, 10, 1, {6: found, 8: [TargetResult("a", "1", "2", False)]})
    assert "| what | target | 6 | 8 |" in written
    assert "| a | 1 | 1 | **2** |" in written
