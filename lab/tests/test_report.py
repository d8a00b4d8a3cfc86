"""Memory metrics and the report."""

import json
from pathlib import Path

from notahat.cli import main
from notahat_lab.report.memory_metrics import (
    AGES,
    Probe,
    forgetting,
    measure_memory,
)
from notahat_lab.report.report import page
from notahat_lab.report.targets import TargetResult, _thinking, _wrong_claims


def test_forgetting_counts_right_probes_by_age() -> None:
    probes = [Probe(12.0, True), Probe(15.0, False), Probe(30.0, True), Probe(100.0, False), Probe(9.0, True)]
    assert forgetting(probes) == [(1, 2), (1, 1), (0, 0), (0, 1)]
    assert len(AGES) == 4


def test_memories_fade_and_some_claims_are_wrong() -> None:
    found = measure_memory("goldfish", 5, range(12))
    (soon_right, soon), *_, (late_right, late) = forgetting(found.probes)
    assert soon_right / soon > late_right / late
    wrong = [one for one in found.claims if not one.true]
    assert 0.1 < len(wrong) / len(found.claims) < 0.6
    assert sum(one.in_play for one in wrong) / len(wrong) > 0.6


def test_targets_without_data_fail_without_crashing() -> None:
    claims = [one for one in measure_memory("regular", 33, range(1)).claims if one.true]
    results = [_thinking("regular", claims), *_wrong_claims("regular", [])]
    assert [(line.figure, line.holds) for line in results] == [("never asked", False)] * 3


def test_report_contains_every_target(tmp_path: Path) -> None:
    assert main(["lab", "report", "--games", "1", "--jobs", "1", "--seed", "5", "--out", str(tmp_path)]) == 0
    lines = json.loads((tmp_path / "figures.json").read_text())
    assert len(lines) > 80
    assert {"what", "target", "figure", "holds"} == set(lines[0])
    written = (tmp_path / "report.md").read_text("utf-8")
    assert all(line["what"] in written and line["figure"] in written for line in lines)


def test_page_shows_failures() -> None:
    written = page([TargetResult("a", "1", "1", True), TargetResult("b", "2", "3", False)], 10, 1)
    assert "1 of 2 targets hold" in written
    assert "| b | 2 | 3 | **no** |" in written
