"""Exported decisions agree with the games."""

import csv
from pathlib import Path

from pyarrow import parquet

from notahat.bots.memory import catalogue_look_alikes
from notahat.cli import main
from notahat_lab.export import Decision, from_arena
from notahat_lab.tournament import Setup, game_stats, play_game

SETUP = Setup(("goldfish", "casual", "always-accept", "elephant"), seed=3)


def test_every_claim_and_every_answer_is_a_row() -> None:
    rows = list(from_arena(SETUP, games=12, jobs=1))
    for number in range(12):
        here = [row for row in rows if row.game == f"3/{number}"]
        stats = game_stats(SETUP, play_game(SETUP, number), number)
        gives, answers = ([row for row in here if row.kind == kind] for kind in ("give", "answer"))
        assert len(gives) == stats.passes == len(answers)
        assert sum(row.outcome == "giver_wrong" for row in answers) == stats.right
        assert sum(row.outcome.endswith("wrong") for row in answers) == stats.refusals
        assert [row.turn for row in here] == sorted(row.turn for row in here)
        for give, answer in zip(gives, answers, strict=True):
            assert (give.claim, give.truth, give.outcome) == (answer.claim, answer.truth, answer.outcome)
            assert give.passes_since_seen == answer.passes_since_seen
            assert 0 < give.seconds_since_seen < answer.seconds_since_seen
            assert give.outcome != ("giver_wrong" if give.claim == give.truth else "receiver_wrong")
            assert give.look_alike == (give.claim in catalogue_look_alikes()[give.truth])
    assert {row.player for row in rows} == set(SETUP.seats)
    assert all(row.believed is None for row in rows if row.player == "always-accept")
    said = [row for row in rows if row.kind == "give" and row.player == "elephant"]
    assert sum(row.believed is None for row in said) < 0.1 * len(said)
    assert sum(row.believed == row.claim for row in said) > 0.8 * len(said)
    assert any(row.passes_since_seen > 10 for row in rows)
    assert rows[0].passes_since_seen == 0


def test_parquet_and_csv_have_the_same_content(tmp_path: Path) -> None:
    files = [tmp_path / "rows.csv", tmp_path / "rows.parquet"]
    for file in files:
        assert main(["lab", "export", "--games", "2", "--jobs", "1", "--seed", "4", "--out", str(file)]) == 0
    with files[0].open(encoding="utf-8", newline="") as lines:
        text = list(csv.DictReader(lines))
    table = parquet.read_table(files[1])
    assert tuple(table.column_names) == Decision.__struct_fields__ == tuple(text[0])
    assert [
        {name: "" if value is None else str(value) for name, value in row.items()} for row in table.to_pylist()
    ] == text


def test_documentation_lists_every_column() -> None:
    page = (Path(__file__).parents[1] / "docs/export.md").read_text("utf-8")
    for name in Decision.__struct_fields__:
        assert f"| `{name}` |" in page


def test_rows_tell_the_situation_of_the_decision() -> None:
    setup = Setup(("casual",) * 3, seed=5, edition="special", gifts=2)
    rows = list(from_arena(setup, games=6, jobs=1))
    assert {(row.by, row.gifts_each, row.edition, row.pace) for row in rows} == {("bot", 2, "special", "normal")}
    assert {row.back for row in rows} == {"left", "right", "any"}
    for row in rows:
        assert row.seat == (row.giver if row.kind == "give" else row.receiver)
        step = {"left": 1, "right": -1}.get(row.back)
        assert step is None or row.receiver == (row.giver + step) % 3
        assert len(row.scores.split("/")) == 3
    for give, answer in zip(rows[::2], rows[1::2], strict=True):
        assert (give.giver, give.receiver, give.back, give.scores) == (
            answer.giver,
            answer.receiver,
            answer.back,
            answer.scores,
        )


def test_exposures_are_the_showing_and_the_claims() -> None:
    rows = [row for row in from_arena(SETUP, games=6, jobs=1) if row.kind == "give"]
    named: dict[tuple[str, str], int] = {}
    for row in rows:
        times = [float(time) for time in row.exposure_seconds.split("/")]
        assert len(times) == row.exposures == 1 + named.get((row.game, row.truth), 0)
        assert times == sorted(times)
        if row.turn < 3:
            assert times[0] == 0, "open since the deal, in a column or on top of the shop"
        named[row.game, row.claim] = named.get((row.game, row.claim), 0) + 1
    assert max(row.exposures for row in rows) > 2
