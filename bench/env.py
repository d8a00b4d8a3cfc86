"""Compare the steps of our PettingZoo environment with PettingZoo's leduc_holdem, raw and wrapped.

Both play with the same random policy in turns, measured in CPU time. The cost of the policy is measured on the same
observations and subtracted. Medians are compared. Needs the extra `bench` (`make .venv/bench`).
"""

import warnings
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any

from notahat.lab.env import env, raw_env

with warnings.catch_warnings():
    # these constructors are deprecated, but the registry adds its own wrappers
    warnings.simplefilter("ignore")
    from pettingzoo.classic import leduc_holdem_v4

TURNS = 15
STEPS = 4000
AT_LEAST = 10.0

Observed = tuple[Any, bool, bool]


def choose(observation: Any, terminated: bool, truncated: bool, randomness: Random) -> int | None:
    if terminated or truncated:
        return None
    open_actions = observation["action_mask"].nonzero()[0]
    return int(open_actions[int(randomness.random() * len(open_actions))])


def play(game: Any, steps: int, randomness: Random, record: list[Observed] | None = None) -> tuple[float, int]:
    """Play whole games for at least so many steps; return the CPU time and the number of steps."""
    made = 0
    started = process_time()
    while made < steps:
        game.reset()
        for _ in game.agent_iter():
            observation, _, terminated, truncated, _ = game.last()
            if record is not None:
                record.append((observation, terminated, truncated))
            game.step(choose(observation, terminated, truncated, randomness))
            made += 1
    return process_time() - started, made


def policy_cost(game: Any, steps: int, randomness: Random) -> float:
    """Return the CPU time of the policy per step."""
    record: list[Observed] = []
    play(game, steps, randomness, record)
    started = process_time()
    for observation, terminated, truncated in record:
        choose(observation, terminated, truncated, randomness)
    return (process_time() - started) / len(record)


def step_cost(make: Callable[[], Any], turn: int) -> float:
    """Return the CPU time of the environment per step."""
    game, randomness = make(), Random(turn)
    game.reset(seed=turn)
    policy = policy_cost(game, STEPS // 4, randomness)
    spent, made = play(game, STEPS, randomness)
    return spent / made - policy


def compare(name: str, ours: Callable[[], Any], theirs: Callable[[], Any]) -> float:
    costs = [(step_cost(ours, turn), step_cost(theirs, turn)) for turn in range(TURNS)]
    mine, other = median(cost for cost, _ in costs), median(cost for _, cost in costs)
    ratio = median(cost_of_theirs / cost_of_ours for cost_of_ours, cost_of_theirs in costs)
    print(
        f"{name}: ours {mine * 1e6:.2f} µs a step, leduc_holdem {other * 1e6:.2f} µs, {ratio:.1f} times as many steps"
    )
    return ratio


def main() -> None:
    ratios = [
        compare("raw against raw", raw_env, leduc_holdem_v4.raw_env),
        compare("wrapped against wrapped", env, leduc_holdem_v4.env),
    ]
    print("holds" if min(ratios) >= AT_LEAST else "DOES NOT HOLD")


if __name__ == "__main__":
    main()
