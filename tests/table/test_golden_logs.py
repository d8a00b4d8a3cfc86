"""Logs of earlier releases stay readable and give the view that was recorded with them."""

import typing
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from notahat.table import Entry, Table, fold, view
from notahat.table.events import Event, decode

LOGS = sorted((Path(__file__).parent / "logs").glob("*/*.jsonl"))


def entries(path: Path) -> list[Entry]:
    return [decode(line) for line in path.read_bytes().splitlines()]


def everybody(table: Table) -> frozenset[UUID]:
    return frozenset(seat.guest for seat in table.seats if seat.guest) | {table.host, table.screen or table.host}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_old_log_gives_the_same_view(path: Path) -> None:
    table = fold(None, entries(path))
    seen = msgspec.json.decode(msgspec.json.encode(view(table, everybody(table))))
    wanted = msgspec.json.decode(path.with_suffix(".json").read_bytes())
    seen.pop("watching")
    wanted.pop("watching")  # spectators are not part of the log
    assert contains(wanted, seen)


def contains(wanted: object, seen: object) -> bool:
    """Whether the view still has all recorded fields; it may have new ones."""
    if isinstance(wanted, dict) and isinstance(seen, dict):
        return all(key in seen and contains(value, seen[key]) for key, value in wanted.items())
    if isinstance(wanted, list) and isinstance(seen, list):
        return len(wanted) == len(seen) and all(map(contains, wanted, seen))
    return wanted == seen


def test_every_event_type_is_in_a_golden_log() -> None:
    found = {type(event) for path in LOGS for entry in entries(path) for event in entry.events}
    assert found == set(typing.get_args(Event))
