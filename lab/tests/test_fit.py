"""The fit recovers the parameters of a simulated memory."""

from pathlib import Path

import pytest

from notahat.cli import main
from notahat_lab.errors import LabError
from notahat_lab.export import Decision, from_arena, write_decisions
from notahat_lab.fit import Parameters, answers, fit, read_decisions, simulate
from notahat_lab.tournament import Setup

TRUTH = Parameters(decay=0.5, noise=0.35, threshold=-1.0)


@pytest.fixture(scope="module")
def played() -> list[Decision]:
    return list(from_arena(Setup(("goldfish",) * 4, seed=5), games=40, jobs=1))


def test_fit_recovers_a_simulated_memory(played: list[Decision], tmp_path: Path) -> None:
    """With 200 games all three are within 10 % (docs/export.md); here a few games, and wider bounds."""
    asked = simulate(played, TRUTH, seed=1)
    found = fit(asked)
    assert found.answers == len(played) > 1000
    assert found.best.decay == pytest.approx(TRUTH.decay, rel=0.25)
    assert found.best.noise == pytest.approx(TRUTH.noise, rel=0.25)
    assert found.best.threshold == pytest.approx(TRUTH.threshold, rel=0.4)
    assert 0 < found.margin.decay < 0.2
    for name in ("a.csv", "a.parquet"):
        write_decisions(asked, tmp_path / name)
        assert read_decisions(tmp_path / name) == asked


def test_only_answers_count_where_people_were_asked(played: list[Decision]) -> None:
    asked = simulate(played[:100], TRUTH, seed=1)
    assert answers([*asked, *played[100:]]) == asked
    assert answers(played) == played


def test_fit_refuses_what_cannot_be_fitted(played: list[Decision], capsys: pytest.CaptureFixture[str]) -> None:
    for rows in (played[:10], simulate(played[:80], Parameters(0.5, 0.1, 50.0), seed=1)):
        with pytest.raises(LabError):
            fit(rows)
    assert main(["lab", "fit"]) == 2
    assert main(["lab", "fit", "none.csv"]) == 2
    assert "none.csv" in capsys.readouterr().err
