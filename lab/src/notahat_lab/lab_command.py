"""The command `notahat lab` with its subcommands arena, report, export, fit, ladder and text."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from notahat.rules import Illegal, deal
from notahat.rules.round import check_players, usual_gifts
from notahat_lab import ladder
from notahat_lab.errors import LabError
from notahat_lab.export import Decision, from_arena, write_decisions
from notahat_lab.game import CAP, deck_cards
from notahat_lab.player_factory import player_factory
from notahat_lab.text import play as text
from notahat_lab.tournament import Result, Setup, Spread, find_ray, play_games, summarise

_USAGE_ERROR = 2
MAX_SPEED = 1000


def add_command(commands: Any) -> None:
    """Add `lab` and its subcommands to the parser of `notahat`."""
    parser = commands.add_parser("lab", help="compare computer players with each other", description=__doc__)
    parts = parser.add_subparsers(required=True, metavar="WHAT")

    def add(name: str, text: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        subparser: argparse.ArgumentParser = parts.add_parser(name, help=text, description=run.__doc__)
        subparser.set_defaults(run=_with_error_handling(run))
        return subparser

    _add_arena_options(add("arena", "play many games between players", _arena))
    _add_report_options(add("report", "measure all targets", _report))
    _add_export_options(add("export", "write one row per decision, as Parquet or CSV", _export))
    _add_fit_options(add("fit", "fit a memory to the answers in an export", _fit))
    ladder.add_options(add("ladder", "rate players by duplicate deals", ladder.run_ladder))
    text.add_options(add("text", "let players play that read and write plain text", text.run_text))


def _add_arena_options(parser: argparse.ArgumentParser) -> None:
    _add_variant_options(parser, "elephant,casual,casual,casual")
    _add_games_options(parser)
    parser.add_argument("--ray", action="store_true", help="play the games on a Ray cluster")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the result as JSON")


def _add_report_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=_positive, default=500, help="games per target")
    parser.add_argument("--seed", type=int, default=2027, help="seeds below 1000 were used for tuning")
    parser.add_argument("--jobs", type=_positive, help="processes (default: one per core)")
    parser.add_argument(
        "--out", type=Path, default=Path("lab-report"), metavar="FOLDER", help="for figures.json and the page"
    )
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the page to this file, not to the folder")


def _add_export_options(parser: argparse.ArgumentParser) -> None:
    _add_variant_options(parser, "casual,casual,casual,casual")
    _add_games_options(parser)
    parser.add_argument(
        "--from-server",
        metavar="STORE",
        help="export a server's tables where all players agreed: sqlite:///file, postgresql://…",
    )
    parser.add_argument("--pace", type=float, default=1.0, help="the --pace that the server was started with")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="output file, .parquet or .csv")


def _add_games_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=_positive, default=500)
    parser.add_argument("--cap", type=_positive, default=CAP, help="maximum passes per game")
    parser.add_argument("--jobs", type=_positive, help="processes (default: one per core)")


def _add_variant_options(parser: argparse.ArgumentParser, seats: str) -> None:
    parser.add_argument(
        "--seats",
        default=seats,
        help="levels (casual, casual/berta), baselines (always-accept, honest@regular …) or module:Class, with commas",
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--edition", default="classic", help="classic, special, or an own deck: a .hat file")
    parser.add_argument("--no-special-cards", dest="special_cards", action="store_false")
    parser.add_argument("--arrows", choices=("both", "black", "white"), default="both")
    parser.add_argument("--gifts", type=int, choices=(1, 2), help="gifts per player at the start (1; two players: 2)")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


def _with_error_handling(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Allow imports from the working directory, and print errors in one line."""

    def run_safely(arguments: argparse.Namespace) -> int:
        if "" not in sys.path:
            sys.path.insert(0, "")
        try:
            return run(arguments)
        except LabError as problem:
            sys.stderr.write(f"notahat lab: {problem}\n")
            return _USAGE_ERROR
        except BrokenProcessPool:
            sys.stderr.write("notahat lab: a worker process was killed; --jobs 1 plays without worker processes\n")
            return 1

    return run_safely


def _check_writable(file: Path) -> None:
    """Raise `LabError` before all games are played, not afterwards, if a file cannot be written."""
    new = not file.exists()
    try:
        file.open("ab").close()
    except OSError as problem:
        raise LabError(f"cannot write {file}: {problem.strerror}") from None
    if new:
        file.unlink()


def _check_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise LabError(f"cannot write into {folder}: {problem.strerror}") from None
    _check_writable(folder / "figures.json")


def _arena(arguments: argparse.Namespace) -> int:
    """Play many games between players: win shares with 95 % intervals, penalties, length, refusals."""
    if arguments.json is not None:
        _check_writable(arguments.json)
    setup = _setup(arguments)
    if arguments.ray:
        find_ray()
    with progress_bar("games", arguments.games) as advance:
        games = list(play_games(setup, arguments.games, arguments.jobs, arguments.ray, advance))
    result = summarise(setup.seats, games)
    _show(result)
    if arguments.json is not None:
        try:
            arguments.json.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n")
        except OSError as problem:
            raise LabError(f"cannot write {arguments.json}: {problem.strerror}") from None
    return 0


