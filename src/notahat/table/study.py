"""Which rounds may be studied: those that everybody who had a seat agreed to, before they were dealt and up to now."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from notahat.table.events import Dealt, Entry, Played
from notahat.table.step import Step, steps
from notahat.table.story import finished
from notahat.table.table import Table


class Finished(Struct, frozen=True):
    """A round that was played to its end: the table as it was dealt, and the moves."""

    number: int
    dealt: Table
    moves: tuple[Step, ...]


def agreed_by_all(round_: Finished, now: Table) -> bool:
    """Whether a round may leave the server, as the table stands now. Computer players need not be asked."""
    people = {seat.guest for seat in round_.dealt.seats if seat.guest is not None}
    return now.study and people <= {one.guest for one in now.agreed if one.dealt < round_.number}


def finished_rounds(entries: Iterable[Entry]) -> Iterator[tuple[Finished, bool]]:
    """Every round that was played to its end, and whether all agree now that it may be studied."""
    table: Table | None = None
    rounds: list[tuple[Table, list[Step]]] = []
    for entry in entries:
        for step in steps(table, entry):
            table = step.after
            if isinstance(step.event, Dealt):
                rounds.append((table, []))
            elif isinstance(step.event, Played):
                rounds[-1][1].append(step)
    for number, (dealt, moves) in enumerate(rounds, start=1):
        if table is not None and finished(table, number) and _over(moves):
            round_ = Finished(number, dealt, tuple(moves))
            yield round_, agreed_by_all(round_, table)


def _over(moves: list[Step]) -> bool:
    """Not broken off: by the host, or because it was dealt again without somebody (8.4)."""
    last = moves[-1].after.round if moves else None
    return last is not None and last.over
