"""A learnt player: a memory whose gates were learnt by gradient descent, and a policy learnt by trial and error.

The memory holds, for the hand and for every place of every column, how likely each gift is there. What it does when a
gift is passed on (what goes where) it was never told: for each kind of happening it has gates, weights over what
could be copied into a place, and they were learnt from games. It sees the environments' observations and nothing else.
"""

import json
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from notahat.lab.encoding import (
    ACCEPT,
    ACCEPTED,
    ACTIONS,
    ANSWER,
    ANSWERING,
    CLAIM,
    COLUMNS,
    DECISION,
    FIRST_GIFT,
    FROM,
    GIFTS,
    GIVER,
    HOW,
    INTO,
    NAMED,
    OPEN_FROM_COLUMN,
    PILES,
    PLACES,
    RECEIVER,
    RECEIVING,
    REFUSE,
    REFUSED,
    SHOWN,
    TO,
    TOP,
    WATCH,
    YOU,
)
from notahat.lab.observation import Observation
from notahat.lab.policy_player import ByNumbers
from notahat.rules.round import MOST_PLAYERS, PENALTIES_THAT_END

# Kinds of happenings: the first draw, a thank-you with an open or a wrapped card to go on, and a refusal.
KINDS, TARGETS, SOURCES = 4, 3, 6  # into hand, bottom and top; from nothing, hand, bottom, top, what is shown or said
ANSWER_FACTS, GIVE_FACTS, GIVE_WAYS, TO_FACTS = 5, 5, 3, 3
TRUTH, SOMETHING_AROUND, SOMETHING_ELSE = range(GIVE_WAYS)

Array = NDArray[np.float64]


class Weights:
    """All that is learnt: the memory's gates, and how facts count when answering, naming and picking."""

    def __init__(self, gates: Array, answer: Array, give: Array, to: Array) -> None:
        self.gates, self.answer, self.give, self.to = gates, answer, give, to

    @classmethod
    def fresh(cls, luck: np.random.Generator) -> "Weights":
        """Before anything was learnt."""
        gates = luck.normal(0.0, 0.1, (PLACES, KINDS, TARGETS, SOURCES))
        return cls(gates, np.zeros(ANSWER_FACTS), np.zeros((GIVE_WAYS, GIVE_FACTS)), np.zeros(TO_FACTS))

    def save(self, file: Path) -> None:
        """As text, in three decimals: what is more than that is noise."""
        told = {name: np.round(value, 3).tolist() for name, value in vars(self).items()}
        file.write_text(json.dumps(told) + "\n", "utf-8")

    @classmethod
    def load(cls, text: str) -> "Weights":
        return cls(**{name: np.array(value) for name, value in json.loads(text).items()})


def softmax(logits: Array) -> Array:
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    result: Array = raised / raised.sum(axis=-1, keepdims=True)
    return result


def kind_of(before: int, how: int) -> int:
    """Which kind of happening it is that a gift is passed on: by the last answer, and where the gift comes from."""
    if before == ACCEPTED:
        return 1 if how == OPEN_FROM_COLUMN else 2
    return 3 if before == REFUSED else 0


class Memory:
    """What is where, as far as the gates keep it."""

    def __init__(self, gates: Array) -> None:
        self._weights = softmax(gates)
        self.hand = np.zeros(ACTIONS)
        self.columns = np.zeros((MOST_PLAYERS, PLACES, ACTIONS))
        self.since: dict[int, int] = {}  # by gift: how many gifts were passed on since it was shown
        self.refused = np.zeros(MOST_PLAYERS)
        self.offered = np.zeros(MOST_PLAYERS)
        self._begun = False

    def observe(self, present: NDArray[Any], events: NDArray[Any]) -> None:
        """Take in what happened, row by row, and then what lies open."""
        rows = [row for row in events.tolist() if row[HOW]]
        gifts = 2 if present[COLUMNS + 1] else 1
        if not self._begun:
            self._pass(rows[0], None, gifts)
            self._begun = True
        for before, row in pairwise(rows):
            self._pass(row, before, gifts)
        self._see(present)

    def _pass(self, row: list[int], before: list[int] | None, gifts: int) -> None:
        mover, claim, answer = row[FROM], before[NAMED] if before else 0, before[ANSWER] if before else 0
        if before is not None:
            self.offered[before[INTO]] += 1
            self.refused[before[INTO]] += answer == REFUSED
        mine = self.columns[mover]
        sources = np.stack([np.zeros(ACTIONS), self.hand, mine[0], mine[1], _only(row[SHOWN]), _only(claim)])
        self.hand, mine[0], mine[1] = self._weights[gifts - 1, kind_of(answer, row[HOW])] @ sources
        for gift in self.since:
            self.since[gift] += 1
        if row[SHOWN]:
            self.since[row[SHOWN]] = 0

    def _see(self, present: NDArray[Any]) -> None:
        for seat in range(MOST_PLAYERS):
            for place in range(PLACES):
                code = int(present[COLUMNS + seat * PLACES + place])
                if code >= FIRST_GIFT:
                    self.columns[seat, place] = _only(code)


