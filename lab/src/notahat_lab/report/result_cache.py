"""Play each tournament of a report once, and cache its results."""

import os
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, partial
from statistics import quantiles
from time import process_time
from typing import Any, TypeVar, cast

from notahat.bots import LEVELS, Answer, Bot
from notahat.rules import Event, Legal, View
from notahat_lab.baseline import PACES
from notahat_lab.game import play_out
from notahat_lab.report.company_metrics import Company, measure_company
from notahat_lab.report.lie_metrics import LieRecorder, measure_lies
from notahat_lab.report.memory_metrics import MemoryRecorder, measure_memory
from notahat_lab.tournament import GameStats, Setup, map_batches, play_games, seat_game

PAIRS = tuple(zip(LEVELS[1:], LEVELS, strict=False))  # a level, and the one below it
_TIMED_GAMES = 100
_FEWER = 8  # divisor of the games for results that do not need narrow intervals
_MORE, _MOST = 4, 8  # factors of the games for results near their limits
_OF_PAIRS = 16  # and for a level against the one below it
_ALIKE = tuple((level,) * 4 for level in LEVELS)
_EXPLOITS = ("always-accept", "own-column", "quick-liar", "slow-liar", "last-name-doubter")
_NEAR_CHANCE = {"always-accept": _MORE, "own-column": _MOST, "last-name-doubter": _MOST}
_MORE_PROBED = {"elephant": _MOST}  # other levels: four times as many

Measured = TypeVar("Measured")
Recorded = TypeVar("Recorded", MemoryRecorder, Company, LieRecorder)


class ResultCache:
    """All results of one report, from one seed. Narrow targets get all games, results near a limit 16 times as many."""

    def __init__(self, games: int, seed: int, jobs: int | None, progress: Callable[[int], None]) -> None:
        self.games, self.seed = games, seed
        self._jobs = jobs or os.cpu_count() or 1
        self._progress = progress
        self._timed = min(games, _TIMED_GAMES)
        self._results: dict[Hashable, Any] = {}

    def same_level(self, level: str, players: int = 4, **variant: Any) -> Sequence[GameStats]:
        """Return games where all players are of one level."""
        few = players != 4 or bool(variant)
        games = self._part(_FEWER) if few else self.games * _MORE
        return self._games(Setup((level,) * players, self.seed, **variant), games)

    def one_against(self, one: str, others: str, players: int = 4, **variant: Any) -> Sequence[GameStats]:
        """Return games of one player, the first in the statistics, against a table of others."""
        setup = Setup((one, *(others,) * (players - 1)), self.seed, **variant)
        games = self._part(_fewer(one, others))
        return self._games(setup, games * _more(one, others, players, variant))

    def memory(self, level: str) -> MemoryRecorder:
        """Return what four players of a level remember and claim."""
        games = self._part(_FEWER) * _MORE_PROBED.get(level, _MORE)
        return self._recorded(("memory", level), partial(measure_memory, level, self.seed), games)

    def company(self, names: tuple[str, ...], gifts: int = 1, fewer: int = 1) -> Company:
        """Return what happens at a table of these players, the first of them on seat 0."""
        games = self._part(fewer) * (_MOST if names in _ALIKE and gifts == 1 else 1)
        return self._recorded(("company", names, gifts), partial(measure_company, names, gifts, self.seed), games)

    def lies(self, level: str) -> LieRecorder:
        """Return how three players of a level react to a liar."""
        games = self.games * (_MORE if level == LEVELS[0] else 1)
        return self._recorded(("lies", level), partial(measure_lies, level, self.seed), games)

    @cached_property
    def decision_seconds(self) -> float:
        """The 99th percentile of a decision's CPU time."""
        seconds: list[float] = []
        for number in range(self._timed):
            table = seat_game(Setup(("goldfish", "casual", "regular", "elephant"), self.seed), number)
            play_out([_Timed(player, seconds) for player in table.players], table.cards, starter=table.starter)
        return quantiles(seconds, n=100)[-1]

    @cached_property
    def games_per_second(self) -> float:
        """Games of four casual players in a second of CPU time."""
        tables = [seat_game(Setup(("casual",) * 4, self.seed), number) for number in range(self._timed)]
        started = process_time()
        for table in tables:
            play_out(table.players, table.cards, starter=table.starter)
        return self._timed / (process_time() - started)

    def _part(self, divisor: int) -> int:
        return -(-self.games // divisor)

    def _games(self, setup: Setup, games: int) -> Sequence[GameStats]:
        return self._cached(setup, lambda: list(play_games(setup, games, self._jobs)))

    def _recorded(self, key: Hashable, measure: Callable[[range], Recorded], games: int) -> Recorded:
        """Measure batches of games, and add up what was observed."""

        def measure_all() -> Recorded:
            total, *others = map_batches(measure, games, self._jobs)
            for part in others:
                total.add(part)  # type: ignore[arg-type]  # batches of one measurement are of one type
            return total

        return self._cached(key, measure_all)

    def _cached(self, key: Hashable, measure: Callable[[], Measured]) -> Measured:
        if key not in self._results:
            self._results[key] = measure()
            self._progress(1)
        return cast(Measured, self._results[key])


def _fewer(one: str, others: str) -> int:
    if others.partition("@")[0] in PACES:
        return 2
    return 1 if (one, others) in PAIRS or one.startswith(_EXPLOITS) else _FEWER


def _more(one: str, others: str, players: int, variant: dict[str, Any]) -> int:
    if players == 8:  # a better level has the smallest lead there
        return _MORE
    if players != 4 or variant:
        return 1
    if (one, others) in PAIRS:
        return _OF_PAIRS
    return _NEAR_CHANCE.get(one.partition("@")[0], 1)


class _Timed:
    """Measures the CPU time of a player's decisions."""

    def __init__(self, player: Bot, seconds: list[float]) -> None:
        self._player = player
        self._seconds = seconds

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        self._player.see(view, events, now)

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        started = process_time()
        answer = self._player.answer(view, legal, now)
        self._seconds.append(process_time() - started)
        return answer
