"""The game as a PettingZoo environment (AEC): `env()` with checks, `raw_env()` without.

An agent sees the present only, as a person does; `recall=True` adds, apart from it, what somebody who
forgets nothing would know. Draw and wrap are no decisions and happen by themselves. With a special
card an agent decides twice: who receives it, then what it claims to be.
"""

import sys
from collections.abc import Iterator
from random import Random
from typing import Any

from notahat.extras import how_to_add

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils import OrderEnforcingWrapper
    from pettingzoo.utils.env_logger import EnvLogger
except ModuleNotFoundError as missing:
    told = f"the environment needs {missing.name}: {how_to_add('lab')}"
    raise ModuleNotFoundError(told, name=missing.name) from None

from notahat.gifts import cards
from notahat.lab.swift import (
    ANSWERING,
    BACK,
    BACKS,
    CLAIM,
    CLAIMING,
    COLUMNS,
    DECISION,
    GIFTS,
    GIVER,
    HIGHEST,
    NAMES,
    NOBODY,
    OVER,
    RECEIVER,
    RECEIVING,
    TOP,
    YOU,
    SwiftRound,
)
from notahat.rules import cards_needed
from notahat.rules.round import PENALTIES_THAT_END, check_players, lowest, usual_gifts

ACCEPT, REFUSE = len(GIFTS), len(GIFTS) + 1
TO = len(GIFTS) + 2  # and from here on, one for each seat
ILLEGAL_REWARD = -3.0

_FIRST_GIFT = len(BACKS) + 1
_FOREVER = 2**63

Observation = dict[str, NDArray[Any]]
Seen = tuple[Observation | None, float, bool, bool, dict[str, Any]]


def env(**options: Any) -> AECEnv[str, Observation, int | None]:
    """The environment with its checks: order of calls, actions out of bounds, illegal moves."""
    return Checked(raw_env(**options))


