"""The notation: reading moves, and refusing malformed text."""

import pytest

from notahat.rules import Give, Illegal, Reason
from notahat.rules.notation import read, write

HEAD = "seats 4 gifts 1 starter 0\ncards hat< kite>\n"


def test_notation_keeps_headers_comments_and_penalties() -> None:
    text = (
        '[Place "a kitchen; Rome"]\n[Date "2026-11-18"]\nseats 3 gifts 1 starter 0 penalties 5\n'
        'cards hat< kite>\n0 draw\n0 give "a;b" ; looks at Ben; smiles\n'
    )
    (game,) = read(text)
    assert game.headers == {"Place": "a kitchen; Rome", "Date": "2026-11-18"}
    assert (game.penalties, game.moves[1], game.comments) == (5, Give(0, "a;b"), {1: "looks at Ben; smiles"})
    assert write(game) == text
    assert read("") == ()


@pytest.mark.parametrize(
    "text",
    [
        "seats 4 gifts 1\ncards hat<",
        "seats four gifts 1 starter 0\ncards hat<",
        "seats 4 gifts 1 starter 0\ncards hat",
        "seats 4 gifts 1 starter 0 pips 3\ncards hat<",
        "[Place Rome]\n" + HEAD,
        "[Place]\n" + HEAD,
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
