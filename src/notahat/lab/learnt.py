"""The learnt player: a memory trained by gradient descent and a policy trained by reinforcement learning.

For the hand and every slot of every column the memory holds the probability of each gift. Gates decide what is copied
where when a gift is passed on; for each kind of pass they are learnt weights over the possible sources. The player
uses the environments' observations and nothing else.
"""

import json
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from notahat.lab import encoding as enc
from notahat.lab.encoding import ACTIONS, COLUMN_SLOTS, COLUMNS
from notahat.lab.observation import Observation
from notahat.lab.policy_player import PolicyPlayer
from notahat.rules.round import MOST_PLAYERS, PENALTIES_THAT_END

# Kinds of passes: after the deal, after an accepted gift with an open or a wrapped card, and after a refusal.
# Targets: hand, bottom and top slot. Sources: nothing, hand, bottom, top, shown gift, claimed gift.
KINDS, TARGETS, SOURCES = 4, 3, 6
ANSWER_FEATURES, GIVE_FEATURES, GIVE_OPTIONS, TO_FEATURES = 5, 5, 3, 3
TRUTH, OTHER_IN_PLAY, OTHER_GIFT = range(GIVE_OPTIONS)

Array = NDArray[np.float64]
Choice = tuple[str, Array, int, Array]  # decision, features, chosen option, probabilities of all options


class Weights:
    """All learnt weights: the memory's gates, and the features' weights for answer, claim and receiver."""

    def __init__(self, gates: Array, answer: Array, give: Array, to: Array) -> None:
        self.gates, self.answer, self.give, self.to = gates, answer, give, to

    @classmethod
    def initial(cls, rng: np.random.Generator) -> "Weights":
        """Return untrained weights."""
        gates = rng.normal(0.0, 0.1, (COLUMN_SLOTS, KINDS, TARGETS, SOURCES))
        return cls(gates, np.zeros(ANSWER_FEATURES), np.zeros((GIVE_OPTIONS, GIVE_FEATURES)), np.zeros(TO_FEATURES))

    def save(self, file: Path) -> None:
        """Write the weights as JSON with three decimals; more would be noise."""
        rounded = {name: np.round(value, 3).tolist() for name, value in vars(self).items()}
        file.write_text(json.dumps(rounded) + "\n", "utf-8")

    @classmethod
    def load(cls, text: str) -> "Weights":
        return cls(**{name: np.array(value) for name, value in json.loads(text).items()})


def softmax(logits: Array) -> Array:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    result: Array = raised / raised.sum(axis=-1, keepdims=True)
    return result


def pass_kind(answer: int, source: int) -> int:
    """Return the kind of a pass, from the answer before it and the source of its card."""
    if answer == enc.ACCEPTED:
        return 1 if source == enc.OPEN_FROM_COLUMN else 2
    return 3 if answer == enc.REFUSED else 0


class Memory:
    """The probability of each gift in the hand and in every slot."""

    def __init__(self, gates: Array) -> None:
        self._weights = softmax(gates)
        self.hand = np.zeros(ACTIONS)
        self.columns = np.zeros((MOST_PLAYERS, COLUMN_SLOTS, ACTIONS))
        self.since: dict[int, int] = {}  # by gift: passes since it was shown
        self.refused = np.zeros(MOST_PLAYERS)
        self.offered = np.zeros(MOST_PLAYERS)
        self._started = False

    def observe(self, present: NDArray[Any], events: NDArray[Any]) -> None:
        """Apply the event rows, then the open cards."""
        rows = [row for row in events.tolist() if row[enc.EVENT_SOURCE]]
        gifts = 2 if present[COLUMNS + 1] else 1
        if not self._started:
            self._pass(rows[0], None, gifts)
            self._started = True
        for before, row in pairwise(rows):
            self._pass(row, before, gifts)
        self._see(present)

    def _pass(self, row: list[int], before: list[int] | None, gifts: int) -> None:
        shown, claim, answer = row[enc.EVENT_SHOWN], 0, 0
        if before is not None:
            receiver, claim, answer = before[enc.EVENT_RECEIVER], before[enc.EVENT_CLAIM], before[enc.EVENT_ANSWER]
            self.offered[receiver] += 1
            self.refused[receiver] += answer == enc.REFUSED
        column = self.columns[row[enc.EVENT_GIVER]]
        sources = np.stack([np.zeros(ACTIONS), self.hand, column[0], column[1], _one_hot(shown), _one_hot(claim)])
        self.hand, column[0], column[1] = self._weights[gifts - 1, pass_kind(answer, row[enc.EVENT_SOURCE])] @ sources
        for gift in self.since:
            self.since[gift] += 1
        if shown:
            self.since[shown] = 0

    def _see(self, present: NDArray[Any]) -> None:
        for seat in range(MOST_PLAYERS):
            for slot in range(COLUMN_SLOTS):
                code = int(present[COLUMNS + seat * COLUMN_SLOTS + slot])
                if code >= enc.FIRST_GIFT:
                    self.columns[seat, slot] = _one_hot(code)


