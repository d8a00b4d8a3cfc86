"""Gymnasium's vector form: self-play at many tables at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from msgspec import Struct
from numpy.typing import NDArray

from notahat_lab import kernels
from notahat_lab.batch import Tables, empty_observations
from notahat_lab.batch_render import check_render_mode, draw_row, render_row
from notahat_lab.encoding import ACTIONS, ACTOR, DECISION, NOBODY, OVER, WATCH
from notahat_lab.env import observation_spaces

__all__ = ["SavedTables", "VectorTables"]

Observations = dict[str, NDArray[Any]]
Stepped = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class SavedTables(Struct, frozen=True):
    """Saved games of `VectorTables` as a serialisable value."""

    rows: bytes
    luck: bytes
    rewards: bytes


class VectorTables(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Self-play at many tables. Observations belong to the seats that act next, rewards to those that have just acted.

    `info["seat"]` contains the seats that act next, `info["rewards"]` the rewards of all seats. The next step deals a
    new game where one is over, whatever its action. With `copy=False` all observations share the same arrays.
    """

    metadata = {  # noqa: RUF012 - Gymnasium's own declaration
        "autoreset_mode": AutoresetMode.NEXT_STEP,
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 1,
    }

    def __init__(
        self,
        num_envs: int = 1,
        copy: bool = True,
        recall: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.num_envs, self.render_mode, self._recall = num_envs, render_mode, recall
        self.tables = Tables(num_envs, **options)
        self._reset_done = False
        self.single_observation_space = spaces.Dict(observation_spaces(self.tables.players if recall else None))
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._observations = empty_observations(num_envs)
        self._rewards = np.zeros((num_envs, self.tables.players), np.float32)
        self._reward = np.zeros(num_envs, np.float64)
        self._terminated, self._truncated = np.zeros(num_envs, np.bool_), np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal every table, from one seed or one for each; without a seed, continue the random sequences."""
        if isinstance(seed, int | np.integer):
            self.tables.seed(int(seed))
        elif seed is not None:
            if len(seed) != self.num_envs:
                raise ValueError(f"{len(seed)} seeds for {self.num_envs} tables")
            for table, one in enumerate(seed):
                if one is not None:
                    self.tables.luck[table] = np.random.SeedSequence(one).generate_state(1, np.uint64)[0]
        self.tables.deal()
        self._reset_done = True
        self._rewards[:] = 0.0
        return self._observe(), self._info()

    def step(self, actions: NDArray[np.int64]) -> Stepped:
        """Apply one action at every table. An illegal action ends its game with a reward of -3."""
        if not self._reset_done:
            raise ResetNeeded("call reset() before step()")
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != (self.num_envs,):  # kernels do not check bounds
            raise ValueError(f"one action for each of {self.num_envs} tables, not an array of shape {actions.shape}")
        tables, ended = self.tables, (self._terminated, self._truncated)
        kernels.step(
            tables.rows, tables.faces, tables.claimable, tables.luck, actions, self._rewards, self._reward, *ended
        )
        if self._copy:
            return self._observe(), self._reward.copy(), ended[0].copy(), ended[1].copy(), self._info()
        return self._observe(), self._reward, *ended, self._info()

    def any_actions(self) -> NDArray[np.int64]:
        """Return a uniformly random legal action for every table."""
        actions = np.empty(self.num_envs, np.int64)
        kernels.random_actions(self.tables.rows, self.tables.claims, self.tables.luck, actions)
        return actions

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions at every table, as maskable learners ask for them."""
        return self._observe()["action_mask"].astype(np.bool_)

    def states(self) -> NDArray[np.uint8]:
        """Return the complete states for a central critic, hidden gifts included (docs/environments.md)."""
        return self.tables.states()

    def save(self) -> SavedTables:
        """Save all games with their random states; they can be restored any number of times."""
        return SavedTables(self.tables.rows.tobytes(), self.tables.luck.tobytes(), self._rewards.tobytes())

    def restore(self, saved: SavedTables) -> tuple[Observations, dict[str, Any]]:
        """Continue saved games of the same options, and return what `reset` would."""
        self.tables.rows[:] = np.frombuffer(saved.rows, np.uint8).reshape(self.tables.rows.shape)
        self.tables.luck[:] = np.frombuffer(saved.luck, np.uint64)
        self._rewards[:] = np.frombuffer(saved.rewards, np.float32).reshape(self._rewards.shape)
        self._reset_done = True
        return self._observe(), self._info()

    def render(self) -> tuple[Any, ...] | None:
        """Return a line of text for each table in mode `ansi`, or a picture in mode `rgb_array`."""
        if self.render_mode is None:
            return None
        draw = draw_row if self.render_mode == "rgb_array" else render_row
        return tuple(draw(row, self.tables.gifts) for row in self.tables.rows)

    def _observe(self) -> Observations:
        observation, events, mask = empty_observations(self.num_envs) if self._copy else self._observations
        kernels.write_observations(self.tables.rows, self.tables.claimable, observation, events, mask)
        mask[:, WATCH] |= self.tables.rows[:, DECISION] == OVER  # the next step deals, whatever its action
        seen = {"observation": observation, "events": events, "action_mask": mask}
        if self._recall:
            seen["recall"] = self.tables.all_known_gifts()
        return seen

    def _info(self) -> dict[str, Any]:
        seat = self.tables.rows[:, ACTOR]
        return {"seat": np.where(seat == NOBODY, 0, seat), "rewards": self._rewards.copy()}
