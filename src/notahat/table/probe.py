"""Questions to players of a study: after some of their decisions, what they believe the gift to be.

A question ends with any refusal, because it reveals a gift, and with the player's next answer. So no answer follows the
reveal of its gift. Whether a question is asked depends on the deal's seeds and on public facts only.
"""

from hashlib import blake2b
from typing import Literal

from notahat.rules import Accept, Give, Refuse
from notahat.table.events import Played
from notahat.table.table import Asked, Table

_DIGEST_BYTES = 4
_DIGESTS = 1 << 8 * _DIGEST_BYTES


def asked_after(table: Table, event: Played) -> tuple[Asked, ...]:
    """Return the open questions after a move at this table."""
    move = event.move
    if isinstance(move, Refuse):
        return ()
    if not isinstance(move, Give | Accept) or table.round is None:
        return table.asked
    about: Literal["give", "answer"] = "give" if isinstance(move, Give) else "answer"
    kept = tuple(one for one in table.asked if one.seat != move.seat or about == "give")
    if event.by != "person" or any(one.seat == move.seat for one in kept) or not _is_due(table, move.seat):
        return kept
    return (*kept, Asked(move.seat, table.round.turn, about))


def _is_due(table: Table, number: int) -> bool:
    """Whether a person who agreed to this round is asked now, if nobody shares their device. What others agreed to does
    not matter: it is private.
    """
    seat, round_ = table.seats[number], table.round
    if round_ is None or table.spoken or seat.guest is None or table.agreed.get(seat.guest, table.dealt) >= table.dealt:
        return False
    if seat.kind != "person" or len(table.seats_of(seat.guest)) != 1:
        return False
    digest = blake2b(f"{table.seeds[number]}/{round_.turn}".encode(), digest_size=_DIGEST_BYTES).digest()
    return int.from_bytes(digest, "big") < table.probe * _DIGESTS
