"""The game as a PettingZoo environment (AEC): `env()` with checks, `raw_env()` without.

An agent sees what a person on its seat sees: the table, and all events since its own last turn. A seat that would miss
an event gets a turn to watch first. `recall=True` adds what a player with perfect memory knows. Draw and wrap moves
happen automatically. With an `any` back an agent decides twice: the receiver, then the claim.
"""

import copy
import sys
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from msgspec import Struct
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import OrderEnforcingWrapper
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper
from pettingzoo.utils.env_logger import EnvLogger

from notahat.rules.round import lowest
from notahat_lab import encoding as enc
from notahat_lab.batch import Tables
from notahat_lab.batch_render import check_render_mode, draw_row, render_row
from notahat_lab.encoding import ACCEPT, ACTIONS, ACTOR, DECISION, NOBODY, OVER, REFUSE, TO, WATCH
from notahat_lab.kernels import ILLEGAL, SCORES, TRUNCATED

__all__ = ["ACCEPT", "REFUSE", "TO", "WATCH", "Saved", "env", "parallel_env", "raw_env"]

ILLEGAL_REWARD = -3.0
RENDER_MODES = ["human", "ansi", "rgb_array"]

Observation = dict[str, NDArray[Any]]


def env(**options: Any) -> AECEnv[str, Observation, int | None]:
    """Return the environment with checks of call order, action bounds and legality."""
    return Checked(raw_env(**options))


def parallel_env(**options: Any) -> ParallelEnv[str, Observation, int | None]:
    """Return PettingZoo's parallel form: only the actor's action counts, and agents that wait may only *watch*."""
    return Parallel(env(**options))


class IllegalActionError(ValueError):
    """An action that its agent may not take now."""


class Saved(Struct, frozen=True):
    """A saved game: its complete state as a serialisable value."""

    row: bytes
    luck: int
    agents: tuple[str, ...]
    rewards: dict[str, float]
    owed: dict[str, float]


