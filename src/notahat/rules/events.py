"""The events of a round. They are public: none of them contains a face-down gift."""

from msgspec import Struct

from notahat.rules.card import Back
from notahat.rules.moves import Wrong


class Drawn(Struct, frozen=True, gc=False, tag="drawn", tag_field="event"):
    """A gift came from the shop and was shown to all."""

    giver: int
    gift: str


class Wrapped(Struct, frozen=True, gc=False, tag="wrapped", tag_field="event"):
    """The open card in the giver's hand was turned face down."""

    giver: int
    back: Back


class Offered(Struct, frozen=True, gc=False, tag="offered", tag_field="event"):
    """The giver passed the wrapped card on and claimed a gift, or said it aloud (`claim=None`)."""

    giver: int
    receiver: int
    claim: str | None


class Accepted(Struct, frozen=True, gc=False, tag="accepted", tag_field="event"):
    """The receiver said thank you and laid the card, unseen, on top of their column."""

    giver: int
    receiver: int


class Refused(Struct, frozen=True, gc=False, tag="refused", tag_field="event"):
    """The receiver doubted the claim, and the card was turned face up for all."""

    giver: int
    receiver: int
    claim: str | None
    gift: str


class Judged(Struct, frozen=True, gc=False, tag="judged", tag_field="event"):
    """A player marked who was wrong; the mark may be corrected until the next move."""

    seat: int
    wrong: Wrong


class Penalised(Struct, frozen=True, gc=False, tag="penalised", tag_field="event"):
    """The player who was wrong put the card on their discard pile."""

    seat: int
    gift: str


class Ended(Struct, frozen=True, gc=False, tag="ended", tag_field="event"):
    """A player has three penalties, and the round is over."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


Event = Drawn | Wrapped | Offered | Accepted | Refused | Judged | Penalised | Ended
