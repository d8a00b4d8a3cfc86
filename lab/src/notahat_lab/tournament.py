"""Tournaments: many games between named players, with 95 % intervals. The public function is `arena`."""

import importlib
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from math import sqrt
from random import Random
from statistics import fmean, median, quantiles
from typing import Any, TypeVar

from msgspec import Struct

from notahat.bots import Bot
from notahat.optional_dependencies import install_command
from notahat.rules import Accept, Card, Give, Refuse
from notahat.rules.round import check_players, lowest, usual_gifts
from notahat_lab.errors import LabError
from notahat_lab.game import CAP, GameRecord, deck_cards, play_out
from notahat_lab.player_factory import player_factory

_BATCH_SIZE = 10
Z95 = 1.96

BatchResult = TypeVar("BatchResult")


class Setup(Struct, frozen=True):
    """The variant, the players and the seed of a tournament."""

    seats: tuple[str, ...]
    seed: int
    edition: str = "classic"
    special_cards: bool = True
    arrows: str = "both"
    gifts: int = 1
    cap: int = CAP


class GameStats(Struct, frozen=True):
    """The statistics of one game; tuples are by player, in the order of `Setup.seats`."""

    capped: bool
    passes: int
    first_refusal: int | None
    refusals: int
    right: int
    wins: tuple[float, ...]
    penalties: tuple[int, ...]
    received: tuple[int, ...]


class Spread(Struct, frozen=True):
    """The median and the 10th and 90th percentiles of some values."""

    median: float | None
    p10: float | None
    p90: float | None


class Standing(Struct, frozen=True):
    """One player's result; `low` and `high` bound the win share with 95 % confidence."""

    name: str
    win_share: float
    low: float
    high: float
    penalties_per_100: float


class Result(Struct, frozen=True):
    """The result of a tournament. `capped` and `refusals_right` are shares."""

    games: int
    capped: float
    passes: Spread
    first_refusal: Spread
    refusals_right: float | None
    seats: tuple[Standing, ...]


