"""A mind: what one player notices, keeps repeating, believes from hearsay and mixes up."""

from math import log
from random import Random

from notahat.bots.belief import WAVERS, Belief, Thought, belief, certain, slip, thoughts, wavering
from notahat.bots.level import Level
from notahat.bots.memory import Memory, Trace
from notahat.bots.parcel import Parcel, Parcels
from notahat.bots.reputation import Reputation, logistic
from notahat.bots.similarity import Likeness, look_alikes
from notahat.rules import Accepted, Drawn, Ended, Event, Judged, Offered, Penalised, Refused, View, Wrapped
from notahat.rules.view import AnswerView

_MIXES_UP = 0.17  # of the passes that were missed, so many leave two parcels mixed up
_REHEARSES = 0.10
_FIRM, _FIRMNESS = 0.8, 0.4  # how far above the threshold a memory must be to stand against a claim
_RECOGNISED = 1.0  # and how far to know at once that a claim agrees with it
_FIRM_ELSEWHERE = 1.4  # and how far to be sure that a gift lies elsewhere
_FEW, _BY_CROWD, _LEAST_ELSEWHERE = 5, 1.7, 0.2  # among more cards than these each is met less often: less will do
_COMES_ALONG = (Penalised, Ended, Judged)  # with a refusal, which is what there is to see
_STEP = 3.0  # seconds by which a mind ages with whatever happens, as long as that takes at the usual pace
_FRESH_FOR, _TIRES_IN = 1200.0, 300.0  # after some 200 passes everybody tires: lapses grow by as much again every 50
_SURE_FOR = 18.0  # for so long it is sure of what it saw, if nothing distracted it: six such steps


