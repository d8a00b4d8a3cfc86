"""All reasons for refusals in one flat set: those of rules, table, decks and server."""

from enum import StrEnum

from notahat.gifts import DeckReason
from notahat.rules import Reason
from notahat.table import TableReason


class ServerReason(StrEnum):
    """Reasons of the server itself, before a table is involved."""

    NO_GUEST = "no_guest"
    BAD_ORIGIN = "bad_origin"
    TOO_FAST = "too_fast"
    TOO_MANY_GUESTS = "too_many_guests"
    TOO_MANY_TRIES = "too_many_tries"
    TOO_BIG = "too_big"
    NO_SUCH_TABLE = "no_such_table"
    NO_SUCH_ROUND = "no_such_round"
    NO_SUCH_DECK = "no_such_deck"
    NO_SUCH_TICKET = "no_such_ticket"
    ALREADY_SOMEBODY = "already_somebody"
    NO_SUCH_PAGE = "no_such_page"
    NOT_PACKED = "not_packed"
    WRONG_METHOD = "wrong_method"
    NO_SPECTATORS = "no_spectators"
    GOING_AWAY = "going_away"
    BUSY = "busy"


_KINDS = (Reason, TableReason, DeckReason, ServerReason)


def reasons() -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason.value for kind in _KINDS for reason in kind))
