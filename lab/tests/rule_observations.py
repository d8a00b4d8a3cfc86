"""Observations as the rules' views and events give them, for comparison with the batch simulator's."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from notahat.rules import Accepted, Drawn, Event, FaceUp, Offered, Refused, View, Wrapped
from notahat.rules.round import PENALTIES_THAT_END
from notahat.rules.view import AnswerView, GiveView, WrapView
from notahat_lab import encoding as enc
from notahat_lab.encoding import BACKS, CODES, NOBODY, NOTHING

Observation = dict[str, NDArray[np.generic]]


class ObservationBuilder:
    """Collects what one seat sees: call `see` for every view, and `observation` when the seat has to decide."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._view: View | None = None
        self._rows: list[list[int]] = []  # since the last turn; the last row is the current pass
        self._shown = (enc.FROM_SHOP, NOTHING)  # source and gift of the card that was last shown in hand
        self.chosen_receiver: int | None = None  # of a card with an `any` back, until its gift is claimed

    def see(self, view: View, events: Sequence[Event]) -> None:
        """Take in the view and the events that led to it."""
        for event in events:
            self._follow(event)
        self._view, phase = view, view.phase
        if isinstance(phase, WrapView) and not phase.from_shop:
            self._shown = (enc.OPEN_FROM_COLUMN, CODES[phase.card.gift])
        elif isinstance(phase, GiveView) and any(isinstance(event, Accepted) for event in events):
            self._start_pass(phase.giver, (enc.WRAPPED_FROM_COLUMN, NOTHING), BACKS[phase.card.back])
        if isinstance(phase, GiveView):
            self._rows[-1][enc.EVENT_RECEIVER] = phase.receivers[0] if len(phase.receivers) == 1 else NOBODY

    def must_watch(self) -> bool:
        """Return whether the next pass would exceed the event rows, so that this seat needs a turn before it."""
        phase = self._view.phase if self._view is not None else None
        return isinstance(phase, GiveView) and phase.giver != self.seat and len(self._rows) == enc.EVENT_ROWS

    def observation(self) -> Observation:
        """Return the observation as docs/environments.md describes it."""
        events = np.zeros((enc.EVENT_ROWS, enc.EVENT_FIELDS), np.uint8)
        if self._rows:
            events[: len(self._rows)] = self._rows
        present = self._present()
        if self.chosen_receiver is not None:
            present[enc.RECEIVER], present[enc.DECISION] = self.chosen_receiver, enc.CLAIMING
            events[len(self._rows) - 1, enc.EVENT_RECEIVER] = self.chosen_receiver
        return {"observation": present, "events": events, "action_mask": self._action_mask(present)}

    def end_turn(self) -> None:
        """Forget all event rows but the current one, which is still incomplete."""
        del self._rows[:-1]

    def _follow(self, event: Event) -> None:
        match event:
            case Drawn(gift=gift):
                self._shown = (enc.FROM_SHOP, CODES[gift])
            case Wrapped(giver=giver, back=back):
                self._start_pass(giver, self._shown, BACKS[back])
            case Offered(receiver=receiver, claim=str(claim)):
                self._rows[-1][enc.EVENT_RECEIVER], self._rows[-1][enc.EVENT_CLAIM] = receiver, CODES[claim]
            case Accepted():
                self._rows[-1][enc.EVENT_ANSWER] = enc.ACCEPTED
            case Refused(gift=gift):
                self._rows[-1][enc.EVENT_ANSWER], self._rows[-1][enc.EVENT_REVEALED] = enc.REFUSED, CODES[gift]
            case _:
                pass

    def _start_pass(self, giver: int, shown: tuple[int, int], back: int) -> None:
        row = [NOTHING] * enc.EVENT_FIELDS
        row[enc.EVENT_SOURCE], row[enc.EVENT_SHOWN] = shown
        row[enc.EVENT_GIVER], row[enc.EVENT_BACK], row[enc.EVENT_RECEIVER] = giver, back, NOBODY
        self._rows.append(row)

    def _present(self) -> NDArray[np.uint8]:
        present = np.zeros(enc.OBSERVATION_SIZE, np.uint8)
        view = self._view
        if view is None:
            raise ValueError("there is no observation before the first view")
        present[enc.OWN_SEAT] = self.seat
        present[enc.SHOP_TOP] = CODES[view.shop.top] if view.shop.top else NOTHING
        for number, seat in enumerate(view.seats):
            for slot, card in enumerate(seat.column):
                face = CODES[card.gift] if isinstance(card, FaceUp) else BACKS[card.back]
                present[enc.COLUMNS + number * enc.COLUMN_SLOTS + slot] = face
            for slot, gift in enumerate(seat.penalties):
                present[enc.PILES + number * PENALTIES_THAT_END + slot] = CODES[gift]
        match view.phase:
            case GiveView(giver=giver, card=card, receivers=(receiver,)):
                phase = (giver, enc.CLAIMING, giver, receiver, BACKS[card.back], NOTHING)
            case GiveView(giver=giver, card=card):
                phase = (giver, enc.CHOOSING_RECEIVER, giver, NOBODY, BACKS[card.back], NOTHING)
            case AnswerView(giver=giver, receiver=receiver, card=card, claim=str(claim)):
                phase = (receiver, enc.ANSWERING, giver, receiver, BACKS[card.back], CODES[claim])
            case _:
                phase = (NOBODY, enc.OVER, NOBODY, NOBODY, NOTHING, NOTHING)
        present[[enc.ACTOR, enc.DECISION, enc.GIVER, enc.RECEIVER, enc.BACK, enc.CLAIM]] = phase
        if self.must_watch():
            present[enc.ACTOR] = self.seat
        return present

    def _action_mask(self, present: NDArray[np.uint8]) -> NDArray[np.int8]:
        mask = np.zeros(enc.ACTIONS, np.int8)
        if self.must_watch():
            mask[enc.WATCH] = 1
        elif present[enc.ACTOR] != self.seat:
            pass
        elif present[enc.DECISION] == enc.ANSWERING:
            mask[[enc.ACCEPT, enc.REFUSE]] = 1
        elif present[enc.DECISION] == enc.CLAIMING:
            mask[list(enc.GIFTS)] = 1
        elif present[enc.DECISION] == enc.CHOOSING_RECEIVER and self._view is not None:
            mask[enc.TO : enc.TO + len(self._view.seats)] = 1
            mask[enc.TO + self.seat] = 0
        return mask
