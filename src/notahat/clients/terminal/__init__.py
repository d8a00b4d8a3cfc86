"""`notahat play`: the game in a terminal. Each output replaces the one before, so no gift can be scrolled back to."""

import argparse
import math
import sys
from contextlib import suppress

from rich.console import Console

from notahat import gifts
from notahat.bots import CHARACTERS, LEVELS
from notahat.clients.terminal.render import Screen
from notahat.clients.terminal.session import Quit, TerminalSession
from notahat.rules import Illegal
from notahat.table.options import TableReason


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `notahat play`, with every variant as an option."""
    parser = commands.add_parser("play", help="play in the terminal against computer players")
    add = parser.add_argument
    add("--players", type=int, default=4, metavar="2-8", help="how many sit at the table, you included")
    add("--edition", choices=["classic", "special"], default="classic")
    add(
        "--special-cards",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="the special edition's 30 special cards",
    )
    add("--arrows", choices=["both", "black", "white"], default="both", help="arrow colours; one is harder")
    add("--gifts", type=int, choices=[1, 2], help="gifts per player; two players always have two")
    add("--rounds", choices=["one", "each"], default="one", help="one round, or one per player")
    add("--starter", type=int, metavar="1-8", help="who begins: 1 is you, 2 sits on your left, …; random by default")
    add("--level", choices=LEVELS, default="casual", help="how well the computer players remember")
    add("--tempers", nargs="+", choices=list(CHARACTERS), default=[], metavar="WHO", help="characters: %(choices)s")
    add("--lang", "--language", choices=gifts.LANGUAGES, default="en")
    add("--name", default="", help="your name at the table")
    add("--pace", type=float, default=1.0, help="speed: 2 is twice as fast, 0 does not wait")
    add("--seed", type=int, help="repeat the game with this seed")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play until the player quits; return the exit status."""
    console = Console(highlight=False)
    screen = Screen(console, arguments.lang)
    try:
        if not 0 <= arguments.pace < math.inf:
            raise Illegal(TableReason.BAD_OPTIONS, "--pace must be a finite number, 0 or more")
        session = TerminalSession(screen, arguments)
    except Illegal as refusal:
        sys.stderr.write(f"notahat: {refusal.detail}\n")
        return 2
    with screen.alternate_screen(), suppress(Quit, KeyboardInterrupt):
        session.play()
    console.print(screen.text("goodbye"))
    return 0
