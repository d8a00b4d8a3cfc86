"""Logs that releases have written stay readable: each still leads to the view that people saw then."""

import typing
from pathlib import Path

import msgspec
import pytest

from notahat.table import Entry, fold, view
from notahat.table.events import SCHEMA, Event, decode

LOGS = sorted((Path(__file__).parent / "logs").glob("*/*.jsonl"))


def entries(path: Path) -> list[Entry]:
    return [decode(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_old_log_leads_to_the_same_view(path: Path) -> None:
    table = fold(None, entries(path))
    guests = frozenset(seat.guest for seat in table.seats if seat.guest) | {table.host, table.screen or table.host}
    seen = msgspec.json.decode(msgspec.json.encode(view(table, guests)))
    wanted = msgspec.json.decode(path.with_suffix(".json").read_bytes())
    seen.pop("watching")
    wanted.pop("watching")  # who else was in the room is not history
    assert said_then(wanted, seen)


def said_then(wanted: object, seen: object) -> bool:
    """Whether all that was seen then is seen now: a view may only have grown."""
    if isinstance(wanted, dict) and isinstance(seen, dict):
        return all(key in seen and said_then(value, seen[key]) for key, value in wanted.items())
    if isinstance(wanted, list) and isinstance(seen, list):
        return len(wanted) == len(seen) and all(map(said_then, wanted, seen))
    return wanted == seen


def test_every_event_there_is_stands_in_a_golden_log() -> None:
    found = {type(event) for path in LOGS for entry in entries(path) for event in entry.events}
    assert found == set(typing.get_args(Event))


def test_golden_logs_are_of_this_schema_or_older() -> None:
    assert {entry.schema for path in LOGS for entry in entries(path)} <= set(range(1, SCHEMA + 1))
