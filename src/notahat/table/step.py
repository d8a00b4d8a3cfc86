"""An entry of the log, taken apart once: what was, what happened, what is now, and what the rules said to it."""

from collections.abc import Iterable

from msgspec import Struct, structs

from notahat import rules
from notahat.table.events import Entry, Event
from notahat.table.evolve import happen
from notahat.table.table import Table


class Step(Struct, frozen=True):
    """One event between two states. `said` is the round's own part of it: all that a computer player is told."""

    before: Table
    event: Event
    after: Table
    said: tuple[rules.Event, ...] = ()


def steps(table: Table | None, entry: Entry) -> tuple[Step, ...]:
    """All steps of an entry. It is one version, so the last step leads to the next, and its time is the table's."""
    taken: list[Step] = []
    for event in entry.events:
        after, said = happen(table, event, entry.at)
        if event is entry.events[-1]:
            after = structs.replace(after, at=entry.at, version=after.version + 1)
        taken.append(Step(table or after, event, after, said))
        table = after
    return tuple(taken)


def fold(table: Table | None, entries: Iterable[Entry]) -> Table:
    """The state after the entries that follow it; without one, from the table's opening on."""
    for entry in entries:
        table = steps(table, entry)[-1].after
    if table is None:
        raise AssertionError("a log starts with the table being opened")
    return table
