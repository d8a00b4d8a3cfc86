"""What a room keeps of what it told is always what it would say afresh."""

from pathlib import Path
from random import Random
from uuid import UUID, uuid4

import msgspec
import pytest

from notahat.live.broadcast import Telling
from notahat.table import Table, fold
from notahat.table import commands as do
from notahat.table.events import decode
from support.tables import Sitting

LOGS = sorted((Path(__file__).parents[1] / "table" / "logs").glob("*/*.jsonl"))


def everybody(path: Path) -> list[UUID]:
    """All who ever sat, waited, were host or were sent away, and a stranger."""
    guests = {uuid4()}
    table: Table | None = None
    for line in path.read_bytes().splitlines():
        table = fold(table, (decode(line),))
        guests |= {seat.guest for seat in table.seats if seat.guest} | {waiting.guest for waiting in table.waiting}
        guests |= {table.host, table.owner, *table.removed}
    return sorted(guests)


def told(telling: Telling, table: Table, present: frozenset[UUID], guests: list[UUID]) -> list[bytes]:
    telling.look(table, present, 7.0)
    return [telling.whole(), *(telling.personal(guest) for guest in guests)]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
@pytest.mark.parametrize("restlessness", [0.0, 0.3])
def test_what_is_kept_is_what_would_be_told_afresh(path: Path, restlessness: float) -> None:
    luck, guests = Random(1), everybody(path)
    kept, present = Telling(), frozenset(guests)
    table: Table | None = None
    for line in path.read_bytes().splitlines():
        table = fold(table, (decode(line),))
        if luck.random() < restlessness:
            present = frozenset(luck.sample(guests, luck.randint(0, len(guests))))
        assert told(kept, table, present, guests) == told(Telling(), table, present, guests)


def test_after_a_move_only_what_it_changed_is_made_anew() -> None:
    path = LOGS[0]
    kept, guests = Telling(), everybody(path)
    table: Table | None = None
    again = 0
    for line in path.read_bytes().splitlines():
        before = dict(kept._personal)
        table = fold(table, (decode(line),))
        told(kept, table, frozenset(guests), guests)
        again += any(kept._personal.get(key) is value for key, value in before.items())
    assert again > 5


def test_r12_2_what_is_no_longer_there_is_told_as_null() -> None:
    """A corrected verdict takes back the end of a match, and with it who won the evening so far."""
    sitting = Sitting(claims="spoken", starter=0).seated("Ada", "Ben", "Cem").started()
    while sitting.stage() == "play":
        sitting.draw_and_wrap()
        sitting.give(None)
        sitting.answer(accepts=False)
        sitting.does("Ada", do.Judge(sitting.turn, "giver"))
    telling = Telling()
    telling.look(sitting.table, sitting.present, None)
    sitting.does("Ben", do.Judge(sitting.turn, "receiver"))
    telling.look(sitting.table, sitting.present, None)
    changes = msgspec.json.decode(telling.changes(()) + b"}")
    assert changes["changed"]["stage"] == "play"
    assert changes["changed"]["evening"] is None
