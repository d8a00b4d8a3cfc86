"""A mind: what one player notices, keeps repeating, believes from hearsay and mixes up."""

from random import Random

from notahat.bots.belief import WAVERS, Belief, Thought, belief, slip, thoughts, wavering
from notahat.bots.level import Level
from notahat.bots.likeness import look_alikes
from notahat.bots.memory import Memory, Trace
from notahat.bots.parcel import Parcel, Parcels
from notahat.bots.reputation import Reputation, logistic
from notahat.rules import Accepted, Drawn, Event, Offered, Refused, View, Wrapped
from notahat.rules.view import AnswerView

_MIXES_UP = 0.15  # of the passes that were missed, so many leave two parcels mixed up
_REHEARSES = 0.10
_FIRM, _FIRMNESS = 0.8, 0.4  # how far above the threshold a memory must be to stand against a claim
_RECOGNISED = 1.0  # and how far to know at once that a claim agrees with it


class Mind:
    """The memory of one player in one round, fed by what everyone sees.

    All its luck comes from one generator that only events advance, and the luck of a decision is
    rolled by the event that asks for it. So asking twice, or a mind rebuilt from the same events,
    gives the same answer.
    """

    def __init__(self, level: Level, seat: int, seed: int, view: View, now: float) -> None:
        self.level = level
        self.memory = Memory()
        self.parcels = Parcels(view, now)
        self.reputations = [Reputation() for _ in view.seats]
        self.dice = (0.5, 0.5, 0.5, 0.5, 0.5)
        self.hesitation = 0.0  # how long the giver took to make the claim
        self._seat = seat
        self._roll = Random(seed).random
        self._noise = wavering()
        self._slip = slip(level)
        self._recognised = level.threshold + _RECOGNISED
        self._rehearsing = 1.0 - (1.0 - _REHEARSES * level.attention) ** level.rehearses
        self._claim = view.phase.claim if isinstance(view.phase, AnswerView) else None
        self._asked_at = now
        for column in self.parcels.columns:
            for parcel in column:
                self._take_in(parcel, now)

    def notice(self, event: Event, now: float) -> None:
        """Take in what happened, as far as attention goes."""
        if type(event) is Accepted:
            self._pass(event.receiver, now)
            self._asked(event.receiver, now)
        elif type(event) is Offered:
            self._claim = event.claim
            self.hesitation = now - self._asked_at
            self.reputations[event.receiver].offers += 1
            self._asked(event.receiver, now)
        elif type(event) is Wrapped:
            self._take_in(self.parcels.hand, now)
            self.parcels.follow(event, now)
            self._asked(event.giver, now)
        elif type(event) is Drawn:
            self.parcels.follow(event, now)
            self._take_in(self.parcels.hand, now)
        elif type(event) is Refused:
            self.parcels.follow(event, now)
            self._learn(event)
            return
        else:
            return
        if self._roll() < self._rehearsing:
            self._rehearse(now)

    def belief(self, parcel: Parcel, now: float) -> Belief:
        """What seems to be in a parcel at this moment, noise included."""
        return belief(self._thoughts(parcel, now, self.dice[0]), self.level, self.parcels.open, self._slip)

    def guess(self, parcel: Parcel, now: float) -> Belief:
        """What seems to be in a parcel, free of passing noise."""
        still = (0.0,) * len(self.memory.traces)
        return belief(thoughts(self.memory, parcel, self.level, now, still), self.level, self.parcels.open, self._slip)

    def recognised(self, parcel: Parcel, gift: str, now: float) -> Trace | None:
        """The firm memory that a parcel is this gift, where nothing else is remembered of it.

        To recognise is easier than to recall: such a memory is not weighed against others.
        """
        known = self.memory.of(parcel)
        if len(known) != 1 or known[0].gift != gift:
            return None
        return known[0] if known[0].base_level(now) > self._recognised else None

    def slipped(self, gift: str, parcel: Parcel, luck: float) -> str:
        """Now and then a look-alike comes out instead, but not of a card that was open a moment ago."""
        alike, each = look_alikes().get(gift, ()), self._slip
        if parcel.passes == 0 or luck >= each * len(alike):
            return gift
        return alike[int(luck / each)]

    def _asked(self, seat: int, now: float) -> None:
        """Somebody has to decide; if it is this player, the luck of the decision is rolled now."""
        self._asked_at = now
        if seat == self._seat:
            roll = self._roll
            self.dice = (roll(), roll(), roll(), roll(), roll())

    def _take_in(self, parcel: Parcel | None, now: float) -> None:
        """Look at an open card, unless it is another's and the mind is elsewhere."""
        attentive = self._roll() < self.level.attention
        if parcel is not None and parcel.gift is not None and (attentive or parcel.holder == self._seat):
            self.memory.store(parcel, parcel.gift, now)

    def _pass(self, receiver: int, now: float) -> None:
        parcels = self.parcels
        moved = parcels.hand
        attentive = self._roll() < self.level.attention
        if attentive and moved is not None and self._claim is not None:
            self._hear(moved, self._claim, now)
        parcels.pass_on(receiver, now)
        if not attentive and self._roll() < _MIXES_UP:
            parcels.mix_up(receiver)

    def _hear(self, parcel: Parcel, claim: str, now: float) -> None:
        """Believe the own memory where it agrees or is firm, else the claim."""
        threshold = self.level.threshold
        same = self.recognised(parcel, claim, now)
        if same is not None:
            same.met(now)
            return
        activation, gift = self._recall(parcel, now)
        if gift is None:
            gift = claim
        elif gift != claim and claim not in self.parcels.open:
            swayed = logistic(-(activation - threshold - _FIRM) / _FIRMNESS)
            gift = claim if self._roll() < swayed else gift
        self.memory.store(parcel, gift, now)

    def _recall(self, parcel: Parcel, now: float) -> tuple[float, str | None]:
        """What comes to mind first, if anything does; now and then a look-alike of it."""
        found = self._thoughts(parcel, now, self._roll())
        activation, gift = max(found) if found else (self.level.threshold, "")
        if activation <= self.level.threshold:
            return activation, None
        return activation, self.slipped(gift, parcel, self._roll())

    def _rehearse(self, now: float) -> None:
        """Repeat one of a few cards to oneself, the own ones first; what is found is stored, right or wrong."""
        columns = self.parcels.columns[self._seat :] + self.parcels.columns[: self._seat]
        cards = [parcel for column in columns for parcel in column][: self.level.rehearses]
        parcel = cards[int(self._roll() * len(cards))]
        if parcel.gift is not None:
            return
        _, gift = self._recall(parcel, now)
        if gift is not None:
            self.memory.store(parcel, gift, now)

    def _learn(self, event: Refused) -> None:
        """A card was turned over: it lies open for good, and someone's word was weighed."""
        self.memory.settle(event.gift)
        receiver, giver = self.reputations[event.receiver], self.reputations[event.giver]
        receiver.refusals += 1
        if event.claim == event.gift:
            receiver.wrong_refusals += 1
            giver.true += 1
        else:
            giver.false += 1

    def _thoughts(self, parcel: Parcel, now: float, luck: float) -> list[Thought]:
        start, memory = int(luck * WAVERS), self.memory
        return thoughts(memory, parcel, self.level, now, self._noise[start : start + len(memory.traces)])
