"""The command `notahat print`."""

import argparse
import os
import sys
from pathlib import Path

from notahat import gifts
from notahat.optional_dependencies import install_command
from notahat.paper import printed_deck, sheet, web_assets
from notahat.rules import Card, Illegal

_UNUSABLE = 2
STDOUT = Path("-")


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser(
        "print",
        help="write a deck as a PDF to print, cut out and play",
        description="Write a PDF: the cards of a deck, front and back, the rules and a score sheet. "
        "Print it on both sides at its actual size (100 %), and cut along the marks.",
    )
    parser.add_argument("--deck", default="classic", help="classic, special, or a .hat file of your own (classic)")
    parser.add_argument("--no-special-cards", action="store_true", help="the special edition without its special cards")
    parser.add_argument("--arrows", choices=["both", "black", "white"], default="both", help="one colour is harder")
    parser.add_argument("--language", "--lang", choices=gifts.LANGUAGES, default="en", help="of the rules (en)")
    parser.add_argument("--paper", type=str.lower, choices=list(sheet.PAPERS), default="a4")
    parser.add_argument(
        "--flip", choices=sheet.FLIPS, default="long", help="over which edge the printer turns the sheet (long)"
    )
    parser.add_argument("--size", default="88x55", metavar="MM", help="of a card: 88x55, or smaller")
    parser.add_argument("--ink-saving", action="store_true", help="backs in thin black lines")
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        help="where to write; - is standard output (notahat-DECK-LANGUAGE.pdf)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check everything that can fail, then write the PDF; return the exit code."""
    out = arguments.out or Path(f"notahat-{Path(arguments.deck).stem}-{arguments.language}.pdf")
    try:
        card = sheet.parse_size(arguments.size)
        cards, pictures = _deck(arguments)
        _check_writable(out)
        if not web_assets.is_built():
            raise LookupError(web_assets.NOT_BUILT)
        from notahat.paper.pdf import PrintJob, UndrawablePicture, pdf
    except ModuleNotFoundError as missing:
        return _fail(f"printing needs {missing.name}: {install_command('print')}")
    except Illegal as refused:
        return _fail(f"{arguments.deck}: {refused.detail}")
    except (LookupError, ValueError) as problem:
        return _fail(str(problem))
    choices = (arguments.language, arguments.paper, arguments.flip, card, arguments.ink_saving)
    try:
        made = pdf(PrintJob(cards, *choices, pictures))
    except UndrawablePicture as problem:
        number = list(pictures).index(str(problem)) + 1
        return _fail(f"{arguments.deck}: own gift {number}: its picture cannot be drawn")
    if out == STDOUT:
        sys.stdout.buffer.write(made)
        return 0
    try:
        out.write_bytes(made)
    except OSError as problem:
        return _fail(f"cannot write {out}: {problem.strerror}")
    sys.stdout.write(f"{len(cards)} cards, the rules and a score sheet are in {out}\n")
    return 0


def _deck(arguments: argparse.Namespace) -> tuple[tuple[Card, ...], dict[str, bytes]]:
    """Return the cards, and the pictures of own gifts."""
    special_cards, arrows = not arguments.no_special_cards, arguments.arrows
    if arguments.deck in printed_deck.EDITIONS:
        return printed_deck.cards(arguments.deck, special_cards, arrows), {}
    own = printed_deck.own(arguments.deck)
    cards = printed_deck.variant(own.cards, special_cards, arrows)
    if not cards:
        raise ValueError(f"{arguments.deck} has no cards with these arrows")
    return cards, {gift.key: gift.picture for gift in own.own}


def _check_writable(out: Path) -> None:
    """Raise `ValueError` if the file cannot be written, without creating it."""
    if out == STDOUT:
        return
    if out.is_dir():
        raise ValueError(f"{out} is a folder; name a file to write")
    if not out.parent.is_dir():
        raise ValueError(f"there is no folder {out.parent}")
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        raise ValueError(f"cannot write {out}")


def _fail(problem: str) -> int:
    sys.stderr.write(f"notahat: {problem}\n")
    return _UNUSABLE
