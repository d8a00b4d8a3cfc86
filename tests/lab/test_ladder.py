"""The ladder: duplicate deals, ratings that depend on nothing else, and results that follow from the traces."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from msgspec import structs

from notahat.cli import main
from notahat.lab.errors import LabError
from notahat.lab.ladder import LadderSetup, check, companies, play_ladder, rate, read_traces
from notahat.rules.notation import read

SETUP = LadderSetup(("goldfish", "perfect", "always-refuse", "random"), games=24, seed=3)


def test_results_can_be_derived_again_from_traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["lab", "ladder", "--entries", ",".join(SETUP.entries), "--games", "24", "--seed", "3", "--jobs", "1"]
    assert main([*out, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert main(["lab", "ladder", "--check", str(tmp_path / "traces.jsonl")]) == 0
    assert capsys.readouterr().out == printed
    traces = read_traces(tmp_path / "traces.jsonl")
    assert traces == list(play_ladder(SETUP))  # another run gives the same games, and so the same ratings
    page = (tmp_path / "index.html").read_text("utf-8")
    assert page.count("<details>") == 24
    assert all(f"{one.rating:.2f}" in page for one in rate(traces))
    with pytest.raises(LabError, match="ends"):
        check([structs.replace(traces[0], scores=(9, 9, 9, 9))])
    with pytest.raises(LabError, match="other moves"):
        check([structs.replace(traces[0], seats=("random",) * 4)])


def test_every_deal_is_played_once_from_each_seat() -> None:
    traces = list(play_ladder(SETUP))
    for deal in range(6):
        games = [trace for trace in traces if trace.deal == deal]
        assert len({read(game.notation)[0].cards for game in games}) == 1
        assert all(len({game.seats[seat] for game in games}) == 4 for seat in range(4))
    assert rate(traces)[0].name == "perfect"


def test_all_entries_meet_equally_often() -> None:
    tables = companies(tuple("abcdefg"), 4, seed=1)
    met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert len(met) == 21
    assert len(set(met.values())) == 1


def test_ladder_refuses_unknown_and_repeated_entries(capsys: pytest.CaptureFixture[str]) -> None:
    for entries in ("casual", "casual,casual", "casual,nobody"):
        assert main(["lab", "ladder", "--entries", entries, "--games", "1"]) == 2
    assert "nobody" in capsys.readouterr().err
