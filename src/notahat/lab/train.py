"""Train the learnt player: first its memory, on games of the batch simulator, then its policy, against others."""

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from notahat.lab import encoding as enc
from notahat.lab.encoding import ACTIONS, COLUMN_SLOTS, EVENT_FIELDS, EVENT_ROWS, FIRST_GIFT
from notahat.lab.kernels import EVENT_LOG, HAND, PASS_NUMBER
from notahat.lab.learnt import KINDS, SOURCES, TARGETS, Array, Choice, LearntPolicy, Weights, pass_kind, softmax
from notahat.lab.solo import Solo
from notahat.lab.vector import VectorTables

ROUNDS = (50, 120)  # training rounds of the memory (for one gift each, and again for two) and of the policy
_TABLES, _STEPS = 32, 120
_EPSILON = 1e-6
_DISCOUNT = 0.9
_EXPLORATION = 0.1  # share of random decisions
_GAMES_PER_ROUND = 40
Progress = Callable[[int], None]


class PassBatch(Struct, frozen=True):
    """One pass at some of many tables: what everybody saw of it, and the true gift."""

    tables: NDArray[np.int64]
    dealt: NDArray[np.bool_]
    kinds: NDArray[np.int64]
    givers: NDArray[np.int64]
    shown: NDArray[np.int64]
    claims: NDArray[np.int64]
    open: NDArray[np.uint8]
    truth: NDArray[np.int64]


Forward = tuple[PassBatch, Array, Array, NDArray[np.bool_]]  # batch, sources, likelihood of the truth, open slots


def simulate_passes(gifts: int, seed: int) -> list[PassBatch]:
    """Play games in which most claims are true and accepted, so that gifts travel far."""
    rng = np.random.default_rng(seed)
    tables = VectorTables(_TABLES, copy=False, players=4, gifts=gifts, edition="special" if seed % 2 else "classic")
    tables.reset(seed=seed)
    batches, last = [], np.full(_TABLES, -1)
    new_game = np.ones(_TABLES, np.bool_)
    for _ in range(_STEPS):
        rows = tables.tables.rows
        over = rows[:, enc.DECISION] == enc.OVER
        starting = np.flatnonzero((rows[:, PASS_NUMBER] != last) & ~over)
        last = np.where(over, -1, rows[:, PASS_NUMBER].astype(np.int64))
        if starting.size:
            batches.append(_pass_batch(tables, starting, new_game[starting]))
            new_game[starting] = False
        new_game |= over
        actions = tables.any_actions()
        accepting = rng.random(_TABLES) < 0.8
        actions[(actions == enc.REFUSE) & accepting] = enc.ACCEPT
        honest = (actions >= FIRST_GIFT) & (rng.random(_TABLES) < 0.7)
        actions[honest] = tables.tables.faces[0, rows[honest, HAND]]
        tables.step(actions)
    return batches


def _pass_batch(tables: VectorTables, starting: NDArray[np.int64], new_game: NDArray[np.bool_]) -> PassBatch:
    rows = tables.tables.rows[starting]
    events = rows[:, EVENT_LOG : EVENT_LOG + EVENT_ROWS * EVENT_FIELDS].astype(np.int64)
    log = events.reshape(-1, EVENT_ROWS, EVENT_FIELDS)
    number, each = rows[:, PASS_NUMBER].astype(np.int64), np.arange(len(starting))
    now, before = log[each, number % EVENT_ROWS], log[each, (number - 1) % EVENT_ROWS]
    answers = np.where(new_game, 0, before[:, enc.EVENT_ANSWER])
    kinds = [pass_kind(int(answer), int(how)) for answer, how in zip(answers, now[:, enc.EVENT_SOURCE], strict=True)]
    return PassBatch(
        starting,
        new_game,
        np.array(kinds),
        now[:, enc.EVENT_GIVER],
        now[:, enc.EVENT_SHOWN],
        np.where(new_game, 0, before[:, enc.EVENT_CLAIM]),
        rows[:, enc.COLUMNS : enc.COLUMNS + 4 * COLUMN_SLOTS].reshape(-1, 4, COLUMN_SLOTS),
        tables.tables.faces[0, rows[:, HAND]].astype(np.int64),
    )


