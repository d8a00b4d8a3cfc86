"""The first lesson: a short round for three, played by the real rules, as the frames that a server would send.

You are seat 0, Bo is on your left and Cleo on your right. Every gift has the arrow it has in the classic deck.
The browser shows each frame with a few words and waits for your move; Bo and Cleo play by themselves. `may` says
which move goes on, `hint` which of your answers is the wise one.
"""

from typing import Any

import msgspec

from notahat.gifts import deck
from notahat.rules import Accept, Draw, Give, Move, Refuse, Round, Wrap, deal, play, view

YOU, BO, CLEO = 0, 1, 2

DEALT = ("muffin", "guitar", "hat")
SHOP = ("piano", "umbrella", "book", "kite", "duck", "cactus", "teapot", "bicycle", "key", "banana")

# Each line: what is taught from here on, and the moves that follow until you are asked again.
STORY: tuple[tuple[str, tuple[Move, ...]], ...] = (
    ("look", ()),
    ("draw", (Draw(YOU),)),
    ("wrap", (Wrap(YOU),)),
    ("give", (Give(YOU, claim="piano"),)),
    ("watch", (Accept(BO), Wrap(BO), Give(BO, claim="guitar"))),
    ("accept", (Accept(YOU),)),
    ("oldest", (Wrap(YOU),)),
    ("give_oldest", (Give(YOU, claim="muffin"),)),
    ("watch_cleo", (Accept(CLEO), Wrap(CLEO), Give(CLEO, claim="violin"))),
    ("refuse", (Refuse(YOU),)),
    ("penalty", (Draw(CLEO), Wrap(CLEO), Give(CLEO, claim="umbrella"), Accept(BO))),
    (
        "round",
        (Give(BO, claim="piano"), Accept(CLEO), Give(CLEO, claim="muffin"), Accept(BO), Give(BO, claim="umbrella")),
    ),
    ("thank", (Accept(YOU),)),
    ("memory", (Give(YOU, claim="guitar"),)),
    ("watch_again", (Accept(CLEO), Give(CLEO, claim="piano"))),
    ("doubt", (Refuse(YOU),)),
    ("done", ()),
)


def lesson() -> list[dict[str, Any]]:
    """Every chapter: its name, the view it starts from, and the views that its moves lead to."""
    printed = {card.gift: card for card in deck("classic")}
    round_ = deal([printed[gift] for gift in (*DEALT, *SHOP)], seats=3, starter=YOU)
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
