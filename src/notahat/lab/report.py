"""The report: every target measured, plots, and a page made from them."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from notahat.lab.bench import Bench
from notahat.lab.plot import PLOTS, draw
from notahat.lab.targets import Line, lines


def make_report(
    games: int, seed: int, jobs: int | None, folder: Path, written: Path | None, progress: Callable[[int], None]
) -> Sequence[Line]:
    """Measure everything, draw the plots into a folder and write the page."""
    bench = Bench(games, seed, jobs, progress)
    measured = list(lines(bench))
    draw(bench, folder)
    (folder / "figures.json").write_bytes(msgspec.json.format(msgspec.json.encode(measured), indent=1) + b"\n")
    target = written or folder / "report.md"
    target.write_text(page(measured, games, seed, os.path.relpath(folder, target.parent)), "utf-8")
    return measured


def page(measured: Sequence[Line], games: int, seed: int, folder: str) -> str:
    """The report as a page of its own, with the plots that lie in a folder."""
    failed = sum(not line.holds for line in measured)
    held = f"{len(measured) - failed} of {len(measured)} targets hold."
    rows = [
        f"| {line.what} | {line.target} | {line.figure} | {'yes' if line.holds else '**no**'} |" for line in measured
    ]
    plots = [f"## {title}\n\n![{title}]({folder}/{name}.svg)\n" for name, title in PLOTS.items()]
    return "\n".join(
        [
            "# How well the computer players play\n",
            f"Made by `notahat lab report --games {games} --seed {seed}`; {held} Intervals are 95 % intervals. The",
            "players were tuned on seeds below 1000 and are reported on this one. A shared win is split; where the",
            "cap of 400 passes ended a game, whoever was in the lead won.\n",
            "| what | target | figure | holds |",
            "|---|---|---|---|",
            *rows,
            "",
            *plots,
        ]
    )
