"""The first lesson: a short round for three, played beforehand at a real table and kept as the states that its server
would have sent you.

You are seat 0, Bo is on your left and Cleo on your right. Every gift has the arrow it has in the classic deck. The
browser tells the states chapter by chapter, as it tells any round that was played before; where a chapter has an
`order` it waits until you give it, and a `hint` is what it says to any other.
"""

from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct, structs

from notahat.gifts import deck
from notahat.rules import Accept, Draw, Give, Move, Refuse, Wrap
from notahat.table import Order, Shown, Step, Table, fold, may, open_table, resolve, shown, steps, view
from notahat.table import commands as do
from notahat.table.commands import Command
from notahat.table.events import Dealt
from notahat.wire.messages import State

YOU, BO, CLEO = 0, 1, 2
GUEST = UUID(int=1)
AGREED: dict[str, object] = {"starter": YOU, "show_seconds": 0, "patience_seconds": 0}
SEATS: tuple[Command, ...] = (do.Sit("You"), do.AddBot("casual", name="Bo"), do.AddBot("casual", name="Cleo"))
MOVES = {"draw", "give", "accept", "refuse"}  # all that is taught here

DEALT = ("muffin", "guitar", "hat")
SHOP = ("piano", "umbrella", "book", "kite", "duck", "cactus", "teapot", "bicycle", "key", "banana")


class Chapter(Struct, frozen=True):
    """What is taught from here on, and the moves that follow until the next one; the first may be yours."""

    name: str
    moves: tuple[Move, ...] = ()
    hint: str = ""


STORY = (
    Chapter("look"),
    Chapter("draw", (Draw(YOU),)),
    Chapter("wrap", (Wrap(YOU),)),
    Chapter("give", (Give(YOU, claim="piano"),), "hint_claim"),
    Chapter("watch", (Accept(BO), Wrap(BO), Give(BO, claim="guitar"))),
    Chapter("accept", (Accept(YOU),), "hint_accept"),
    Chapter("oldest", (Wrap(YOU),)),
    Chapter("give_oldest", (Give(YOU, claim="muffin"),), "hint_claim"),
    Chapter("watch_cleo", (Accept(CLEO), Wrap(CLEO), Give(CLEO, claim="violin"))),
    Chapter("refuse", (Refuse(YOU),), "hint_refuse"),
    Chapter("penalty", (Draw(CLEO), Wrap(CLEO), Give(CLEO, claim="umbrella"), Accept(BO))),
    Chapter(
        "round",
        (Give(BO, claim="piano"), Accept(CLEO), Give(CLEO, claim="muffin"), Accept(BO), Give(BO, claim="umbrella")),
    ),
    Chapter("thank", (Accept(YOU),), "hint_thank"),
    Chapter("memory", (Give(YOU, claim="guitar"),), "hint_memory"),
    Chapter("watch_again", (Accept(CLEO), Give(CLEO, claim="piano"))),
    Chapter("doubt", (Refuse(YOU),), "hint_doubt"),
    Chapter("done"),
)


def lesson() -> dict[str, Any]:
    """All states of the round, and which of them each chapter starts from."""
    table, told = _dealt()
    states, chapters = [told], []
    for chapter in STORY:
        chapters.append(_written(chapter, table, len(states) - 1))
        for move in chapter.moves:
            table, told = _played(table, move)
            states.append(told)
    return {"chapters": chapters, "states": msgspec.to_builtins(states)}


def _written(chapter: Chapter, table: Table, at: int) -> dict[str, Any]:
    first = next((_order(table, move) for move in chapter.moves), None)
    order = None if isinstance(first, do.PlayFor) else msgspec.to_builtins(first)
    return {"chapter": chapter.name, "at": at, "order": order, "hint": chapter.hint}


def _dealt() -> tuple[Table, State]:
    """A table for three at which these cards lie, whatever its luck was."""
    table = fold(None, [open_table("LESSON", GUEST, AGREED, 0.0)])
    for command in SEATS:
        table = _resolved(table, command, GUEST)[-1].after
    entry, _ = resolve(table, Order(do.Start(), GUEST, 0.0, frozenset({GUEST})))
    printed = {card.gift: card for card in deck("classic")}
    cards = tuple(printed[gift] for gift in (*DEALT, *SHOP))
    events = tuple(structs.replace(event, cards=cards) if isinstance(event, Dealt) else event for event in entry.events)
    table = steps(table, structs.replace(entry, events=events))[-1].after
    return table, _told(table, ())


def _played(table: Table, move: Move) -> tuple[Table, State]:
    command = _order(table, move)
    taken = _resolved(table, command, None if isinstance(command, do.PlayFor) else GUEST)
    after = taken[-1].after
    return after, _told(after, tuple(seen for step in taken for seen in shown(step)))


def _order(table: Table, move: Move) -> Command:
    """Your moves are orders; cards that wrap themselves and what Bo and Cleo do are the house's."""
    turn = table.round.turn if table.round else 0
    match move:
        case Draw(seat=0):
            return do.Draw(turn)
        case Give(seat=0, claim=claim):
            return do.Give(turn, claim)
        case Accept(seat=0):
            return do.Accept(turn)
        case Refuse(seat=0):
            return do.Refuse(turn)
        case _:
            return do.PlayFor(turn, move)


def _resolved(table: Table, command: Command, by: UUID | None) -> tuple[Step, ...]:
    _, taken = resolve(table, Order(command, by, 0.0, frozenset({GUEST})))
    return taken


def _told(table: Table, happened: tuple[Shown, ...]) -> State:
    present = frozenset({GUEST})
    mine = tuple(one for one in may(table, GUEST, present) if one.do in MOVES)
    return State(table.version, view(table, present), happened, table.held_by(GUEST), mine)
