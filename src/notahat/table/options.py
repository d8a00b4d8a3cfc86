"""The options of a table and their validation, and the reasons for which a table refuses a command."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from notahat.gifts import Arrows, Edition
from notahat.rules import Illegal
from notahat.rules.match import Rounds


class TableReason(StrEnum):
    """The values are part of the protocol."""

    STALE = "stale"
    NOT_HOST = "not_host"
    NOT_SEATED = "not_seated"
    NOT_YOUR_SEAT = "not_your_seat"
    TABLE_FULL = "table_full"
    TABLE_LOCKED = "table_locked"
    REMOVED = "removed"
    UNKNOWN_GIFT = "unknown_gift"
    CLAIM_NEEDED = "claim_needed"
    CLAIMS_ARE_SPOKEN = "claims_are_spoken"
    NO_BOTS_AT_SPOKEN_TABLES = "no_bots_at_spoken_tables"
    BOTS_CAN_PLAY = "bots_can_play"
    UNKNOWN_LEVEL = "unknown_level"
    UNKNOWN_CHARACTER = "unknown_character"
    UNKNOWN_EMOTE = "unknown_emote"
    UNKNOWN_FACE = "unknown_face"
    FACE_TAKEN = "face_taken"
    BAD_OPTIONS = "bad_options"
    BAD_NAME = "bad_name"
    NOT_A_PERSON = "not_a_person"
    NOT_AWAY = "not_away"
    MATCH_RUNNING = "match_running"
    NO_MATCH = "no_match"
    PAUSED = "paused"
    NOT_PAUSED = "not_paused"
    NOT_READY = "not_ready"
    NOT_REMOVED = "not_removed"
    NOT_KNOCKING = "not_knocking"
    ENOUGH_FACES = "enough_faces"
    ENOUGH_DECKS = "enough_decks"
    OF_THE_DAY = "of_the_day"
    NO_STUDY = "no_study"
    NOT_IDLE = "not_idle"
    ENOUGH_NUDGES = "enough_nudges"
    NOT_A_BYSTANDER = "not_a_bystander"


LEAST_PATIENCE = 10
MOST_PATIENCE = 300
MOST_NUDGE = 60
MOST_SHOW = 10
LAST_SEAT = 7

Claims = Literal["entered", "spoken"]
Pace = Literal["relaxed", "normal", "brisk"]


class Options(Struct, frozen=True, kw_only=True):
    """The variant and pace of a table; `patience_seconds=0` is no limit. A new table starts with `NEW_TABLE`."""

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
        # JSON does not tell 6.0 from 6
        whole = {name: int(one) for name, one in changes.items() if isinstance(one, float) and one.is_integer()}
        after = msgspec.convert({**msgspec.to_builtins(options), **changes, **whole}, Options)
    except msgspec.ValidationError as error:
        raise Illegal(TableReason.BAD_OPTIONS, str(error)) from None
    if 0 < after.patience_seconds < LEAST_PATIENCE:
        raise Illegal(TableReason.BAD_OPTIONS, f"patience is off (0) or at least {LEAST_PATIENCE} seconds")
    return after