def _only(code: int) -> Array:
    one = np.zeros(ACTIONS)
    if code:
        one[code] = 1.0
    return one


class Learnt:
    """The policy: what the memory holds, a few facts of the table, and weights for them."""

    def __init__(self, weights: Weights, seed: int, curiosity: float | None = None) -> None:
        self._weights, self._curiosity = weights, curiosity  # None: always what seems best
        self._luck = Random(f"learnt/{seed}")  # not the luck of the game that is played with the same seed
        self.memory = Memory(weights.gates)
        self.chosen: tuple[str, Array, int, Array] | None = None  # what was decided, for whoever learns from it

    def __call__(self, seen: Observation) -> int:
        present: NDArray[Any] = seen["observation"]
        self.memory.observe(present, seen["events"])
        self.chosen = None
        if seen["action_mask"][WATCH]:
            return WATCH
        scores = (present[PILES:].reshape(MOST_PLAYERS, PENALTIES_THAT_END) > 0).sum(axis=1)
        if present[DECISION] == ANSWERING:
            return self._answer(present, scores)
        if present[DECISION] == RECEIVING:
            return self._to(np.flatnonzero(seen["action_mask"]) - TO, scores)
        return self._give(present, scores)

    def _answer(self, present: NDArray[Any], scores: NDArray[Any]) -> int:
        memory, claim, giver = self.memory, int(present[CLAIM]), int(present[GIVER])
        here = memory.hand[claim]
        elsewhere = memory.columns[:, :, claim].max()
        visible = claim in present[PILES:] or claim == present[TOP]
        facts = np.array([here, 1.0 - here, (1.0 - here) * elsewhere, visible, here * scores[giver] / 3])
        logits = np.array([0.0, facts @ self._weights.answer])
        return (ACCEPT, REFUSE)[self._pick("answer", facts, logits)]

    def _give(self, present: NDArray[Any], scores: NDArray[Any]) -> int:
        memory, to = self.memory, int(present[RECEIVER])
        best = int(memory.hand.argmax())
        passes = memory.since.get(best, 40)
        doubts = (memory.refused[to] + 0.5) / (memory.offered[to] + 4.0)
        facts = np.array([1.0, passes / 20, doubts, scores[to] / 3, scores[present[YOU]] / 3])
        way = self._pick("give", facts, self._weights.give @ facts)
        around = memory.columns.reshape(-1, ACTIONS).sum(axis=0)
        around[best] = 0.0
        if way == SOMETHING_AROUND and around.any():
            return int(around.argmax())
        if way == TRUTH and memory.hand[best] > 0.0:
            return best
        return self._luck.choice([gift for gift in GIFTS if gift != best and not around[gift]])

    def _to(self, seats: NDArray[Any], scores: NDArray[Any]) -> int:
        memory = self.memory
        doubts = (memory.refused[seats] + 0.5) / (memory.offered[seats] + 4.0)
        facts = np.stack([scores[seats] / 3, doubts, scores[seats] == scores[seats].min()], axis=1)
        return TO + int(seats[self._pick("to", facts, facts @ self._weights.to)])

    def _pick(self, what: str, facts: Array, logits: Array) -> int:
        shares = softmax(logits)
        choice = int(shares.argmax())
        if self._curiosity is not None:
            tried = (1.0 - self._curiosity) * shares + self._curiosity / len(shares)
            choice = self._luck.choices(range(len(shares)), tried.tolist())[0]
        self.chosen = what, facts, choice, shares
        return choice


def learnt(_level: str, seat: int, seed: int) -> ByNumbers:
    """The learnt player, as it comes with the laboratory."""
    text = files("notahat.lab").joinpath("learnt.json").read_text("utf-8")
    return ByNumbers(seat, Learnt(Weights.load(text), seed))