def _one_hot(codes: NDArray[np.int64]) -> Array:
    one = np.zeros((len(codes), ACTIONS))
    one[np.arange(len(codes)), codes] = codes > 0
    return one


def memory_loss(gates: Array, batches: list[PassBatch]) -> tuple[float, float, Array]:
    """Return the gates' loss, the share of gifts known, and the gradient through all passes."""
    weights = softmax(gates)
    hand, columns = np.zeros((_TABLES, ACTIONS)), np.zeros((_TABLES, 4, COLUMN_SLOTS, ACTIONS))
    forward: list[Forward] = []
    loss, right, total = 0.0, 0, 0
    for batch in batches:
        at, giver = batch.tables, batch.givers
        columns[at[batch.dealt]], hand[at[batch.dealt]] = 0.0, 0.0
        column = columns[at, giver]
        shown, claimed = _one_hot(batch.shown), _one_hot(batch.claims)
        nothing = np.zeros((len(at), ACTIONS))
        sources = np.stack([nothing, hand[at], column[:, 0], column[:, 1], shown, claimed], axis=1)
        new = weights[batch.kinds] @ sources
        hand[at], columns[at, giver] = new[:, 0], new[:, 1:]
        open_slots = batch.open >= FIRST_GIFT
        table, seat, slot = np.nonzero(open_slots)
        columns[at[table], seat, slot] = _one_hot(batch.open[open_slots].astype(np.int64))
        likelihood = new[np.arange(len(at)), 0, batch.truth]
        loss -= float(np.log(likelihood + _EPSILON).sum())
        right += int((new[:, 0].argmax(axis=1) == batch.truth).sum())
        total += len(at)
        forward.append((batch, sources, likelihood, open_slots))
    return loss / total, right / total, _backpropagate(weights, forward, total)


def _backpropagate(weights: Array, forward: list[Forward], total: int) -> Array:
    """Return the gradient of the loss with respect to the gates, by backpropagation through time."""
    gradient = np.zeros((KINDS, TARGETS, SOURCES))
    d_hand, d_columns = np.zeros((_TABLES, ACTIONS)), np.zeros((_TABLES, 4, COLUMN_SLOTS, ACTIONS))
    for batch, sources, likelihood, open_slots in reversed(forward):
        at, giver = batch.tables, batch.givers
        table, seat, slot = np.nonzero(open_slots)
        d_columns[at[table], seat, slot] = 0.0
        d_new = np.concatenate([d_hand[at][:, None], d_columns[at, giver]], axis=1)
        d_new[np.arange(len(at)), 0, batch.truth] -= 1.0 / (likelihood + _EPSILON) / total
        np.add.at(gradient, batch.kinds, d_new @ sources.transpose(0, 2, 1))
        d_sources = weights[batch.kinds].transpose(0, 2, 1) @ d_new
        d_hand[at], d_columns[at, giver] = d_sources[:, 1], d_sources[:, 2:4]
        d_hand[at[batch.dealt]], d_columns[at[batch.dealt]] = 0.0, 0.0
    result: Array = weights * (gradient - (gradient * weights).sum(axis=-1, keepdims=True))
    return result


class Adam:
    """The Adam optimiser (Kingma & Ba 2015)."""

    def __init__(self, shape: tuple[int, ...], rate: float) -> None:
        self._mean, self._square, self._rate, self._steps = np.zeros(shape), np.zeros(shape), rate, 0

    def step(self, gradient: Array) -> Array:
        self._steps += 1
        self._mean = 0.9 * self._mean + 0.1 * gradient
        self._square = 0.999 * self._square + 0.001 * gradient**2
        mean, square = self._mean / (1 - 0.9**self._steps), self._square / (1 - 0.999**self._steps)
        result: Array = self._rate * mean / (np.sqrt(square) + 1e-8)
        return result


