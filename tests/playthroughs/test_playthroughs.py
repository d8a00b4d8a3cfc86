"""Golden playthroughs: rendered from the rules as text and compared line by line.

Each file has names, a game in notation and, below a line of dashes, the table after every move.
`GOLDEN=write pytest tests/playthroughs` writes them again; review the difference before you commit it.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from notahat.rules import (
    Accepted,
    Drawn,
    Ended,
    Event,
    FaceDown,
    FaceUp,
    Judged,
    Offered,
    Penalised,
    Refused,
    Round,
    Wrapped,
    play,
    view,
)
from notahat.rules.notation import Game, read

STORIES = sorted(Path(__file__).parent.glob("*.txt"))
LINE = "-" * 60
ARROWS = {"left": "←", "right": "→", "any": "✱"}


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_playthrough_matches_golden_file(path: Path) -> None:
    script, _, expected = path.read_text("utf-8").partition(f"{LINE}\n")
    heading, names, notation = script.split("\n", 2)
    (game,) = read(notation)
    rendered = "\n".join(render(game, names.split())) + "\n"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(f"{heading}\n{names}\n{notation}{LINE}\n{rendered}", "utf-8")
    else:
        assert rendered == expected


def render(game: Game, names: Sequence[str]) -> Iterable[str]:
    round_ = game.deal()
    yield from board(round_, names)
    for move in game.moves:
        round_, events = play(round_, move)
        yield ""
        for event in events:
            yield sentence(event, names)
        yield from board(round_, names)


def board(round_: Round, names: Sequence[str]) -> Iterable[str]:
    seen = view(round_)
    for who, seat in zip(names, seen.seats, strict=True):
        column = " ".join(map(card, seat.column))
        penalties = " ".join(f"-{gift}" for gift in seat.penalties)
        yield f"    {who:<5} {column} {penalties}".rstrip()
    held = getattr(seen.phase, "card", None)
    in_hand = f", {card(held)} in hand" if held else ""
    yield f"    shop  {seen.shop.top} +{seen.shop.left - 1}{in_hand}"


def card(side: FaceUp | FaceDown) -> str:
    return f"[{side.gift}]" if isinstance(side, FaceUp) else f"[{ARROWS[side.back]}]"


def sentence(event: Event, names: Sequence[str]) -> str:
    match event:
        case Drawn(giver=giver, gift=gift):
            return f"{names[giver]} draws {gift}."
        case Wrapped(giver=giver, back=back):
            return f"{names[giver]} wraps it: {ARROWS[back]}"
        case Offered(giver=giver, receiver=receiver, claim=claim):
            said = "aloud" if claim is None else f"as {claim}"
            return f"{names[giver]} gives it to {names[receiver]} {said}."
        case Accepted(giver=giver, receiver=receiver):
            return f"{names[receiver]} thanks {names[giver]}."
        case Refused(receiver=receiver, gift=gift):
            return f"{names[receiver]} refuses. It is {gift}."
        case Judged(seat=seat, wrong=wrong):
            return f"{names[seat]} says that the {wrong} was wrong."
        case Penalised(seat=seat, gift=gift):
            return f"{names[seat]} keeps {gift}."
        case Ended(winners=winners):
            return f"The round is over. {' and '.join(names[seat] for seat in winners)} won."
