"""The game as a PettingZoo environment (AEC): `env()` with checks, `raw_env()` without.

An agent sees what a person on its seat sees: the present, and all that happened since its own last turn. Whoever would
miss something gets a turn to watch first. `recall=True` adds, apart from that, what somebody who forgets nothing knows.
Draw and wrap are no decisions and happen by themselves. With a special card an agent decides twice: who receives it,
then what it claims to be. All of it stands on the batch simulator.
"""

import sys
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from notahat.optional_dependencies import how_to_add

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from numpy.typing import NDArray
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import OrderEnforcingWrapper
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
    from pettingzoo.utils.env_logger import EnvLogger
except ModuleNotFoundError as missing:
    told = f"the environment needs {missing.name}: {how_to_add('lab')}"
    raise ModuleNotFoundError(told, name=missing.name) from None

from notahat.lab.batch import Tables
from notahat.lab.encoding import (
    ACCEPT,
    ACTIONS,
    ACTOR,
    ANSWERING,
    BACK,
    CLAIM,
    COLUMNS,
    DECISION,
    EVENTS,
    FIELDS,
    GIVER,
    NAMES,
    NOBODY,
    OVER,
    PILES,
    PLACES,
    PRESENT,
    RECEIVER,
    REFUSE,
    TO,
    TOP,
    WATCH,
)
from notahat.lab.kernels import CUT, NOT_ALLOWED, PLAYERS, SCORES
from notahat.rules.round import PENALTIES_THAT_END, lowest

__all__ = ["ACCEPT", "REFUSE", "TO", "WATCH", "env", "parallel_env", "raw_env"]

ILLEGAL_REWARD = -3.0
_FOREVER = 2**63

Observation = dict[str, NDArray[Any]]
Seen = tuple[Observation | None, float, bool, bool, dict[str, Any]]


def env(**options: Any) -> AECEnv[str, Observation, int | None]:
    """The environment with its checks: order of calls, actions out of bounds, illegal moves."""
    return Checked(raw_env(**options))


def parallel_env(**options: Any) -> ParallelEnv[str, Observation, int | None]:
    """The same in PettingZoo's parallel form: everyone sees every step, and only the action of who is to act counts."""
    return turn_based_aec_to_parallel(env(**options))


class Saved(Struct, frozen=True):
    """A game put aside: all there is to know about it, as a value that can be written anywhere."""

    row: bytes
    luck: int
    agents: tuple[str, ...]
    rewards: dict[str, float]
    owed: dict[str, float]
    illegal: bool


