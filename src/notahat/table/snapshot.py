"""Snapshots: the state of a table as bytes, which shortens loading. They can be rebuilt from the log."""

from collections.abc import Callable

import msgspec

from notahat.table.events import SCHEMA
from notahat.table.table import Table

# increase with each change of the state's fields: older snapshots are then ignored
SHAPE = 13
SNAPSHOT_SCHEMA = SCHEMA * 1000 + SHAPE

encode_table: Callable[[Table], bytes] = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Table)


def decode_table(schema: int, state: bytes) -> Table | None:
    """Return the table of a snapshot; None if it has another schema or does not decode."""
    if schema != SNAPSHOT_SCHEMA:
        return None
    try:
        return _decoder.decode(state)
    except msgspec.DecodeError:
        return None
