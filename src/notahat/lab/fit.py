"""Fit decay, noise and threshold of ACT-R's declarative memory to exported decisions, by maximum likelihood.

A gift that was shown or named at times t_j is recalled at `now` with probability logistic((B - threshold) / noise),
where B = ln of the sum of (now - t_j)^-decay. For a given decay this is a logistic regression on B, so the fit searches
the decay alone.
"""

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct, convert, structs

from notahat.lab.errors import LabError, needs_lab_extra
from notahat.lab.export import Decision

with needs_lab_extra("fit"):
    import numpy as np

MIN_AGE = 0.25  # seconds; as in bots/memory.py
MIN_ROWS = 50
_DECAYS = (0.02, 2.0)  # where the decay is searched
_GOLDEN = (5**0.5 - 1) / 2
_STEPS, _NEWTON_STEPS = 36, 25
_MAX_MARGIN = 30.0  # of a logistic function, against overflow
_Z95 = 1.96
Floats = np.ndarray[Any, np.dtype[np.float64]]


class Parameters(Struct, frozen=True):
    """The memory of a player."""

    decay: float
    noise: float
    threshold: float


class Fit(Struct, frozen=True):
    """The best parameters, half of their 95 % intervals, and how many answers they come from."""

    best: Parameters
    margin: Parameters
    answers: int
    recalled: float
    log_likelihood: float


def fit(rows: Iterable[Decision]) -> Fit:
    """Fit the parameters to all rows with an answer. Raise `LabError` if these are too few or all alike."""
    answered = answers(rows)
    right = np.array([row.believed == row.truth for row in answered])
    if len(answered) < MIN_ROWS:
        raise LabError(f"{len(answered)} answers are too few for a fit: at least {MIN_ROWS} are needed")
    if right.all() or not right.any():
        raise LabError("a fit needs right answers and others")
    ages = _ages(answered)
    decay = _minimum(lambda decay: -_regress(base_levels(ages, decay), right)[1], *_DECAYS)
    (slope, intercept), likelihood = _regress(base_levels(ages, decay), right)
    if slope <= 0:
        raise LabError("these answers do not get worse with time, so nothing can be fitted")
    best = Parameters(decay, 1 / slope, -intercept / slope)
    return Fit(best, _margins(ages, right, best), len(answered), float(right.mean()), likelihood)


def answers(rows: Iterable[Decision]) -> list[Decision]:
    """Return the rows of players who were asked; if nobody was, all rows: computer players have a readable memory."""
    every = list(rows)
    asked = [row for row in every if row.confidence is not None]
    return asked or [row for row in every if row.by == "bot"]


def simulate(rows: Sequence[Decision], truth: Parameters, seed: int) -> list[Decision]:
    """Return the rows with the answers of a player with this memory: the gift, or none."""
    rng, levels = Random(f"answers/{seed}"), base_levels(_ages(rows), truth.decay)
    recalled = _logistic((levels - truth.threshold) / truth.noise)
    return [
        structs.replace(row, believed=row.truth, confidence=3)
        if rng.random() < chance
        else structs.replace(row, believed=None, confidence=0)
        for row, chance in zip(rows, recalled, strict=True)
    ]


def base_levels(ages: Floats, decay: float) -> Floats:
    """Return the base-level activation for each row of ages; missing ages are infinite."""
    levels: Floats = np.log(np.power(ages, -decay).sum(axis=1))
    return levels


def _ages(rows: Sequence[Decision]) -> Floats:
    times = [[float(time) for time in row.exposure_seconds.split("/")] for row in rows]
    ages = np.full((len(rows), max(map(len, times))), np.inf)
    for number, (row, met) in enumerate(zip(rows, times, strict=True)):
        ages[number, : len(met)] = np.maximum(row.at - np.array(met), MIN_AGE)
    return ages


def _logistic(margins: Floats) -> Floats:
    chances: Floats = 1 / (1 + np.exp(-np.clip(margins, -_MAX_MARGIN, _MAX_MARGIN)))
    return chances


def _log_likelihood(margins: Floats, right: Any) -> float:
    return float(-np.logaddexp(0, np.where(right, -margins, margins)).sum())


def _regress(levels: Floats, right: Any) -> tuple[tuple[float, float], float]:
    """Return slope and intercept of a logistic regression, and its log-likelihood, by Newton's method."""
    features = np.column_stack([levels, np.ones_like(levels)])
    weights = np.zeros(2)
    for _ in range(_NEWTON_STEPS):
        chances = _logistic(features @ weights)
        spread = np.maximum(chances * (1 - chances), 1e-9)
        step = np.linalg.solve(features.T @ (features * spread[:, None]), features.T @ (right - chances))
        weights = weights + step
        if np.abs(step).max() < 1e-9:
            break
    return (float(weights[0]), float(weights[1])), _log_likelihood(features @ weights, right)


def _minimum(cost: Callable[[float], float], low: float, high: float) -> float:
    """Return the minimum of a function with one valley, by golden-section search."""
    inner, outer = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_inner, at_outer = cost(inner), cost(outer)
    for _ in range(_STEPS):
        if at_inner < at_outer:
            high, outer, at_outer = outer, inner, at_inner
            inner = high - _GOLDEN * (high - low)
            at_inner = cost(inner)
        else:
            low, inner, at_inner = inner, outer, at_outer
            outer = low + _GOLDEN * (high - low)
            at_outer = cost(outer)
    return (low + high) / 2


def _margins(ages: Floats, right: Any, best: Parameters) -> Parameters:
    """Return half of the 95 % intervals, from the curvature of the log-likelihood."""
    at = np.array(structs.astuple(best))
    steps = np.abs(at) * 1e-3 + 1e-4

    def cost(values: Floats) -> float:
        return -_log_likelihood((base_levels(ages, values[0]) - values[2]) / values[1], right)

    curvature = np.empty((3, 3))
    for row, one in enumerate(np.diag(steps)):
        for column, other in enumerate(np.diag(steps)):
            around = cost(at + one + other) - cost(at + one - other) - cost(at - one + other) + cost(at - one - other)
            curvature[row, column] = around / (4 * steps[row] * steps[column])
    errors = np.sqrt(np.maximum(np.diag(np.linalg.pinv(curvature)), 0.0))
    return Parameters(*(float(_Z95 * error) for error in errors))


def read_decisions(file: Path) -> list[Decision]:
    """Read an export, as Parquet or CSV. Raise `LabError` if a column is missing."""
    try:
        if file.suffix == ".parquet":
            with needs_lab_extra("Parquet"):
                from pyarrow import parquet
            rows = parquet.read_table(file).to_pylist()
        else:
            with file.open(encoding="utf-8", newline="") as lines:
                rows = [_from_text(row) for row in csv.DictReader(lines)]
        return [convert(row, Decision, strict=False) for row in rows]
    except (OSError, ValueError) as problem:
        raise LabError(f"cannot read {file}: {problem}") from problem


def _from_text(row: dict[str, str]) -> dict[str, str | None]:
    """CSV writes null as an empty text."""
    optional = {"believed", "confidence"}
    return {name: None if name in optional and not value else value for name, value in row.items()}
