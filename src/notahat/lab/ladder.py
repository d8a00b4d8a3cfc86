"""A ladder: players meet in duplicate deals, and openskill rates them. All results follow from the traces of the games.

A deal is played once for each rotation of the seats, with the same cards and the same starter, so that luck is shared.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations, cycle, islice
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from notahat.gifts import cards
from notahat.lab.errors import LabError, needs_lab_extra
from notahat.lab.game import CAP, play_out
from notahat.lab.player_factory import player_factory
from notahat.lab.tournament import Z95, map_batches
from notahat.rules import Illegal
from notahat.rules.notation import Game, read, write
from notahat.rules.round import lowest, usual_gifts

TABLE_SIZE = 4
_SHARES = 12  # a win can be shared by two, three or four


class LadderSetup(Struct, frozen=True):
    """Who plays, how often and under which seed. With fewer than four entries, tables are smaller."""

    entries: tuple[str, ...]
    games: int
    seed: int = 0
    edition: str = "classic"
    cap: int = CAP

    @property
    def seats(self) -> int:
        return min(len(self.entries), TABLE_SIZE)


class Trace(Struct, frozen=True):
    """One game: who sat where with which seed, and the notation from which its scores can be derived again."""

    deal: int
    rotation: int
    seats: tuple[str, ...]
    seeds: tuple[int, ...]
    cap: int
    notation: str
    scores: tuple[int, ...]


class Rating(Struct, frozen=True):
    """The rating of an entry with its 95 % interval, its games, and its share of wins."""

    name: str
    rating: float
    low: float
    high: float
    games: int
    win_share: float


def play_ladder(setup: LadderSetup, jobs: int = 1) -> Iterator[Trace]:
    """Play all games in order. The result does not depend on the number of jobs."""
    if len(setup.entries) < 2 or len(set(setup.entries)) < len(setup.entries):
        raise LabError("a ladder needs at least two different entries")
    for name in setup.entries:
        player_factory(name)
    deals = -(-setup.games // setup.seats)
    batches = map_batches(partial(_play_deals, setup), deals, jobs)
    return islice((trace for batch in batches for trace in batch), setup.games)


def _play_deals(setup: LadderSetup, deals: range) -> list[Trace]:
    return [_play(setup, deal, rotation) for deal in deals for rotation in range(setup.seats)]


@cache
def companies(entries: tuple[str, ...], seats: int, seed: int) -> tuple[tuple[str, ...], ...]:
    """Return all tables of entries in a random order. Deals take them in turn: all entries meet equally often."""
    tables = list(combinations(entries, seats))
    Random(f"ladder/{seed}").shuffle(tables)
    return tuple(tables)


def _play(setup: LadderSetup, deal: int, rotation: int) -> Trace:
    rng = Random(f"ladder/{setup.seed}/deal/{deal}")
    deck, seats = list(cards(setup.edition)), setup.seats
    rng.shuffle(deck)
    starter, gifts = rng.randrange(seats), usual_gifts(seats)
    tables = companies(setup.entries, seats, setup.seed)
    names = tuple(islice(cycle(tables[deal % len(tables)]), rotation, rotation + seats))
    seeds = tuple(rng.getrandbits(53) for _ in range(seats))
    players = [player_factory(name)(seat, seeds[seat]) for seat, name in enumerate(names)]
    played = play_out(players, deck, gifts, starter, setup.cap)
    game = Game(tuple(deck), seats, gifts, starter, tuple(made.move for made in played.moves))
    return Trace(deal, rotation, names, seeds, setup.cap, write(game), played.round.scores)


def rate(traces: Iterable[Trace]) -> list[Rating]:
    """Return all entries, the best first. Fewer penalties are a better rank, equal penalties an equal one."""
    with needs_lab_extra("the ladder"):
        from openskill.models import BradleyTerryFull, BradleyTerryFullRating
    model = BradleyTerryFull(tau=0.0)  # players of a ladder do not change
    ratings: dict[str, BradleyTerryFullRating] = {}
    games: Counter[str] = Counter()
    wins: Counter[str] = Counter()  # a shared win counts for each winner in parts
    for trace in traces:
        before = [[ratings.setdefault(name, model.rating(name=name))] for name in trace.seats]
        for name, [after] in zip(trace.seats, model.rate(before, ranks=list(trace.scores)), strict=True):
            ratings[name] = after
        winners = lowest(trace.scores)
        for seat, name in enumerate(trace.seats):
            games[name] += 1
            wins[name] += _SHARES // len(winners) if seat in winners else 0
    rated = [
        Rating(
            name,
            round(one.mu, 3),
            round(one.mu - Z95 * one.sigma, 3),
            round(one.mu + Z95 * one.sigma, 3),
            games[name],
            round(wins[name] / _SHARES / games[name], 4),
        )
        for name, one in ratings.items()
    ]
    return sorted(rated, key=lambda one: (-one.rating, one.name))


def check(traces: Sequence[Trace], *, play_again: bool = True) -> None:
    """Raise `LabError` if a trace does not lead to its scores, or its players do not make the same moves again."""
    for trace in traces:
        where = f"game {trace.deal}/{trace.rotation}"
        try:
            [game] = read(trace.notation)
            scores = game.replay().scores
        except (Illegal, ValueError) as problem:
            raise LabError(f"{where} cannot be replayed: {problem}") from problem
        if scores != trace.scores:
            raise LabError(f"{where} ends {scores}, not {trace.scores}")
        if play_again and _moves_again(trace, game) != game.moves:
            raise LabError(f"the players of {where} make other moves now")


def _moves_again(trace: Trace, game: Game) -> tuple[object, ...]:
    players = [player_factory(name)(seat, trace.seeds[seat]) for seat, name in enumerate(trace.seats)]
    played = play_out(players, game.cards, game.gifts_each, game.starter, trace.cap)
    return tuple(made.move for made in played.moves)


def write_traces(traces: Iterable[Trace], file: Path) -> None:
    file.write_bytes(b"".join(msgspec.json.encode(trace) + b"\n" for trace in traces))


def read_traces(file: Path) -> list[Trace]:
    try:
        return [msgspec.json.decode(line, type=Trace) for line in file.read_bytes().splitlines()]
    except (OSError, msgspec.DecodeError) as problem:
        raise LabError(f"cannot read {file}: {problem}") from problem
