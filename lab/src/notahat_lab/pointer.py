"""A baseline that learns from the documented observation alone: `python -m notahat_lab.pointer --seed 1`.

A pointer memory follows every card that was shown to the place where it lies now. What to do with that is learnt by
trial and error (REINFORCE): the policy has a weight for each choice in each situation. docs/environments.md describes
the bytes.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from math import exp
from random import Random

from notahat.rules.round import lowest
from notahat_lab import encoding as enc
from notahat_lab.env import Observation
from notahat_lab.solo import Solo
from notahat_lab.tournament import interval

RATE, BASELINE_RATE = 0.1, 0.02
DISCOUNT = 0.3  # of penalties
Row = list[int]
Decision = tuple[str, Sequence[str], str]  # situation, choices, what was chosen


class PointerMemory:
    """The gift in hand and the gifts in all columns as far as they were shown; 0 is a gift that lies open."""

    def __init__(self) -> None:
        self.hand = 0
        self.columns: defaultdict[int, Row] = defaultdict(lambda: [0])
        self._started = False

    def observe(self, rows: Sequence[Row]) -> None:
        """Follow the passes since the last turn. The first row is the last one of that turn, now with its end."""
        if not self._started:
            self._start(rows[0])
            self._started = True
        for before, row in pairwise(rows):
            if before[enc.EVENT_ANSWER] == enc.ACCEPTED:
                self.columns[before[enc.EVENT_RECEIVER]].append(self.hand)
            self._start(row)

    def _start(self, row: Row) -> None:
        """Take the card of a pass into the hand: from the shop, or the oldest of the giver's column."""
        column = self.columns[row[enc.EVENT_GIVER]]
        oldest = column.pop(0) if row[enc.EVENT_SOURCE] != enc.FROM_SHOP and column else 0
        self.hand = row[enc.EVENT_SHOWN] or oldest


class PointerPolicy:
    """Chooses by softmax over the weights of a situation, and learns from the rewards that follow."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"pointer/{seed}")
        self.weights: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._usual: defaultdict[str, float] = defaultdict(float)  # the mean return of a situation

    def act(self, seen: Observation, memory: PointerMemory) -> tuple[int, Decision | None]:
        """Return an action, and the decision behind it, if there was a choice."""
        present: Row = seen["observation"].tolist()
        memory.observe([row for row in seen["events"].tolist() if row[enc.EVENT_SOURCE]])
        legal = seen["action_mask"].nonzero()[0].tolist()
        if enc.WATCH in legal:
            return enc.WATCH, None
        if enc.ACCEPT in legal:
            decision = self._choose(_about_claim(present, memory), ("accept", "refuse"))
            return (enc.ACCEPT if decision[2] == "accept" else enc.REFUSE), decision
        if present[enc.DECISION] == enc.CHOOSING_RECEIVER:
            return self.rng.choice(legal), None
        decision = self._choose("give", ("truth", "another gift"))
        if decision[2] == "truth" and memory.hand in legal:
            return memory.hand, decision
        return self.rng.choice(legal), decision

    def learn(self, decision: Decision, gained: float) -> None:
        """Make a choice likelier if it was followed by more than usual in its situation."""
        situation, choices, chosen = decision
        better = gained - self._usual[situation]
        self._usual[situation] += BASELINE_RATE * better
        for choice, chance in zip(choices, self._chances(situation, choices), strict=True):
            self.weights[situation, choice] += RATE * better * ((choice == chosen) - chance)

    def _choose(self, situation: str, choices: Sequence[str]) -> Decision:
        return situation, choices, self.rng.choices(choices, self._chances(situation, choices))[0]

    def _chances(self, situation: str, choices: Sequence[str]) -> list[float]:
        raised = [exp(self.weights[situation, choice]) for choice in choices]
        return [one / sum(raised) for one in raised]


def _about_claim(present: Row, memory: PointerMemory) -> str:
    claim = present[enc.CLAIM]
    if claim == memory.hand:
        return "the claim is what I remember"
    known = {gift for column in memory.columns.values() for gift in column} | set(present[enc.SHOP_TOP :])
    return "the claim lies elsewhere" if claim in known else "the claim is new to me"


def play(env: Solo, policy: PointerPolicy, seed: int, learns: bool) -> float:
    """Play one game, and return the share of the win."""
    seen, info = env.reset(seed=seed)
    memory, decisions, rewards, over = PointerMemory(), [], [], False
    while not over:
        action, decision = policy.act(seen, memory)
        seen, reward, terminated, truncated, info = env.step(action)
        decisions.append(decision)
        rewards.append(reward)
        over = terminated or truncated
    won = 1 / len(lowest(info["scores"])) if info["leads"] else 0.0
    penalties = 0.0  # soon forgotten, unlike the win
    for decision, reward in reversed(list(zip(decisions, rewards, strict=True)) if learns else []):
        penalties = DISCOUNT * penalties + min(reward, 0.0)
        if decision is not None:
            policy.learn(decision, won + penalties)
    return won


def train_and_test(seed: int, games: int, tests: int, opponent: str = "goldfish") -> tuple[float, float, float]:
    """Learn from some games, then return the win share in others with its 95 % interval."""
    env, policy = Solo(others=(opponent,) * 3), PointerPolicy(seed)
    first = seed * 10**6
    for number in range(first, first + games):
        play(env, policy, number, learns=True)
    return interval([play(env, policy, first + games + number, learns=False) for number in range(tests)])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--tests", type=int, default=1000)
    chosen = parser.parse_args()
    share, low, high = train_and_test(chosen.seed, chosen.games, chosen.tests)
    sys.stdout.write(f"win share against three goldfish: {share:.3f} ({low:.3f}–{high:.3f})\n")
