"""Sight: the observation of the environments, made from what the rules show to somebody on a seat.

With it a program that learnt on numbers sits at any table where computer players sit; tests hold it equal to
what the batch simulator shows.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from notahat.lab.encoding import (
    ACCEPT,
    ACCEPTED,
    ACTIONS,
    ACTOR,
    ANSWER,
    ANSWERING,
    ARROW,
    BACK,
    BACKS,
    CLAIM,
    CLAIMING,
    CODES,
    COLUMNS,
    DECISION,
    EVENTS,
    FIELDS,
    FROM,
    FROM_SHOP,
    GIFTS,
    GIVER,
    HOW,
    INTO,
    NAMED,
    NOBODY,
    NOTHING,
    OPEN_FROM_COLUMN,
    OVER,
    PILES,
    PLACES,
    PRESENT,
    RECEIVER,
    RECEIVING,
    REFUSE,
    REFUSED,
    SHOWN,
    TO,
    TOP,
    TURNED_OVER,
    WATCH,
    WRAPPED_FROM_COLUMN,
    YOU,
)
from notahat.rules import Accepted, Drawn, Event, FaceUp, Offered, Refused, View, Wrapped
from notahat.rules.round import PENALTIES_THAT_END
from notahat.rules.view import AnswerView, GiveView, WrapView

Observation = dict[str, NDArray[np.generic]]


class Sight:
    """What one seat saw since its last turn. `see` everything that is shown; `look` when something is to be decided."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._view: View | None = None
        self._rows: list[list[int]] = []  # since the last turn; the last of them is still going on
        self._shown = (FROM_SHOP, NOTHING)  # the card in hand as it lay open: where it came from, and its gift
        self.to: int | None = None  # who was picked to receive a special card, before it is named

    def see(self, view: View, events: Sequence[Event]) -> None:
        """Follow what happens."""
        for event in events:
            self._follow(event)
        self._view, phase = view, view.phase
        if isinstance(phase, WrapView) and not phase.from_shop:
            self._shown = (OPEN_FROM_COLUMN, CODES[phase.card.gift])
        elif isinstance(phase, GiveView) and any(isinstance(event, Accepted) for event in events):
            self._begin(phase.giver, (WRAPPED_FROM_COLUMN, NOTHING), BACKS[phase.card.back])
        if isinstance(phase, GiveView):
            self._rows[-1][INTO] = phase.receivers[0] if len(phase.receivers) == 1 else NOBODY

    def must_watch(self) -> bool:
        """Whether something would be missed if this seat had no turn before the next gift is passed on."""
        phase = self._view.phase if self._view is not None else None
        return isinstance(phase, GiveView) and phase.giver != self.seat and len(self._rows) == EVENTS

    def look(self) -> Observation:
        """The observation, as in docs/lab.md."""
        events = np.zeros((EVENTS, FIELDS), np.uint8)
        if self._rows:
            events[: len(self._rows)] = self._rows
        present = self._present()
        if self.to is not None:
            present[RECEIVER], present[DECISION] = self.to, CLAIMING
            events[len(self._rows) - 1, INTO] = self.to
        return {"observation": present, "events": events, "action_mask": self._mask(present)}

    def acted(self) -> None:
        """Note that there was a turn: this seat has seen all but how the gift at hand goes on."""
        del self._rows[:-1]

    def _follow(self, event: Event) -> None:
        match event:
            case Drawn(gift=gift):
                self._shown = (FROM_SHOP, CODES[gift])
            case Wrapped(giver=giver, back=back):
                self._begin(giver, self._shown, BACKS[back])
            case Offered(receiver=receiver, claim=str(claim)):
                self._rows[-1][INTO], self._rows[-1][NAMED] = receiver, CODES[claim]
            case Accepted():
                self._rows[-1][ANSWER] = ACCEPTED
            case Refused(gift=gift):
                self._rows[-1][ANSWER], self._rows[-1][TURNED_OVER] = REFUSED, CODES[gift]
            case _:
                pass

    def _begin(self, giver: int, shown: tuple[int, int], back: int) -> None:
        row = [NOTHING] * FIELDS
        row[HOW], row[SHOWN] = shown
        row[FROM], row[ARROW], row[INTO] = giver, back, NOBODY
        self._rows.append(row)

    def _present(self) -> NDArray[np.uint8]:
        present = np.zeros(PRESENT, np.uint8)
        view = self._view
        if view is None:
            raise ValueError("nothing was seen yet")
        present[YOU] = self.seat
        present[TOP] = CODES[view.shop.top] if view.shop.top else NOTHING
        for number, seat in enumerate(view.seats):
            for place, card in enumerate(seat.column):
                face = CODES[card.gift] if isinstance(card, FaceUp) else BACKS[card.back]
                present[COLUMNS + number * PLACES + place] = face
            for place, gift in enumerate(seat.penalties):
                present[PILES + number * PENALTIES_THAT_END + place] = CODES[gift]
        match view.phase:
            case GiveView(giver=giver, card=card, receivers=(receiver,)):
                now = (giver, CLAIMING, giver, receiver, BACKS[card.back], NOTHING)
            case GiveView(giver=giver, card=card):
                now = (giver, RECEIVING, giver, NOBODY, BACKS[card.back], NOTHING)
            case AnswerView(giver=giver, receiver=receiver, card=card, claim=str(claim)):
                now = (receiver, ANSWERING, giver, receiver, BACKS[card.back], CODES[claim])
            case _:
                now = (NOBODY, OVER, NOBODY, NOBODY, NOTHING, NOTHING)
        present[[ACTOR, DECISION, GIVER, RECEIVER, BACK, CLAIM]] = now
        if self.must_watch():
            present[ACTOR] = self.seat
        return present

    def _mask(self, present: NDArray[np.uint8]) -> NDArray[np.int8]:
        mask = np.zeros(ACTIONS, np.int8)
        if self.must_watch():
            mask[WATCH] = 1
        elif present[ACTOR] != self.seat:
            pass
        elif present[DECISION] == ANSWERING:
            mask[[ACCEPT, REFUSE]] = 1
        elif present[DECISION] == CLAIMING:
            mask[list(GIFTS)] = 1
        elif present[DECISION] == RECEIVING and self._view is not None:
            mask[TO : TO + len(self._view.seats)] = 1
            mask[TO + self.seat] = 0
        return mask