def arena(
    seats: Sequence[str],
    games: int = 500,
    seed: int = 0,
    *,
    edition: str = "classic",
    special_cards: bool = True,
    arrows: str = "both",
    gifts: int | None = None,
    cap: int = CAP,
    jobs: int | None = None,
    ray: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Play a tournament. The result depends on the seed, but not on the number of jobs."""
    setup = Setup(tuple(seats), seed, edition, special_cards, arrows, gifts or usual_gifts(len(seats)), cap)
    return summarise(setup.seats, list(play_games(setup, games, jobs, ray, progress)))


def play_games(
    setup: Setup,
    games: int,
    jobs: int | None = None,
    ray: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Iterator[GameStats]:
    """Yield every game's statistics in order, from as many processes as jobs or cores."""
    if games < 1:
        raise ValueError("at least one game must be played")
    check_players(len(setup.seats), setup.gifts)
    for name in setup.seats:
        player_factory(name)
    jobs = jobs or os.cpu_count() or 1
    for batch in map_batches(partial(_play_batch, setup), games, jobs, ray):
        if progress is not None:
            progress(len(batch))
        yield from batch


def map_batches(
    work: Callable[[range], BatchResult], games: int, jobs: int, ray: bool = False
) -> Iterable[BatchResult]:
    """Apply `work` to batches of game numbers, in parallel processes, and keep the order of the results."""
    batches = [range(start, min(start + _BATCH_SIZE, games)) for start in range(0, games, _BATCH_SIZE)]
    if ray:
        return on_ray(work, batches)
    if jobs == 1:
        return map(work, batches)
    return _map_in_pool(work, batches, jobs)


def _map_in_pool(work: Callable[[range], BatchResult], batches: Sequence[range], jobs: int) -> Iterator[BatchResult]:
    # Ctrl-C reaches the worker processes, too: they finish their batch, and the parent reports the interrupt.
    ignore_interrupt = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(min(jobs, len(batches)), initializer=ignore_interrupt) as pool:
        try:
            with _defer_interrupt():  # the first call starts the processes
                results = pool.map(work, batches)
            yield from results
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def _defer_interrupt() -> Iterator[None]:
    """Raise an interrupt only after this block: Python loses interrupts that arrive while a process is forked."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread receives interrupts
        yield
        return
    received: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.default_int_handler)
    if received:
        signal.raise_signal(signal.SIGINT)


def _play_batch(setup: Setup, numbers: range) -> list[GameStats]:
    return [game_stats(setup, play_game(setup, number), number) for number in numbers]


class SeatedGame(Struct, frozen=True):
    """A game before the deal: players by seat, the shuffled cards, and the starter."""

    names: tuple[str, ...]
    players: tuple[Bot, ...]
    cards: tuple[Card, ...]
    starter: int


def seat_game(setup: Setup, number: int) -> SeatedGame:
    """Shuffle and seat the players of one game. They move up one seat per game, so that no seat favours a player."""
    rng = Random(f"{setup.seed}/{number}")
    deck = list(deck_cards(setup.edition, setup.special_cards, setup.arrows))
    rng.shuffle(deck)
    names = tuple(setup.seats[player] for player in seating(len(setup.seats), number))
    players = tuple(player_factory(name)(seat, rng.getrandbits(62)) for seat, name in enumerate(names))
    return SeatedGame(names, players, tuple(deck), rng.randrange(len(names)))


def play_game(setup: Setup, number: int) -> GameRecord:
    """Play one game of a tournament."""
    table = seat_game(setup, number)
    return play_out(table.players, table.cards, setup.gifts, table.starter, setup.cap)


def seating(players: int, number: int) -> list[int]:
    """Return the index of the player on each seat in a game."""
    return [(seat + number) % players for seat in range(players)]


def game_stats(setup: Setup, played: GameRecord, number: int) -> GameStats:
    """Return the statistics of a game. At the cap the players with the fewest penalties win."""
    order = seating(len(setup.seats), number)
    passes = refusals = right = 0
    first: int | None = None
    received = [0] * len(order)
    claim: str | None = None
    for made in played.moves:
        match made.move:
            case Give(claim=claim):
                passes += 1
            case Accept(seat=seat):
                received[order[seat]] += 1
            case Refuse(seat=seat):
                received[order[seat]] += 1
                refusals += 1
                right += claim != made.gift
                first = first or passes
            case _:
                pass
    scores = played.round.scores
    winners = lowest(scores)
    wins, penalties = [0.0] * len(order), [0] * len(order)
    for seat, player in enumerate(order):
        wins[player] = 1.0 / len(winners) if seat in winners else 0.0
        penalties[player] = scores[seat]
    return GameStats(played.capped, passes, first, refusals, right, tuple(wins), tuple(penalties), tuple(received))


def summarise(names: Sequence[str], games: Sequence[GameStats]) -> Result:
    """Summarise all games of a tournament."""
    refusals = sum(game.refusals for game in games)
    return Result(
        games=len(games),
        capped=fmean(game.capped for game in games),
        passes=spread([game.passes for game in games]),
        first_refusal=spread([game.first_refusal for game in games if game.first_refusal is not None]),
        refusals_right=sum(game.right for game in games) / refusals if refusals else None,
        seats=tuple(_standing(name, player, games) for player, name in enumerate(names)),
    )


def spread(values: Sequence[float]) -> Spread:
    """Return the median and percentiles, or None without values."""
    if not values:
        return Spread(None, None, None)
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    tenths = quantiles(values, n=10, method="inclusive")
    return Spread(median(values), tenths[0], tenths[-1])


def interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of values from 0 to 1 and its 95 % interval after Wilson, slightly wide for shared wins."""
    share, games = fmean(values), len(values)
    centre = (share + Z95**2 / (2 * games)) / (1 + Z95**2 / games)
    reach = Z95 * sqrt(share * (1 - share) / games + Z95**2 / (4 * games**2)) / (1 + Z95**2 / games)
    return share, max(0.0, centre - reach), min(1.0, centre + reach)


def _standing(name: str, player: int, games: Sequence[GameStats]) -> Standing:
    share, low, high = interval([game.wins[player] for game in games])
    received = sum(game.received[player] for game in games)
    penalties = sum(game.penalties[player] for game in games)
    return Standing(name, share, low, high, 100.0 * penalties / received if received else 0.0)


Task = TypeVar("Task")
Output = TypeVar("Output")


def find_ray() -> Any:
    """Return the module `ray`. Raise `LabError` with the install command if it is missing."""
    try:
        return importlib.import_module("ray")
    except ImportError as missing:
        raise LabError(f"--ray needs Ray: {install_command('ray', 'notahat-lab')}") from missing


def on_ray(work: Callable[[Task], Output], tasks: Sequence[Task]) -> Iterator[Output]:
    """Run every task on a Ray cluster, or on all cores of this machine, and keep their order."""
    ray = find_ray()
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)

    def do(task: Task) -> Output:  # Ray needs a plain function
        return work(task)

    remote = ray.remote(do)
    for future in [remote.remote(task) for task in tasks]:
        yield ray.get(future)
