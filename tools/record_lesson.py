"""Record scripted rounds as the states that a server would send: the first lesson, and the start page's demonstration.

Every gift has its arrow of the classic deck. In the lesson the learner is seat 0, Bo sits on the left and Cleo on the
right. The browser replays the states chapter by chapter. A chapter with an `order` waits for that command, and shows
`hint` after any other.
"""

from itertools import pairwise
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct, structs

from notahat.gifts import deck
from notahat.rules import Accept, Draw, Give, Move, Refuse, Wrap
from notahat.table import Context, Shown, Step, Table, decide, fold, may, open_table, shown, steps, view
from notahat.table import commands as do
from notahat.table.commands import Command
from notahat.table.events import Dealt
from notahat.wire.messages import State

YOU, BO, CLEO = 0, 1, 2
GUEST = UUID(int=1)
OPTIONS: dict[str, object] = {"show_seconds": 0, "patience_seconds": 0}
SEATS: tuple[Command, ...] = (do.Sit("You"), do.AddBot("casual", name="Bo"), do.AddBot("casual", name="Cleo"))
HATS = {"Bo": "fez", "Ada": "bonnet", "Cleo": "beret"}
MOVES = {"draw", "give", "accept", "refuse"}  # the commands of the lesson

DEALT = ("muffin", "guitar", "hat")
SHOP = ("piano", "umbrella", "book", "kite", "duck", "cactus", "teapot", "bicycle", "key", "banana")

# Ada gives Bo an umbrella from the shop. Bo says thank you and tries to get rid of a hat as a lemon. Cleo is not shown.
BO_SHOWN, ADA_SHOWN = 0, 1
DEMO_SEATS: tuple[Command, ...] = (
    do.AddBot("casual", name="Bo"),
    do.AddBot("casual", name="Ada"),
    do.AddBot("casual", name="Cleo"),
)
DEMO_CARDS = ("hat", "balloon", "guitar", "umbrella", "kite", *SHOP[4:5], *SHOP[6:])
DEMO_MOVES = (
    Draw(ADA_SHOWN),
    Wrap(ADA_SHOWN),
    Give(ADA_SHOWN, claim="umbrella"),
    Accept(BO_SHOWN),
    Wrap(BO_SHOWN),
    Give(BO_SHOWN, claim="lemon"),
    Refuse(ADA_SHOWN),
)
DEMO_DRAWINGS = ("hat", "balloon", "umbrella", "kite")  # all that are shown


class Chapter(Struct, frozen=True):
    """One text of the lesson, and the moves that are shown with it. The first one may be the learner's, who was asked
    for it by the chapter before.
    """

    name: str
    moves: tuple[Move, ...] = ()
    hint: str = ""  # the text after another command than the one that this chapter asks for
    waits: bool = False  # for the learner to continue


CHAPTERS = (
    Chapter("look"),
    Chapter("wrap", (Draw(YOU),)),
    Chapter("give", (Wrap(YOU),), "hint_claim"),
    Chapter("answer", (Give(YOU, claim="piano"),)),
    Chapter("bo_gives", (Accept(BO), Wrap(BO))),
    Chapter("accept", (Give(BO, claim="guitar"),), "hint_accept"),
    Chapter("oldest", (Accept(YOU),), waits=True),
    Chapter("give_oldest", (Wrap(YOU),), "hint_claim"),
    Chapter("watch_cleo", (Give(YOU, claim="muffin"),)),
    Chapter("cleo_gives", (Accept(CLEO), Wrap(CLEO))),
    Chapter("refuse", (Give(CLEO, claim="violin"),), "hint_refuse"),
    Chapter("penalty", (Refuse(YOU),)),
    Chapter("redraw", (Draw(CLEO), Wrap(CLEO), Give(CLEO, claim="umbrella"), Accept(BO))),
    Chapter("round", (Give(BO, claim="piano"), Accept(CLEO), Give(CLEO, claim="muffin"), Accept(BO))),
    Chapter("thank", (Give(BO, claim="umbrella"),), "hint_thank"),
    Chapter("memory", (Accept(YOU),), "hint_memory"),
    Chapter("watch_again", (Give(YOU, claim="guitar"), Accept(CLEO))),
    Chapter("doubt", (Give(CLEO, claim="piano"),), "hint_doubt"),
    Chapter("cost", (Refuse(YOU),)),
    Chapter("done"),
)


