"""What a table agrees on before the start, and what of it can be agreed on at all."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from notahat.gifts import Arrows, Edition
from notahat.rules import Illegal
from notahat.rules.match import Rounds
from notahat.table.illegal import TableReason

LEAST_PATIENCE = 10
MOST_PATIENCE = 300
MOST_SHOW = 10
LAST_SEAT = 7

Claims = Literal["entered", "spoken"]
Pace = Literal["relaxed", "normal", "brisk"]


class Options(Struct, frozen=True, kw_only=True):
    """The variant and the pace of a table. `patience_seconds=0` waits for ever."""

    edition: Edition = "classic"
    special_cards: bool = True
    arrows: Arrows = "both"
    gifts_each: Literal[1, 2] = 1
    rounds: Rounds = "one"
    claims: Claims = "entered"
    starter: Annotated[int, Meta(ge=0, le=LAST_SEAT)] | Literal["random"] = "random"
    show_seconds: Annotated[int, Meta(ge=0, le=MOST_SHOW)] = 3
    patience_seconds: Annotated[int, Meta(ge=0, le=MOST_PATIENCE)] = 0
    spectators: bool = True
    applause: bool = True  # those who watch may pull faces
    pace: Pace = "normal"


def changed(options: Options, changes: Mapping[str, object]) -> Options:
    """The options with some of them changed; raises `Illegal` for what cannot be agreed on."""
    unknown = set(changes) - set(Options.__struct_fields__)
    if unknown:
        raise Illegal(TableReason.BAD_OPTIONS, f"there is no option {sorted(unknown)[0]!r}")
    try:
        wanted = {name: _whole(value) for name, value in changes.items()}
        after = msgspec.convert(msgspec.to_builtins(options) | wanted, Options)
    except msgspec.ValidationError as error:
        raise Illegal(TableReason.BAD_OPTIONS, str(error)) from None
    if 0 < after.patience_seconds < LEAST_PATIENCE:
        raise Illegal(TableReason.BAD_OPTIONS, f"patience is off (0) or at least {LEAST_PATIENCE} seconds")
    return after


def _whole(value: object) -> object:
    """In JSON 6.0 is as whole a number as 6."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
