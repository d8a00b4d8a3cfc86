"""The memory follows ACT-R's equation for the base level; the laboratory compares it with pyactup."""

from math import log
from random import Random

import pytest

from notahat.bots.memory import EXACT_REFERENCES, Memory, MemoryTrace
from notahat.bots.parcel import Parcel


def exact(times: list[float], now: float) -> float:
    """Return the base level without approximations: ln of the sum of the ages to the power of -decay."""
    return log(sum((now - time) ** -0.5 for time in times))


def base_level(times: list[float], now: float) -> float:
    """Return the base level of something met at these times."""
    first, *rest = times
    trace = MemoryTrace(Parcel(), "", first)
    for time in rest:
        trace.add_reference(time)
    return trace.base_level(now)


def schedule(references: int, seed: int) -> tuple[list[float], float]:
    """Return reference times at intervals as in a game, and a later time of recall."""
    rng = Random(seed)
    times, now = [], 0.0
    for _ in range(references):
        now += rng.uniform(1.0, 30.0)
        times.append(now)
    return times, now + rng.uniform(1.0, 60.0)


@pytest.mark.parametrize("references", range(1, EXACT_REFERENCES + 1))
def test_up_to_twelve_references_base_level_is_exact(references: int) -> None:
    for seed in range(5):
        times, now = schedule(references, seed)
        assert base_level(times, now) == pytest.approx(exact(times, now), abs=0.001)


@pytest.mark.parametrize("references", [13, 20, 40, 80])
def test_beyond_twelve_references_base_level_is_nearly_exact(references: int) -> None:
    for seed in range(5):
        times, now = schedule(references, seed)
        assert base_level(times, now) == pytest.approx(exact(times, now), abs=0.1)


def test_store_only_deletes_contradicting_traces() -> None:
    memory, here, there = Memory(), Parcel(1), Parcel(2)
    memory.store(here, "kite", 1.0)
    memory.store(there, "hat", 2.0)
    memory.store_only(here, "hat", 3.0)
    assert [(trace.parcel, trace.gift) for trace in memory.traces] == [(here, "hat")]
    assert [trace.gift for trace in memory.traces_of(here)] == ["hat"]
    assert not memory.traces_of(there)