class raw_env(AECEnv[str, Observation, int | None], EzPickle):  # type: ignore[misc]  # noqa: N801
    """The environment itself, which trusts whoever acts."""

    metadata = {  # noqa: RUF012 - PettingZoo's own declaration
        "name": "notahat_v0",
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
        super().__init__()
        gifts = gifts or usual_gifts(players)
        check_players(players, gifts)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        deck = cards(edition, special_cards, arrows)
        self.round = SwiftRound(deck, players, gifts)
        self._row = np.frombuffer(self.round.row, np.uint8)  # the same memory: it changes with the round
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._deck = range(len(deck))
        # One more than a round can draw (rule 9.3), so that the shop's top is always there to be seen.
        self._dealt = min(cards_needed(players, gifts) + 1, len(deck))
        self._gifts, self._max_cycles, self._recall = gifts, max_cycles, recall
        self._random = Random()
        self._masks = [_masks(seat, players) for seat in range(players)]
        self._spaces = {agent: self._space() for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(TO + players) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Deal anew. A round never needs more than so many cards, so no more are shuffled."""
        if seed is not None:
            self._random = Random(seed)
        luck, agents = self._random, self.possible_agents
        self.agents = agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._rewarded: str | None = None
        self._passes = 0
        starter = int(luck.random() * len(agents))
        self.round.deal(luck.sample(self._deck, self._dealt), starter)
        self.agent_selection = agents[starter]

    def step(self, action: int | None) -> None:
        round_ = self.round
        row = round_.row
        if row[DECISION] == OVER:
            self._leave(action)
            return
        if action is None:
            raise ValueError("an agent that is still playing must act")
        if self._rewarded is not None:
            self.rewards[self._rewarded] = 0.0
            self._rewarded = None
        self._cumulative_rewards[self.agent_selection] = 0.0
        if action < ACCEPT:
            round_.give(action + _FIRST_GIFT)
            self._passes += 1
            self.agent_selection = self.possible_agents[row[RECEIVER]]
        elif action == ACCEPT:
            round_.accept()
            if self._passes >= self._max_cycles:
                self._truncate()
        elif action == REFUSE:
            self._refuse()
        else:
            round_.give_to(int(action) - TO)
        if self.render_mode == "human":
            self.render()

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
        """The present, as bytes: see docs/lab.md for what is where."""
        row = self.round.row
        row[YOU] = seat = self._seat[agent]
        decision = row[DECISION] if agent == self.agent_selection else OVER
        seen = {"observation": self._row.copy(), "action_mask": self._masks[seat][decision]}
        if self._recall:
            seen["recall"] = np.frombuffer(self.round.known(), np.uint8)
        return seen

    def render(self) -> str | None:
        """The table as a line of text: returned in mode `ansi`, written in mode `human`."""
        if self.render_mode is None:
            return None
        drawn = _drawn(self.round.row, len(self.possible_agents), self._gifts)
        if self.render_mode == "ansi":
            return drawn
        sys.stdout.write(drawn + "\n")
        return None

    def close(self) -> None:
        """There is nothing to close."""

    def in_bounds(self, action: int) -> bool:
        """Whether this is an action at all."""
        return 0 <= action < TO + len(self.possible_agents)

    def allows(self, action: int) -> bool:
        """Whether the agent whose turn it is may do this."""
        decision = self.round.row[DECISION]
        if action < ACCEPT:
            return decision == CLAIMING
        if action < TO:
            return decision == ANSWERING
        return decision == RECEIVING and action - TO != self.round.row[GIVER]

    def end_illegally(self) -> None:
        """Somebody made a move that the rules do not know."""
        self._clear_rewards()
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards[self.agent_selection] = ILLEGAL_REWARD
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._truncate()

    def _refuse(self) -> None:
        """A penalty costs a point at once."""
        blamed = self.round.refuse()
        agent = self.possible_agents[blamed]
        self.rewards[agent] = -1.0
        self._rewarded = agent
        self._cumulative_rewards[agent] -= 1.0
        if self.round.row[DECISION] == OVER:
            self._end()
        elif self._passes >= self._max_cycles:
            self._truncate()
        else:
            self.agent_selection = agent

    def _end(self) -> None:
        """The winners share one point."""
        winners = lowest(self.round.scores)
        for seat in winners:
            agent = self.possible_agents[seat]
            self.rewards[agent] = 1.0 / len(winners)
            self._cumulative_rewards[agent] += 1.0 / len(winners)
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _leave(self, action: int | None) -> None:
        """What PettingZoo's `_was_dead_step` does, for a game in which all agents end together."""
        if action is not None:
            raise ValueError("when an agent is dead, the only valid action is None")
        agent = self.agents.pop(0)
        for ended in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del ended[agent]
        if self.agents:
            self.agent_selection = self.agents[0]
            self._clear_rewards()

    def _truncate(self) -> None:
        self.round.stop()
        self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _space(self) -> spaces.Dict:
        players = len(self.possible_agents)
        space: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0, NOBODY, (len(self.round.row),), np.uint8),
            "action_mask": spaces.Box(0, 1, (TO + players,), np.int8),
        }
        if self._recall:
            space["recall"] = spaces.Box(0, HIGHEST, (1 + players * self._gifts,), np.uint8)
        return spaces.Dict(space)


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
        elif action is None:
            game.step(None)
        elif not game.in_bounds(action):
            raise AssertionError(f"action {action} is not in the action space")
        elif game.allows(action) or game.truncations[game.agent_selection]:
            game.step(action)
        else:
            EnvLogger.warn_on_illegal_move()
            game.end_illegally()


def _masks(seat: int, players: int) -> list[NDArray[np.int8]]:
    """By decision: which actions are open to somebody on a seat. They are shared, so nobody may write on them."""
    masks = [np.zeros(TO + players, np.int8) for _ in range(OVER + 1)]
    masks[RECEIVING][TO:] = 1
    masks[RECEIVING][TO + seat] = 0
    masks[CLAIMING][:ACCEPT] = 1
    masks[ANSWERING][ACCEPT:TO] = 1
    for mask in masks:
        mask.flags.writeable = False
    return masks


def _drawn(row: bytearray, players: int, gifts: int) -> str:
    piles = COLUMNS + players * gifts
    seats = []
    for seat in range(players):
        column = row[COLUMNS + seat * gifts : COLUMNS + (seat + 1) * gifts]
        pile = row[piles + seat * PENALTIES_THAT_END : piles + (seat + 1) * PENALTIES_THAT_END]
        words = [NAMES[code] for code in column] + [f"-{NAMES[code]}" for code in pile if code]
        seats.append(f"{seat}: {' '.join(words)}")
    return " | ".join([*seats, f"shop: {NAMES.get(row[TOP], '')}", _happening(row)])


def _happening(row: bytearray) -> str:
    if row[DECISION] == OVER:
        return "over"
    if row[DECISION] == ANSWERING:
        return f"{row[GIVER]} offers {row[RECEIVER]} this: {NAMES[row[CLAIM]]}"
    return f"{row[GIVER]} has {NAMES[row[BACK]]} in hand"
