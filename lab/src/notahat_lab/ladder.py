"""A ladder: players meet in duplicate deals, and openskill rates them. All results follow from the traces of the games.

A deal is played once for each rotation of the seats, with the same cards and the same starter, so that luck is shared.
The order of the players around the table is drawn for each deal, so that nobody always sits beside the same player.
"""

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import cache, partial
from itertools import combinations, cycle, islice
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct
from openskill.models import PlackettLuce, PlackettLuceRating
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from notahat.bots import Answer, Bot
from notahat.gifts import Edition, cards
from notahat.rules import Draw, Event, Give, Illegal, Legal, Move, View, Wrap
from notahat.rules.notation import Game, read, write
from notahat.rules.round import lowest, usual_gifts
from notahat.table.options import Options
from notahat_lab.errors import LabError
from notahat_lab.game import CAP, play_out
from notahat_lab.player_factory import player_factory
from notahat_lab.program_player import SECONDS, ProgramPlayer, is_program, program_command, replacement
from notahat_lab.tournament import Z95, map_batches

TABLE_SIZE = 4
PROGRAM_SECONDS = 60.0
_SHARES = 12  # a win can be shared by two, three or four


class LadderSetup(Struct, frozen=True):
    """Who plays, how often and under which seed; `seconds` is how long a program may take for a move."""

    contenders: tuple[str, ...]
    games: int
    seed: int = 0
    edition: Edition = "classic"
    cap: int = CAP
    seconds: float = PROGRAM_SECONDS

    @property
    def seats(self) -> int:
        return min(len(self.contenders), TABLE_SIZE)


class LadderGame(Struct, frozen=True):
    """One game: seats, seed, the notation that gives its scores, and by seat the moves `missed` by programs."""

    deal: int
    rotation: int
    seats: tuple[str, ...]
    seeds: tuple[int, ...]
    cap: int
    notation: str
    scores: tuple[int, ...]
    missed: tuple[int, ...] = ()


class Rating(Struct, frozen=True):
    """The rating of a contender with its 95 % interval, its games, its share of wins, and its missed moves."""

    name: str
    rating: float
    low: float
    high: float
    games: int
    win_share: float
    missed: int = 0


def play_ladder(setup: LadderSetup, jobs: int = 1) -> Iterator[LadderGame]:
    """Play all games in order. The result does not depend on the number of jobs."""
    if len(setup.contenders) < 2 or len(set(setup.contenders)) < len(setup.contenders):
        raise LabError("a ladder needs at least two different contenders")
    for name in setup.contenders:
        program_command(name) if is_program(name) else player_factory(name)
    deals = -(-setup.games // setup.seats)
    batches = map_batches(partial(_play_deals, setup), deals, jobs)
    return islice((trace for batch in batches for trace in batch), setup.games)


def _play_deals(setup: LadderSetup, deals: range) -> list[LadderGame]:
    return [_play(setup, deal, rotation) for deal in deals for rotation in range(setup.seats)]


@cache
def companies(contenders: tuple[str, ...], seats: int, seed: int) -> tuple[tuple[str, ...], ...]:
    """Return all tables of contenders in a random order. Deals take them in turn: all contenders meet equally often."""
    tables = list(combinations(contenders, seats))
    Random(f"ladder/{seed}").shuffle(tables)
    return tuple(tables)


def _play(setup: LadderSetup, deal: int, rotation: int) -> LadderGame:
    rng = Random(f"ladder/{setup.seed}/deal/{deal}")
    deck, seats = list(cards(setup.edition)), setup.seats
    rng.shuffle(deck)
    starter, gifts = rng.randrange(seats), usual_gifts(seats)
    tables = companies(setup.contenders, seats, setup.seed)
    order = rng.sample(tables[deal % len(tables)], seats)
    names = tuple(islice(cycle(order), rotation, rotation + seats))
    seeds = tuple(rng.getrandbits(53) for _ in range(seats))
    with ExitStack() as stack:
        players = [_player(setup, name, seat, seeds[seat], stack) for seat, name in enumerate(names)]
        played = play_out(players, deck, gifts, starter, setup.cap)
        missed = tuple(getattr(player, "missed", 0) for player in players)
    game = Game(tuple(deck), seats, gifts, starter, tuple(made.move for made in played.moves))
    return LadderGame(deal, rotation, names, seeds, setup.cap, write(game), played.round.scores, missed)


def _player(setup: LadderSetup, name: str, seat: int, seed: int, stack: ExitStack) -> Bot:
    """Return a player for one game. A program ends with the stack."""
    if not is_program(name):
        return player_factory(name)(seat, seed)
    options = Options(edition=setup.edition)
    return stack.enter_context(closing(ProgramPlayer(name, seat, seed, options, setup.seconds)))


def rate(traces: Iterable[LadderGame]) -> list[Rating]:
    """Return all contenders, the best first. Fewer penalties are a better rank, equal penalties an equal one."""
    # Players of a ladder do not change: nothing adds uncertainty (tau), and every game takes its whole share (gamma).
    model = PlackettLuce(tau=0.0, gamma=lambda *_: 1.0)
    ratings: dict[str, PlackettLuceRating] = {}
    games: Counter[str] = Counter()
    wins: Counter[str] = Counter()  # a shared win counts for each winner in parts
    missed: Counter[str] = Counter()
    for trace in traces:
        before = [[ratings.setdefault(name, model.rating(name=name))] for name in trace.seats]
        for name, [after] in zip(trace.seats, model.rate(before, ranks=list(trace.scores)), strict=True):
            ratings[name] = after
        winners = lowest(trace.scores)
        missed.update(dict(zip(trace.seats, trace.missed, strict=False)))
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
            missed[name],
        )
        for name, one in ratings.items()
    ]
    return sorted(rated, key=lambda one: (-one.rating, one.name))