class raw_env(AECEnv[str, Observation, int | None], EzPickle):  # type: ignore[misc]  # noqa: N801
    """The environment without checks."""

    metadata = {  # noqa: RUF012 - PettingZoo's own declaration
        "name": "notahat_v1",
        "render_modes": RENDER_MODES,
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
        check_render_mode(render_mode, RENDER_MODES)
        EzPickle.__init__(self, players, gifts, edition, special_cards, arrows, max_cycles, recall, render_mode)
        super().__init__()
        self.tables = Tables(1, players, gifts, edition, special_cards, arrows, max_cycles)
        self.row = self.tables.rows[0]  # a view of the same memory
        self._bytes = memoryview(self.row)  # another view, faster for reading single bytes
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._recall = recall
        self.state_space = spaces.Box(0, NOBODY, (enc.STATE_SIZE,), np.uint8)
        parts = observation_spaces(players if recall else None)
        self._spaces = {agent: spaces.Dict(parts) for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal a new game; without a seed, continue the random sequence of the previous games."""
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
        self.agent_selection = agents[self._bytes[ACTOR]]

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent that is still playing must act")
        penalised = self.tables.move(action)
        if penalised == ILLEGAL:
            raise IllegalActionError(f"{agent} may not take action {action} now: see the action mask")
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        if penalised >= 0:
            self.rewards[self.possible_agents[penalised]] = -1.0
        actor = self._bytes[ACTOR]
        if actor == NOBODY:
            self._end()
        else:
            self.agent_selection = self.possible_agents[actor]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return the observation that docs/environments.md describes."""
        if "rewards" not in self.__dict__:
            raise AttributeError("call reset() before observe()")
        observation, events, mask = self.tables.observe(self._seat[agent])
        seen = {"observation": observation, "events": events, "action_mask": mask}
        if self._recall:
            seen["recall"] = self.tables.known_gifts()
        return seen

    def __getattr__(self, name: str) -> Any:
        if name in ("agent_selection", "rewards", "terminations", "truncations", "infos"):
            raise AttributeError(f"call reset() first: there is no {name} before")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def state(self) -> NDArray[np.uint8]:
        """Return the complete state for a central critic, hidden gifts included (docs/environments.md)."""
        return self.tables.states().reshape(-1)

    def save(self) -> Saved:
        """Save the game with its random state; it can be restored any number of times."""
        return Saved(
            self.row.tobytes(),
            int(self.tables.luck[0]),
            tuple(self.agents),
            dict(self.rewards),
            dict(self._cumulative_rewards),
        )

    def restore(self, saved: Saved) -> None:
        """Continue a saved game, from this or another environment with the same options."""
        self.row[:] = np.frombuffer(saved.row, np.uint8)
        self.tables.luck[0] = saved.luck
        self.agents = list(saved.agents)
        self.rewards, self._cumulative_rewards = dict(saved.rewards), dict(saved.owed)
        over = self.row[DECISION] == OVER
        truncated = self.row[TRUNCATED]
        self.terminations = dict.fromkeys(self.agents, bool(over and not truncated))
        self.truncations = dict.fromkeys(self.agents, bool(over and truncated))
        self.infos = {agent: {} for agent in self.agents}
        if self.agents:
            self.agent_selection = self.agents[0] if over else self.possible_agents[self.row[ACTOR]]

    def clone(self) -> "raw_env":
        """Return another environment in the same state, with the same random sequence ahead."""
        return copy.copy(self)

    def __getstate__(self) -> dict[str, Any]:
        saved = self.save() if hasattr(self, "rewards") else None
        return {**EzPickle.__getstate__(self), "luck": int(self.tables.luck[0]), "saved": saved}

    def __setstate__(self, state: dict[str, Any]) -> None:
        EzPickle.__setstate__(self, state)
        self.tables.luck[0] = state["luck"]
        if state["saved"] is not None:
            self.restore(state["saved"])

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the table as a line of text in mode `ansi` or a picture in mode `rgb_array`; print it in `human`."""
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return draw_row(self.row, self.tables.gifts)
        text = render_row(self.row, self.tables.gifts)
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text + "\n")
        return None

    def close(self) -> None:
        """Do nothing: PettingZoo asks for it beside `render`."""

    def end_illegally(self) -> None:
        """End the game after an illegal move by the current agent."""
        self._clear_rewards()
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards[self.agent_selection] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self.tables.stop()
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _end(self) -> None:
        """Share one point among the winners; a truncated game has none."""
        if self.row[TRUNCATED]:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.terminations = dict.fromkeys(self.agents, True)
            winners = lowest(self.row[SCORES : SCORES + len(self.agents)].tolist())
            for seat in winners:
                self.rewards[self.possible_agents[seat]] = 1.0 / len(winners)
        self.agent_selection = self.agents[0]


def observation_spaces(recalled: int | None = None) -> dict[str, spaces.Space[Any]]:
    """Return the parts of an observation; only `recall` depends on the number of players."""
    space: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(0, NOBODY, (enc.OBSERVATION_SIZE,), np.uint8),
        "events": spaces.Box(0, NOBODY, (enc.EVENT_ROWS, enc.EVENT_FIELDS), np.uint8),
        "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
    }
    if recalled is not None:
        space["recall"] = spaces.Box(0, NOBODY, (1 + recalled * enc.COLUMN_SLOTS,), np.uint8)
    return space


class Checked(OrderEnforcingWrapper[str, Observation, int | None]):  # type: ignore[misc]
    """Checks of calls and actions. An illegal move ends the game with a negative reward for its agent, untruncated."""

    env: raw_env

    def step(self, action: int | None) -> None:
        try:
            super().step(action)
        except IllegalActionError:
            if action not in range(ACTIONS):
                raise AssertionError(f"action {action} is not in the action space") from None
            EnvLogger.warn_on_illegal_move()
            self.env.end_illegally()

    def restore(self, saved: Saved) -> None:
        """Continue a saved game, from this or another environment with the same options."""
        self.env.restore(saved)
        self._has_reset = self._has_updated = True

    def clone(self) -> "Checked":
        """Return another environment in the same state, with the same random sequence ahead."""
        return copy.deepcopy(self)


class Parallel(turn_based_aec_to_parallel_wrapper[str, Observation, int | None]):  # type: ignore[misc]
    """PettingZoo's parallel form with a legal action for agents that wait."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Any]]:
        seen, infos = super().reset(seed, options)
        return _let_waiting_watch(seen), infos

    def step(self, actions: dict[str, int | None]) -> tuple[dict[str, Any], ...]:
        if not hasattr(self, "agents"):
            raise AttributeError("call reset() before step()")
        if not self.agents:
            return {}, {}, {}, {}, {}
        seen, *rest = super().step(actions)
        return _let_waiting_watch(seen), *rest


def _let_waiting_watch(seen: dict[str, Observation]) -> dict[str, Observation]:
    for observation in seen.values():
        mask = observation["action_mask"]
        mask[WATCH] |= not mask.any()
    return seen
