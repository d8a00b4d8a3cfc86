"""A computer player: memory, beliefs and decisions of one seat for one round."""

from collections.abc import Sequence
from math import exp
from random import Random

from notahat.bots.belief import Belief, Thought, belief, slip, thoughts, wavering
from notahat.bots.bot import Answer
from notahat.bots.character import Character
from notahat.bots.give import Offer, best_offer, safe_to_lie
from notahat.bots.level import Level
from notahat.bots.likeness import look_alikes
from notahat.bots.memory import Memory
from notahat.bots.parcel import Parcel, Parcels
from notahat.bots.receive import refuses, truth
from notahat.bots.reputation import JUST_SHOWN, Reputation, knowledge, logistic, tell
from notahat.rules import Accept, Accepted, Drawn, Event, Give, Legal, Offered, Refuse, Refused, View, Wrapped
from notahat.rules.view import AnswerView

LONGEST_THOUGHT = 6.0
_QUICKEST = 0.7
_RECALL_SECONDS = 0.6
_BLUFF_SECONDS = 0.5
_SPREAD = 0.25
_LOGISTIC_SD = 1.8138
_WAVERS = 4096
_ACTS_SURE, _ACTS_UNSURE = 0.0, 0.4  # activations that an actor's face shows, the latter above the threshold
_OVERACTS = 0.1  # how much rarer someone acts unsure than sure
_TRAINED_FACE = 0.4  # what a level that fakes its tells can do whatever its character
_MIXES_UP = 0.15  # of the passes that were missed, so many leave two parcels mixed up
_REHEARSES = 0.10
_FIRM, _FIRMNESS = 0.8, 0.4  # how far above the threshold a memory must be to stand against a claim
_LIES = 0.05


