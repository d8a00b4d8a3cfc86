"""The pointer baseline learns from the documented observation, and quickly beats random play."""

import pytest

from notahat_lab import encoding as enc
from notahat_lab.pointer import PointerMemory, PointerPolicy, train_and_test
from notahat_lab.solo import Solo


def test_pointer_baseline_beats_random_play() -> None:
    untrained = train_and_test(seed=5, games=0, tests=40)
    trained = train_and_test(seed=5, games=100, tests=30)
    assert trained[1] > untrained[2]


@pytest.mark.parametrize("others", [2, 3, 7])
def test_pointer_memory_knows_every_gift_in_hand(others: int) -> None:
    """The truth is used by this test alone: the first byte after the observation in `state()` is the gift in hand."""
    env, policy = Solo(others=("goldfish",) * others), PointerPolicy(1)
    for seed in range(5):
        seen, _ = env.reset(seed=seed)
        memory, over = PointerMemory(), False
        while not over:
            action, _ = policy.act(seen, memory)
            assert action == enc.WATCH or memory.hand == env.state()[enc.OBSERVATION_SIZE]
            seen, _, terminated, truncated, _ = env.step(action)
            over = terminated or truncated
