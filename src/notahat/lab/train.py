"""Training the learnt player: first its memory, from games of the batch simulator, then its policy, against others."""

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from notahat.lab.encoding import (
    ACCEPT,
    ACTIONS,
    ANSWER,
    COLUMNS,
    DECISION,
    EVENTS,
    FIELDS,
    FIRST_GIFT,
    FROM,
    HOW,
    NAMED,
    OVER,
    PLACES,
    REFUSE,
    SHOWN,
)
from notahat.lab.kernels import HAND, LOG, PASS
from notahat.lab.learnt import KINDS, SOURCES, TARGETS, Array, Learnt, Weights, kind_of, softmax
from notahat.lab.solo import Solo
from notahat.lab.vector import VectorTables

ROUNDS = (50, 120)  # of the memory, for one gift each and for two, and of the policy
_TABLES, _STEPS = 32, 120
_TINY = 1e-6
_FAR_SIGHTED = 0.9
_CURIOSITY = 0.1  # so often anything is tried
_GAMES_A_ROUND = 40
Progress = Callable[[int], None]


class Passing(Struct, frozen=True):
    """A gift was passed on at some of many tables: what everyone saw of it, and what it truly was."""

    tables: NDArray[np.int64]
    dealt: NDArray[np.bool_]
    kinds: NDArray[np.int64]
    movers: NDArray[np.int64]
    shown: NDArray[np.int64]
    said: NDArray[np.int64]
    open: NDArray[np.uint8]
    truth: NDArray[np.int64]


def games(gifts: int, seed: int) -> list[Passing]:
    """Games in which most people are honest and polite, so that gifts travel far."""
    luck = np.random.default_rng(seed)
    tables = VectorTables(_TABLES, copy=False, players=4, gifts=gifts, edition="special" if seed % 2 else "classic")
    tables.reset(seed=seed)
    told, last = [], np.full(_TABLES, -1)
    fresh = np.ones(_TABLES, np.bool_)
    for _ in range(_STEPS):
        rows = tables.tables.rows
        over = rows[:, DECISION] == OVER
        begins = np.flatnonzero((rows[:, PASS] != last) & ~over)
        last = np.where(over, -1, rows[:, PASS].astype(np.int64))
        if begins.size:
            told.append(_passing(tables, begins, fresh[begins]))
            fresh[begins] = False
        fresh |= over
        actions = tables.any_actions()
        polite = luck.random(_TABLES) < 0.8
        actions[(actions == REFUSE) & polite] = ACCEPT
        honest = (actions >= FIRST_GIFT) & (luck.random(_TABLES) < 0.7)
        actions[honest] = tables.tables.faces[0, rows[honest, HAND]]
        tables.step(actions)
    return told


def _passing(tables: VectorTables, begins: NDArray[np.int64], fresh: NDArray[np.bool_]) -> Passing:
    rows = tables.tables.rows[begins]
    log = rows[:, LOG : LOG + EVENTS * FIELDS].reshape(-1, EVENTS, FIELDS).astype(np.int64)
    at, each = rows[:, PASS].astype(np.int64), np.arange(len(begins))
    now, before = log[each, at % EVENTS], log[each, (at - 1) % EVENTS]
    answers = np.where(fresh, 0, before[:, ANSWER])
    kinds = [kind_of(int(answer), int(how)) for answer, how in zip(answers, now[:, HOW], strict=True)]
    return Passing(
        begins,
        fresh,
        np.array(kinds),
        now[:, FROM],
        now[:, SHOWN],
        np.where(fresh, 0, before[:, NAMED]),
        rows[:, COLUMNS : COLUMNS + 4 * PLACES].reshape(-1, 4, PLACES),
        tables.tables.faces[0, rows[:, HAND]].astype(np.int64),
    )


def _only(codes: NDArray[np.int64]) -> Array:
    one = np.zeros((len(codes), ACTIONS))
    one[np.arange(len(codes)), codes] = codes > 0
    return one


def remember(gates: Array, told: list[Passing]) -> tuple[float, float, Array]:
    """How well gates remember games: loss, share of gifts known, and how each gate should change (through all time)."""
    weights = softmax(gates)
    hand, columns = np.zeros((_TABLES, ACTIONS)), np.zeros((_TABLES, 4, PLACES, ACTIONS))
    kept: list[tuple[Passing, Array, Array, NDArray[np.bool_]]] = []
    loss, right, asked = 0.0, 0, 0
    for one in told:
        at, mover = one.tables, one.movers
        columns[at[one.dealt]], hand[at[one.dealt]] = 0.0, 0.0
        mine = columns[at, mover]
        sources = np.stack(
            [np.zeros((len(at), ACTIONS)), hand[at], mine[:, 0], mine[:, 1], _only(one.shown), _only(one.said)], axis=1
        )
        new = weights[one.kinds] @ sources
        hand[at], columns[at, mover] = new[:, 0], new[:, 1:]
        seen = one.open >= FIRST_GIFT
        table, seat, place = np.nonzero(seen)
        columns[at[table], seat, place] = _only(one.open[seen].astype(np.int64))
        likely = new[np.arange(len(at)), 0, one.truth]
        loss -= float(np.log(likely + _TINY).sum())
        right += int((new[:, 0].argmax(axis=1) == one.truth).sum())
        asked += len(at)
        kept.append((one, sources, likely, seen))
    return loss / asked, right / asked, _back(weights, kept, asked)


