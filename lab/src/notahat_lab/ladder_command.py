"""The command `notahat lab ladder`."""

import argparse
import os
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from notahat_lab.errors import LabError
from notahat_lab.ladder import PROGRAM_SECONDS, LadderSetup, Rating, check, play_ladder, rate, read_traces, write_traces

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
