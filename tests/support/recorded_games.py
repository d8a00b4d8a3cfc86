"""Deterministic games in a pocket, to compare the pocket with a server and CPython with Pyodide.

Pyodide imports this module, so it uses only what the pocket edition contains.
"""

from typing import Any
from uuid import UUID

import msgspec

from notahat.clients.pocket import YOU
from notahat.live.settings import Determinism
from notahat.table import Table, fold, open_table
from notahat.table.events import decode, encode
from support.pocket_driver import PocketTable

CommandFields = dict[str, object]

SEED = 5
PACE = 2000.0
ACCEPTING_TURNS = 40
STRANGER = UUID(int=9)
LOBBY_COMMANDS: tuple[CommandFields, ...] = (
    {"do": "emote", "emote": "hello"},
    {"do": "set_options", "options": {"gifts_each": 2}},
    {"do": "set_options", "options": {"edition": "none"}},
    {"do": "lock", "locked": True},
)
SETUP_COMMANDS: tuple[CommandFields, ...] = (
    {"do": "sit", "name": "Ada"},
    {"do": "add_bot", "level": "casual"},
    {"do": "add_bot", "level": "elephant"},
    {"do": "add_bot", "level": "goldfish"},
    {"do": "add_bot", "level": "casual"},
    {"do": "add_bot", "level": "regular"},
    {"do": "start"},
)


def pocket_with(log: list[str]) -> PocketTable:
    return PocketTable(pace=PACE, determinism=Determinism.seeded(SEED), log=log)


def frame(number: int, fields: CommandFields) -> bytes:
    return msgspec.json.encode({"id": f"o{number}", **fields})


def opening(**options: object) -> list[str]:
    return [encode(open_table("K7QX", YOU, {"patience_seconds": 0, **options}, 5000.0)).decode()]


def guests_of(table: Table) -> list[UUID]:
    seated = [seat.guest for seat in table.seats if seat.guest is not None]
    return list(dict.fromkeys([table.owner, *seated, STRANGER]))


def next_command(state: dict[str, Any]) -> CommandFields | None:
    """Claim every gift to be an umbrella; accept early and refuse later. Return None if it is another seat's turn."""
    turn = state["view"]["round"]["turn"] if state["view"]["round"] else 0
    may = {one["do"]: one for one in state["may"]}
    if "ready" in may:
        return {"do": "ready"}
    if "draw" in may:
        return {"do": "draw", "turn": turn}
    if "give" in may:
        return {"do": "give", "turn": turn, "claim": "umbrella", "to": may["give"]["to"][-1]}
    if "refuse" not in may:
        return None
    return {"do": "accept" if turn < ACCEPTING_TURNS else "refuse", "turn": turn}


def play_in_pocket(log: list[str], hat: str = "") -> PocketTable:
    """Play a whole game against five computer players, with an own deck if `hat` is given."""
    pocket = pocket_with(log)
    pocket.connect()
    if hat:
        pocket.put_deck(hat)
    for number, fields in enumerate(SETUP_COMMANDS):
        pocket.send(frame(number, fields))
    number = len(SETUP_COMMANDS)
    while pocket.last_message()["view"]["stage"] == "play":
        command = next_command(pocket.last_message())
        if command is None:
            pocket.run_next_wake()
        else:
            pocket.send(frame(number, command))
            number += 1
    return pocket


def messages_of(log: list[str]) -> dict[str, list[str]]:
    """Return all messages to every guest who connects to this table, the answers to its owner, and the stories."""
    table = fold(None, [decode(line.encode()) for line in log])
    pocket, guests = pocket_with(log), guests_of(table)
    for guest in guests:
        pocket.connect(guest.hex, guest)
        pocket.run_all_wakes()
    for number, fields in enumerate(LOBBY_COMMANDS):
        pocket.send(frame(number, fields), guests[0].hex)
        pocket.run_all_wakes()
    stories = [pocket.ask("story", number) for number in range(1, table.dealt + 1)]
    return {**pocket.browser.messages, "stories": stories, "log": [entry for _, _, entry in pocket.browser.rows]}


def other_answers(pocket: PocketTable) -> list[str]:
    """Return a deck, the spoken lines of an own gift, the table's summary and the opening entries of daily tables."""
    word = '{"lang":"fr","word":{"name":"étoile","gender":"f"}}'
    days = [pocket.pocket.opening_entry("POCKET-2", "{}", 5000.0, day) for day in ("1970-01-01", "1971-01-01", "today")]
    return [pocket.deck(2), pocket.pocket.spoken_lines(word), pocket.ask("summary"), *days]