def _back(weights: Array, kept: list[tuple[Passing, Array, Array, NDArray[np.bool_]]], asked: int) -> Array:
    """Back through time: what was copied where tells which gates to thank."""
    changes = np.zeros((KINDS, TARGETS, SOURCES))
    d_hand, d_columns = np.zeros((_TABLES, ACTIONS)), np.zeros((_TABLES, 4, PLACES, ACTIONS))
    for one, sources, likely, seen in reversed(kept):
        at, mover = one.tables, one.movers
        table, seat, place = np.nonzero(seen)
        d_columns[at[table], seat, place] = 0.0
        d_new = np.concatenate([d_hand[at][:, None], d_columns[at, mover]], axis=1)
        d_new[np.arange(len(at)), 0, one.truth] -= 1.0 / (likely + _TINY) / asked
        np.add.at(changes, one.kinds, d_new @ sources.transpose(0, 2, 1))
        d_sources = weights[one.kinds].transpose(0, 2, 1) @ d_new
        d_hand[at], d_columns[at, mover] = d_sources[:, 1], d_sources[:, 2:4]
        d_hand[at[one.dealt]], d_columns[at[one.dealt]] = 0.0, 0.0
    result: Array = weights * (changes - (changes * weights).sum(axis=-1, keepdims=True))
    return result


class Adam:
    """Steps that are as long as changes have been steady (Kingma & Ba 2015)."""

    def __init__(self, shape: tuple[int, ...], rate: float) -> None:
        self._mean, self._square, self._rate, self._steps = np.zeros(shape), np.zeros(shape), rate, 0

    def step(self, change: Array) -> Array:
        self._steps += 1
        self._mean = 0.9 * self._mean + 0.1 * change
        self._square = 0.999 * self._square + 0.001 * change**2
        mean, square = self._mean / (1 - 0.9**self._steps), self._square / (1 - 0.999**self._steps)
        result: Array = self._rate * mean / (np.sqrt(square) + 1e-8)
        return result


def train_memory(weights: Weights, rounds: int, seed: int, progress: Progress) -> list[float]:
    """Learn what to keep, for one gift each and for two; the share of gifts known, round by round."""
    known = []
    for gifts in (1, 2):
        adam = Adam((KINDS, TARGETS, SOURCES), 0.1)
        for number in range(rounds):
            _, share, change = remember(weights.gates[gifts - 1], games(gifts, seed * 100_003 + number))
            weights.gates[gifts - 1] -= adam.step(change)
            known.append(share)
            progress(1)
    return known


def train_policy(weights: Weights, rounds: int, seed: int, others: tuple[str, ...], progress: Progress) -> list[float]:
    """Learn what to do: after each round of games, do more often what went better than usual (REINFORCE)."""
    parts: dict[str, Array] = {"answer": weights.answer, "give": weights.give, "to": weights.to}
    adams = {name: Adam(part.shape, 0.05) for name, part in parts.items()}
    plain = Solo(others)
    special = Solo(others, edition="special")
    means = []
    for number in range(rounds):
        made: list[tuple[str, Array, int, Array, float]] = []
        earned = 0.0
        for game in range(_GAMES_A_ROUND):
            first = seed * 1_000_003 + number * _GAMES_A_ROUND + game
            told, total = _play(special if game % 4 == 0 else plain, weights, first)
            made += told
            earned += total
        usual = {name: float(np.mean([one[4] for one in made if one[0] == name] or [0.0])) for name in parts}
        for name, part in parts.items():
            change = np.zeros(part.shape)
            for what, facts, choice, shares, worth in made:
                if what == name:
                    change -= (worth - usual[name]) * _score(name, facts, choice, shares)
            part -= adams[name].step(change / len(made))
        means.append(earned / _GAMES_A_ROUND)
        progress(1)
    return means


def _score(name: str, facts: Array, choice: int, shares: Array) -> Array:
    """In which direction the weights make this choice likelier."""
    tried = (1.0 - _CURIOSITY) * shares[choice] + _CURIOSITY / len(shares)
    wanted = -shares
    wanted[choice] += 1.0
    wanted *= (1.0 - _CURIOSITY) * shares[choice] / tried  # what was tried out of curiosity says less about the weights
    if name == "answer":
        result: Array = wanted[1] * facts
        return result
    return np.outer(wanted, facts) if name == "give" else wanted @ facts


def _play(game: Solo, weights: Weights, seed: int) -> tuple[list[tuple[str, Array, int, Array, float]], float]:
    """A game with some curiosity: every decision, and what it was worth from then on."""
    player = Learnt(weights, seed, _CURIOSITY)
    seen, info = game.reset(seed=seed)
    made: list[tuple[str, Array, int, Array]] = []
    rewards: list[float] = []
    ended, before = False, _lead(info)
    while not ended:
        action = player(seen)
        seen, _, terminated, truncated, info = game.step(action)
        now, ended = _lead(info), terminated or truncated
        if player.chosen is not None:
            made.append(player.chosen)
            rewards.append(0.0)
        if rewards:
            rewards[-1] += now - before
        before = now
    worth, told = 0.0, []
    for (what, facts, choice, shares), reward in zip(reversed(made), reversed(rewards), strict=True):
        worth = reward + _FAR_SIGHTED * worth
        told.append((what, facts, choice, shares, worth))
    return told, before


def _lead(info: dict[str, Any]) -> float:
    """How many penalties fewer than the others have on average."""
    scores, seat = info["scores"], info["seat"]
    return float((sum(scores) - scores[seat]) / (len(scores) - 1) - scores[seat])


def train(
    seed: int,
    rounds: tuple[int, int] = ROUNDS,
    others: tuple[str, ...] = ("regular",) * 3,
    progress: Progress = lambda _: None,
) -> tuple[Weights, list[float], list[float]]:
    """Train a player from nothing: its weights, the share of gifts known, and the lead it had, both round by round."""
    weights = Weights.fresh(np.random.default_rng(seed))
    known = train_memory(weights, rounds[0], seed, progress)
    lead = train_policy(weights, rounds[1], seed, others, progress)
    return weights, known, lead
