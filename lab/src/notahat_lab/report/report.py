"""Write the report: the results of all targets as JSON and as a Markdown page."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from notahat_lab.report.result_cache import ResultCache
from notahat_lab.report.targets import TargetResult, measure_targets


def make_report(
    games: int,
    seed: int,
    jobs: int | None,
    folder: Path,
    page_file: Path | None,
    progress: Callable[[int], None],
    further: Sequence[int] = (),
) -> Sequence[TargetResult]:
    """Measure all targets, write the figures into a folder, and write the page."""
    folder.mkdir(parents=True, exist_ok=True)
    cache = ResultCache(games, seed, jobs, progress)
    measured = _measure(cache, folder / "figures.json")
    others = {one: _measure(ResultCache(games, one, jobs, progress), folder / f"figures-{one}.json") for one in further}
    target = page_file or folder / "report.md"
    target.write_text(page(measured, games, seed, others), "utf-8")
    return measured


def _measure(cache: ResultCache, file: Path) -> list[TargetResult]:
    results = list(measure_targets(cache))
    file.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=1) + b"\n")
    return results


def page(
    measured: Sequence[TargetResult],
    games: int,
    seed: int,
    further: Mapping[int, Sequence[TargetResult]] | None = None,
) -> str:
    """Return the report as a Markdown page."""
    further = further or {}
    also = f" --further {' '.join(map(str, further))}" if further else ""
    rows = [
        f"| {line.what} | {line.target} | {line.figure} | {'yes' if line.holds else '**no**'} |" for line in measured
    ]
    return "\n".join(
        [
            "# How well the computer players play\n",
            f"Made by `notahat lab report --games {games} --seed {seed}{also}`; {_summary(measured)} Intervals are",
            "95 % intervals. Durations are those of a table at its normal pace (`live/pace.py`). The players were",
            "tuned on seeds below 1000; docs/bots.md lists all seeds used so far and the targets that are close to",
            "their limits. All games go to each table of four of a level, to each level against the one below it (also",
            "in each variant) and against the exploits, and to the liars' tables; half of them to each pace of people,",
            "a quarter to each temper, an eighth to the rest. Results near their limits get more games, on every",
            "seed. Sixteen times as many: a level against the one below. Eight times as many: claims, refusals and",
            "memory of elephants. Four times as many: four elephants, claims, refusals and memory of other levels,",
            "goldfish at the liar's tables, always-accept, last-name-doubter, and a level against the one below",
            "with eight players. A shared win is split; a game that reaches the cap of",
            "400 passes counts for the leaders.\n",
            "| what | target | figure | holds |",
            "|---|---|---|---|",
            *rows,
            "",
            *_further(further),
        ]
    )


def _summary(measured: Sequence[TargetResult]) -> str:
    return f"{sum(line.holds for line in measured)} of {len(measured)} targets hold."


def _further(further: Mapping[int, Sequence[TargetResult]]) -> list[str]:
    """Return the results on other seeds, one column each, with failures in bold."""
    if not further:
        return []
    summaries = " ".join(f"On {seed} {_summary(found)}" for seed, found in further.items())
    rows = [
        f"| {found[0].what} | {found[0].target} | "
        + " | ".join(line.figure if line.holds else f"**{line.figure}**" for line in found)
        + " |"
        for found in zip(*further.values(), strict=True)
    ]
    return [
        f"## On {len(further)} further seeds\n",
        f"With the same number of games. {summaries} Targets that fail are in bold.\n",
        f"| what | target | {' | '.join(map(str, further))} |",
        "|---|---|" + "---|" * len(further),
        *rows,
        "",
    ]