class Mind:
    """The memory of one player in one round, fed by what everyone sees.

    All its luck comes from one generator that only events advance, and the luck of a decision is
    rolled by the event that asks for it. So asking twice, or a mind rebuilt from the same events,
    gives the same answer.

    It ages by what happens, not by the table's seconds: a slow table, a pause or a night between two
    moves puts nothing else into a mind. Only how long givers hesitate is read from the table's clock.
    """

    def __init__(
        self, level: Level, seat: int, seed: int, view: View, now: float, likeness: Likeness | None = None
    ) -> None:
        self.level = level
        self.likeness = look_alikes() if likeness is None else likeness
        self.clock = 0.0
        self.memory = Memory(self.likeness)
        self.parcels = Parcels(view, self.clock)
        self.reputations = [Reputation() for _ in view.seats]
        self.dice = (0.5, 0.5, 0.5, 0.5, 0.5)
        self.hesitation = 0.0  # how much slower than usual the giver was to make the claim
        self._seat = seat
        self._roll = Random(seed).random
        self._noise = wavering()
        self._slip = slip(level)
        crowd = max(_FEW, 1 + sum(len(seat.column) for seat in view.seats)) / _FEW
        self._elsewhere = level.threshold + max(_LEAST_ELSEWHERE, _FIRM_ELSEWHERE - _BY_CROWD * log(crowd))
        self._recognised = level.threshold + _RECOGNISED
        self._rehearsing = 1.0 - (1.0 - _REHEARSES * level.attention) ** level.rehearses
        self._claim = view.phase.claim if isinstance(view.phase, AnswerView) else None
        self._asked_at = now
        for column in self.parcels.columns:
            for parcel in column:
                self._take_in(parcel)
        self.look(view)

    def look(self, view: View) -> None:
        """See the gift on top of the shop: it lies open, too."""
        top = view.shop.top
        if top is not None and top not in self.parcels.open:
            self.parcels.lies_open(top)

    def notice(self, event: Event, now: float) -> None:
        """Take in what happened, as far as attention goes."""
        if type(event) in _COMES_ALONG:
            return
        self.clock += _STEP
        if type(event) is Accepted:
            self._pass(event.receiver)
            self._asked(event.receiver, now)
        elif type(event) is Offered:
            self._claim = event.claim
            self._hesitated(event.giver, now - self._asked_at)
            self.reputations[event.receiver].offers += 1
            self._asked(event.receiver, now)
        elif type(event) is Wrapped:
            self._wrap(event)
            self._asked(event.giver, now)
        elif type(event) is Drawn:
            self.parcels.follow(event, self.clock)
            self._take_in(self.parcels.hand)
        elif type(event) is Refused:
            self.parcels.follow(event, self.clock)
            self._learn(event)
            return
        if self._roll() < self._rehearsing:
            self._rehearse()

    def belief(self, parcel: Parcel, luck: float | None = None) -> Belief:
        """What seems to be in a parcel at this moment, noise included: that of the decision, or of some other luck."""
        sure = self.sure_of(parcel)
        if sure is not None:
            return certain(sure, self.readily(parcel, sure))
        found = self._thoughts(parcel, self.dice[0] if luck is None else luck)
        return belief(found, self.level, self.parcels.open, self._slip, self.likeness)

    def guess(self, parcel: Parcel) -> Belief:
        """What seems to be in a parcel, free of passing noise."""
        sure = self.sure_of(parcel)
        if sure is not None:
            return certain(sure, self.readily(parcel, sure))
        still = (0.0,) * len(self.memory.traces)
        found = thoughts(self.memory, parcel, self.level, self.clock, still)
        return belief(found, self.level, self.parcels.open, self._slip, self.likeness)

    def sure_of(self, parcel: Parcel) -> str | None:
        """The gift that this player saw in it or thanked for a moment ago, if it did not lose sight of it since."""
        return parcel.sure if self.clock <= parcel.sure_until else None

    def readily(self, parcel: Parcel, gift: str) -> float:
        """How readily it comes to mind that a gift is in a parcel: hearsay less so than what was seen."""
        for trace in self.memory.of(parcel):
            if trace.gift == gift:
                return trace.base_level(self.clock)
        return self.level.threshold

    def elsewhere(self, parcel: Parcel, gift: str) -> float:
        """How sure this player is that a gift is in another parcel, so that it cannot be in this one."""
        strongest = None
        for trace in self.memory.traces:
            other = trace.parcel
            if trace.gift != gift or other is parcel or other.gone:
                continue
            if self.sure_of(other) == gift:
                return 1.0
            level = trace.base_level(self.clock)
            strongest = level if strongest is None else max(strongest, level)
        if strongest is None:
            return 0.0
        return logistic((strongest - self._elsewhere) / _FIRMNESS)

    def recognised(self, parcel: Parcel, gift: str) -> Trace | None:
        """The firm memory that a parcel is this gift, where nothing else is remembered of it.

        To recognise is easier than to recall: such a memory is not weighed against others.
        """
        known = self.memory.of(parcel)
        if len(known) != 1 or known[0].gift != gift or gift in self.parcels.open:
            return None
        return known[0] if known[0].base_level(self.clock) > self._recognised else None

    def slipped(self, gift: str, parcel: Parcel, luck: float) -> str:
        """Now and then a look-alike comes out instead, but none that lies open, nor of what just did."""
        alike, each = self.likeness.get(gift, ()), self._slip
        if parcel.passes == 0 or luck >= each * len(alike):
            return gift
        other = alike[int(luck / each)]
        return gift if other in self.parcels.open else other

    def _asked(self, seat: int, now: float) -> None:
        """Somebody has to decide; if it is this player, the luck of the decision is rolled now."""
        self._asked_at = now
        if seat == self._seat:
            roll = self._roll
            self.dice = (roll(), roll(), roll(), roll(), roll())

    def _hesitated(self, giver: int, seconds: float) -> None:
        """How much slower this giver was than usual. With a gift that was just shown nobody has to think."""
        self.hesitation = 0.0
        if self.parcels.hand is not None and self.parcels.hand.passes:
            self.hesitation = self.reputations[giver].took(seconds)

    def _attends(self) -> bool:
        """Whether this is noticed. Nobody watches a very long round as closely as a short one (9.6)."""
        tired = max(0.0, self.clock - _FRESH_FOR) / _TIRES_IN
        return self._roll() < 1.0 - (1.0 - self.level.attention) * (1.0 + tired)

    def _take_in(self, parcel: Parcel | None) -> None:
        """Look at an open card, unless it is another's and the mind is elsewhere."""
        attentive = self._attends()
        if parcel is not None and parcel.gift is not None and (attentive or parcel.holder == self._seat):
            self.memory.store(parcel, parcel.gift, self.clock)
            parcel.sure, parcel.sure_until = parcel.gift, self.clock + _SURE_FOR

    def _wrap(self, event: Wrapped) -> None:
        """What lay open and had been noticed was in sight up to now."""
        hand = self.parcels.hand
        self._take_in(hand)
        if hand is not None:
            hand.sure_until = self.clock + _SURE_FOR
        self.parcels.follow(event, self.clock)

    def _pass(self, receiver: int) -> None:
        parcels, claim = self.parcels, self._claim
        moved = parcels.hand
        attentive = self._attends()
        if moved is not None and not attentive:
            moved.sure = None
        if moved is not None and claim is not None:
            if receiver == self._seat and claim not in parcels.open:
                self._thank(moved, claim)
            elif attentive:
                self._hear(moved, claim)
        parcels.pass_on(receiver, self.clock)
        if not attentive and self._roll() < _MIXES_UP:
            parcels.mix_up(receiver)

    def _thank(self, parcel: Parcel, claim: str) -> None:
        """Whoever accepts a claim believes it from then on, whatever they thought before."""
        parcel.doubted = any(trace.gift != claim for trace in self.memory.of(parcel))
        self.memory.believe(parcel, claim, self.clock)
        parcel.sure, parcel.sure_until = claim, self.clock + self.level.stands_by

    def _hear(self, parcel: Parcel, claim: str) -> None:
        """Believe the own eyes, and the own memory where it agrees or is firm, else the claim."""
        same = self.recognised(parcel, claim)
        if same is not None:
            same.met(self.clock)
            return
        activation, gift = self._recall(parcel)
        if gift != claim and claim not in self.parcels.open:  # nobody believes a name that lies open elsewhere
            swayed = logistic(-(activation - self.level.threshold - _FIRM) / _FIRMNESS)
            if gift is None or self._roll() < swayed:
                gift = claim
        if gift is not None:
            self.memory.store(parcel, gift, self.clock)

    def _recall(self, parcel: Parcel) -> tuple[float, str | None]:
        """What comes to mind first, if anything does; now and then a look-alike of it."""
        sure = self.sure_of(parcel)
        if sure is not None:
            return self.readily(parcel, sure), sure
        found = self._thoughts(parcel, self._roll())
        activation, gift = max(found) if found else (self.level.threshold, "")
        if activation <= self.level.threshold:
            return activation, None
        return activation, self.slipped(gift, parcel, self._roll())

    def _rehearse(self) -> None:
        """Repeat one of a few cards to oneself, the own ones first; what is found is stored, right or wrong."""
        columns = self.parcels.columns[self._seat :] + self.parcels.columns[: self._seat]
        cards = [parcel for column in columns for parcel in column][: self.level.rehearses]
        parcel = cards[int(self._roll() * len(cards))]
        if parcel.gift is not None:
            return
        _, gift = self._recall(parcel)
        if gift is not None:
            self.memory.store(parcel, gift, self.clock)

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

    def _thoughts(self, parcel: Parcel, luck: float) -> list[Thought]:
        start, memory = int(luck * WAVERS), self.memory
        return thoughts(memory, parcel, self.level, self.clock, self._noise[start : start + len(memory.traces)])
