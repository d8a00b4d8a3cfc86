"""The study: which finished rounds may leave the server, because all their players agreed and still do."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from notahat.table.events import Dealt, Entry, Played, Probed
from notahat.table.evolve import Step, steps
from notahat.table.story import is_story_public
from notahat.table.table import Table


class Finished(Struct, frozen=True):
    """A round that was played to its end: the table after the deal, the moves, and what players said they believed."""

    number: int
    dealt: Table
    moves: tuple[Step, ...]
    probes: tuple[Probed, ...] = ()


def agreed_by_all(round_: Finished, now: Table) -> bool:
    """Whether all people in a round agreed before it was dealt and have not withdrawn since."""
    people = {seat.guest for seat in round_.dealt.seats if seat.guest is not None}
    return now.study and people <= {one.guest for one in now.agreed if one.dealt < round_.number}


def finished_rounds(entries: Iterable[Entry]) -> Iterator[tuple[Finished, bool]]:
    """Yield every round that was played to its end, and whether all its players agree to the study."""
    table: Table | None = None
    rounds: list[tuple[Table, list[Step], list[Probed]]] = []
    for entry in entries:
        for step in steps(table, entry):
            table = step.after
            if isinstance(step.event, Dealt):
                rounds.append((table, [], []))
            elif isinstance(step.event, Played):
                rounds[-1][1].append(step)
            elif isinstance(step.event, Probed):
                rounds[-1][2].append(step.event)
    for number, (dealt, moves, probes) in enumerate(rounds, start=1):
        if table is not None and is_story_public(table, number) and _ended_by_rules(moves):
            round_ = Finished(number, dealt, tuple(moves), tuple(probes))
            yield round_, agreed_by_all(round_, table)


def _ended_by_rules(moves: list[Step]) -> bool:
    """Whether a round was not ended by the host, nor dealt again without a player (8.4)."""
    last = moves[-1].after.round if moves else None
    return last is not None and last.over
