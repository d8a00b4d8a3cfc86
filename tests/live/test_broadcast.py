from pathlib import Path
from random import Random
from uuid import UUID

import msgspec
import pytest

from notahat.live.broadcast import BroadcastEncoder
from notahat.table import Deadline, Table, fold
from notahat.table import commands as do
from notahat.table.events import decode
from support.tables import TableDriver, guest

LOGS = sorted((Path(__file__).parents[1] / "table" / "logs").glob("*/*.jsonl"))


def all_guests(path: Path) -> list[UUID]:
    """All guests who ever sat, waited, were host or were removed, and a stranger."""
    guests = {guest("a stranger")}
    table: Table | None = None
    for line in path.read_bytes().splitlines():
        table = fold(table, (decode(line),))
        guests |= {seat.guest for seat in table.seats if seat.guest} | set(table.waiting)
        guests |= {table.host, table.owner, *table.removed}
    return sorted(guests)


def encoded(encoder: BroadcastEncoder, table: Table, present: frozenset[UUID], guests: list[UUID]) -> list[bytes]:
    encoder.update(table, present, Deadline(0, 7.0))
    return [encoder.encode_full(), *(encoder.encode_personal(guest) for guest in guests)]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_cached_encoding_equals_fresh_encoding(path: Path) -> None:
    rng, guests = Random(1), all_guests(path)
    cached, present = BroadcastEncoder(), frozenset(guests)
    table: Table | None = None
    for line in path.read_bytes().splitlines():
        table = fold(table, (decode(line),))
        if rng.random() < 0.3:
            present = frozenset(rng.sample(guests, rng.randint(0, len(guests))))
        assert encoded(cached, table, present, guests) == encoded(BroadcastEncoder(), table, present, guests)


def test_r12_2_unset_field_is_null_in_delta() -> None:
    """A corrected verdict takes back the end of a match, and with it the tally of the evening."""
    driver = TableDriver(claims="spoken", starter=0).seated("Ada", "Ben", "Cem").started()
    driver.play_round()
    encoder = BroadcastEncoder()
    encoder.update(driver.table, driver.present, None)
    driver.send("Ben", do.Judge(driver.turn, "receiver"))
    encoder.update(driver.table, driver.present, None)
    delta = msgspec.json.decode(encoder.encode_delta(()) + b"}")
    assert delta["changed"]["stage"] == "play"
    assert delta["changed"]["evening"] is None
