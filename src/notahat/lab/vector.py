"""Gymnasium's vector form: self-play at many tables at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from notahat.lab import kernels
from notahat.lab.batch import Tables, empty_observations
from notahat.lab.encoding import ACTIONS, ACTOR, NOBODY
from notahat.lab.env import observation_spaces

Observations = dict[str, NDArray[Any]]
Stepped = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class VectorTables(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Self-play at many tables. Observations belong to the seats that act next, rewards to those that have just acted.

    `info["seat"]` contains the seats that act next, `info["rewards"]` the rewards of all seats. The next step deals a
    new game where one is over, whatever its action. With `copy=False` all observations share the same arrays.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - Gymnasium's own declaration

    def __init__(self, num_envs: int = 1, copy: bool = True, **options: Any) -> None:
        self.num_envs = num_envs
        self.tables = Tables(num_envs, **options)
        self.single_observation_space = spaces.Dict(observation_spaces())
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
        self._rewards[:] = 0.0
        return self._observe(), self._info()

    def step(self, actions: NDArray[np.int64]) -> Stepped:
        """Apply one action at every table. An illegal action ends its game with a reward of -3."""
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

    def _observe(self) -> Observations:
        observation, events, mask = empty_observations(self.num_envs) if self._copy else self._observations
        kernels.write_observations(self.tables.rows, self.tables.claimable, observation, events, mask)
        return {"observation": observation, "events": events, "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        seat = self.tables.rows[:, ACTOR]
        return {"seat": np.where(seat == NOBODY, 0, seat), "rewards": self._rewards.copy()}
