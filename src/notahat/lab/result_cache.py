"""The bench in the laboratory: plays each contest that a report asks for once, and keeps its counts."""

import os
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from statistics import quantiles
from time import process_time
from typing import Any

from notahat.bots import LEVELS, Answer, Bot
from notahat.lab.game import play_out
from notahat.lab.human_timing import PACES
from notahat.lab.lie_metrics import Trial, trial
from notahat.lab.memory_metrics import Study, study
from notahat.lab.tournament import Count, Setup, bunches, counts, seat_game, spread_out
from notahat.rules import Event, Legal, View

PAIRS = tuple(zip(LEVELS[1:], LEVELS, strict=False))  # a level, and the one below it
_TIMED_GAMES = 100
_FEWER = 8  # what does not need narrow intervals is played in so many times fewer games
_MORE, _MOST = 4, 8  # and what lies near its limit in so many times more, or its interval would reach over it by chance
_STUDIED_MORE = {"regular": _MORE, "elephant": _MOST}
_CROWD = 6  # from so many players on, one of a level wins so few games more than chance that it takes many to tell


class Bench:
    """All contests of one report, from one seed.

    Most games go to where targets are narrow: tables of four of a level, a level against the one below it and
    against who accepts everything, half as many to people's paces; an eighth will do for everything else. What
    lies near its limit gets four or eight times as many as its like, on every seed.
    """

    def __init__(self, games: int, seed: int, jobs: int | None, progress: Callable[[int], None]) -> None:
        self.games, self.seed = games, seed
        self._jobs = jobs or os.cpu_count() or 1
        self._progress = progress
        self._timed = min(games, _TIMED_GAMES)
        self._contests: dict[Setup, Sequence[Count]] = {}
        self._studies: dict[str, Study] = {}
        self._trials: dict[str, Trial] = {}

    def pure(self, level: str, players: int = 4, **variant: Any) -> Sequence[Count]:
        """A table where all are of one level."""
        few = players != 4 or bool(variant)
        more = _MORE if level == LEVELS[-1] and not few else 1
        return self._contest(Setup((level,) * players, self.seed, **variant), self._part(_FEWER if few else 1) * more)

    def one_against(self, one: str, others: str, players: int = 4, **variant: Any) -> Sequence[Count]:
        """One player against a table of others; the first of the counts is that player's."""
        setup = Setup((one, *(others,) * (players - 1)), self.seed, **variant)
        games = self._part(_fewer(one, others, players, variant))
        return self._contest(setup, games * _more(one, others, players, variant))

    def study(self, level: str) -> Study:
        """What four of a level remember and claim."""
        if level not in self._studies:
            found, games = Study(()), self._part(_FEWER) * _STUDIED_MORE.get(level, 1)
            for part in spread_out(partial(_study, level, self.seed), bunches(games), self._jobs):
                found.probes += part.probes
                found.claims += part.claims
            self._studies[level] = found
            self._progress(1)
        return self._studies[level]

    def trial(self, level: str) -> Trial:
        """What three of a level make of a liar."""
        if level not in self._trials:
            found, games = Trial(()), self.games * (_MORE if level == LEVELS[0] else 1)
            for part in spread_out(partial(_trial, level, self.seed), bunches(games), self._jobs):
                found.lies += part.lies
                found.named_rightly += part.named_rightly
            self._trials[level] = found
            self._progress(1)
        return self._trials[level]

    def cost(self) -> tuple[float, float]:
        """The 99th percentile of all decisions in seconds of CPU time, and games of four casual players in one."""
        return self._decisions, self._pace

    @cached_property
    def _decisions(self) -> float:
        seconds: list[float] = []
        for number in range(self._timed):
            table = seat_game(Setup(("goldfish", "casual", "regular", "elephant"), self.seed), number)
            play_out([_Timed(player, seconds) for player in table.players], table.cards, starter=table.starter)
        return quantiles(seconds, n=100)[-1]

    @cached_property
    def _pace(self) -> float:
        tables = [seat_game(Setup(("casual",) * 4, self.seed), number) for number in range(self._timed)]
        started = process_time()
        for table in tables:
            play_out(table.players, table.cards, starter=table.starter)
        return self._timed / (process_time() - started)

    def _part(self, fewer: int) -> int:
        """So many times fewer games than the report has."""
        return -(-self.games // fewer)

    def _contest(self, setup: Setup, games: int) -> Sequence[Count]:
        if setup not in self._contests:
            self._contests[setup] = list(counts(setup, games, self._jobs))
            self._progress(1)
        return self._contests[setup]


def _fewer(one: str, others: str, players: int, variant: dict[str, Any]) -> int:
    if players != 4 or variant:
        return _FEWER
    if others.partition("@")[0] in PACES:
        return 2
    return 1 if (one, others) in PAIRS or one.startswith("always-accept") else _FEWER


def _more(one: str, others: str, players: int, variant: dict[str, Any]) -> int:
    if (one, others) in PAIRS and players == 4 and not variant:
        return _MOST
    near = players >= _CROWD or one == f"always-accept@{others}" == f"always-accept@{LEVELS[0]}"
    return _MORE if near else 1


class _Timed:
    """A player whose decisions are timed."""

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


def _study(level: str, seed: int, numbers: range) -> Study:
    return study(level, len(numbers), seed, numbers.start)


def _trial(level: str, seed: int, numbers: range) -> Trial:
    return trial(level, len(numbers), seed, numbers.start)
