"""One learner among computer players, as a Gymnasium environment: `notahat/Solo-v1`."""

from collections.abc import Sequence
from random import Random
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from msgspec import Struct
from numpy.typing import NDArray

from notahat.bots import Bot
from notahat.live import pace
from notahat.rules import Accept, Event, Give, Move, Refuse, Round, deal, legal, play, view
from notahat.rules.round import lowest
from notahat_lab import encoding as enc
from notahat_lab.batch import Tables
from notahat_lab.batch_render import check_render_mode, draw_row, render_row
from notahat_lab.env import ILLEGAL_REWARD, Observation, observation_spaces
from notahat_lab.game import CAP, next_move
from notahat_lab.kernels import ILLEGAL, TRUNCATED
from notahat_lab.player_factory import player_factory

__all__ = ["SavedSolo", "Solo"]

SECONDS = 2.0  # of thinking for every decision, so that the timing reveals nothing
Stepped = tuple[Observation, float, bool, bool, dict[str, Any]]


class SavedSolo(Struct, frozen=True):
    """A saved game of `Solo` as a serialisable value."""

    seed: int
    actions: tuple[int, ...]


class Solo(gymnasium.Env[Observation, np.int64]):
    """A learner on a random seat against players named as in the arena: `Solo(others=("regular",) * 3)`.

    The game is played twice: by `notahat.rules`, because computer players need its views, and by the batch simulator,
    for the observations of all environments, turns to watch included. A penalty is -1, and the winners share +1. An
    illegal action ends the game with -3. The seed and the learner's actions determine the whole game.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's own declaration

    def __init__(
        self,
        others: Sequence[str] = ("casual",) * 3,
        gifts: int | None = None,
        edition: str = "classic",
        special_cards: bool = True,
        arrows: str = "both",
        max_cycles: int = CAP,
        recall: bool = False,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.render_mode, self._recall = render_mode, recall
        self._factories = [player_factory(name) for name in others]
        self._tables = Tables(1, len(others) + 1, gifts, edition, special_cards, arrows, max_cycles)
        self._row = self._tables.rows[0]  # a view of the same memory
        parts = observation_spaces(len(others) + 1 if recall else None)
        self.observation_space = cast("spaces.Space[Observation]", spaces.Dict(parts))
        self.action_space = spaces.Discrete(enc.ACTIONS)
        self.state_space = spaces.Box(0, enc.NOBODY, (enc.STATE_SIZE,), np.uint8)
        self._next_seed = Random().getrandbits(62)
        self._ended = True  # until the first reset

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Shuffle, draw the learner's seat, and play up to its first turn."""
        super().reset(seed=seed, options=options)
        self._seed = self._next_seed if seed is None else int(seed)
        rng, players = Random(self._seed), len(self._factories) + 1
        deck = self._tables.deck
        order = rng.sample(range(len(deck)), len(deck))
        self.seat = rng.randrange(players)
        seats = [seat for seat in range(players) if seat != self.seat]
        self._players: dict[int, Bot] = {
            seat: make(seat, rng.getrandbits(62)) for seat, make in zip(seats, self._factories, strict=True)
        }
        starter = rng.randrange(players)
        self._round: Round = deal([deck[card] for card in order], players, self._tables.gifts, starter)
        self._tables.deal_in_order(0, order, starter)
        self._next_seed = rng.getrandbits(62)
        self._actions: list[int] = []
        self._now, self._ended = 0.0, False
        self._events: tuple[Event, ...] = ()
        self._show()
        self._others_play()
        return self._observe(), self._info()

    def step(self, action: np.int64 | int) -> Stepped:
        """Apply the learner's action, then play the others up to its next turn."""
        if self._ended:
            raise ResetNeeded("call reset() before step(): there is no game, or it is over")
        action = int(action)
        self._actions.append(action)
        if self._tables.move(action) == ILLEGAL:
            self._tables.stop()
            self._ended = True
            return self._observe(), ILLEGAL_REWARD, True, False, self._info()
        before = self._round.scores[self.seat]
        if action >= enc.FIRST_GIFT or action in (enc.ACCEPT, enc.REFUSE):
            self._play(self._move(action), pace.move_after(SECONDS, self._events))
        self._others_play()
        reward = float(before - self._round.scores[self.seat])
        if self.seat in self._round.winners:
            reward += 1.0 / len(self._round.winners)
        truncated = bool(self._row[TRUNCATED])
        self._ended = self._round.over or truncated
        return self._observe(), reward, self._round.over, truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions, as maskable learners ask for them."""
        return self._observe()["action_mask"].astype(np.bool_)

    def state(self) -> NDArray[np.uint8]:
        """Return the complete state for a central critic, hidden gifts included (docs/environments.md)."""
        return self._tables.states().reshape(-1)

    def save(self) -> SavedSolo:
        """Save the game; it can be restored any number of times."""
        if not hasattr(self, "_actions"):
            raise ResetNeeded("call reset() before save()")
        return SavedSolo(self._seed, tuple(self._actions))

    def restore(self, saved: SavedSolo) -> tuple[Observation, dict[str, Any]]:
        """Play a saved game of the same options again up to where it was saved, and return what `reset` would."""
        seen, info = self.reset(seed=saved.seed)
        for action in saved.actions:
            seen, *_, info = self.step(action)
        return seen, info

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the table as a line of text in mode `ansi`, or a picture in mode `rgb_array`."""
        if self.render_mode is None:
            return None
        draw = draw_row if self.render_mode == "rgb_array" else render_row
        return draw(self._row, self._tables.gifts)

    def _observe(self) -> Observation:
        observation, events, mask = self._tables.observe(self.seat)
        seen: Observation = {"observation": observation, "events": events, "action_mask": mask}
        if self._recall:
            seen["recall"] = self._tables.known_gifts()
        return seen

    def _move(self, action: int) -> Move:
        if action >= enc.FIRST_GIFT:
            return Give(self.seat, enc.GIFTS[action], int(self._row[enc.RECEIVER]))
        return Accept(self.seat) if action == enc.ACCEPT else Refuse(self.seat)

    def _others_play(self) -> None:
        """Play up to the learner's next turn, which may be one to watch, or to the end."""
        while self._row[enc.DECISION] != enc.OVER:
            allowed = legal(self._round)
            forced = allowed.moves in (("draw",), ("wrap",))  # the simulator has already made these moves
            if self._row[enc.ACTOR] == self.seat and not forced:
                return
            if self._row[enc.ACTOR] not in (self.seat, allowed.seat):
                self._act(enc.WATCH)
                continue
            move, _, after = next_move(self._players, view(self._round), allowed, self._events, self._now)
            first_look = pace.first_look((len(self._players) + 1) * self._tables.gifts)
            self._play(move, after if self._events else first_look)
            self._simulate(move)

    def _simulate(self, move: Move) -> None:
        """Make another player's move in the simulator, too."""
        match move:
            case Give(claim=str(claim), to=to):
                if self._row[enc.DECISION] == enc.CHOOSING_RECEIVER and to is not None:
                    self._act(enc.TO + to)
                self._act(enc.CODES[claim])
            case Accept():
                self._act(enc.ACCEPT)
            case Refuse():
                self._act(enc.REFUSE)
            case _:
                pass

    def _act(self, action: int) -> None:
        if self._tables.move(action) == ILLEGAL:
            raise AssertionError("the simulator and the rules play different games")

    def _play(self, move: Move, after: float) -> None:
        self._now += after
        self._round, self._events = play(self._round, move)
        self._show()

    def _show(self) -> None:
        seen = view(self._round)
        for player in self._players.values():
            player.see(seen, self._events, self._now)

    def _info(self) -> dict[str, Any]:
        scores = self._round.scores
        return {"seat": self.seat, "scores": scores, "leads": self.seat in lowest(scores)}
