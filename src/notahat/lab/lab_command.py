"""The command `notahat lab`: arena, report, export, train and watch."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from notahat.lab.errors import Unusable
from notahat.lab.game import CAP
from notahat.lab.player_factory import chair
from notahat.lab.ray_cluster import find_ray
from notahat.lab.tournament import Result, Spread, arena
from notahat.optional_dependencies import how_to_add
from notahat.rules import Illegal
from notahat.rules.round import check_players, usual_gifts

_UNUSABLE = 2
LONGEST_PAUSE = 3600


def add_command(commands: Any) -> None:
    """Add `lab` with its own subcommands to the parser of `notahat`."""
    parser = commands.add_parser("lab", help="measure computer players against each other", description=__doc__)
    parts = parser.add_subparsers(required=True, metavar="WHAT")
    _add_arena(parts.add_parser("arena", help="let players meet in many games", description=_arena.__doc__))
    _add_report(parts.add_parser("report", help="measure every target and draw the plots", description=_report.__doc__))
    _add_export(
        parts.add_parser("export", help="one row for each decision, as Parquet or CSV", description=_export.__doc__)
    )
    _add_train(parts.add_parser("train", help="train the learnt player anew", description=_train.__doc__))
    _add_watch(parts.add_parser("watch", help="watch a game with all thoughts open", description=_watch.__doc__))


def _add_arena(parser: argparse.ArgumentParser) -> None:
    _add_game(parser, "elephant,casual,casual,casual")
    parser.add_argument("--games", type=_positive, default=500)
    parser.add_argument("--cap", type=_positive, default=CAP, help="passes after which a game is stopped")
    parser.add_argument("--jobs", type=_positive, help="processes (default: one for each core)")
    parser.add_argument("--ray", action="store_true", help="spread the games over a Ray cluster")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result as JSON as well")
    parser.set_defaults(run=_tried(_arena))


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=_positive, default=500, help="games for each line")
    parser.add_argument("--seed", type=int, default=2027, help="bots were tuned on seeds below 1000")
    parser.add_argument("--further", type=int, nargs="*", default=(), metavar="SEED", help="the same on other seeds")
    parser.add_argument("--jobs", type=_positive, help="processes (default: one for each core)")
    parser.add_argument("--out", type=Path, default=Path("lab-report"), metavar="FOLDER", help="plots and figures")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the page here, not into the folder")
    parser.set_defaults(run=_tried(_report))


def _add_export(parser: argparse.ArgumentParser) -> None:
    _add_game(parser, "casual,casual,casual,casual")
    parser.add_argument("--games", type=_positive, default=500)
    parser.add_argument("--cap", type=_positive, default=CAP, help="passes after which a game is stopped")
    parser.add_argument("--jobs", type=_positive, help="processes (default: one for each core)")
    parser.add_argument(
        "--from-server",
        metavar="STORE",
        help="not from games played now, but from this server's tables, where all agreed: sqlite:///file, postgresql://…",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="ends with .parquet or .csv")
    parser.set_defaults(run=_tried(_export))


def _add_train(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("learnt.json"), metavar="FILE", help="the weights, as text")
    parser.set_defaults(run=_tried(_train))


def _add_watch(parser: argparse.ArgumentParser) -> None:
    _add_game(parser, "casual,casual,casual,casual")
    parser.add_argument("--pause", type=float, default=0.0, metavar="SECONDS", help="wait after every pass")
    parser.set_defaults(run=_tried(_watch))


def _add_game(parser: argparse.ArgumentParser, seats: str) -> None:
    parser.add_argument(
        "--seats",
        default=seats,
        help="levels (casual, casual/berta), baselines (always-accept, honest@regular …) or module:Class, with commas",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--edition", choices=("classic", "special"), default="classic")
    parser.add_argument("--no-special-cards", dest="special_cards", action="store_false")
    parser.add_argument("--arrows", choices=("both", "black", "white"), default="both")
    parser.add_argument("--gifts", type=int, choices=(1, 2), help="gifts that everyone starts with (1; two players: 2)")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 on")
    return number


def _tried(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Own bots may lie in the folder one is in; what cannot be done is said in one line."""

    def tried(arguments: argparse.Namespace) -> int:
        if "" not in sys.path:
            sys.path.insert(0, "")
        try:
            return run(arguments)
        except Unusable as problem:
            sys.stderr.write(f"notahat lab: {problem}\n")
            return _UNUSABLE
        except BrokenProcessPool:
            sys.stderr.write(
                "notahat lab: a process that played games was ended from outside; with --jobs 1 there is but one\n"
            )
            return 1

    return tried


def _can_be_written(file: Path) -> None:
    """Say now what would be said after all games: that a file cannot be written."""
    new = not file.exists()
    try:
        file.open("ab").close()
    except OSError as problem:
        raise Unusable(f"cannot write {file}: {problem.strerror}") from None
    if new:
        file.unlink()


def _write(file: Path, data: bytes) -> None:
    try:
        file.write_bytes(data)
    except OSError as problem:
        raise Unusable(f"cannot write {file}: {problem.strerror}") from None


