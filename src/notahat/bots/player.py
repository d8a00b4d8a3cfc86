"""A computer player: a mind, a temper, and what it decides with them."""

from collections.abc import Sequence
from math import exp

from notahat.bots.belief import ANYTHING, WAVERS, Belief, wavering
from notahat.bots.bot import Answer
from notahat.bots.character import Character
from notahat.bots.give import Offer, best_offer, known_offer, safe_to_lie
from notahat.bots.level import Level
from notahat.bots.mind import Mind
from notahat.bots.parcel import Parcel
from notahat.bots.receive import refuses, truth
from notahat.bots.reputation import JUST_SHOWN, knowledge, logistic, tell
from notahat.bots.similarity import Likeness
from notahat.rules import Accept, Event, Give, Legal, Refuse, View
from notahat.rules.view import AnswerView

LONGEST_THOUGHT = 6.0
_QUICKEST = 0.7
_RECALL_SECONDS = 0.6
_BLUFF_SECONDS = 0.5
_SPREAD = 0.25 / 1.8138  # a lognormal spread of 0.25, from noise with a logistic's standard deviation
_ACTS_SURE, _ACTS_UNSURE = 0.0, 0.4  # activations that an actor's face shows, the latter above the threshold
_OVERACTS = 0.1  # how much rarer someone acts unsure than sure
_TRAINED_FACE = 0.4  # what a level that fakes its tells can do whatever its character
_LIES = 0.05
_SURE_ELSEWHERE = 0.5  # nobody likes to name what they believe to be in another parcel
_TRUSTS_ITSELF = 1.0  # who is more suspicious than this thinks twice about what it recognises


