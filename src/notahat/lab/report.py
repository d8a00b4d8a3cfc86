"""The report: every target measured, plots, and a page made from them."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from notahat.lab.plot import PLOTS, draw
from notahat.lab.result_cache import Bench
from notahat.lab.targets import Line, lines


def make_report(
    games: int,
    seed: int,
    jobs: int | None,
    folder: Path,
    written: Path | None,
    progress: Callable[[int], None],
    further: Sequence[int] = (),
) -> Sequence[Line]:
    """Measure everything, draw the plots into a folder and write the page."""
    folder.mkdir(parents=True, exist_ok=True)
    bench = Bench(games, seed, jobs, progress)
    measured = _kept(list(lines(bench)), folder / "figures.json")
    draw(bench, folder)
    others = {
        one: _kept(list(lines(Bench(games, one, jobs, progress))), folder / f"figures-{one}.json") for one in further
    }
    target = written or folder / "report.md"
    target.write_text(page(measured, games, seed, os.path.relpath(folder, target.parent), others), "utf-8")
    return measured


def _kept(measured: list[Line], file: Path) -> list[Line]:
    file.write_bytes(msgspec.json.format(msgspec.json.encode(measured), indent=1) + b"\n")
    return measured


def page(
    measured: Sequence[Line], games: int, seed: int, folder: str, further: Mapping[int, Sequence[Line]] | None = None
) -> str:
    """The report as a page of its own, with the plots that lie in a folder."""
    further = further or {}
    also = f" --further {' '.join(map(str, further))}" if further else ""
    rows = [
        f"| {line.what} | {line.target} | {line.figure} | {'yes' if line.holds else '**no**'} |" for line in measured
    ]
    plots = [f"## {title}\n\n![{title}]({folder}/{name}.svg)\n" for name, title in PLOTS.items()]
    return "\n".join(
        [
            "# How well the computer players play\n",
            f"Made by `notahat lab report --games {games} --seed {seed}{also}`; {_held(measured)} Intervals are",
            "95 % intervals. Durations are those of a table at its normal pace (`live/pace.py`). The players were",
            "tuned on seeds below 1000; docs/bots.md says which were looked at, and what is known of what fails. So",
            "many games went to each table of four of a level, to each level against the one below it and against who",
            "accepts everything, and to the liar's tables; half as many to each pace of people, an eighth to all else.",
            "What lies near its limit is played more often than its like, on every seed: a level against the one",
            "below and what elephants think eight times; four elephants, what regular players think, goldfish at the",
            "liar's tables, always-accept against goldfish, and one of a level among six or eight, four times.",
            "A shared win is split; where the cap of 400 passes ended a game, whoever was in the lead won.\n",
            "| what | target | figure | holds |",
            "|---|---|---|---|",
            *rows,
            "",
            *_further(further),
            *plots,
        ]
    )


def _held(measured: Sequence[Line]) -> str:
    return f"{sum(line.holds for line in measured)} of {len(measured)} targets hold."


def _further(further: Mapping[int, Sequence[Line]]) -> list[str]:
    """The same on other seeds, one column each; what does not hold is in bold."""
    if not further:
        return []
    told = " ".join(f"On {seed} {_held(found)}" for seed, found in further.items())
    rows = [
        f"| {found[0].what} | {found[0].target} | "
        + " | ".join(line.figure if line.holds else f"**{line.figure}**" for line in found)
        + " |"
        for found in zip(*further.values(), strict=True)
    ]
    return [
        f"## On {len(further)} further seeds\n",
        f"In as many games. {told} What does not hold is in bold.\n",
        f"| what | target | {' | '.join(map(str, further))} |",
        "|---|---|" + "---|" * len(further),
        *rows,
        "",
    ]
