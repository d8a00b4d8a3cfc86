"""Fixed seeds of the simulation, its proof that it finds faults, and its own promises."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulation.mutants import MUTANTS
from simulation.scenarios import SCENARIOS, simulate

TESTS = Path(__file__).parent.parent
SEEDS = (*range(30), 48)  # in the last one a guest leaves while a lease is renewed
MUTANT_SEEDS = 250  # a fault must show within so many


@pytest.mark.parametrize("seed", SEEDS)
def test_laws_hold(seed: int) -> None:
    result = simulate(seed)
    assert not result.broken, "\n".join((*result.tail, f"{result.broken}\nreplay: make simulate SEED={seed}"))


@pytest.mark.parametrize("name", MUTANTS)
def test_fault_breaks_a_law(name: str) -> None:
    mutant = MUTANTS[name]
    with mutant.alive():
        results = map(simulate, range(SCENARIOS.index(mutant.scenario), MUTANT_SEEDS, len(SCENARIOS)))
        broken = next((result.broken for result in results if result.broken), "")
    assert broken.startswith(mutant.laws)


def test_seed_replays_byte_for_byte() -> None:
    """Another process with another order of hashes gives the same trace."""
    seed = SCENARIOS.index("cluster") + 4
    environment = os.environ | {"PYTHONPATH": str(TESTS), "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-m", "simulation", "--seed", str(seed)]
    replay = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert f"trace {simulate(seed).digest[:16]}:" in replay.stdout
