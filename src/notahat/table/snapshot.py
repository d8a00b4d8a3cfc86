"""Snapshots: the state of a table as bytes, which shortens loading. They can be rebuilt from the log."""

import msgspec

from notahat.table.events import SCHEMA
from notahat.table.table import Table

# increase with each change of the state's fields: older snapshots are then ignored
SHAPE = 12
SNAPSHOT_SCHEMA = SCHEMA * 1000 + SHAPE

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Table)


def encode_table(table: Table) -> bytes:
    return _encoder.encode(table)


def decode_table(schema: int, state: bytes) -> Table | None:
    """Return the table of a snapshot; None if it has another schema or does not decode."""
    if schema != SNAPSHOT_SCHEMA:
        return None
    try:
        return _decoder.decode(state)
    except msgspec.DecodeError:
        return None
