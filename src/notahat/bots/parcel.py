"""Parcels: the cards on the table as one player keeps them apart in mind, by where they went."""

from typing import assert_never

from notahat.rules import (
    Accepted,
    Back,
    Drawn,
    Ended,
    Event,
    FaceUp,
    Judged,
    Offered,
    Penalised,
    Refused,
    View,
    Wrapped,
)
from notahat.rules.view import AnswerView, GiveView, WrapView


class Parcel:
    """One card in a player's mind: who holds it, its arrow, and what everyone could notice about it."""

    __slots__ = (
        "back",
        "doubted",
        "gift",
        "gone",
        "holder",
        "number",
        "passes",
        "shown_at",
        "since",
        "sure",
        "sure_until",
    )

    def __init__(self, number: int = 0, holder: int = 0, now: float = 0.0) -> None:
        self.number = number
        self.holder = holder
        self.back: Back | None = None
        self.gift: str | None = None  # only while it lies open
        self.sure: str | None = None  # what this player saw in it or thanked for, as long as it kept an eye on it
        self.sure_until = now
        self.doubted = False  # accepted as something else than this player had remembered
        self.gone = False  # turned over: whatever was believed to be in it is not
        self.passes = 0  # since it was last open
        self.shown_at = now
        self.since = now  # when its holder got it


class Parcels:
    """Where all parcels lie, as far as this player followed them."""

    __slots__ = ("_count", "columns", "hand", "open")

    def __init__(self, view: View, now: float) -> None:
        self._count = 0
        self.open: set[str] = {gift for seat in view.seats for gift in seat.penalties}  # and all else that all see
        self.columns: list[list[Parcel]] = []
        self.hand: Parcel | None = None
        for seat, seen in enumerate(view.seats):
            column = [self._new(seat, now) for _ in seen.column]
            for parcel, card in zip(column, seen.column, strict=True):
                if isinstance(card, FaceUp):
                    self._show(parcel, card.gift, now)
                else:
                    parcel.back = card.back
            self.columns.append(column)
        match view.phase:
            case WrapView(giver=giver, card=FaceUp(gift=gift)):
                self.hand = self._new(giver, now)
                self._show(self.hand, gift, now)
            case GiveView(giver=giver, card=card) | AnswerView(giver=giver, card=card):
                self.hand = self._new(giver, now)
                self.hand.back = card.back
            case _:
                pass

    def follow(self, event: Event, now: float) -> None:
        """Move the parcels as an event says."""
        match event:
            case Accepted(receiver=receiver):
                self.pass_on(receiver, now)
            case Wrapped(back=back):
                if self.hand is not None:
                    self._wrap(self.hand, back, now)
            case Drawn(giver=giver, gift=gift):
                self.hand = self._new(giver, now)
                self._show(self.hand, gift, now)
            case Refused(gift=gift):
                if self.hand is not None:
                    self.hand.gone = True
                self.hand = None
                self.lies_open(gift)
            case Offered() | Judged() | Penalised() | Ended():
                pass
            case _:
                assert_never(event)

    def lies_open(self, gift: str) -> None:
        """All see where a gift is, so it is in none of the other parcels, whatever was thanked for."""
        self.open.add(gift)
        for column in self.columns:
            for parcel in column:
                if parcel.sure == gift:
                    parcel.sure = None

    def mix_up(self, receiver: int) -> None:
        """Take the card that was just received for the one that goes on, and that one for it."""
        kept, given = self.columns[receiver][-1], self.hand
        if given is None or given.gift is not None:
            return
        self.columns[receiver][-1], self.hand = given, kept
        given.back, kept.back = kept.back, given.back
        given.holder, kept.holder = kept.holder, given.holder
        given.since, kept.since = kept.since, given.since
        given.sure = kept.sure = None

    def pass_on(self, receiver: int, now: float) -> None:
        """The receiver lays the card on top, and has the bottom one in hand."""
        column, given = self.columns[receiver], self.hand
        if given is not None:
            given.holder = receiver
            given.since = now
            given.passes += 1
            column.append(given)
        self.hand = column.pop(0)

    def _wrap(self, parcel: Parcel, back: Back, now: float) -> None:
        if parcel.gift is not None:
            self.open.discard(parcel.gift)
        parcel.gift, parcel.back = None, back
        parcel.shown_at = now

    def _show(self, parcel: Parcel, gift: str, now: float) -> None:
        parcel.gift = gift
        parcel.shown_at = now
        self.lies_open(gift)

    def _new(self, holder: int, now: float) -> Parcel:
        self._count += 1
        return Parcel(self._count, holder, now)