def lesson() -> dict[str, Any]:
    """Return all states of the round, and the chapters with the index of their last state."""
    table, state = _deal(SEATS, (*DEALT, *SHOP), starter=YOU)
    states, chapters = [state], []
    for chapter, following in pairwise((*CHAPTERS, Chapter(""))):
        for move in chapter.moves:
            table, state = _play(table, move)
            states.append(state)
        chapters.append(_encode(chapter, table, next(iter(following.moves), None), len(states) - 1))
    return {"chapters": chapters, "states": msgspec.to_builtins(states)}


def _encode(chapter: Chapter, table: Table, following: Move | None, at: int) -> dict[str, Any]:
    command = None if following is None else _command(table, following)
    order = None if isinstance(command, do.PlayFor) else msgspec.to_builtins(command)
    return {"chapter": chapter.name, "at": at, "order": order, "hint": chapter.hint, "waits": chapter.waits}


def demo() -> list[Any]:
    """Return the states of the demonstration as a spectator gets them."""
    table, state = _deal(DEMO_SEATS, DEMO_CARDS, starter=ADA_SHOWN)
    states = [state]
    for move in DEMO_MOVES:
        table, state = _play(table, move)
        states.append(state)
    return [msgspec.to_builtins(structs.replace(state, you=(), may=())) for state in states]


def _deal(seats: tuple[Command, ...], gifts: tuple[str, ...], starter: int) -> tuple[Table, State]:
    """Open a table and deal cards with these gifts instead of shuffled ones."""
    table = fold(None, [open_table("LESSON", GUEST, {**OPTIONS, "starter": starter}, 0.0)])
    for command in seats:
        table = _decide(table, command, GUEST)[-1].after
    entry, _ = decide(Context(table, GUEST, present=frozenset({GUEST})), do.Start())
    printed = {card.gift: card for card in deck("classic")}
    cards = tuple(printed[gift] for gift in gifts)
    events = tuple(structs.replace(event, cards=cards) if isinstance(event, Dealt) else event for event in entry.events)
    table = steps(table, structs.replace(entry, events=events))[-1].after
    return table, _state(table, ())


def _play(table: Table, move: Move) -> tuple[Table, State]:
    command = _command(table, move)
    steps_ = _decide(table, command, None if isinstance(command, do.PlayFor) else GUEST)
    after = steps_[-1].after
    return after, _state(after, tuple(event for step in steps_ for event in shown(step)))


def _command(table: Table, move: Move) -> Command:
    """Return a guest's command for the learner's moves, else the server's own command."""
    turn = table.round.turn if table.round else 0
    match move:
        case _ if table.seats[move.seat].guest is None:
            return do.PlayFor(turn, move)
        case Draw():
            return do.Draw(turn)
        case Give(claim=claim):
            return do.Give(turn, claim)
        case Accept():
            return do.Accept(turn)
        case Refuse():
            return do.Refuse(turn)
        case _:
            return do.PlayFor(turn, move)


def _decide(table: Table, command: Command, by: UUID | None) -> tuple[Step, ...]:
    return decide(Context(table, by, present=frozenset({GUEST})), command)[1]


def _state(table: Table, happened: tuple[Shown, ...]) -> State:
    present = frozenset({GUEST})
    mine = tuple(one for one in may(table, GUEST, present) if one.do in MOVES)
    seen = view(table, present)
    seats = tuple(structs.replace(chair, face=HATS.get(chair.name, chair.face)) for chair in seen.seats)
    return State(table.version, structs.replace(seen, seats=seats), happened, table.seats_of(GUEST), mine)
