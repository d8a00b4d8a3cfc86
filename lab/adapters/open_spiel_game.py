"""Not a Hat as a Python game of OpenSpiel: `import open_spiel_game`, then `pyspiel.load_game("python_not_a_hat")`.

Chance shuffles first, one node per card. Draws and wraps happen by themselves. Actions have the numbers of the other
environments (docs/environments.md). The winners share 1; at the cap the leaders do.
"""

from typing import Any

import pyspiel

from notahat.gifts import cards
from notahat.rules import Accept, Draw, Event, Give, Move, Refuse, Round, Wrap, deal, legal, play, view
from notahat.rules.round import MOST_PLAYERS, lowest, usual_gifts
from notahat_lab.encoding import ACCEPT, ACTIONS, CODES, FIRST_GIFT, GIFTS, REFUSE, TO

PLAYERS, PASSES = 4, 100
DECK = cards("classic")
DECISIONS_PER_PASS = 3  # receiver, claim, answer

GAME_TYPE = pyspiel.GameType(
    short_name="python_not_a_hat",
    long_name="Not a Hat",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.CONSTANT_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={"players": PLAYERS, "passes": PASSES},
)


class NotAHatGame(pyspiel.Game):
    """The game for a number of players, with a cap on passes."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.players, self.passes = int(given.get("players", PLAYERS)), int(given.get("passes", PASSES))
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=len(DECK),
            num_players=self.players,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=DECISIONS_PER_PASS * (self.passes + 1),
        )
        super().__init__(GAME_TYPE, info, given)

    def new_initial_state(self) -> "NotAHatState":
        return NotAHatState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "PublicObserver":
        """Return an observer: all players see the same, so its type makes no difference but for recall."""
        if params:
            raise ValueError(f"no parameters are known, not {params}")
        return PublicObserver(iig_obs_type is None or iig_obs_type.perfect_recall)


class NotAHatState(pyspiel.State):
    """A shuffle that is not complete yet, or a round."""

    def __init__(self, game: NotAHatGame) -> None:
        super().__init__(game)
        self._game_size, self._cap = game.players, game.passes
        self._order: list[int] = []
        self._round: Round | None = None
        self._receiver: int | None = None
        self._passes = 0
        self.seen: list[str] = []  # what happened, as everybody sees it

    def current_player(self) -> int:
        if self._round is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = legal(self._round).seat
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() or seat is None else seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = sorted(set(range(len(DECK))) - set(self._order))
        return [(card, 1.0 / len(left)) for card in left]

    def is_terminal(self) -> bool:
        round_ = self._round
        return round_ is not None and (
            round_.over or (self._passes >= self._cap and "accept" not in legal(round_).moves)
        )

    def returns(self) -> list[float]:
        if self._round is None or not self.is_terminal():
            return [0.0] * self._game_size
        winners = lowest(self._round.scores)
        return [1.0 / len(winners) if seat in winners else 0.0 for seat in range(self._game_size)]

    def _legal_actions(self, player: int) -> list[int]:
        if self._round is None or self.is_terminal():
            return []
        allowed = legal(self._round)
        if allowed.seat != player:
            return []
        if "accept" in allowed.moves:
            return [ACCEPT, REFUSE]
        if len(allowed.receivers) > 1 and self._receiver is None:
            return [TO + seat for seat in sorted(allowed.receivers)]
        return sorted(CODES.values())

    def _apply_action(self, action: int) -> None:
        if self._round is None:
            self._order.append(action)
            if len(self._order) == len(DECK):
                deck = tuple(DECK[card] for card in self._order)
                self._round = deal(deck, self._game_size, usual_gifts(self._game_size), 0)
                self._go_on()
        elif TO <= action < FIRST_GIFT:
            self._receiver = action - TO
        else:
            self._play(self._move(action))
            self._receiver = None
            self._go_on()

    def _move(self, action: int) -> Move:
        seat = self.current_player()
        if action >= FIRST_GIFT:
            self._passes += 1
            return Give(seat, GIFTS[action], self._receiver)
        return Accept(seat) if action == ACCEPT else Refuse(seat)

    def _go_on(self) -> None:
        """Draw and wrap up to the next decision."""
        while self._round is not None and not self.is_terminal():
            due = legal(self._round)
            if due.seat is None or due.moves not in (("draw",), ("wrap",)):
                return
            self._play(Draw(due.seat) if due.moves == ("draw",) else Wrap(due.seat))

    def _play(self, move: Move) -> None:
        if self._round is None:
            raise AssertionError("a move before the deal")
        events: tuple[Event, ...]
        self._round, events = play(self._round, move)
        self.seen += map(repr, events)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {DECK[action].gift}"
        if action >= FIRST_GIFT:
            return f"claim {GIFTS[action]}"
        return {ACCEPT: "accept", REFUSE: "refuse"}.get(action, f"give to {action - TO}")

    def table(self) -> str:
        """Return what lies on the table."""
        return "shuffling" if self._round is None else f"{view(self._round)}, to {self._receiver}"

    def __str__(self) -> str:
        return "\n".join((*map(str, self._order), *self.seen, self.table()))


class PublicObserver:
    """What everybody sees: the table, and with perfect recall all that happened."""

    def __init__(self, recall: bool) -> None:
        self.tensor, self.dict = None, {}
        self._recall = recall

    def set_from(self, state: NotAHatState, player: int) -> None:
        """There is no tensor: use the environments of `notahat_lab`."""

    def string_from(self, state: NotAHatState, player: int) -> str:
        return "\n".join((f"you are {player}", *(state.seen if self._recall else ()), state.table()))


pyspiel.register_game(GAME_TYPE, NotAHatGame)
