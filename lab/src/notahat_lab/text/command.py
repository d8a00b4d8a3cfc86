"""The command `notahat lab text`."""

import argparse
import sys
from pathlib import Path
from typing import get_args

import msgspec

from notahat.gifts import LANGUAGES
from notahat_lab.errors import LabError
from notahat_lab.text.play import check_traces, find_agent, play_traces, summarise_traces, write_traces
from notahat_lab.text.text_table import Memory, Setup


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