def _can_be_filled(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise Unusable(f"cannot write into {folder}: {problem.strerror}") from None
    _can_be_written(folder / "figures.json")


def _arena(arguments: argparse.Namespace) -> int:
    """Let players meet in many games: win shares with 95 % intervals, penalties, length, refusals."""
    if arguments.json is not None:
        _can_be_written(arguments.json)
    seats = _seats(arguments)
    if arguments.ray:
        find_ray()
    with bar("games", arguments.games) as forward:
        result = arena(
            seats,
            arguments.games,
            arguments.seed,
            edition=arguments.edition,
            special_cards=arguments.special_cards,
            arrows=arguments.arrows,
            gifts=arguments.gifts,
            cap=arguments.cap,
            jobs=arguments.jobs,
            ray=arguments.ray,
            progress=forward,
        )
    _show(result)
    if arguments.json is not None:
        _write(arguments.json, msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n")
    return 0


def _report(arguments: argparse.Namespace) -> int:
    """Measure the whole table of targets, failures included, and draw the plots."""
    try:
        from notahat.lab.report import make_report
    except ModuleNotFoundError as missing:
        raise Unusable(f"the report needs {missing.name}: {how_to_add('lab')}") from missing
    _can_be_filled(arguments.out)
    if arguments.page is not None:
        _can_be_written(arguments.page)
    with bar("measurements", None) as forward:
        lines = make_report(
            arguments.games,
            arguments.seed,
            arguments.jobs,
            arguments.out,
            arguments.page,
            forward,
            arguments.further,
        )
    table = Table("what", "target", "figure", "holds")
    for line in lines:
        table.add_row(line.what, line.target, line.figure, "yes" if line.holds else "NO")
    Console().print(table)
    return 0


def _export(arguments: argparse.Namespace) -> int:
    """Let players meet and write every decision down: claimed, true, believed, and how long ago seen."""
    from notahat.lab.export import from_arena, written
    from notahat.lab.tournament import Setup

    if arguments.out.suffix not in (".parquet", ".csv"):
        raise Unusable(f"a file that ends with .parquet or .csv, not {arguments.out}")
    _can_be_written(arguments.out)
    if arguments.from_server is not None:
        return _export_people(arguments)
    seats = _seats(arguments)
    game = (arguments.edition, arguments.special_cards, arguments.arrows, arguments.gifts or usual_gifts(len(seats)))
    setup = Setup(seats, arguments.seed, *game, arguments.cap)
    rows = written(from_arena(setup, arguments.games, arguments.jobs or os.cpu_count() or 1), arguments.out)
    sys.stdout.write(f"{rows} decisions in {arguments.out}\n")
    return 0


def _export_people(arguments: argparse.Namespace) -> int:
    from notahat.lab.export import written
    from notahat.lab.server_export import from_server

    found = from_server(arguments.from_server)
    rows = written(found.decisions, arguments.out)
    sys.stdout.write(f"{rows} decisions in {arguments.out}; rounds: {found.rounds}\n")
    if found.kept_back:
        told = "of which not all agreed, or claims were spoken, or gifts were people's own"
        sys.stdout.write(f"finished rounds that stay where they are, {told}: {found.kept_back}\n")
    return 0


def _train(arguments: argparse.Namespace) -> int:
    """Train the learnt player from nothing, in about a minute of one core: the same seed gives the same weights."""
    try:
        from notahat.lab.train import ROUNDS, train
    except ModuleNotFoundError as missing:
        raise Unusable(f"training needs {missing.name}: {how_to_add('lab')}") from missing
    _can_be_written(arguments.out)
    with bar("rounds", 2 * ROUNDS[0] + ROUNDS[1]) as forward:
        weights, known, lead = train(arguments.seed, progress=forward)
    weights.save(arguments.out)
    stands = "fewer" if lead[-1] >= 0 else "more"
    told = f"{abs(lead[-1]):.2f} penalties {stands} than the others while it still tried things out"
    sys.stdout.write(f"knows {known[-1]:.1%} of all gifts; {told}: {arguments.out}\n")
    return 0


def _watch(arguments: argparse.Namespace) -> int:
    """Play one game out, with the truth and what every player believes."""
    from notahat.lab.tournament import Setup
    from notahat.lab.watch import watch

    if not 0 <= arguments.pause <= LONGEST_PAUSE:
        raise Unusable(f"a pause takes 0 to {LONGEST_PAUSE} seconds: --pause 1")
    seats = _seats(arguments)
    game = (arguments.edition, arguments.special_cards, arguments.arrows, arguments.gifts or usual_gifts(len(seats)))
    watch(Setup(seats, arguments.seed, *game), Console(), arguments.pause)
    return 0


def _seats(arguments: argparse.Namespace) -> tuple[str, ...]:
    """Who sits down; what is wrong with them is said before a bar starts to move."""
    seats = tuple(name.strip() for name in arguments.seats.split(","))
    try:
        check_players(len(seats), arguments.gifts or usual_gifts(len(seats)))
    except Illegal as problem:
        raise Unusable(problem.detail) from None
    for name in seats:
        sit = chair(name)
        if (
            ":" not in name
        ):  # one of ours, who may lack an extra; a stranger's class sits down only where games are played
            sit(0, 0)
    return seats


@contextmanager
def bar(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr, so that what is measured can be piped."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.advance(task, done)


def _show(result: Result) -> None:
    console = Console()
    table = Table("player", "win share", "95 %", "penalties per 100 gifts")
    for seat in result.seats:
        table.add_row(
            seat.name, f"{seat.win_share:.3f}", f"{seat.low:.3f}–{seat.high:.3f}", f"{seat.penalties_per_100:.1f}"
        )
    console.print(table)
    right = "–" if result.refusals_right is None else f"{result.refusals_right:.0%}"
    console.print(f"{result.games} games, {result.capped:.1%} hit the cap", highlight=False)
    console.print(f"passes per game   {_in_words(result.passes)}", highlight=False)
    console.print(f"first refusal     {_in_words(result.first_refusal)}", highlight=False)
    console.print(f"refusals right    {right}", highlight=False)


def _in_words(spread: Spread) -> str:
    if spread.median is None:
        return "never"
    return f"{spread.median:g} (a tenth below {spread.p10:g}, a tenth above {spread.p90:g})"
