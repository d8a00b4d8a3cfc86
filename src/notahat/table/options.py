"""The options of a table, and their validation."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from notahat.gifts import Arrows, Edition
from notahat.rules import Illegal
from notahat.rules.match import Rounds
from notahat.table.table_reasons import TableReason

LEAST_PATIENCE = 10
MOST_PATIENCE = 300
MOST_NUDGE = 60
MOST_SHOW = 10
LAST_SEAT = 7

Claims = Literal["entered", "spoken"]
Pace = Literal["relaxed", "normal", "brisk"]


class Options(Struct, frozen=True, kw_only=True):
    """The variant and the pace of a table. With `patience_seconds=0` it waits without limit: gently if
    `nudge_seconds` is set. The defaults are those of logs that lack an option; a new table starts with `NEW_TABLE`.
    """

    edition: Edition = "classic"
    special_cards: bool = True
    arrows: Arrows = "both"
    gifts_each: Literal[1, 2] = 1
    rounds: Rounds = "one"
    claims: Claims = "entered"
    starter: Annotated[int, Meta(ge=0, le=LAST_SEAT)] | Literal["random"] = "random"
    show_seconds: Annotated[int, Meta(ge=0, le=MOST_SHOW)] = 3
    patience_seconds: Annotated[int, Meta(ge=0, le=MOST_PATIENCE)] = 0
    nudge_seconds: Annotated[int, Meta(ge=0, le=MOST_NUDGE)] = 0  # others may help after twice as long
    spectators: bool = True
    applause: bool = True  # spectators may send emotes
    pace: Pace = "normal"


NEW_TABLE = Options(nudge_seconds=20)


def change_options(options: Options, changes: Mapping[str, object]) -> Options:
    """Return the options with some of them changed; raise `Illegal` if the result is not valid."""
    unknown = set(changes) - set(Options.__struct_fields__)
    if unknown:
        raise Illegal(TableReason.BAD_OPTIONS, f"there is no option {sorted(unknown)[0]!r}")
    if changes.get("edition") == "special" != options.edition:
        changes = {"special_cards": False, **changes}  # a first game is played without them (rule 2)
    try:
        wanted = {name: _integral(value) for name, value in changes.items()}
        after = msgspec.convert(msgspec.to_builtins(options) | wanted, Options)
    except msgspec.ValidationError as error:
        raise Illegal(TableReason.BAD_OPTIONS, str(error)) from None
    if 0 < after.patience_seconds < LEAST_PATIENCE:
        raise Illegal(TableReason.BAD_OPTIONS, f"patience is off (0) or at least {LEAST_PATIENCE} seconds")
    return after


def _integral(value: object) -> object:
    """Return 6 for 6.0: JSON does not tell them apart."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
