"""Steps of our PettingZoo environment against those of PettingZoo's own leduc_holdem, raw and wrapped.

Both are played with the same random policy in one run, by turns, in CPU time. What the policy itself
costs is measured on the same observations and taken off, so that only `reset`, `last`, `step` and the
iteration over agents count. Medians are compared. Needs the extra `bench` (`make .venv/bench`).
"""

import warnings
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any

from notahat.lab.env import env, raw_env

with warnings.catch_warnings():
    # This way of making its environments is deprecated, but the registry adds wrappers of its own.
    warnings.simplefilter("ignore")
    from pettingzoo.classic import leduc_holdem_v4

TURNS = 15
STEPS = 4000
AT_LEAST = 10.0

Seen = tuple[Any, bool, bool]


def choose(seen: Any, terminated: bool, truncated: bool, luck: Random) -> int | None:
    if terminated or truncated:
        return None
    open_actions = seen["action_mask"].nonzero()[0]
    return int(open_actions[int(luck.random() * len(open_actions))])


def play(game: Any, steps: int, luck: Random, kept: list[Seen] | None = None) -> tuple[float, int]:
    """CPU time of whole games until so many steps were made, and how many there were."""
    made = 0
    started = process_time()
    while made < steps:
        game.reset()
        for _ in game.agent_iter():
            seen, _, terminated, truncated, _ = game.last()
            if kept is not None:
                kept.append((seen, terminated, truncated))
            game.step(choose(seen, terminated, truncated, luck))
            made += 1
    return process_time() - started, made


def choosing(game: Any, steps: int, luck: Random) -> float:
    """What the policy alone costs for each step."""
    kept: list[Seen] = []
    play(game, steps, luck, kept)
    started = process_time()
    for seen, terminated, truncated in kept:
        choose(seen, terminated, truncated, luck)
    return (process_time() - started) / len(kept)


def step_cost(make: Callable[[], Any], turn: int) -> float:
    """CPU seconds of the environment itself for each step."""
    game, luck = make(), Random(turn)
    game.reset(seed=turn)
    policy = choosing(game, STEPS // 4, luck)
    spent, made = play(game, STEPS, luck)
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
