"""Fixed seeds of the simulation, its proof that it finds faults, and its own promises."""

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from notahat.store import Store, open_store
from simulation import postgres
from simulation.loop import VirtualLoop
from simulation.mutants import MUTANTS
from simulation.postgres import Database
from simulation.scenarios import SCENARIOS, simulate

TESTS = Path(__file__).parent.parent
SEEDS = range(30)
MUTANT_SEEDS = 250  # a fault must show within so many
CONTRACT = (
    "test_commits_are_read_in_order",
    "test_events_are_stored_unchanged",
    "test_append_at_wrong_version_is_a_conflict",
    "test_concurrent_writers_have_one_winner",
    "test_repeated_append_gets_its_commit",
    "test_callback_can_submit_next_commit",
    "test_own_commits_are_not_reported",
    "test_newest_snapshot_is_kept",
)


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


def contract() -> ModuleType:
    spec = spec_from_file_location("simulated_contract", TESTS / "store" / "test_contract.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", CONTRACT)
def test_simulated_database_keeps_the_contract(name: str) -> None:
    loop = VirtualLoop(name)

    async def check() -> None:
        store: Store = await open_store("postgresql://simulated")
        await getattr(contract(), name)(store)
        await store.close()

    with loop.patched(), postgres.patched(Database(loop)):
        loop.run(check())
