"""Memory is ACT-R's: what pyactup computes is what we compute."""

from random import Random

import pyactup
import pytest

from notahat.bots.memory import EXACT, Memory, base_level
from notahat.bots.parcel import Parcel


def oracle(times: list[float], now: float) -> float:
    """The base level by pyactup, without noise and without its own approximations."""
    memory = pyactup.Memory(noise=0.0, temperature=1.0, decay=0.5, threshold=None)
    history: list[dict[str, float]] = []
    memory.activation_history = history
    for time in times:
        memory.advance(time - memory.time)
        memory.learn({"gift": "hat"}, advance=0)
    memory.advance(now - memory.time)
    memory.retrieve({"gift": "hat"})
    return history[-1]["base_level_activation"]


def schedule(references: int, seed: int) -> tuple[list[float], float]:
    """References at intervals as they come in a game, a few seconds to half a minute, and a later time to recall."""
    luck = Random(seed)
    times, now = [], 0.0
    for _ in range(references):
        now += luck.uniform(1.0, 30.0)
        times.append(now)
    return times, now + luck.uniform(1.0, 60.0)


@pytest.mark.parametrize("references", range(1, EXACT + 1))
def test_up_to_twelve_references_the_base_level_is_that_of_pyactup(references: int) -> None:
    for seed in range(5):
        times, now = schedule(references, seed)
        assert base_level(times, now) == pytest.approx(oracle(times, now), abs=0.001)


@pytest.mark.parametrize("references", [13, 20, 40, 80])
def test_beyond_twelve_references_it_is_close_to_that_of_pyactup(references: int) -> None:
    for seed in range(5):
        times, now = schedule(references, seed)
        assert base_level(times, now) == pytest.approx(oracle(times, now), abs=0.1)


def test_the_older_references_still_count() -> None:
    times, now = schedule(40, seed=1)
    assert base_level(times, now) > base_level(times[-EXACT:], now) + 0.1


def test_it_decays_and_comes_back_when_met_again() -> None:
    assert base_level([0.0], 10.0) > base_level([0.0], 20.0) > base_level([0.0], 80.0)
    assert base_level([0.0, 70.0], 80.0) > base_level([0.0], 10.0)


def test_nothing_is_endlessly_strong_at_the_moment_it_happens() -> None:
    assert base_level([5.0], 5.0) == base_level([5.0], 5.1)


def test_what_lies_open_for_good_needs_no_memory() -> None:
    memory, parcel = Memory(), Parcel(1)
    memory.store(parcel, "hat", 1.0)
    memory.store(parcel, "kite", 2.0)
    memory.settle("hat")
    assert [trace.gift for trace in memory.traces] == ["kite"]
    assert [trace.gift for trace in memory.of(parcel)] == ["kite"]
