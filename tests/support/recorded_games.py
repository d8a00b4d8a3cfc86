"""Games in a pocket that come out the same wherever they are played: on a server, in Python, in a browser's Python.

Nothing here needs more than a browser's Python has.
"""

from random import Random
from typing import Any
from uuid import UUID

import msgspec

from notahat.clients.pocket import YOU
from notahat.table import Table, fold, open_table
from notahat.table.events import decode, encode
from support.pocket_driver import CODE, Pocketed

Order = dict[str, object]

LUCK = 5
TICK = 2.0  # the table's time from one entry to the next, as a server with known luck has it
PACE = 2000.0
PATIENT_TURNS = 40
STRANGER = UUID(int=9)
ORDERS: tuple[Order, ...] = (
    {"do": "emote", "emote": "hello"},
    {"do": "set_options", "options": {"gifts_each": 2}},
    {"do": "set_options", "options": {"edition": "none"}},
    {"do": "lock", "locked": True},
)
SEATS: tuple[Order, ...] = (
    {"do": "sit", "name": "Ada"},
    {"do": "add_bot", "level": "casual"},
    {"do": "add_bot", "level": "elephant"},
    {"do": "add_bot", "level": "goldfish"},
    {"do": "add_bot", "level": "casual"},
    {"do": "add_bot", "level": "regular"},
    {"do": "start"},
)


def luck(table: Table) -> int:
    return Random(f"{LUCK}.{table.dealt}").getrandbits(63)


def pocket_with(log: list[str]) -> Pocketed:
    return Pocketed(pace=PACE, luck=luck, tick=TICK, log=log)


def frame(number: int, order: Order) -> bytes:
    return msgspec.json.encode({"id": f"o{number}", **order})


def opening(**options: object) -> list[str]:
    return [encode(open_table("K7QX", YOU, {"patience_seconds": 0, **options}, 5000.0)).decode()]


def everybody_at(table: Table) -> list[UUID]:
    seated = [seat.guest for seat in table.seats if seat.guest is not None]
    return list(dict.fromkeys([table.owner, *seated, STRANGER]))


def next_order(state: dict[str, Any]) -> Order | None:
    """What a person does who calls every gift an umbrella and soon doubts all others; None while they play."""
    turn = state["view"]["round"]["turn"] if state["view"]["round"] else 0
    may = {one["do"]: one for one in state["may"]}
    if "draw" in may:
        return {"do": "draw", "turn": turn}
    if "give" in may:
        return {"do": "give", "turn": turn, "claim": "umbrella", "to": may["give"]["to"][-1]}
    if "refuse" not in may:
        return None
    return {"do": "accept" if turn < PATIENT_TURNS else "refuse", "turn": turn}


def play_in_the_pocket(log: list[str], hat: str = "") -> Pocketed:
    """A whole game against five computer players, with a deck of somebody's own where there is one."""
    pocket = pocket_with(log)
    pocket.arrives()
    if hat:
        pocket.brings(hat)
    for number, order in enumerate(SEATS):
        pocket.sends(frame(number, order))
    number = len(SEATS)
    while pocket.last()["view"]["stage"] == "play":
        next_ = next_order(pocket.last())
        if next_ is None:
            pocket.sleeps()
        else:
            pocket.sends(frame(number, next_))
            number += 1
    return pocket


def told_of(log: list[str]) -> dict[str, list[str]]:
    """All that is told to everybody who comes to this table, to its owner's orders, and of its finished rounds."""
    table = fold(None, [decode(line.encode()) for line in log])
    pocket, guests = pocket_with(log), everybody_at(table)
    for guest in guests:
        pocket.arrives(guest.hex, guest)
        settle(pocket)
    for number, order in enumerate(ORDERS):
        pocket.sends(frame(number, order), guests[0].hex)
        settle(pocket)
    stories = [pocket.pocket.story(CODE, number, pocket.shelf.log()) for number in range(1, table.dealt + 1)]
    return {**pocket.shelf.heard, "stories": stories, "log": [entry for _, _, entry in pocket.shelf.rows]}


def besides(pocket: Pocketed) -> list[str]:
    """What is asked of a pocket outside of the game: a deck, the lines of an own gift, a table, the gift of a day."""
    mine = '{"lang":"fr","word":{"name":"étoile","gender":"f"}}'
    days = [pocket.pocket.first_entry("POCKET-2", "{}", 5000.0, day) for day in ("1970-01-01", "1971-01-01", "today")]
    return [pocket.deck(2), pocket.pocket.lines(mine), pocket.pocket.summary(CODE), *days]


def settle(pocket: Pocketed) -> None:
    """Let all that happens by itself happen."""
    while pocket.shelf.wakes:
        pocket.sleeps()
