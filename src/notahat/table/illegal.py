"""Why a table refuses an order, beside the reasons the rules have."""

from enum import StrEnum


class TableReason(StrEnum):
    """Outsiders show these to people, so the values stay."""

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
    OF_THE_DAY = "of_the_day"
