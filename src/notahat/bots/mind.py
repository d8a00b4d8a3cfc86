"""The mind of a computer player: attention, rehearsal, beliefs from claims, and confusion."""

from collections.abc import Collection, Iterable, Sequence
from math import log
from random import Random
from typing import NamedTuple

from notahat.bots.decisions import Reputation, logistic
from notahat.bots.memory import (
    LOST_TRACK,
    NOISE_SAMPLES,
    Activation,
    Belief,
    LookAlikes,
    Memory,
    MemoryTrace,
    activations,
    catalogue_look_alikes,
    certain_belief,
    form_belief,
    logistic_noise,
    slip_probability,
)
from notahat.bots.parcel import Parcel, Parcels
from notahat.bots.presets import FEW_CARDS, Level
from notahat.rules import Accepted, Drawn, Ended, Event, Judged, Offered, Penalised, Refused, View, Wrapped
from notahat.rules.view import AnswerView

_MIX_UP_RATE = 0.1  # the share of missed passes that leave two parcels confused
_REHEARSAL_RATE = 0.10
_FIRMNESS = 0.4  # how gradually a memory becomes firm
_RECOGNISED = 0.5  # distance at which a claim that agrees with memory is recognised at once
_FIRM_ELSEWHERE = 1.4  # distance at which a player is sure that a gift is in another parcel
# With more than a few cards each one is met less often, so the distance for "elsewhere" shrinks.
_BY_CARDS, _MIN_ELSEWHERE = 1.7, 0.2
_PART_OF_REFUSAL = (Penalised, Ended, Judged)
_SECONDS_PER_EVENT = 3.0  # by which a mind ages with each event, about its duration at the normal pace
_FRESH_FOR, _TIRES_IN = 1200.0, 300.0  # after about 200 passes lapses grow, by their initial rate every 50 passes
_TIRED_LAPSES = 0.12  # or by this much, if the initial rate is lower
_SURE_FOR = 18.0  # seconds for which a player is sure of what it saw: six events
_STANDS_BY = 9.0  # and of what it accepted
# How much less a gift comes to mind for a parcel if the player knows that it is elsewhere. With two or three players
# nearly all gifts are in sight, and with more avoidance a table of elephants would never err.
_AVOIDANCE, _AVOIDANCE_OF_FEW = 2.8, 1.2
_JUST_PASSED = 12.0  # seconds for which a pass stays in mind: two passes
_JUST_REFUSED = 18.0  # and a refused name: three passes
_JUST_GIVEN = 48.0  # and what a receiver gave away or got from this player: eight passes
_UNCUED = 0.55  # how much less a giver remembers: it has to recall a name, where a receiver hears one as a cue
_NOTHING_GIVEN = "", -_JUST_GIVEN


class DecisionRolls(NamedTuple):
    """The random numbers of one decision, each from 0 to 1."""

    recall: float = 0.5
    choice: float = 0.5
    slip: float = 0.5
    lie: float = 0.5
    act: float = 0.5
    doubt: float = 0.5