def check(traces: Sequence[LadderGame]) -> None:
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
        if _moves_again(trace, game) != game.moves:
            raise LabError(f"the players of {where} make other moves now")


def _moves_again(trace: LadderGame, game: Game) -> tuple[Move, ...]:
    players = [_same_player(trace, game, seat) for seat in range(game.seats)]
    played = play_out(players, game.cards, game.gifts_each, game.starter, trace.cap)
    return tuple(made.move for made in played.moves)


def _same_player(trace: LadderGame, game: Game, seat: int) -> Bot:
    name = trace.seats[seat]
    return _Recorded(game, seat) if is_program(name) else player_factory(name)(seat, trace.seeds[seat])


class _Recorded:
    """A program in a recorded game: it makes the recorded moves, because it may not be here or decide otherwise."""

    def __init__(self, game: Game, seat: int) -> None:
        self._seat = seat
        self._moves = (move for move in game.moves if move.seat == seat and type(move) not in (Draw, Wrap))

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        """Ignore what happens."""

    def answer(self, view: View, legal: Legal, now: float) -> Answer:  # noqa: ARG002
        """Return the next recorded move; another one if it does not fit, because the others have played differently."""
        move = next(self._moves, None)
        fits = move is not None and isinstance(move, Give) == ("give" in legal.moves)
        return Answer(move if move and fits else replacement(self._seat, view, legal), SECONDS)


def write_traces(traces: Iterable[LadderGame], file: Path) -> None:
    file.write_bytes(b"".join(msgspec.json.encode(trace) + b"\n" for trace in traces))


def read_traces(file: Path) -> list[LadderGame]:
    try:
        return [msgspec.json.decode(line, type=LadderGame) for line in file.read_bytes().splitlines()]
    except (OSError, msgspec.DecodeError) as problem:
        raise LabError(f"cannot read {file}: {problem}") from problem


_LEVELS = "goldfish,casual,regular,elephant"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--entries", help=f"players as in the arena, with commas (default: {_LEVELS})")
    parser.add_argument(
        "--entry",
        action="append",
        default=[],
        metavar="NAME",
        help="one more player, also program:COMMAND, mcp:COMMAND",
    )
    parser.add_argument("--seconds", type=float, default=PROGRAM_SECONDS, help="for a move of a program")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--edition", choices=("classic", "special"), default="classic")
    parser.add_argument("--jobs", type=int, help="processes (default: one per core)")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="write traces.jsonl to this folder")
    parser.add_argument("--check", type=Path, metavar="FILE", help="derive all results of a traces.jsonl again")


def run_ladder(arguments: argparse.Namespace) -> int:
    """Rate players by games in duplicate deals, or derive the ratings of recorded games again."""
    if arguments.check is not None:
        traces = read_traces(arguments.check)
        check(traces)
    else:
        if arguments.games < 1:
            raise LabError("--games must be positive")
        contenders = (*_listed(arguments), *arguments.entry)
        setup = LadderSetup(
            contenders, arguments.games, arguments.seed, arguments.edition, seconds=max(arguments.seconds, 0.0)
        )
        traces = list(play_ladder(setup, arguments.jobs or os.cpu_count() or 1))
    ratings = rate(traces)
    Console().print(_table(ratings))
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        write_traces(traces, arguments.out / "traces.jsonl")
    return 0


def _listed(arguments: argparse.Namespace) -> list[str]:
    """Return the contenders of the list: the four levels if none was given at all."""
    listed = arguments.entries if arguments.entries or arguments.entry else _LEVELS
    return [name.strip() for name in listed.split(",")] if listed else []


def _table(ratings: list[Rating]) -> Table:
    table = Table("player", "rating", "95 %", "games", "win share", "missed moves")
    for one in ratings:
        interval = f"{one.low:.2f}–{one.high:.2f}"
        figures = (f"{one.rating:.2f}", interval, str(one.games), f"{one.win_share:.3f}", str(one.missed))
        table.add_row(escape(one.name), *figures)
    return table
