"""Parcels: the cards on the table as one player keeps track of them."""

from typing import assert_never

from notahat.rules import Accepted, Back, Drawn, Ended, Event, Judged, Offered, Penalised, Refused, View, Wrapped
from notahat.rules.view import AnswerView, FaceUp, GiveView, WrapView


class Parcel:
    """One card as a player tracks it: its holder, its back, and what everybody could notice about it."""

    def __init__(self, number: int = 0, holder: int = 0, now: float = 0.0) -> None:
        self.number = number
        self.holder = holder
        self.back: Back | None = None
        self.gift: str | None = None  # only while it lies open
        self.sure: str | None = None  # the gift that this player saw or accepted, until it loses track of the parcel
        self.sure_until = now
        self.given_up: tuple[str, ...] = ()  # what this player remembered of it when it accepted another name
        self.gone = False  # whether it was turned over, so that all beliefs about it are obsolete
        self.lost = False  # whether this player knows that it missed the last pass
        self.passes = 0  # since it was last open
        self.previous_holder: int | None = None  # in the last pass
        self.shown_at = now
        self.held_since = now


class Parcels:
    """The positions of all parcels, as far as this player followed them."""

    __slots__ = ("_count", "columns", "hand", "open_gifts")

    def __init__(self, view: View, now: float) -> None:
        self._count = 0
        self.open_gifts: set[str] = {gift for seat in view.seats for gift in seat.penalties}
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

    def follow(self, event: Event, now: float) -> None:
        """Move the parcels according to an event."""
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
                self.mark_open(gift)
            case Offered() | Judged() | Penalised() | Ended():
                pass
            case _:
                assert_never(event)

    def mark_open(self, gift: str) -> None:
        """Note that everybody sees where a gift is: it cannot be in another parcel, whatever was accepted before."""
        self.open_gifts.add(gift)
        for column in self.columns:
            for parcel in column:
                if parcel.sure == gift:
                    parcel.sure = None

    def mix_up(self, receiver: int) -> None:
        """Confuse the card that was just received with the one that its receiver passes on."""
        received, given = self.columns[receiver][-1], self.hand
        if given is None or given.gift is not None:
            return
        self.columns[receiver][-1], self.hand = given, received
        given.back, received.back = received.back, given.back
        given.holder, received.holder = received.holder, given.holder
        given.held_since, received.held_since = received.held_since, given.held_since
        given.sure = received.sure = None

    def pass_on(self, receiver: int, now: float) -> None:
        """Put the card in hand on top of the receiver's column, and the bottom one into the hand."""
        column, given = self.columns[receiver], self.hand
        if given is not None:
            given.previous_holder, given.holder = given.holder, receiver
            given.held_since = now
            given.passes += 1
            column.append(given)
        self.hand = column.pop(0)

    def _wrap(self, parcel: Parcel, back: Back, now: float) -> None:
        if parcel.gift is not None:
            self.open_gifts.discard(parcel.gift)
        parcel.gift, parcel.back = None, back
        parcel.shown_at = now

    def _show(self, parcel: Parcel, gift: str, now: float) -> None:
        parcel.gift = gift
        parcel.shown_at = now
        self.mark_open(gift)

    def _new(self, holder: int, now: float) -> Parcel:
        self._count += 1
        return Parcel(self._count, holder, now)
