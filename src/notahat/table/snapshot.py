"""The state of a table as bytes: a snapshot that saves folding a long log. It can always be thrown away."""

import msgspec

from notahat.table.events import SCHEMA
from notahat.table.table import Table

# any change of the state's shape makes old snapshots useless, and that is all it does
SHAPE = 8
SNAPSHOT_SCHEMA = SCHEMA * 1000 + SHAPE

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Table)


def encode_table(table: Table) -> bytes:
    return _encoder.encode(table)


def decode_table(schema: int, state: bytes) -> Table | None:
    """The table of a snapshot; None if it has another shape."""
    if schema != SNAPSHOT_SCHEMA:
        return None
    try:
        return _decoder.decode(state)
    except msgspec.DecodeError:
        return None
