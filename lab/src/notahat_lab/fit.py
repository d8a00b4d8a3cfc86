"""Fit decay, noise and threshold of ACT-R's declarative memory to exported decisions, by maximum likelihood.

A gift that was shown or named at times t_j is recalled at `now` with probability logistic((B - threshold) / noise),
where B = ln of the sum of (now - t_j)^-decay.
"""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct, convert, structs
from pyarrow import parquet
from scipy.differentiate import hessian
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from notahat_lab.errors import LabError
from notahat_lab.export import Decision

MIN_AGE = 0.25  # seconds; as in bots/memory.py
MIN_ROWS = 50
_START = (0.5, 1.0, 0.0)  # decay, slope and intercept
_DECAYS = (0.02, 2.0)  # where the decay is searched
_STEP = 0.01  # of the parameters, for the curvature
_TOLERANCES = {"rtol": 1e-3}
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

    def cost(values: Floats) -> float:  # in slope and intercept a logistic regression on B, which has one valley
        return -_log_likelihood(values[1] * base_levels(ages, values[0]) + values[2], right)

    found = minimize(cost, _START, method="L-BFGS-B", bounds=(_DECAYS, (None, None), (None, None)))
    decay, slope, intercept = map(float, found.x)
    if slope <= 0:
        raise LabError("these answers do not get worse with time, so nothing can be fitted")
    best = Parameters(decay, 1 / slope, -intercept / slope)
    return Fit(best, _margins(ages, right, best), len(answered), float(right.mean()), -float(found.fun))


def answers(rows: Iterable[Decision]) -> list[Decision]:
    """Return the rows of players who were asked; if nobody was, all rows: computer players have a readable memory."""
    every = list(rows)
    asked = [row for row in every if row.confidence is not None]
    return asked or [row for row in every if row.by == "bot"]


def simulate(rows: Sequence[Decision], truth: Parameters, seed: int) -> list[Decision]:
    """Return the rows with the answers of a player with this memory: the gift, or none."""
    rng, levels = Random(f"answers/{seed}"), base_levels(_ages(rows), truth.decay)
    recalled = expit((levels - truth.threshold) / truth.noise)
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


def _log_likelihood(margins: Floats, right: Any) -> float:
    return float(log_expit(np.where(right, margins, -margins)).sum())


def _margins(ages: Floats, right: Any, best: Parameters) -> Parameters:
    """Return half of the 95 % intervals, from the curvature of the log-likelihood."""

    def cost(values: Floats) -> float:
        return -_log_likelihood((base_levels(ages, values[0]) - values[2]) / values[1], right)

    def costs(points: Floats) -> Floats:
        return np.apply_along_axis(cost, 0, points)

    curvature = hessian(costs, structs.astuple(best), initial_step=_STEP, tolerances=_TOLERANCES)
    errors = np.sqrt(np.maximum(np.diag(np.linalg.pinv(curvature.ddf)), 0.0))
    return Parameters(*(float(_Z95 * error) for error in errors))


def read_decisions(file: Path) -> list[Decision]:
    """Read an export, as Parquet or CSV. Raise `LabError` if a column is missing."""
    try:
        if file.suffix == ".parquet":
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
