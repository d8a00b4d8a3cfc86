"""Write the report: the results of all targets as JSON and as a Markdown page."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from notahat_lab.report.result_cache import ResultCache
from notahat_lab.report.targets import TargetResult, measure_targets

_PAGE = """\
# How well the computer players play

Made by `notahat lab report --games {games} --seed {seed}`; {holding} of {count} targets hold. Intervals are 95 %
intervals. Durations are those of a table at its normal pace (`live/pace.py`). The players were tuned on seeds below
1000; docs/bots.md lists all seeds used so far. All games go to each table of four of a level, to each level against
the one below it (also in each variant) and against the exploits, to each dial and to the liars' tables; half of them
to each pace of people, a quarter to each temper, an eighth to the rest. Results near their limits get 4 to 16 times
as many games, on every seed (`report/result_cache.py`). A shared win is split; a game that reaches the cap of 400
passes counts for the leaders.

| what | target | figure | holds |
|---|---|---|---|
{rows}
"""


def make_report(
    games: int, seed: int, jobs: int | None, folder: Path, page_file: Path | None, progress: Callable[[int], None]
) -> Sequence[TargetResult]:
    """Measure all targets, write the figures into a folder, and write the page."""
    folder.mkdir(parents=True, exist_ok=True)
    results = list(measure_targets(ResultCache(games, seed, jobs, progress)))
    (folder / "figures.json").write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    (page_file or folder / "report.md").write_text(page(results, games, seed), "utf-8")
    return results


def page(measured: Sequence[TargetResult], games: int, seed: int) -> str:
    """Return the report as a Markdown page."""
    rows = [f"| {one.what} | {one.target} | {one.figure} | {'yes' if one.holds else '**no**'} |" for one in measured]
    holding = sum(one.holds for one in measured)
    return _PAGE.format(games=games, seed=seed, holding=holding, count=len(measured), rows="\n".join(rows))