class raw_env(AECEnv[str, Observation, int | None], EzPickle):  # type: ignore[misc]  # noqa: N801
    """The environment itself, which trusts whoever acts."""

    metadata = {  # noqa: RUF012 - PettingZoo's own declaration
        "name": "notahat_v1",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        players: int = 4,
        gifts: int | None = None,
        edition: str = "classic",
        special_cards: bool = True,
        arrows: str = "both",
        max_cycles: int = 400,
        recall: bool = False,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(self, players, gifts, edition, special_cards, arrows, max_cycles, recall, render_mode)
        self._options: dict[str, Any] = {"recall": recall, "render_mode": render_mode, "max_cycles": max_cycles}
        self._options |= {"players": players, "gifts": gifts, "edition": edition}
        self._options |= {"special_cards": special_cards, "arrows": arrows}
        super().__init__()
        self.tables = Tables(1, players, gifts, edition, special_cards, arrows, max_cycles)
        self.row = self.tables.rows[0]  # the same memory: it changes with the round
        self._bytes = memoryview(self.row)  # and again: single bytes are read from it more quickly
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._recall = recall
        self._illegal = False
        self._spaces = {agent: self._space() for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal anew; without a seed the luck of the games before goes on, and before any game it is fresh."""
        if seed is not None:
            self.tables.seed(seed)
        self.tables.deal()
        agents = self.possible_agents
        self.agents = agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._rewarded: str | None = None
        self._illegal = False
        self.agent_selection = agents[self._bytes[ACTOR]]

    def step(self, action: int | None) -> None:
        if action is None:
            self._leave()
        elif not self.moved(action):
            if self.row[DECISION] == OVER:
                raise ValueError("when an agent is dead, the only valid action is None")
            raise ValueError(f"{self.agent_selection} may not do {action} now: see the action mask")

    def moved(self, action: int) -> bool:
        """Make a move, if it is allowed."""
        agent = self.agent_selection
        blamed = self.tables.move(action)
        if blamed == NOT_ALLOWED:
            return False
        if self._rewarded is not None:
            self.rewards[self._rewarded] = 0.0
            self._rewarded = None
        self._cumulative_rewards[agent] = 0.0
        if blamed >= 0:
            self._penalise(self.possible_agents[blamed])
        actor = self._bytes[ACTOR]
        if actor == NOBODY:
            self._end()
        else:
            self.agent_selection = self.possible_agents[actor]
        if self.render_mode == "human":
            self.render()
        return True

    def last(self, observe: bool = True) -> Seen:
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = _FOREVER) -> Iterator[str]:
        """Whose turn it is, until nobody is left."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def observe(self, agent: str) -> Observation:
        """The present, and what happened since this agent's own last turn: see docs/lab.md for what is where."""
        present, events, mask = self.tables.look(self._seat[agent])
        seen = {"observation": present, "events": events, "action_mask": mask}
        if self._recall:
            seen["recall"] = self.tables.known_gifts()
        return seen

    def save(self) -> Saved:
        """Put the game aside, luck included, to go on from here as often as one likes."""
        return Saved(
            self.row.tobytes(),
            int(self.tables.luck[0]),
            tuple(self.agents),
            dict(self.rewards),
            dict(self._cumulative_rewards),
            self._illegal,
        )

    def restore(self, saved: Saved) -> None:
        """Go on with a game that was put aside, here or in another environment with the same options."""
        self.row[:] = np.frombuffer(saved.row, np.uint8)
        self.tables.luck[0] = saved.luck
        self._illegal = saved.illegal
        self.agents = list(saved.agents)
        self.rewards, self._cumulative_rewards = dict(saved.rewards), dict(saved.owed)
        self._rewarded = next((agent for agent, reward in saved.rewards.items() if reward), None)
        over = self.row[DECISION] == OVER
        cut = bool(self.row[CUT]) or saved.illegal
        self.terminations = dict.fromkeys(self.agents, bool(over and (not self.row[CUT] or saved.illegal)))
        self.truncations = dict.fromkeys(self.agents, bool(over and cut))
        self.infos = {agent: {} for agent in self.agents}
        if self.agents:
            self.agent_selection = self.agents[0] if over else self.possible_agents[self.row[ACTOR]]

    def clone(self) -> "raw_env":
        """Another environment in the same state, with the same luck ahead."""
        other = raw_env(**self._options)
        other.tables.luck[:] = self.tables.luck
        if hasattr(self, "rewards"):
            other.restore(self.save())
        return other

    def __getstate__(self) -> dict[str, Any]:
        saved = self.save() if hasattr(self, "rewards") else None
        return {**EzPickle.__getstate__(self), "luck": int(self.tables.luck[0]), "saved": saved}

    def __setstate__(self, state: dict[str, Any]) -> None:
        EzPickle.__setstate__(self, state)
        self.tables.luck[0] = state["luck"]
        if state["saved"] is not None:
            self.restore(state["saved"])

    def render(self) -> str | None:
        """The table as a line of text: returned in mode `ansi`, written in mode `human`."""
        if self.render_mode is None:
            return None
        drawn = _drawn(self.row, self.tables.gifts)
        if self.render_mode == "ansi":
            return drawn
        sys.stdout.write(drawn + "\n")
        return None

    def close(self) -> None:
        """There is nothing to close."""

    def end_illegally(self) -> None:
        """Somebody made a move that the rules do not know."""
        self._clear_rewards()
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards[self.agent_selection] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self._illegal = True
        self.tables.stop()
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _penalise(self, agent: str) -> None:
        """A penalty costs a point at once."""
        self.rewards[agent] = -1.0
        self._rewarded = agent
        self._cumulative_rewards[agent] -= 1.0

    def _end(self) -> None:
        """The winners share one point; where a game was stopped, nobody has won."""
        if self.row[CUT]:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.terminations = dict.fromkeys(self.agents, True)
            winners = lowest(self.row[SCORES : SCORES + len(self.agents)].tolist())
            for seat in winners:
                agent = self.possible_agents[seat]
                self.rewards[agent] = 1.0 / len(winners)
                self._cumulative_rewards[agent] += 1.0 / len(winners)
        self.agent_selection = self.agents[0]

    def _leave(self) -> None:
        """What PettingZoo's `_was_dead_step` does, for a game in which all agents end together."""
        if self._bytes[DECISION] != OVER:
            raise ValueError("an agent that is still playing must act")
        agent = self.agents.pop(0)
        for ended in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del ended[agent]
        if self.agents:
            self.agent_selection = self.agents[0]
            self._clear_rewards()

    def _space(self) -> spaces.Dict:
        return spaces.Dict(observed(len(self.possible_agents) if self._recall else None))


def observed(recalled: int | None = None) -> dict[str, spaces.Space[Any]]:
    """What an observation consists of, the same for any number of players (but for `recall`)."""
    space: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(0, NOBODY, (PRESENT,), np.uint8),
        "events": spaces.Box(0, NOBODY, (EVENTS, FIELDS), np.uint8),
        "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
    }
    if recalled is not None:
        space["recall"] = spaces.Box(0, NOBODY, (1 + recalled * PLACES,), np.uint8)
    return space


class Checked(OrderEnforcingWrapper[str, Observation, int | None]):  # type: ignore[misc]
    """All of PettingZoo's usual checks in one wrapper, where three would ask the same things thrice.

    An illegal move ends the game at once, with a bad reward for whoever made it and none for the others.
    """

    env: raw_env
    _has_reset: bool
    _has_updated: bool

    def agent_iter(self, max_iter: int = _FOREVER) -> Iterator[str]:
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return self._turns(max_iter)

    def _turns(self, max_iter: int) -> Iterator[str]:
        for agent in self.env.agent_iter(max_iter):
            if not self._has_updated:
                raise AssertionError("need to call step() or reset() in a loop over `agent_iter`")
            self._has_updated = False
            yield agent

    def last(self, observe: bool = True) -> Seen:
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self.env.last(observe)

    def step(self, action: int | None) -> None:
        game = self.env
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not game.agents:
            EnvLogger.warn_step_after_terminated_truncated()
        elif action is None or game.row[DECISION] == OVER:
            game.step(action)
        elif not 0 <= action < ACTIONS:
            raise AssertionError(f"action {action} is not in the action space")
        elif not game.moved(action):
            EnvLogger.warn_on_illegal_move()
            game.end_illegally()

    def restore(self, saved: Saved) -> None:
        """Go on with a game that was put aside, here or in another environment with the same options."""
        self.env.restore(saved)
        self._has_reset = self._has_updated = True

    def clone(self) -> "Checked":
        """Another environment in the same state, with the same luck ahead."""
        other = Checked(self.env.clone())
        other._has_reset, other._has_updated = self._has_reset, self._has_updated
        return other


def _drawn(row: NDArray[np.uint8], gifts: int) -> str:
    seats = []
    for seat in range(row[PLAYERS]):
        column = row[COLUMNS + seat * PLACES :][:gifts]
        pile = row[PILES + seat * PENALTIES_THAT_END :][:PENALTIES_THAT_END]
        words = [NAMES[int(code)] for code in column] + [f"-{NAMES[int(code)]}" for code in pile if code]
        seats.append(f"{seat}: {' '.join(words)}")
    return " | ".join([*seats, f"shop: {NAMES[int(row[TOP])]}", _happening(row)])


def _happening(row: NDArray[np.uint8]) -> str:
    if row[DECISION] == OVER:
        return "over"
    if row[DECISION] == ANSWERING:
        return f"{row[GIVER]} offers {row[RECEIVER]} this: {NAMES[int(row[CLAIM])]}"
    return f"{row[GIVER]} has {NAMES[int(row[BACK])]} in hand"