def train_memory(weights: Weights, rounds: int, seed: int, progress: Progress) -> list[float]:
    """Train the gates, for one gift each and for two. Return the share of gifts known after each round."""
    known = []
    for gifts in (1, 2):
        adam = Adam((KINDS, TARGETS, SOURCES), 0.1)
        for number in range(rounds):
            batches = simulate_passes(gifts, seed * 100_003 + number)
            _, share, gradient = memory_loss(weights.gates[gifts - 1], batches)
            weights.gates[gifts - 1] -= adam.step(gradient)
            known.append(share)
            progress(1)
    return known


def train_policy(weights: Weights, rounds: int, seed: int, others: tuple[str, ...], progress: Progress) -> list[float]:
    """Train the policy with REINFORCE. Return the mean lead after each round."""
    parts: dict[str, Array] = {"answer": weights.answer, "give": weights.give, "to": weights.to}
    adams = {name: Adam(part.shape, 0.05) for name, part in parts.items()}
    classic = Solo(others)
    special = Solo(others, edition="special")
    means = []
    for number in range(rounds):
        made: list[tuple[Choice, float]] = []
        leads = 0.0
        for game in range(_GAMES_PER_ROUND):
            game_seed = seed * 1_000_003 + number * _GAMES_PER_ROUND + game
            choices, lead = _play(special if game % 4 == 0 else classic, weights, game_seed)
            made += choices
            leads += lead
        for name, part in parts.items():
            returns = [value for choice, value in made if choice[0] == name]
            baseline = float(np.mean(returns or [0.0]))
            gradient = np.zeros(part.shape)
            for choice, value in made:
                if choice[0] == name:
                    gradient -= (value - baseline) * _score(choice)
            part -= adams[name].step(gradient / len(made))
        means.append(leads / _GAMES_PER_ROUND)
        progress(1)
    return means


def _score(made: Choice) -> Array:
    """Return the gradient of the choice's log-probability."""
    name, features, choice, probabilities = made
    mixed = (1.0 - _EXPLORATION) * probabilities[choice] + _EXPLORATION / len(probabilities)
    score = -probabilities
    score[choice] += 1.0
    score *= (1.0 - _EXPLORATION) * probabilities[choice] / mixed  # exploration says less about the weights
    if name == "answer":
        result: Array = score[1] * features
        return result
    return np.outer(score, features) if name == "give" else score @ features


def _play(game: Solo, weights: Weights, seed: int) -> tuple[list[tuple[Choice, float]], float]:
    """Play a game with exploration. Return every choice with its discounted return, and the final lead."""
    policy = LearntPolicy(weights, seed, _EXPLORATION)
    seen, info = game.reset(seed=seed)
    made: list[Choice] = []
    rewards: list[float] = []
    ended, before = False, _lead(info)
    while not ended:
        action = policy(seen)
        seen, _, terminated, truncated, info = game.step(action)
        now, ended = _lead(info), terminated or truncated
        if policy.chosen is not None:
            made.append(policy.chosen)
            rewards.append(0.0)
        if rewards:
            rewards[-1] += now - before
        before = now
    value, choices = 0.0, []
    for choice, reward in zip(reversed(made), reversed(rewards), strict=True):
        value = reward + _DISCOUNT * value
        choices.append((choice, value))
    return choices, before


def _lead(info: dict[str, Any]) -> float:
    """Return how many penalties fewer than the others' average the learner has."""
    scores, seat = info["scores"], info["seat"]
    return float((sum(scores) - scores[seat]) / (len(scores) - 1) - scores[seat])


def train(
    seed: int,
    rounds: tuple[int, int] = ROUNDS,
    others: tuple[str, ...] = ("regular",) * 3,
    progress: Progress = lambda _: None,
) -> tuple[Weights, list[float], list[float]]:
    """Train a new player. Return its weights, and by round the share of gifts known and its lead."""
    weights = Weights.initial(np.random.default_rng(seed))
    known = train_memory(weights, rounds[0], seed, progress)
    lead = train_policy(weights, rounds[1], seed, others, progress)
    return weights, known, lead
