"""Thousands of tables in Gymnasium's vector form: whoever's turn it is acts, at every table at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from notahat.lab import kernels
from notahat.lab.batch import Tables, looks
from notahat.lab.encoding import ACTIONS, ACTOR, NOBODY
from notahat.lab.env import observed

Observations = dict[str, NDArray[Any]]
Stepped = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class VectorTables(VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Self-play at many tables. An observation is of whoever is to act; a reward is of whoever has just acted.

    `info["seat"]` says who acts next, `info["rewards"]` what every seat got. A game that is over is dealt anew by the
    next step, whatever its action. Observations are the same arrays every time unless `copy` is asked for.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - Gymnasium's own declaration

    def __init__(self, num_envs: int = 1, copy: bool = True, **options: Any) -> None:
        self.num_envs = num_envs
        self.tables = Tables(num_envs, **options)
        self.single_observation_space = spaces.Dict(observed())
        self.single_action_space = spaces.Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._looks = looks(num_envs)
        self._rewards = np.zeros((num_envs, self.tables.players), np.float32)
        self._reward = np.zeros(num_envs, np.float64)
        self._terminated, self._truncated = np.zeros(num_envs, np.bool_), np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observations, dict[str, Any]]:
        """Deal every table, from one seed or from one for each; without, the luck of the games before goes on."""
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
        return self._look(), self._info()

    def step(self, actions: NDArray[np.int64]) -> Stepped:
        """One move at every table. A move that is not allowed ends the game, with -3 for whoever made it."""
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != (self.num_envs,):  # kernels look at no bounds
            raise ValueError(f"one action for each of {self.num_envs} tables, not an array of shape {actions.shape}")
        tables, ended = self.tables, (self._terminated, self._truncated)
        kernels.step(tables.rows, tables.faces, tables.known, tables.luck, actions, self._rewards, self._reward, *ended)
        if self._copy:
            return self._look(), self._reward.copy(), ended[0].copy(), ended[1].copy(), self._info()
        return self._look(), self._reward, *ended, self._info()

    def any_actions(self) -> NDArray[np.int64]:
        """At every table one of the actions that are open, each as likely."""
        actions = np.empty(self.num_envs, np.int64)
        kernels.any_actions(self.tables.rows, self.tables.claims, self.tables.luck, actions)
        return actions

    def _look(self) -> Observations:
        present, events, mask = looks(self.num_envs) if self._copy else self._looks
        kernels.look_round(self.tables.rows, self.tables.known, present, events, mask)
        return {"observation": present, "events": events, "action_mask": mask}

    def _info(self) -> dict[str, Any]:
        seat = self.tables.rows[:, ACTOR]
        return {"seat": np.where(seat == NOBODY, 0, seat), "rewards": self._rewards.copy()}
