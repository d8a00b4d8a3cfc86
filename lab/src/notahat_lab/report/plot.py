"""Draw the plots of a report as SVG and PNG."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from notahat.bots import LEVELS
from notahat_lab.report.memory_metrics import forgetting
from notahat_lab.report.result_cache import ResultCache
from notahat_lab.tournament import interval

PLOTS = {
    "win-share": "Win share of one player (row) against three of a level (column); chance is .25",
    "forgetting": "How often a memory is right again, by time since it was last right",
    "thinking": "Thinking times of true and false claims",
    "length": "Passes per game at a table of four of a level",
}
_CHALLENGERS = (*LEVELS, "always-accept", "always-refuse", "honest", "perfect")
_OF_THE_LEVEL = ("always-accept", "honest")  # baselines that remember like their opponents
_CHANCE, _DARK = 0.25, 0.15
_SECONDS = np.arange(0.5, 6.26, 0.25)


def draw(cache: ResultCache, folder: Path) -> None:
    """Write every plot to a folder."""
    # A fixed salt and no date make the files reproducible.
    with mpl.rc_context({"svg.hashsalt": "notahat", "svg.fonttype": "none", "font.size": 9}):
        for name, figure in {
            "win-share": _win_shares(cache),
            "forgetting": _forgetting(cache),
            "thinking": _thinking(cache),
            "length": _lengths(cache),
        }.items():
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
            figure.savefig(folder / f"{name}.png", dpi=110, metadata={"Software": None})


def _win_shares(cache: ResultCache) -> Figure:
    return matrix([[_win_share(cache, one, level) for level in LEVELS] for one in _CHALLENGERS])


def matrix(shares: Sequence[Sequence[float]]) -> Figure:
    """Draw win shares as a heat map with readable labels; chance is white."""
    figure = Figure(figsize=(5.2, 5.4), layout="constrained")
    axes = figure.subplots()
    axes.imshow(shares, cmap="PuOr_r", vmin=0.0, vmax=0.5)
    axes.set_xticks(range(len(LEVELS)), LEVELS)
    axes.set_yticks(range(len(_CHALLENGERS)), _CHALLENGERS)
    for row, values in enumerate(shares):
        for column, share in enumerate(values):
            ink = "white" if abs(share - _CHANCE) > _DARK else "black"
            axes.text(column, row, f"{share:.2f}", ha="center", va="center", color=ink)
    return figure


def _win_share(cache: ResultCache, one: str, level: str) -> float:
    if one == level:
        return _CHANCE
    name = f"{one}@{level}" if one in _OF_THE_LEVEL else one
    return interval([count.wins[0] for count in cache.one_against(name, level)])[0]


def _forgetting(cache: ResultCache) -> Figure:
    figure = Figure(figsize=(5.2, 3.6), layout="constrained")
    axes = figure.subplots()
    for level in LEVELS:
        found = [interval([number < right for number in range(asked)]) for right, asked in _probed(cache, level)]
        positions = range(len(found))
        axes.plot(positions, [share for share, _, _ in found], marker="o", label=level)
        axes.fill_between(positions, [low for _, low, _ in found], [high for _, _, high in found], alpha=0.2)
    axes.set_xticks(range(4), ["10–20 s", "20–40 s", "40–80 s", "80–160 s"])
    axes.set_ylim(0, 1)
    axes.set_ylabel("right again")
    axes.legend()
    return figure


def _probed(cache: ResultCache, level: str) -> Sequence[tuple[int, int]]:
    return [(right, asked) for right, asked in forgetting(cache.memory(level).probes) if asked]


def _thinking(cache: ResultCache) -> Figure:
    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    for axes, level in zip(figure.subplots(2, 2, sharex=True).flat, LEVELS, strict=True):
        for true, label in ((True, "true"), (False, "false")):
            seconds = [claim.seconds for claim in cache.memory(level).claims if claim.true is true]
            axes.hist(seconds, bins=_SECONDS, density=True, histtype="step", label=label)
        axes.set_title(level)
        axes.set_xlabel("seconds")
        axes.legend()
    return figure


def _lengths(cache: ResultCache) -> Figure:
    figure = Figure(figsize=(5.2, 3.4), layout="constrained")
    axes = figure.subplots()
    axes.boxplot([[one.passes for one in cache.same_level(level)] for level in LEVELS], whis=(10, 90), sym="")
    axes.set_xticks(range(1, len(LEVELS) + 1), LEVELS)
    axes.set_ylabel("passes")
    return figure
