"""The arena: many games between named players, counted, with 95 % intervals."""

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
from typing import TypeVar

from msgspec import Struct

from notahat.bots import Bot
from notahat.gifts import cards
from notahat.lab.game import CAP, Played, play_out
from notahat.lab.player_factory import chair
from notahat.rules import Accept, Card, Give, Refuse
from notahat.rules.round import check_players, lowest, usual_gifts

_GAMES_AT_ONCE = 10
Z95 = 1.96

Found = TypeVar("Found")


class Setup(Struct, frozen=True):
    """What is played, and from which seed."""

    seats: tuple[str, ...]
    seed: int
    edition: str = "classic"
    special_cards: bool = True
    arrows: str = "both"
    gifts: int = 1
    cap: int = CAP


class Count(Struct, frozen=True):
    """What one game came to; the lists are by player, in the order they were named in."""

    capped: bool
    passes: int
    first_refusal: int | None
    refusals: int
    right: int
    wins: tuple[float, ...]
    penalties: tuple[int, ...]
    received: tuple[int, ...]


class Spread(Struct, frozen=True):
    """The middle of many values, and where the lowest and highest tenth begin."""

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
    """A whole contest. `capped` and `refusals_right` are shares."""

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
    """Let players meet in many games and count. The result depends on the seed, never on the jobs."""
    setup = Setup(tuple(seats), seed, edition, special_cards, arrows, gifts or usual_gifts(len(seats)), cap)
    return summary(setup.seats, list(counts(setup, games, jobs, ray, progress)))


def counts(
    setup: Setup,
    games: int,
    jobs: int | None = None,
    ray: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Count]:
    """Every game's count, in order, from as many processes as there are cores or jobs."""
    if games < 1:
        raise ValueError("at least one game must be played")
    check_players(len(setup.seats), setup.gifts)
    for name in setup.seats:
        chair(name)
    jobs = jobs or os.cpu_count() or 1
    for bunch in spread_out(partial(_count_games, setup), bunches(games), jobs, ray):
        if progress is not None:
            progress(len(bunch))
        yield from bunch


def bunches(games: int) -> list[range]:
    """The numbers of so many games, a few at a time."""
    return [range(start, min(start + _GAMES_AT_ONCE, games)) for start in range(0, games, _GAMES_AT_ONCE)]


def spread_out(
    work: Callable[[range], Found], numbers: Sequence[range], jobs: int, ray: bool = False
) -> Iterable[Found]:
    """Do the same work for each bunch of games, on as many cores as there are jobs, and keep their order."""
    if ray:
        from notahat.lab.ray_cluster import on_ray

        return on_ray(work, numbers)
    if jobs == 1:
        return map(work, numbers)
    return _pooled(work, numbers, jobs)


def _pooled(work: Callable[[range], Found], numbers: Sequence[range], jobs: int) -> Iterator[Found]:
    # Ctrl-C reaches these processes too: they end what they are at, and whoever waits for them says what is to say
    deaf = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    with ProcessPoolExecutor(min(jobs, len(numbers)), initializer=deaf) as pool:
        try:
            with _ctrl_c_later():  # the first call starts the processes
                found = pool.map(work, numbers)
            yield from found
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def _ctrl_c_later() -> Iterator[None]:
    """Python loses an interrupt that comes while a process is being forked: so note it, and raise it afterwards."""
    if threading.current_thread() is not threading.main_thread():  # only there do interrupts arrive
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before or signal.default_int_handler)
    if came:
        signal.raise_signal(signal.SIGINT)


def _count_games(setup: Setup, numbers: range) -> list[Count]:
    return [count(setup, play_game(setup, number), number) for number in numbers]


class Seated(Struct, frozen=True):
    """A table before the deal: who sits where, the shuffled cards, and who starts."""

    names: tuple[str, ...]
    players: tuple[Bot, ...]
    cards: tuple[Card, ...]
    starter: int


def seat_game(setup: Setup, number: int) -> Seated:
    """Everyone moves up a chair from game to game, so that no chair is anyone's luck."""
    luck = Random(f"{setup.seed}/{number}")
    deck = list(cards(setup.edition, setup.special_cards, setup.arrows))
    luck.shuffle(deck)
    names = tuple(setup.seats[player] for player in seating(len(setup.seats), number))
    players = tuple(chair(name)(seat, luck.getrandbits(62)) for seat, name in enumerate(names))
    return Seated(names, players, tuple(deck), luck.randrange(len(names)))


def play_game(setup: Setup, number: int) -> Played:
    """One game of a contest."""
    table = seat_game(setup, number)
    return play_out(table.players, table.cards, setup.gifts, table.starter, setup.cap)


def seating(players: int, number: int) -> list[int]:
    """Which player sits on each seat in a game."""
    return [(seat + number) % players for seat in range(players)]


def count(setup: Setup, played: Played, number: int) -> Count:
    """What a game came to. Where the cap ended it, whoever is in the lead has won."""
    order = seating(len(setup.seats), number)
    passes = refusals = right = 0
    first: int | None = None
    received = [0] * len(order)
    claim: str | None = None
    for act in played.acts:
        match act.move:
            case Give(claim=claim):
                passes += 1
            case Accept(seat=seat):
                received[order[seat]] += 1
            case Refuse(seat=seat):
                received[order[seat]] += 1
                refusals += 1
                right += claim != act.gift
                first = first or passes
            case _:
                pass
    scores = played.round.scores
    winners = lowest(scores)
    wins, penalties = [0.0] * len(order), [0] * len(order)
    for seat, player in enumerate(order):
        wins[player] = 1.0 / len(winners) if seat in winners else 0.0
        penalties[player] = scores[seat]
    return Count(played.capped, passes, first, refusals, right, tuple(wins), tuple(penalties), tuple(received))


def summary(names: Sequence[str], found: Sequence[Count]) -> Result:
    """All games of a contest together."""
    refusals = sum(one.refusals for one in found)
    return Result(
        games=len(found),
        capped=fmean(one.capped for one in found),
        passes=spread([one.passes for one in found]),
        first_refusal=spread([one.first_refusal for one in found if one.first_refusal is not None]),
        refusals_right=sum(one.right for one in found) / refusals if refusals else None,
        seats=tuple(_standing(name, player, found) for player, name in enumerate(names)),
    )


def spread(values: Sequence[float]) -> Spread:
    """Median and tenths; of nothing there are none."""
    if not values:
        return Spread(None, None, None)
    if len(values) == 1:
        return Spread(values[0], values[0], values[0])
    tenths = quantiles(values, n=10, method="inclusive")
    return Spread(median(values), tenths[0], tenths[-1])


def interval(values: Sequence[float]) -> tuple[float, float, float]:
    """A mean share and its 95 % interval, after Wilson, so that it stays honest near 0 and 1.

    A shared win is a fraction; Wilson's interval takes it as if it were so many whole wins, which is
    a little too wide and never too narrow.
    """
    share, games = fmean(values), len(values)
    centre = (share + Z95**2 / (2 * games)) / (1 + Z95**2 / games)
    reach = Z95 * sqrt(share * (1 - share) / games + Z95**2 / (4 * games**2)) / (1 + Z95**2 / games)
    return share, max(0.0, centre - reach), min(1.0, centre + reach)


def _standing(name: str, player: int, found: Sequence[Count]) -> Standing:
    share, low, high = interval([one.wins[player] for one in found])
    received = sum(one.received[player] for one in found)
    penalties = sum(one.penalties[player] for one in found)
    return Standing(name, share, low, high, 100.0 * penalties / received if received else 0.0)
