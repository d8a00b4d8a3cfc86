"""The command `notahat lab fit`."""

import argparse
import os
from pathlib import Path

from msgspec import structs
from rich.console import Console
from rich.table import Table

from notahat_lab.errors import LabError
from notahat_lab.export import Decision, from_arena
from notahat_lab.tournament import Setup

_SIMULATED_SEATS = ("casual",) * 4


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, nargs="?", help="an export, .parquet or .csv")
    parser.add_argument(
        "--simulate", type=int, metavar="GAMES", help="fit the answers of a simulated player with the parameters below"
    )
    parser.add_argument("--decay", type=float, default=0.5)
    parser.add_argument("--noise", type=float, default=0.35)
    parser.add_argument("--threshold", type=float, default=-2.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, help="processes (default: one per core)")


def run_fit(arguments: argparse.Namespace) -> int:
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
