"""Steps: the events of a log entry, each with the state before and after it and the rules' own events."""

from collections.abc import Iterable

from msgspec import Struct, structs

from notahat import rules
from notahat.table.events import Entry, Event
from notahat.table.evolve import evolve_with_rules
from notahat.table.table import Table


class Step(Struct, frozen=True):
    """One event between two states. `rule_events` are the rules' events of a move: all that computer players see."""

    before: Table
    event: Event
    after: Table
    rule_events: tuple[rules.Event, ...] = ()


def steps(table: Table | None, entry: Entry) -> tuple[Step, ...]:
    """Return the steps of an entry. Only the last one increases the version, as an entry is one version."""
    made: list[Step] = []
    for event in entry.events:
        after, rule_events = evolve_with_rules(table, event, entry.at)
        if event is entry.events[-1]:
            after = structs.replace(after, at=entry.at, version=after.version + 1)
        made.append(Step(table or after, event, after, rule_events))
        table = after
    return tuple(made)


def fold(table: Table | None, entries: Iterable[Entry]) -> Table:
    """Return the state after more entries; without a state, after all entries of a log."""
    for entry in entries:
        table = steps(table, entry)[-1].after
    if table is None:
        raise AssertionError("a log starts with the event Opened")
    return table