class Player:
    """Sees what is shown, keeps it in mind as well as its level can, and answers as its character is."""

    def __init__(
        self, level: Level, seat: int, seed: int, character: Character, likeness: Likeness | None = None
    ) -> None:
        self._level = level
        self._seat = seat
        self._seed = seed
        self._character = character
        self._poker_face = max(character.poker_face, _TRAINED_FACE if level.fakes_tells else 0.0)
        self._likeness = likeness
        self._mind: Mind | None = None

    @property
    def mind(self) -> Mind:
        """What it remembers and believes: for those who study it."""
        if self._mind is None:
            raise ValueError("a player who has seen nothing yet has nothing in mind")
        return self._mind

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        """Look round at first; from then on, follow what happens."""
        mind = self._mind
        if mind is None:
            self._mind = Mind(self._level, self._seat, self._seed, view, now, self._likeness)
            return
        for event in events:
            mind.notice(event, now)
        mind.look(view)

    def answer(self, view: View, legal: Legal, now: float) -> Answer:  # noqa: ARG002
        """Decide by what is in mind; what a mind holds does not depend on when it is asked."""
        hand = self.mind.parcels.hand
        if hand is None:
            raise ValueError("there is nothing to decide: nobody has a card in hand")
        phase = view.phase
        if type(phase) is AnswerView:
            return self._receive(view, phase, hand)
        return self._give(view, legal, hand)

    def _receive(self, view: View, phase: AnswerView, parcel: Parcel) -> Answer:
        claim, mind = phase.claim, self.mind
        sure = mind.sure_of(parcel)
        if sure is not None and claim is not None:
            return Answer(
                Accept(self._seat) if claim == sure else Refuse(self._seat), self._seconds(mind.readily(parcel, sure))
            )
        same = mind.recognised(parcel, claim) if claim is not None else None
        if same is not None and self._character.suspicion <= _TRUSTS_ITSELF:
            return Answer(Accept(self._seat), self._seconds(same.base_level(mind.clock)))
        mine = mind.belief(parcel)
        doubts = claim is not None and self._doubts(view, phase.giver, claim, parcel, mine)
        return Answer(Refuse(self._seat) if doubts else Accept(self._seat), self._seconds(mine.activation))

    def _doubts(self, view: View, giver: int, claim: str, parcel: Parcel, mine: Belief) -> bool:
        if claim in self.mind.parcels.open:
            return True
        here = mine.likely(claim)
        if self._level.gives_credit and not self.mind.memory.of(parcel):  # only other parcels speak against the name
            here = max(here, ANYTHING)
        likely = here * (1.0 - self.mind.elsewhere(parcel, claim))
        true = truth(likely, self._giver_knows(parcel, giver), parcel.passes, 1.0 - self._level.attention)
        return refuses(true, len(view.seats), self._character.suspicion)

    def _giver_knows(self, parcel: Parcel, giver: int) -> float:
        level, mind = self._level, self.mind
        if not level.reads_others:
            return logistic(level.trust if parcel.passes else JUST_SHOWN)
        record, face = mind.reputations[giver].honesty(), tell(mind.hesitation)
        return logistic(knowledge(parcel, self.mind.clock, level.trust) + record + face)

    def _give(self, view: View, legal: Legal, parcel: Parcel) -> Answer:
        mind, luck = self.mind, self.mind.dice
        mine = mind.belief(parcel)
        offer = known_offer(mine, legal.receivers) or self._weighed(view, legal, parcel, mine)
        claim, bluffs = mind.slipped(offer.claim, parcel, luck[2]), offer.true < 0.5
        gropes = parcel.doubted or claim != offer.claim  # for a word: it takes time, though another one comes out
        if not bluffs and luck[3] < self._character.boldness * _LIES:
            claim, bluffs = self._lie(claim, offer, parcel, mine)
        acting = luck[4] < (self._poker_face if bluffs else self._poker_face * _OVERACTS)
        to = offer.to if len(legal.receivers) > 1 else None
        return Answer(Give(self._seat, claim, to), self._seconds(mine.activation, bluffs or gropes, acting))

    def _weighed(self, view: View, legal: Legal, parcel: Parcel, mine: Belief) -> Offer:
        """What is best to say to whom, among all that comes to mind."""
        guesses = [gift for gift in mine.shares if self.mind.elsewhere(parcel, gift) < _SURE_ELSEWHERE]
        guesses = guesses or list(mine.shares) or [self._invented(self.mind.dice[1])]
        reputations = self.mind.reputations
        return best_offer(mine, guesses, legal.receivers, self._others_know(parcel), reputations, view.scores)

    def _others_know(self, parcel: Parcel) -> float:
        """How likely whoever receives a parcel still knows it."""
        return logistic(knowledge(parcel, self.mind.clock, self._level.trust)) if self._level.reads_others else 0.5

    def _lie(self, claim: str, offer: Offer, parcel: Parcel, mine: Belief) -> tuple[str, bool]:
        """Name another gift knowingly where that would hardly be refused; the bold think that nobody remembers."""
        others = sorted(gift for gift in mine.shares if gift != offer.claim)
        remembered = self._others_know(parcel) * (1.0 - self._character.boldness) ** 2
        if not others or not safe_to_lie(remembered, self.mind.reputations[offer.to]):
            return claim, False
        return others[int(self.mind.dice[1] * len(others))], True

    def _invented(self, luck: float) -> str:
        """Nothing comes to mind: something like a gift that lies open, or else anything at all."""
        visible, likeness = self.mind.parcels.open, self.mind.likeness
        alike = {gift for one in visible for gift in likeness.get(one, ())} - visible
        pool = sorted(alike or set(likeness) - visible)
        return pool[int(luck * len(pool))]

    def _seconds(self, activation: float, bluffs: bool = False, acting: bool = False) -> float:
        """Thinking takes longer the less readily something comes to mind, and bluffing longer still.

        Who acts shows the opposite: unsure when sure, sure when bluffing.
        """
        activation = max(activation, self._level.threshold)
        if acting:
            activation = _ACTS_SURE if bluffs else self._level.threshold + _ACTS_UNSURE
        spread = exp(_SPREAD * wavering()[int(self.mind.dice[1] * WAVERS)])
        seconds = _QUICKEST + _RECALL_SECONDS * exp(-activation) * spread
        if bluffs and not acting:
            seconds += _BLUFF_SECONDS
        return min(seconds, LONGEST_THOUGHT)
