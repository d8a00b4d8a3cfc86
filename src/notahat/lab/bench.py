"""The bench in the laboratory: plays each contest that a report asks for once, and keeps its counts."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property, partial
from statistics import quantiles
from time import perf_counter, process_time
from typing import Any

from notahat.bots import Answer, Bot
from notahat.lab.contest import Count, Setup, counts, seat_game
from notahat.lab.game import play_out
from notahat.lab.measure import Study, study
from notahat.rules import Event, Legal, View

_GAMES_AT_ONCE = 10
_TIMED_GAMES = 100


class Bench:
    """All contests of one report, from one seed."""

    def __init__(self, games: int, seed: int, jobs: int | None, progress: Callable[[int], None]) -> None:
        self.games, self.seed = games, seed
        self._jobs = jobs or os.cpu_count() or 1
        self._progress = progress
        self._contests: dict[Setup, Sequence[Count]] = {}
        self._studies: dict[str, Study] = {}

    def pure(self, level: str, players: int = 4, **variant: Any) -> Sequence[Count]:
        """A table where all are of one level."""
        return self._contest(Setup((level,) * players, self.seed, **variant))

    def one_against(self, one: str, others: str, players: int = 4, **variant: Any) -> Sequence[Count]:
        """One player against a table of others; the first of the counts is that player's."""
        return self._contest(Setup((one, *(others,) * (players - 1)), self.seed, **variant))

    def study(self, level: str) -> Study:
        """What four of a level remember and claim."""
        if level not in self._studies:
            work = partial(study, level, _GAMES_AT_ONCE, self.seed)
            with ProcessPoolExecutor(self._jobs) as pool:
                parts = list(pool.map(_call, [partial(work, first) for first in range(0, self.games, _GAMES_AT_ONCE)]))
            self._studies[level] = Study(())
            for part in parts:
                self._studies[level].probes += part.probes
                self._studies[level].claims += part.claims
            self._progress(1)
        return self._studies[level]

    def cost(self) -> tuple[float, float]:
        """The 99th percentile of all decisions' times in seconds, and games of four casual players a second."""
        return self._decisions, self._pace

    @cached_property
    def _decisions(self) -> float:
        seconds: list[float] = []
        for number in range(_TIMED_GAMES):
            table = seat_game(Setup(("goldfish", "casual", "regular", "elephant"), self.seed), number)
            play_out([_Timed(player, seconds) for player in table.players], table.cards, starter=table.starter)
        return quantiles(seconds, n=100)[-1]

    @cached_property
    def _pace(self) -> float:
        tables = [seat_game(Setup(("casual",) * 4, self.seed), number) for number in range(_TIMED_GAMES)]
        started = process_time()
        for table in tables:
            play_out(table.players, table.cards, starter=table.starter)
        return _TIMED_GAMES / (process_time() - started)

    def _contest(self, setup: Setup) -> Sequence[Count]:
        if setup not in self._contests:
            self._contests[setup] = list(counts(setup, self.games, self._jobs))
            self._progress(1)
        return self._contests[setup]


class _Timed:
    """A player whose decisions are timed."""

    def __init__(self, player: Bot, seconds: list[float]) -> None:
        self._player = player
        self._seconds = seconds

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        self._player.see(view, events, now)

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        started = perf_counter()
        answer = self._player.answer(view, legal, now)
        self._seconds.append(perf_counter() - started)
        return answer


def _call(work: Callable[[], Study]) -> Study:
    return work()
