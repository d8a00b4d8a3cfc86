"""The moves of a round: what a player wants to do."""

from typing import Literal, final

from msgspec import Struct

Wrong = Literal["giver", "receiver"]


@final
class Draw(Struct, frozen=True, gc=False, tag="draw", tag_field="do"):
    """Take the shop's top card and show it (4.1)."""

    seat: int


@final
class Wrap(Struct, frozen=True, gc=False, tag="wrap", tag_field="do"):
    """Turn the open card face down, so that everyone sees its arrow (4.2)."""

    seat: int


@final
class Give(Struct, frozen=True, gc=False, tag="give", tag_field="do"):
    """Pass the wrapped card on and name a gift (4.3); `claim=None` means it was said aloud (12.1)."""

    seat: int
    claim: str | None = None
    to: int | None = None


@final
class Accept(Struct, frozen=True, gc=False, tag="accept", tag_field="do"):
    """Accept the offered card without looking at it (5)."""

    seat: int


@final
class Refuse(Struct, frozen=True, gc=False, tag="refuse", tag_field="do"):
    """Doubt the claim (6)."""

    seat: int


@final
class Judge(Struct, frozen=True, gc=False, tag="judge", tag_field="do"):
    """Mark who was wrong about a claim that was said aloud (12.2)."""

    seat: int
    wrong: Wrong


Move = Draw | Wrap | Give | Accept | Refuse | Judge