class Player:
    """Sees what is shown, keeps it in mind as well as its level can, and answers as its character is.

    All luck of what it notices comes from one generator that only `see` advances; the luck of an
    answer is rolled by the sight before it. So asking twice, or a player rebuilt from the same
    sights, gives the same answer.
    """

    def __init__(self, level: Level, seat: int, seed: int, character: Character) -> None:
        self._level = level
        self._seat = seat
        self._character = character
        self._poker_face = max(character.poker_face, _TRAINED_FACE if level.fakes_tells else 0.0)
        self._random = Random(seed)
        self._roll = self._random.random
        self._memory = Memory()
        self._parcels: Parcels | None = None
        self._reputations: list[Reputation] = []
        self._claim: str | None = None
        self._asked_at = 0.0
        self._hesitation = 0.0
        self._dice = (0.5, 0.5, 0.5, 0.5, 0.5)

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        parcels = self._parcels
        if parcels is None:
            self._parcels = self._look_round(view, now)
            return
        for event in events:
            self._notice(parcels, event, now)

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        """Give, accept or refuse."""
        parcels = self._parcels
        if parcels is None:
            parcels = self._parcels = self._look_round(view, now)
        if parcels.hand is None:
            raise ValueError("there is nothing to decide: no wrapped card is in anyone's hand")
        mine = self._belief(parcels, parcels.hand, now)
        if "give" in legal.moves:
            return self._give(view, legal, parcels, parcels.hand, mine, now)
        return self._receive(view, parcels, parcels.hand, mine, now)

    def guess(self, parcel: Parcel, now: float) -> Belief:
        """What it thinks a parcel holds, free of passing noise: for those who study it."""
        still = (0.0,) * len(self._memory.traces)
        return belief(thoughts(self._memory, parcel, self._level, now, still), self._level, self._open(parcel))

    def impression(self, now: float) -> Belief:
        """What it thinks is in the giver's hand at this moment, noise included."""
        if self._parcels is None or self._parcels.hand is None:
            raise ValueError("nobody has a card in hand")
        return self._belief(self._parcels, self._parcels.hand, now)

    @property
    def parcels(self) -> Parcels | None:
        """The table as it has it in mind: for those who study it."""
        return self._parcels

    def _look_round(self, view: View, now: float) -> Parcels:
        parcels = Parcels(view, now)
        self._reputations = [Reputation() for _ in view.seats]
        self._asked_at = now
        if isinstance(view.phase, AnswerView):
            self._claim = view.phase.claim
        for column in parcels.columns:
            for parcel in column:
                self._take_in(parcel, now)
        return parcels

    def _notice(self, parcels: Parcels, event: Event, now: float) -> None:
        roll = self._roll
        kind = type(event)
        if kind is Accepted:
            self._pass(parcels, event, now)
            self._asked_at = now
        elif kind is Offered:
            parcels.follow(event, now)
            self._claim = event.claim
            self._hesitation = now - self._asked_at
            self._reputations[event.receiver].offers += 1
        elif kind is Wrapped:
            if parcels.hand is not None:
                self._take_in(parcels.hand, now)
            parcels.follow(event, now)
            self._asked_at = now
        elif kind is Drawn:
            parcels.follow(event, now)
            if parcels.hand is not None:
                self._take_in(parcels.hand, now)
        elif kind is Refused:
            parcels.follow(event, now)
            self._learn(event)
            return
        else:
            return
        self._rehearse(parcels, now)
        self._dice = (roll(), roll(), roll(), roll(), roll())

    def _take_in(self, parcel: Parcel, now: float) -> None:
        """Look at an open card, unless it is another's and the mind is elsewhere."""
        attentive = self._roll() < self._level.attention
        if parcel.gift is not None and (attentive or parcel.holder == self._seat):
            self._memory.store(parcel, parcel.gift, now)

    def _pass(self, parcels: Parcels, event: Accepted, now: float) -> None:
        moved = parcels.hand
        attentive = self._roll() < self._level.attention
        if attentive and moved is not None and self._claim is not None:
            self._hear(parcels, moved, self._claim, now)
        parcels.follow(event, now)
        if not attentive and self._roll() < _MIXES_UP:
            parcels.mix_up(event.receiver)

    def _hear(self, parcels: Parcels, parcel: Parcel, claim: str, now: float) -> None:
        """Believe the own memory where it agrees or is firm, else the claim."""
        activation, gift = self._recall(parcel, now)
        if gift is None:
            activation = self._level.threshold
        if gift != claim:
            swayed = logistic(-(activation - self._level.threshold - _FIRM) / _FIRMNESS)
            if gift is None or (self._roll() < swayed and claim not in parcels.open):
                gift = claim
        self._memory.store(parcel, gift, now)

    def _recall(self, parcel: Parcel, now: float) -> tuple[float, str | None]:
        """What comes to mind first, if anything does; now and then a look-alike of it."""
        found = self._thoughts(parcel, now, self._roll())
        if not found:
            return self._level.threshold, None
        activation, gift = max(found)
        if activation < self._level.threshold:
            return activation, None
        return activation, self._slipped(gift, parcel, self._roll())

    def _slipped(self, gift: str, parcel: Parcel, luck: float) -> str:
        """Now and then a look-alike comes out instead, but not of a card that was open a moment ago."""
        alike = look_alikes().get(gift, ())
        each = slip(self._level)
        if parcel.passes == 0 or luck >= each * len(alike):
            return gift
        return alike[int(luck / each)]

    def _rehearse(self, parcels: Parcels, now: float) -> None:
        """Repeat a few cards to oneself, the own ones first; what is found is stored, right or wrong."""
        chance = _REHEARSES * self._level.attention
        left, seats, roll = self._level.rehearses, len(parcels.columns), self._roll
        for step in range(seats):
            for parcel in parcels.columns[(self._seat + step) % seats]:
                if left == 0:
                    return
                left -= 1
                if parcel.gift is None and roll() < chance:
                    _, gift = self._recall(parcel, now)
                    if gift is not None:
                        self._memory.store(parcel, gift, now)

    def _learn(self, event: Refused) -> None:
        self._memory.settle(event.gift)
        receiver, giver = self._reputations[event.receiver], self._reputations[event.giver]
        receiver.refusals += 1
        if event.claim == event.gift:
            receiver.wrong_refusals += 1
            giver.true += 1
        else:
            giver.false += 1

    def _thoughts(self, parcel: Parcel, now: float, luck: float) -> list[Thought]:
        start = int(luck * _WAVERS)
        return thoughts(self._memory, parcel, self._level, now, wavering()[start : start + 256])

    def _belief(self, parcels: Parcels, parcel: Parcel, now: float) -> Belief:
        return belief(self._thoughts(parcel, now, self._dice[0]), self._level, self._open(parcel))

    def _open(self, parcel: Parcel) -> set[str]:
        if self._parcels is None:
            return set()
        return self._parcels.open

    def _receive(self, view: View, parcels: Parcels, parcel: Parcel, mine: Belief, now: float) -> Answer:
        phase = view.phase
        assert isinstance(phase, AnswerView)  # noqa: S101
        claim = phase.claim
        seconds = self._seconds(mine, bluffs=False)
        if claim is None:
            return Answer(Accept(self._seat), seconds)
        if claim in parcels.open or claim == view.shop.top:
            return Answer(Refuse(self._seat), seconds)
        true = truth(
            mine, claim, self._giver_knows(parcel, phase.giver, now), parcel.passes, 1.0 - self._level.attention
        )
        if refuses(true, len(view.seats), self._character.suspicion):
            return Answer(Refuse(self._seat), seconds)
        return Answer(Accept(self._seat), seconds)

    def _giver_knows(self, parcel: Parcel, giver: int, now: float) -> float:
        if not self._level.reads_others:
            return logistic(self._level.trust if parcel.passes else JUST_SHOWN)
        seen = knowledge(parcel, now, self._level.trust)
        return logistic(seen + self._reputations[giver].honesty() + tell(self._hesitation))

    def _give(self, view: View, legal: Legal, parcels: Parcels, parcel: Parcel, mine: Belief, now: float) -> Answer:
        known = logistic(knowledge(parcel, now, self._level.trust)) if self._level.reads_others else 0.5
        guesses = [gift for gift in mine.shares if gift not in parcels.open and gift != view.shop.top]
        if not guesses:
            guesses = [self._invented(parcels, view)]
        offer = best_offer(mine, guesses, legal.receivers, known, self._reputations, view.scores)
        claim, bluffs = offer.claim, offer.true < 0.5
        if not bluffs:
            claim = self._slipped(claim, parcel, self._dice[2])
            if self._lies(known, offer):
                others = sorted(gift for gift in guesses if gift != claim)
                if others:
                    claim, bluffs = others[int(self._dice[1] * len(others))], True
        to = offer.to if len(legal.receivers) > 1 else None
        acting = self._dice[4] < (self._poker_face if bluffs else self._poker_face * _OVERACTS)
        return Answer(Give(self._seat, claim, to), self._seconds(mine, bluffs, acting))

    def _lies(self, known: float, offer: Offer) -> bool:
        boldness = self._character.boldness * _LIES
        return self._dice[3] < boldness and safe_to_lie(known, self._reputations[offer.to])

    def _invented(self, parcels: Parcels, view: View) -> str:
        """Nothing comes to mind: something like a gift that lies open, or else anything at all."""
        seen = sorted(parcels.open)
        alike = sorted({gift for one in seen for gift in look_alikes().get(one, ())} - parcels.open - {view.shop.top})
        pool = alike or sorted(set(look_alikes()) - parcels.open - {view.shop.top})
        return pool[int(self._dice[1] * len(pool))]

    def _seconds(self, mine: Belief, bluffs: bool, acting: bool = False) -> float:
        """Thinking takes longer the less readily something comes to mind, and bluffing longer still.

        Who acts shows the opposite: unsure when sure, sure when bluffing.
        """
        activation = max(mine.activation, self._level.threshold)
        if acting:
            activation = _ACTS_SURE if bluffs else self._level.threshold + _ACTS_UNSURE
        spread = exp(_SPREAD * wavering()[int(self._dice[1] * _WAVERS)] / _LOGISTIC_SD)
        seconds = _QUICKEST + _RECALL_SECONDS * exp(-activation) * spread
        if bluffs and not acting:
            seconds += _BLUFF_SECONDS
        return min(seconds, LONGEST_THOUGHT)
