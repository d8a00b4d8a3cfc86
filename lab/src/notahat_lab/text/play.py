"""Let text players play many games, and write or check their traces (one JSON object a line)."""

import argparse
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import cast, get_args

import msgspec
from msgspec import Struct, structs

from notahat.gifts import LANGUAGES
from notahat_lab.errors import LabError
from notahat_lab.text.text_table import TEXT, Memory, Setup, TextTable, Trace, derive
from notahat_lab.tournament import interval, seating

Agent = Callable[[str], str]  # from a message to a reply


class TextResult(Struct, frozen=True):
    """The text player's share of wins with its 95 % interval, and what else happened."""

    games: int
    win_share: float
    low: float
    high: float
    penalties: float
    capped: int
    forfeited: int


def find_agent(name: str) -> Agent:
    """Return a user's own function, named `module:function`. Raise `LabError` if there is none."""
    module, _, attribute = name.partition(":")
    try:
        return cast(Agent, getattr(importlib.import_module(module), attribute))
    except (ImportError, AttributeError, ValueError) as missing:
        raise LabError(f"no text player {name!r}: {missing}") from missing


def play_traces(setup: Setup, agent: Agent, games: int, seed: int) -> Iterator[Trace]:
    """Play games, each player one seat further than in the game before. Yield their traces."""
    for number in range(games):
        turned = seating(len(setup.seats), number)
        seats = tuple(setup.seats[player] for player in turned)
        table = TextTable(structs.replace(setup, seats=seats))
        table.reset(seed * 1_000_003 + number)
        while table.outcome is None:
            table.reply(agent(table.message))
        yield table.trace()


def summarise_traces(traces: Sequence[Trace]) -> TextResult:
    """Return how the first text player of every game did."""
    wins, penalties, capped, forfeited = [], 0, 0, 0
    for trace in traces:
        if trace.outcome is None:
            raise LabError("a trace is not finished")
        seat, outcome = trace.setup.seats.index(TEXT), trace.outcome
        wins.append((seat in outcome.winners) / len(outcome.winners))
        penalties += outcome.scores[seat]
        capped += outcome.capped
        forfeited += outcome.forfeited == seat
    return TextResult(len(wins), *interval(wins), penalties / len(wins), capped, forfeited)


def write_traces(traces: Iterable[Trace], file: Path) -> None:
    try:
        file.write_bytes(b"".join(msgspec.json.encode(trace) + b"\n" for trace in traces))
    except OSError as problem:
        raise LabError(f"cannot write {file}: {problem.strerror}") from None


def check_traces(file: Path) -> int:
    """Play every trace of a file again. Return their number; raise `LabError` if one states another outcome."""
    try:
        lines = file.read_bytes().splitlines()
    except OSError as problem:
        raise LabError(f"cannot read {file}: {problem.strerror}") from None
    for number, line in enumerate(lines, 1):
        try:
            trace = msgspec.json.decode(line, type=Trace)
        except (msgspec.ValidationError, msgspec.DecodeError) as problem:
            raise LabError(f"{file}, line {number}: {problem}") from None
        if (outcome := derive(trace)) != trace.outcome:
            raise LabError(f"{file}, line {number}: the replies lead to {outcome}, not to {trace.outcome}")
    return len(lines)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", default="", metavar="MODULE:FUNCTION", help="from a message to a reply")
    parser.add_argument("--seats", default="text,casual,casual,casual", help="players as in the arena, and text")
    parser.add_argument("--lang", choices=LANGUAGES, default="en")
    parser.add_argument("--memory", choices=get_args(Memory), default="transcript")
    parser.add_argument("--notebook", type=int, default=0, metavar="CHARACTERS", help="size of the notebook")
    parser.add_argument("--renamed", action="store_true", help="call the gifts by nonsense words")
    parser.add_argument("--edition", choices=("classic", "special"), default="classic")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--traces", type=Path, metavar="FILE", help="write every game to this file, one JSON a line")
    parser.add_argument("--check", type=Path, metavar="FILE", help="play the traces of a file again, and nothing else")


def run_text(arguments: argparse.Namespace) -> int:
    """Let a text player play, or check the traces of games. Print the result as JSON."""
    if arguments.check is not None:
        sys.stdout.write(f"{check_traces(arguments.check)} games lead to the outcomes that they state\n")
        return 0
    if arguments.games < 1:
        raise LabError("--games must be positive")
    setup = Setup(
        seats=tuple(name.strip() for name in arguments.seats.split(",")),
        lang=arguments.lang,
        memory=arguments.memory,
        notebook=arguments.notebook,
        renamed=arguments.renamed,
        edition=arguments.edition,
    )
    traces = list(play_traces(setup, find_agent(arguments.agent), arguments.games, arguments.seed))
    if arguments.traces is not None:
        write_traces(traces, arguments.traces)
    result = msgspec.json.format(msgspec.json.encode(summarise_traces(traces)), indent=2)
    sys.stdout.write(result.decode() + "\n")
    return 0
