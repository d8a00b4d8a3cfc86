"""The notation: reading moves, and refusing malformed text."""

import pytest

from notahat.rules import Illegal, Judge, Reason
from notahat.rules.notation import read

HEAD = "seats 4 gifts 1 starter 0\ncards hat< kite>\n"


def test_notation_reads_moves() -> None:
    (game,) = read(HEAD + "2 judge receiver\n")
    assert game.moves == (Judge(2, "receiver"),)
    assert read("") == ()


@pytest.mark.parametrize(
    "text",
    [
        "seats 4 gifts 1\ncards hat<",
        "seats four gifts 1 starter 0\ncards hat<",
        "seats 4 gifts 1 starter 0\ncards hat",
        "seats 4 gifts 1 starter 0\ncards <",
        'seats 4 gifts 1 starter 0\ncards "hat\\q"<',
        "seats 4 gifts 1 starter 0\ncards Hat!<",
        HEAD + "0 dance",
        HEAD + "0 judge nobody",
        HEAD + '0 give "hat',
        HEAD + "draw 0",
        HEAD + "zero draw",
        "a nice hat for you",
    ],
)
def test_malformed_notation_is_refused(text: str) -> None:
    with pytest.raises(Illegal) as refusal:
        read(text)
    assert refusal.value.reason is Reason.UNREADABLE