def _report(arguments: argparse.Namespace) -> int:
    """Measure all targets, failures included."""
    from notahat_lab.report.report import make_report

    _check_folder(arguments.out)
    if arguments.page is not None:
        _check_writable(arguments.page)
    with progress_bar("measurements", None) as advance:
        results = make_report(arguments.games, arguments.seed, arguments.jobs, arguments.out, arguments.page, advance)
    table = Table("what", "target", "figure", "holds")
    for result in results:
        table.add_row(result.what, result.target, result.figure, "yes" if result.holds else "NO")
    Console().print(table)
    return 0


def _export(arguments: argparse.Namespace) -> int:
    """Write one row per decision: claim, truth, belief, and how long ago the gift was seen."""
    if arguments.out.suffix not in (".parquet", ".csv"):
        raise LabError(f"the file must end with .parquet or .csv, not {arguments.out}")
    _check_writable(arguments.out)
    if arguments.from_server is not None:
        return _export_from_server(arguments)
    setup = _setup(arguments)
    rows = write_decisions(from_arena(setup, arguments.games, arguments.jobs or os.cpu_count() or 1), arguments.out)
    sys.stdout.write(f"{rows} decisions in {arguments.out}\n")
    return 0


def _export_from_server(arguments: argparse.Namespace) -> int:
    from notahat.store.sqlite_file import make_private
    from notahat_lab.server_export import from_server

    if not 0 < arguments.pace <= MAX_SPEED:
        raise LabError(f"--pace must be above 0 and at most {MAX_SPEED}")
    found = from_server(arguments.from_server, arguments.pace)
    make_private(arguments.out)
    rows = write_decisions(found.decisions, arguments.out)
    sys.stdout.write(f"{rows} decisions in {arguments.out}; rounds: {found.rounds}\n")
    if found.too_quick:
        how = "a server with another --pace? Then give it here, too: thinking times are wrong otherwise"
        sys.stderr.write(f"notahat lab: {found.too_quick} moves of computer players came too quickly ({how})\n")
    if found.withheld:
        why = "not all players agreed, or claims were spoken, or gifts were not from the catalogue"
        sys.stdout.write(f"finished rounds that were not exported ({why}): {found.withheld}\n")
    return 0


def _setup(arguments: argparse.Namespace) -> Setup:
    """Return what is played. Raise `LabError` before any game is played if one of the players cannot play."""
    seats = tuple(name.strip() for name in arguments.seats.split(","))
    gifts = arguments.gifts or usual_gifts(len(seats))
    try:
        check_players(len(seats), gifts)
        deal(deck_cards(arguments.edition, arguments.special_cards, arguments.arrows), len(seats), gifts)
    except Illegal as problem:
        raise LabError(problem.detail) from None
    except LookupError as problem:
        raise LabError(str(problem)) from None
    for name in seats:
        player_factory(name)
    return Setup(
        seats, arguments.seed, arguments.edition, arguments.special_cards, arguments.arrows, gifts, arguments.cap
    )


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on stderr, so that stdout can be piped."""
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
    console.print(f"passes per game   {_format_spread(result.passes)}", highlight=False)
    console.print(f"first refusal     {_format_spread(result.first_refusal)}", highlight=False)
    console.print(f"refusals right    {right}", highlight=False)


def _format_spread(spread: Spread) -> str:
    if spread.median is None:
        return "never"
    return f"{spread.median:g} (a tenth below {spread.p10:g}, a tenth above {spread.p90:g})"


_SIMULATED_SEATS = ("casual",) * 4


def _add_fit_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, nargs="?", help="an export, .parquet or .csv")
    parser.add_argument(
        "--simulate", type=int, metavar="GAMES", help="fit the answers of a simulated player with the parameters below"
    )
    parser.add_argument("--decay", type=float, default=0.5)
    parser.add_argument("--noise", type=float, default=0.35)
    parser.add_argument("--threshold", type=float, default=-2.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, help="processes (default: one per core)")


def _fit(arguments: argparse.Namespace) -> int:
    """Fit decay, noise and threshold of memory to the answers in an export, by maximum likelihood."""
    from notahat_lab.fit import Parameters, fit, read_decisions, simulate

    truth: Parameters | None = None
    rows: list[Decision]
    if arguments.simulate:
        truth = Parameters(arguments.decay, arguments.noise, arguments.threshold)
        setup = Setup(_SIMULATED_SEATS, arguments.seed)
        played = list(from_arena(setup, arguments.simulate, arguments.jobs or os.cpu_count() or 1))
        rows = simulate(played, truth, arguments.seed)
    elif arguments.file is not None:
        rows = read_decisions(arguments.file)
    else:
        raise LabError("name an export to fit, or a number of games with --simulate")
    found = fit(rows)
    table = Table("", "fitted", "95 %", *(["true"] if truth else []))
    for name, best, margin in zip(
        Parameters.__struct_fields__, structs.astuple(found.best), structs.astuple(found.margin), strict=True
    ):
        true = [f"{getattr(truth, name):.3f}"] if truth else []
        table.add_row(name, f"{best:.3f}", f"± {margin:.3f}", *true)
    console = Console()
    console.print(table)
    console.print(
        f"{found.answers} answers, {found.recalled:.1%} of them right; log-likelihood {found.log_likelihood:.1f}"
    )
    return 0
