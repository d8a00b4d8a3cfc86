"""Measure moves of the batch simulator per CPU-second, from 1 to 65,536 games, beside Pgx's leduc_holdem.

Two modes are measured: random play in one call without observations, and Gymnasium's vector form with observations and
masks for every step; random actions are drawn outside the measured time, and turns to watch do not count as moves. Pgx
plays at random in one compiled loop, always with observations. All are measured in turns in one run; medians count.
Memory is that of the simulator's arrays. `make bench-lab` installs Pgx and runs it.
"""

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import numpy as np

from notahat_lab.batch import Tables
from notahat_lab.encoding import WATCH
from notahat_lab.vector import VectorTables

SIZES = (1, 16, 256, 1024, 4096, 16384, 65536)
COMPARED = 1024
MOVES = 4_000_000
OBSERVED_MOVES = 1_000_000
TURNS = 5
FUSED_AT_LEAST, OBSERVED_AT_LEAST, TIMES_PGX = 50e6, 10e6, 9.0


def fused(number: int) -> float:
    """Return moves per CPU-second of random play in one call."""
    tables = Tables(number)
    tables.seed(number)
    tables.deal()
    tables.play_randomly(1)
    each = max(1, MOVES // number)
    started = process_time()
    tables.play_randomly(each)
    return number * each / (process_time() - started)


def observed(number: int) -> float:
    """Return moves per CPU-second with observations and masks for every step."""
    tables = VectorTables(number, copy=False)
    tables.reset(seed=number)
    spent, moves = 0.0, 0
    for _ in range(max(1, OBSERVED_MOVES // max(number, 64))):
        actions = tables.any_actions()
        started = process_time()
        tables.step(actions)
        spent += process_time() - started
        moves += int((actions != WATCH).sum())
    return moves / spent


def memory(number: int) -> int:
    """Return the bytes of all arrays of the vector form."""
    tables = VectorTables(number, copy=False)
    arrays = (tables.tables.rows, tables.tables.luck, *tables._observations, tables._rewards, tables._reward)
    return sum(array.nbytes for array in arrays)


def pgx_leduc(number: int) -> Callable[[], float]:
    """Return a measurement of Pgx's leduc_holdem, compiled and vectorised, with new games after finished ones."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    game: Any = pgx.make("leduc_holdem")
    step = jax.vmap(auto_reset(game.step, game.init))
    steps = max(1, OBSERVED_MOVES // number)

    def one_step(carried: Any, key: Any) -> Any:
        actions = jax.random.categorical(key, jax.numpy.log(carried.legal_action_mask.astype(np.float32)), axis=-1)
        after = step(carried, actions, jax.random.split(key, number))
        return after, after.observation.sum()  # so that observations are computed

    def whole(carried: Any, key: Any) -> Any:
        return jax.lax.scan(one_step, carried, jax.random.split(key, steps))

    play = jax.jit(whole)

    dealt = jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.PRNGKey(1), number))
    jax.block_until_ready(play(dealt, jax.random.PRNGKey(2)))

    def measured() -> float:
        started = process_time()
        jax.block_until_ready(play(dealt, jax.random.PRNGKey(3)))
        return number * steps / (process_time() - started)

    return measured


def main() -> None:
    try:
        leduc = pgx_leduc(COMPARED)
    except ImportError as missing:
        print(f"Pgx is not installed ({missing.name}): `make bench-lab` installs it")
        leduc = None
    print(f"{'games':>7}{'one call, M/s':>17}{'observed, M/s':>17}{'memory':>14}")
    for number in SIZES:
        speeds = [median(mode(number) for _ in range(TURNS)) / 1e6 for mode in (fused, observed)]
        print(f"{number:>7,}{speeds[0]:>17.1f}{speeds[1]:>17.1f}{memory(number) / 1024:>10,.0f} KiB", flush=True)
    found = [(fused(COMPARED), observed(COMPARED), leduc() if leduc else 0.0) for _ in range(TURNS)]
    one_call, observing, theirs = (median(column) for column in zip(*found, strict=True))
    print(f"{COMPARED:,} games in turns: {one_call / 1e6:.1f} and {observing / 1e6:.1f} million moves per CPU-second")
    holds = one_call >= FUSED_AT_LEAST and observing >= OBSERVED_AT_LEAST
    if leduc:
        times = median(ours / other for _, ours, other in found)
        print(f"Pgx, leduc_holdem: {theirs / 1e6:.2f} million; with observations we make {times:.1f} times as many")
        holds = holds and times >= TIMES_PGX
    print("holds" if holds else "DOES NOT HOLD")


if __name__ == "__main__":
    main()