def _one_hot(code: int) -> Array:
    one = np.zeros(ACTIONS)
    if code:
        one[code] = 1.0
    return one


class LearntPolicy:
    """A policy over features of the memory and the table. Without `exploration` it acts greedily."""

    def __init__(self, weights: Weights, seed: int, exploration: float | None = None) -> None:
        self._weights, self._exploration = weights, exploration
        self._rng = Random(f"learnt/{seed}")  # another stream than that of a game with the same seed
        self.memory = Memory(weights.gates)
        self.chosen: Choice | None = None  # the last decision, for training

    def __call__(self, seen: Observation) -> int:
        present: NDArray[Any] = seen["observation"]
        self.memory.observe(present, seen["events"])
        self.chosen = None
        if seen["action_mask"][enc.WATCH]:
            return enc.WATCH
        scores = (present[enc.PILES :].reshape(MOST_PLAYERS, PENALTIES_THAT_END) > 0).sum(axis=1)
        if present[enc.DECISION] == enc.ANSWERING:
            return self._answer(present, scores)
        if present[enc.DECISION] == enc.CHOOSING_RECEIVER:
            return self._to(np.flatnonzero(seen["action_mask"]) - enc.TO, scores)
        return self._give(present, scores)

    def _answer(self, present: NDArray[Any], scores: NDArray[Any]) -> int:
        memory, claim, giver = self.memory, int(present[enc.CLAIM]), int(present[enc.GIVER])
        in_hand = memory.hand[claim]
        elsewhere = memory.columns[:, :, claim].max()
        visible = claim in present[enc.PILES :] or claim == present[enc.SHOP_TOP]
        features = np.array([in_hand, 1.0 - in_hand, (1.0 - in_hand) * elsewhere, visible, in_hand * scores[giver] / 3])
        logits = np.array([0.0, features @ self._weights.answer])
        return (enc.ACCEPT, enc.REFUSE)[self._choose("answer", features, logits)]

    def _give(self, present: NDArray[Any], scores: NDArray[Any]) -> int:
        memory, to = self.memory, int(present[enc.RECEIVER])
        best = int(memory.hand.argmax())
        passes = memory.since.get(best, 40)
        refusal_rate = (memory.refused[to] + 0.5) / (memory.offered[to] + 4.0)
        features = np.array([1.0, passes / 20, refusal_rate, scores[to] / 3, scores[present[enc.OWN_SEAT]] / 3])
        option = self._choose("give", features, self._weights.give @ features)
        in_play = memory.columns.reshape(-1, ACTIONS).sum(axis=0)
        in_play[best] = 0.0
        if option == OTHER_IN_PLAY and in_play.any():
            return int(in_play.argmax())
        if option == TRUTH and memory.hand[best] > 0.0:
            return best
        return self._rng.choice([gift for gift in enc.GIFTS if gift != best and not in_play[gift]])

    def _to(self, seats: NDArray[Any], scores: NDArray[Any]) -> int:
        memory = self.memory
        refusal_rates = (memory.refused[seats] + 0.5) / (memory.offered[seats] + 4.0)
        features = np.stack([scores[seats] / 3, refusal_rates, scores[seats] == scores[seats].min()], axis=1)
        return enc.TO + int(seats[self._choose("to", features, features @ self._weights.to)])

    def _choose(self, decision: str, features: Array, logits: Array) -> int:
        probabilities = softmax(logits)
        choice = int(probabilities.argmax())
        if self._exploration is not None:
            mixed = (1.0 - self._exploration) * probabilities + self._exploration / len(probabilities)
            choice = self._rng.choices(range(len(probabilities)), mixed.tolist())[0]
        self.chosen = decision, features, choice, probabilities
        return choice


def learnt_player(_level: str, seat: int, seed: int) -> PolicyPlayer:
    """Return the learnt player with the weights of `learnt.json`."""
    text = files("notahat.lab").joinpath("learnt.json").read_text("utf-8")
    return PolicyPlayer(seat, LearntPolicy(Weights.load(text), seed))