class Mind:
    """One player's memory of a round. Only events, which all see, age it and advance its luck (decisions/0013)."""

    def __init__(
        self, level: Level, seat: int, seed: int, view: View, now: float, look_alikes: LookAlikes | None = None
    ) -> None:
        cards = 1 + sum(len(seat.column) for seat in view.seats)
        self.level = level = level.with_load(cards)
        self.look_alikes = catalogue_look_alikes() if look_alikes is None else look_alikes
        self.clock = 0.0
        self.memory = Memory(self.look_alikes)
        self.parcels = Parcels(view, self.clock)
        self.reputations = [Reputation() for _ in view.seats]
        self.rolls = DecisionRolls()
        self._refused = _NOTHING_GIVEN  # the last wrong name that was refused, and when
        self._given: dict[int, tuple[str, float]] = {}  # by seat: the last name that it gave away, and when
        self._gave: dict[int, tuple[str, float]] = {}  # by seat: the last name that this player gave to it, and when
        self.hesitation = 0.0  # how much slower than usual the giver made the claim
        self._seat = seat
        self._random = Random(seed).random
        self._noise = logistic_noise()
        self._slip = slip_probability(level)
        self._avoidance = _AVOIDANCE if len(view.seats) > 3 else _AVOIDANCE_OF_FEW
        crowding = max(FEW_CARDS, cards) / FEW_CARDS
        self._elsewhere_above = level.threshold + max(_MIN_ELSEWHERE, _FIRM_ELSEWHERE - _BY_CARDS * log(crowding))
        self._recognised_above = level.threshold + _RECOGNISED
        self._rehearsal = 1.0 - (1.0 - _REHEARSAL_RATE * level.attention) ** level.rehearses
        self._claim = view.phase.claim if isinstance(view.phase, AnswerView) else None
        self._decision_since = now
        for column in self.parcels.columns:
            for parcel in column:
                self._look_at(parcel)
        self.see_shop(view)

    def see_shop(self, view: View) -> None:
        """Note the gift on top of the shop, which lies open, too."""
        top = view.shop.top
        if top is not None and top not in self.parcels.open_gifts:
            self.parcels.mark_open(top)

    def notice(self, event: Event, now: float) -> None:
        """Take in an event, as far as attention goes."""
        if type(event) in _PART_OF_REFUSAL:
            return
        self.clock += _SECONDS_PER_EVENT
        if type(event) is Accepted:
            self._pass(event.receiver)
            self._start_decision(event.receiver, now)
        elif type(event) is Offered:
            self._claim = event.claim
            self._measure_hesitation(event.giver, now - self._decision_since)
            self._check_claim(event)
            self.reputations[event.receiver].offers += 1
            self._start_decision(event.receiver, now)
        elif type(event) is Wrapped:
            self._wrap(event)
            self._start_decision(event.giver, now)
        elif type(event) is Drawn:
            self.parcels.follow(event, self.clock)
            self._look_at(self.parcels.hand)
        elif type(event) is Refused:
            self.parcels.follow(event, self.clock)
            self._learn_from_refusal(event)
            return
        if self._random() < self._rehearsal:
            self._rehearse()

    def belief(self, parcel: Parcel, roll: float | None = None) -> Belief:
        """Return the belief about a parcel, with the noise of the current decision or of another roll."""
        return self._belief(parcel, self._noise_from(self.rolls.recall if roll is None else roll))

    def giver_belief(self, parcel: Parcel, placed: Collection[str]) -> Belief:
        """Return the belief of a giver that has no cue and avoids naming gifts known to be elsewhere (`placed_for`)."""
        return self._belief(parcel, self._noise_from(self.rolls.recall), placed)

    def placed_for(self, parcel: Parcel, receivers: Sequence[int], within: float = _JUST_PASSED) -> set[str]:
        """Return the gifts that a giver avoids naming: it knows where they are, as the receiver does (docs/bots.md)."""
        clock, receiver = self.clock, receivers[0] if len(receivers) == 1 else -1
        placed = set(self._on_top())
        refused, at = self._refused
        if clock - at <= _JUST_REFUSED and refused != self._name_of(parcel)[0]:
            placed.add(refused)
        for given, at in (self._given.get(receiver, _NOTHING_GIVEN), self._gave.get(receiver, _NOTHING_GIVEN)):
            if clock < at + _JUST_GIVEN and all(trace.gift != given for trace in self.memory.traces_of(parcel)):
                placed.add(given)
        for column in self.parcels.columns:
            for other in column:
                if other.holder == receiver or clock - other.held_since <= within:
                    gift, strength = self._name_of(other)
                    if gift is not None and strength > self.activation_of(parcel, gift):
                        placed.add(gift)
        return placed

    def _name_of(self, parcel: Parcel) -> tuple[str | None, float]:
        """Return the gift that comes to mind for a parcel, and its activation; recognition is easier than recall."""
        best, strongest = None, self.level.threshold - (0.0 if parcel.lost else LOST_TRACK)
        for trace in self.memory.traces_of(parcel):
            level = trace.base_level(self.clock)
            if level > strongest:
                best, strongest = trace.gift, level
        return best, strongest

    def sure_of(self, parcel: Parcel) -> str | None:
        """Return the gift that this player recently saw in the parcel or accepted, unless it lost track of it."""
        return parcel.sure if self.clock <= parcel.sure_until else None

    def lost_track_of(self, parcel: Parcel) -> bool:
        """Return whether this player knows that it lost track: it missed the last pass, or remembers nothing of it."""
        return parcel.lost or not self.memory.traces_of(parcel)

    def activation_of(self, parcel: Parcel, gift: str) -> float:
        """Return the activation of the memory that a parcel holds a gift, or the threshold without a memory."""
        for trace in self.memory.traces_of(parcel):
            if trace.gift == gift:
                return trace.base_level(self.clock)
        return self.level.threshold

    def certainty_elsewhere(self, parcel: Parcel, gift: str) -> float:
        """Return how sure this player is that a gift is in another parcel, and therefore not in this one."""
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
        return logistic((strongest - self._elsewhere_above) / _FIRMNESS)

    def recognise(self, parcel: Parcel, gift: str) -> MemoryTrace | None:
        """Return the firm memory that a parcel is this gift, if it is its only one, without competition."""
        known = self.memory.traces_of(parcel)
        if len(known) != 1 or known[0].gift != gift or gift in self.parcels.open_gifts:
            return None
        return known[0] if known[0].base_level(self.clock) > self._recognised_above else None

    def with_slip(self, gift: str, parcel: Parcel, roll: float, placed: Collection[str] = ()) -> str:
        """Return the gift, or sometimes a look-alike that is not known to be elsewhere; never for a gift just shown."""
        alike, each = self.look_alikes.get(gift, ()), self._slip
        if parcel.passes == 0 or roll >= each * len(alike):
            return gift
        other = alike[int(roll / each)]
        return gift if other in self.parcels.open_gifts or other in placed else other

    def _start_decision(self, seat: int, now: float) -> None:
        """Note when a seat starts to decide; if it is this player, draw the random numbers of the decision."""
        self._decision_since = now
        if seat == self._seat:
            roll = self._random
            self.rolls = DecisionRolls(roll(), roll(), roll(), roll(), roll(), roll())

    def _measure_hesitation(self, giver: int, seconds: float) -> None:
        """Compare a giver's time with its usual one. A gift just shown needs no thought and is not measured."""
        self.hesitation = 0.0
        if self.parcels.hand is not None and self.parcels.hand.passes:
            self.hesitation = self.reputations[giver].record_time(seconds)

    def _check_claim(self, event: Offered) -> None:
        """Note in the giver's record whether a claim agrees with a firm memory. A gift just shown says nothing."""
        hand = self.parcels.hand
        if hand is None or not hand.passes or event.claim is None:
            return
        gift, strength = self._name_of(hand)
        if gift is not None and strength > self._recognised_above:
            self.reputations[event.giver].record_claim(gift == event.claim)

    def _pays_attention(self) -> bool:
        """Draw whether an event is noticed. Attention falls in a very long round, so that it ends (9.6)."""
        tired = max(0.0, self.clock - _FRESH_FOR) / _TIRES_IN
        lapses = 1.0 - self.level.attention
        return self._random() >= lapses + max(lapses, _TIRED_LAPSES) * tired

    def _look_at(self, parcel: Parcel | None) -> None:
        """Store an open card; another seat's card only with attention."""
        attentive = self._pays_attention()
        if parcel is not None and parcel.gift is not None and (attentive or parcel.holder == self._seat):
            self.memory.store(parcel, parcel.gift, self.clock)
            parcel.lost = False
            parcel.sure, parcel.sure_until = parcel.gift, self.clock + _SURE_FOR

    def _wrap(self, event: Wrapped) -> None:
        hand = self.parcels.hand
        self._look_at(hand)
        if hand is not None:  # it was in sight until now
            hand.sure_until = self.clock + _SURE_FOR
        self.parcels.follow(event, self.clock)

    def _pass(self, receiver: int) -> None:
        parcels, claim = self.parcels, self._claim
        moved = parcels.hand
        attentive = self._pays_attention()
        if moved is not None:
            moved.lost = not attentive
            if not attentive:
                moved.sure = None
        if moved is not None and claim is not None:
            if attentive or receiver == self._seat:
                self._given[moved.holder] = claim, self.clock
            if moved.holder == self._seat:  # a player remembers what it gave itself
                self._gave[receiver] = claim, self.clock
            if receiver == self._seat and claim not in parcels.open_gifts:
                self._believe_accepted(moved, claim)
            elif attentive:
                self._hear(moved, claim)
        parcels.pass_on(receiver, self.clock)
        if not attentive and receiver != self._seat and self._random() < _MIX_UP_RATE:
            parcels.mix_up(receiver)

    def _believe_accepted(self, parcel: Parcel, claim: str) -> None:
        """Believe a claim that this player accepted, whatever it remembered before."""
        parcel.lost = False
        parcel.given_up = tuple(trace.gift for trace in self.memory.traces_of(parcel) if trace.gift != claim)
        self.memory.store_only(parcel, claim, self.clock)
        parcel.sure, parcel.sure_until = claim, self.clock + _STANDS_BY

    def _hear(self, parcel: Parcel, claim: str) -> None:
        """Store what the parcel seems to be: memory wins where it agrees with the claim or is firm."""
        same = self.recognise(parcel, claim)
        if same is not None:
            same.add_reference(self.clock)
            return
        activation, gift = self._recall(parcel)
        if gift != claim and claim not in self.parcels.open_gifts:
            swayed = logistic(-(activation - self.level.threshold - self.level.firm) / _FIRMNESS)
            if gift is None or self._random() < swayed:
                gift = claim
        if gift is not None:
            self.memory.store(parcel, gift, self.clock)

    def _recall(self, parcel: Parcel) -> tuple[float, str | None]:
        """Return the strongest activation and its gift, or None below the threshold; sometimes a look-alike."""
        sure = self.sure_of(parcel)
        if sure is not None:
            return self.activation_of(parcel, sure), sure
        found = self._activations(parcel, self._noise_from(self._random()))
        activation, gift = max(found) if found else (self.level.threshold, "")
        if activation <= self.level.threshold:
            return activation, None
        return activation, self.with_slip(gift, parcel, self._random())

    def _rehearse(self) -> None:
        """Recall one of a few cards, own ones first, and store the result, right or wrong."""
        columns = self.parcels.columns[self._seat :] + self.parcels.columns[: self._seat]
        cards = [parcel for column in columns for parcel in column][: self.level.rehearses]
        parcel = cards[int(self._random() * len(cards))]
        if parcel.gift is not None:
            return
        _, gift = self._recall(parcel)
        if gift is not None:
            self.memory.store(parcel, gift, self.clock)

    def _learn_from_refusal(self, event: Refused) -> None:
        """Forget the revealed gift, which lies open for good, and update both reputations."""
        self.memory.forget(event.gift)
        if event.claim is not None and event.claim != event.gift:
            self._refused = event.claim, self.clock
        receiver, giver = self.reputations[event.receiver], self.reputations[event.giver]
        receiver.refusals += 1
        receiver.wrong_refusals += event.claim == event.gift
        giver.record_claim(event.claim == event.gift)

    def _belief(self, parcel: Parcel, noise: Iterable[float], placed: Collection[str] | None = None) -> Belief:
        sure = self.sure_of(parcel)
        if sure is not None:
            return certain_belief(sure, self.activation_of(parcel, sure))
        found = self._activations(parcel, noise, placed)
        return form_belief(found, self.level, self.parcels.open_gifts, self._slip, self.look_alikes)

    def _activations(
        self, parcel: Parcel, noise: Iterable[float], placed: Collection[str] | None = None
    ) -> list[Activation]:
        on_top = self._on_top()
        placed, uncued = (on_top, 0.0) if placed is None else (placed, _UNCUED)
        return activations(self.memory, parcel, self.level, self.clock, noise, placed, self._avoidance, on_top, uncued)

    def _on_top(self) -> tuple[str, ...]:
        """Return the gift that lies on top of the own column, if this player is sure of it."""
        column = self.parcels.columns[self._seat]
        sure = self.sure_of(column[-1]) if column else None
        return () if sure is None else (sure,)

    def _noise_from(self, roll: float) -> Sequence[float]:
        """Return noise for all traces; the roll selects where it starts."""
        start = int(roll * NOISE_SAMPLES)
        return self._noise[start : start + len(self.memory.traces)]
