"""The first lesson: a short round for three, played by the real rules, as the frames that a server would send.

You are seat 0, Bo is on your left and Cleo on your right. The browser shows each frame with a few words and waits for
your move; Bo and Cleo play by themselves. `may` says which move goes on, `hint` which of your answers is the wise one.
"""

from typing import Any

import msgspec

from notahat.rules import Accept, Back, Card, Draw, Give, Move, Refuse, Round, Wrap, deal, play, view

YOU, BO, CLEO = 0, 1, 2

DEALT = (Card("hat", Back.RIGHT), Card("guitar", Back.RIGHT), Card("muffin", Back.LEFT))
SHOP = ("piano", "book", "kite", "umbrella", "duck", "cactus", "teapot", "bicycle", "key", "banana")

# Each line: what is taught from here on, and the moves that follow until you are asked again.
STORY: tuple[tuple[str, tuple[Move, ...]], ...] = (
    ("look", ()),
    ("draw", (Draw(YOU),)),
    ("wrap", (Wrap(YOU),)),
    ("give", (Give(YOU, claim="piano"),)),
    ("watch", (Accept(BO), Wrap(BO), Give(BO, claim="guitar"))),
    ("accept", (Accept(YOU),)),
    ("oldest", (Wrap(YOU),)),
    ("give_oldest", (Give(YOU, claim="hat"),)),
    ("watch_cleo", (Accept(CLEO), Wrap(CLEO), Give(CLEO, claim="violin"))),
    ("refuse", (Refuse(YOU),)),
    ("penalty", (Draw(CLEO), Wrap(CLEO), Give(CLEO, claim="book"), Accept(BO))),
    ("done", ()),
)


def lesson() -> list[dict[str, Any]]:
    """Every chapter: its name, the view it starts from, and the views that its moves lead to."""
    shop = tuple(Card(gift, Back.LEFT if place % 2 == 0 else Back.RIGHT) for place, gift in enumerate(SHOP))
    round_ = deal((*DEALT, *shop), seats=3, starter=YOU)
    chapters = []
    for chapter, moves in STORY:
        start, frames = round_, []
        for move in moves:
            round_, frame = _played(round_, move)
            frames.append(frame)
        chapters.append({"chapter": chapter, "round": msgspec.to_builtins(view(start)), "frames": frames})
    return chapters


def _played(round_: Round, move: Move) -> tuple[Round, dict[str, Any]]:
    after, events = play(round_, move)
    return after, {"round": msgspec.to_builtins(view(after)), "happened": msgspec.to_builtins(events)}
