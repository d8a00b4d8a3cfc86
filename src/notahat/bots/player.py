"""A computer player: it decides with a mind and a character. `Bot` is the interface of all."""

from collections.abc import Sequence
from math import exp
from typing import Protocol

from msgspec import Struct

from notahat.bots.decisions import (
    JUST_SHOWN,
    Offer,
    best_offer,
    claim_probability,
    doubt,
    hesitation_logit,
    knowledge_logit,
    known_offer,
    logistic,
)
from notahat.bots.memory import NOISE_SAMPLES, Belief, LookAlikes, logistic_noise
from notahat.bots.mind import Mind
from notahat.bots.parcel import Parcel
from notahat.bots.presets import Character, Level
from notahat.rules import Accept, Event, Give, Legal, Move, Refuse, View
from notahat.rules.view import AnswerView


class Answer(Struct, frozen=True):
    """A move, and how long the player thinks before making it."""

    move: Move
    seconds: float


class Bot(Protocol):
    """A computer player in one seat for one round: the same seed and the same calls of `see` give the same answers."""

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        """Take in the view and the events that led to it. The first call comes after the deal, without events."""

    def answer(self, view: View, legal: Legal, now: float) -> Answer:
        """Return a give, an accept or a refuse. The driver makes draw and wrap moves itself."""


LONGEST_THOUGHT = 6.0
_SHORTEST_THOUGHT = 0.7
_RECALL_SECONDS = 0.6
_BLUFF_SECONDS = 0.5
_GIVES_UP = -1.0  # a player searches no longer than for a memory of this activation: about two seconds
_CONFLICT_SECONDS = 1.2  # for an answer against what is remembered of the parcel, or after missing its last pass
_SPREAD = 0.55 / 1.8138  # a lognormal spread of 0.55, from noise with a logistic's standard deviation
_ACTED_SURE = 0.0  # the activation that an actor pretends; acting unsure is a search until it gives up
_OVERACTING = 0.3  # acting unsure is so much rarer than acting sure
_TRAINED_FACE = 0.3  # poker face of a level that fakes tells, whatever its character
_SHOWN_TO_ALL = 0.98  # trust in the name of a gift that only this player missed
_LOST_TRACK = 0.5  # self-doubt of a player that knows that it lost track of a parcel
_SECOND_THOUGHTS = 0.07  # the share of blanks in which a giver returns to a name that it gave up
_SURE_ELSEWHERE = 0.5  # above this a player avoids naming a gift that it believes to be in another parcel
_TRUSTS_MEMORY = 1.0  # above this suspicion a player reconsiders a claim that it recognises


class Player:
    """Remembers as well as its level allows, and answers according to its character."""

    def __init__(
        self, level: Level, seat: int, seed: int, character: Character, look_alikes: LookAlikes | None = None
    ) -> None:
        self._level = level
        self._seat = seat
        self._seed = seed
        self._character = character
        self._poker_face = max(character.poker_face, _TRAINED_FACE if level.fakes_tells else 0.0)
        self._look_alikes = look_alikes
        self._mind: Mind | None = None

    @property
    def mind(self) -> Mind:
        """Return what the player remembers and believes, for the laboratory."""
        if self._mind is None:
            raise ValueError("this player has not seen the table yet")
        return self._mind

    def see(self, view: View, events: Sequence[Event], now: float) -> None:
        """Create the mind at the first call; afterwards notice the events."""
        mind = self._mind
        if mind is None:
            self._mind = Mind(self._level, self._seat, self._seed, view, now, self._look_alikes)
            return
        for event in events:
            mind.notice(event, now)
        mind.see_shop(view)

    def answer(self, view: View, legal: Legal, now: float) -> Answer:  # noqa: ARG002
        """Decide from what was noticed; the time of the question does not matter."""
        hand = self.mind.parcels.hand
        if hand is None:
            raise ValueError("there is nothing to decide: no card is in hand")
        phase = view.phase
        if type(phase) is AnswerView:
            return self._receive(view, phase, hand)
        return self._give(view, legal, hand)

    def _receive(self, view: View, phase: AnswerView, parcel: Parcel) -> Answer:
        claim, mind = phase.claim, self.mind
        if claim is None:
            return self._reply(False, mind.belief(parcel).activation)
        same = mind.recognise(parcel, claim)
        if same is not None and self._character.suspicion <= _TRUSTS_MEMORY:
            return self._reply(False, same.base_level(mind.clock))
        mine = mind.belief(parcel)
        true = self._trust(phase.giver, claim, parcel, mine)
        refuses = mind.rolls.doubt < doubt(true, len(view.seats), self._character.suspicion, self._level.decision_noise)
        familiar = any(trace.gift == claim for trace in mind.memory.traces_of(parcel))
        hesitation = _CONFLICT_SECONDS * ((refuses is familiar) + mind.lost_track_of(parcel))
        return self._reply(refuses, mine.activation, hesitation)

    def _reply(self, refuses: bool, activation: float, hesitation: float = 0.0) -> Answer:
        """Return the answer. Against the own judgement, or after losing track, it takes longer."""
        seconds = min(self._thinking_seconds(activation) + hesitation, LONGEST_THOUGHT)
        return Answer(Refuse(self._seat) if refuses else Accept(self._seat), seconds)

    def _trust(self, giver: int, claim: str, parcel: Parcel, mine: Belief) -> float:
        """Return how probable a claim seems: own memory first, the giver second."""
        if claim in self.mind.parcels.open_gifts:
            return 0.0
        if not parcel.passes and not self.mind.memory.traces_of(parcel):
            return _SHOWN_TO_ALL  # all others have just seen it, and so has the giver
        believed = mine.probability(claim) * (1.0 - self.mind.certainty_elsewhere(parcel, claim))
        return claim_probability(believed, self._giver_knows(parcel, giver), self._lost(parcel))

    def _lost(self, parcel: Parcel) -> float:
        """Return how probable it seems to this player that it has confused a parcel with another."""
        if self.mind.sure_of(parcel) is not None:
            return 0.0
        return _LOST_TRACK if self.mind.lost_track_of(parcel) else self._level.self_doubt

    def _giver_knows(self, parcel: Parcel, giver: int) -> float:
        level, mind = self._level, self.mind
        if not level.reads_others:
            return logistic(level.trust if parcel.passes else JUST_SHOWN)
        honesty, hesitation = mind.reputations[giver].honesty_logit(), hesitation_logit(mind.hesitation)
        return logistic(knowledge_logit(parcel, mind.clock, level.trust) + honesty + hesitation)

    def _give(self, view: View, legal: Legal, parcel: Parcel) -> Answer:
        mind, rolls = self.mind, self.mind.rolls
        placed = mind.placed_for(parcel, legal.receivers) if mind.sure_of(parcel) is None else set()
        mine = mind.giver_belief(parcel, placed)
        offer = known_offer(mine, legal.receivers) or self._best_offer(view, legal, parcel, mine, placed)
        claim, bluffs = mind.with_slip(offer.claim, parcel, rolls.slip, placed), offer.true < 0.5
        hesitates = bool(parcel.given_up) or claim != offer.claim  # searching for a word takes time, even for a slip
        if not bluffs and parcel.passes and rolls.lie < self._character.boldness:
            claim, bluffs = self._lie(offer.claim, parcel, legal.receivers), True
        acting = rolls.act < (self._poker_face if bluffs else self._poker_face * _OVERACTING)
        to = offer.to if len(legal.receivers) > 1 else None
        seconds = self._thinking_seconds(mine.activation, bluffs or hesitates, acting)
        return Answer(Give(self._seat, claim, to), seconds)

    def _best_offer(self, view: View, legal: Legal, parcel: Parcel, mine: Belief, placed: set[str]) -> Offer:
        """Return the best claim and receiver among all gifts that are retrieved."""
        known = list(mine.probabilities)
        blank = mine.best is None and self.mind.rolls.choice <= _SECOND_THOUGHTS
        given_up = [gift for gift in parcel.given_up if blank and gift not in self.mind.parcels.open_gifts]
        guesses = given_up or self._plausible(parcel, known, placed)
        if not guesses:  # what others have just passed on is better than a gift that was never here
            near = self.mind.placed_for(parcel, legal.receivers, within=-1.0)
            guesses = [gift for gift in known if gift not in near]
        guesses = guesses or [self._invent_gift(self.mind.rolls.choice, placed)]
        others_know = 0.5
        if self._level.reads_others:
            others_know = logistic(knowledge_logit(parcel, self.mind.clock, self._level.trust))
        return best_offer(mine, guesses, legal.receivers, others_know, self.mind.reputations, view.scores)

    def _plausible(self, parcel: Parcel, gifts: list[str], placed: set[str]) -> list[str]:
        """Return the gifts that this player does not believe to be elsewhere, or all that it need not avoid."""
        free = [gift for gift in gifts if gift not in placed]
        return [gift for gift in free if self.mind.certainty_elsewhere(parcel, gift) < _SURE_ELSEWHERE] or free

    def _lie(self, truth: str, parcel: Parcel, receivers: Sequence[int]) -> str:
        """Return another gift that the receiver may take this one for."""
        mind = self.mind
        placed = mind.placed_for(parcel, receivers)
        names = {trace.gift for trace in mind.memory.traces} - {truth} - mind.parcels.open_gifts
        others = self._plausible(parcel, sorted(names), placed)
        roll = mind.rolls.choice
        return others[int(roll * len(others))] if others else self._invent_gift(roll, placed)

    def _invent_gift(self, roll: float, placed: set[str]) -> str:
        """Return a look-alike of an open gift, or any gift, when nothing is retrieved."""
        look_alikes = self.mind.look_alikes
        taken = self.mind.parcels.open_gifts | placed
        alike = {gift for one in self.mind.parcels.open_gifts for gift in look_alikes.get(one, ())} - taken
        pool = sorted(alike or set(look_alikes) - taken)
        return pool[int(roll * len(pool))]

    def _thinking_seconds(self, activation: float, bluffs: bool = False, acting: bool = False) -> float:
        """Return the thinking time: longer for weak memories and bluffs; an actor shows the opposite."""
        activation = max(activation, _GIVES_UP)
        if acting:
            activation = _ACTED_SURE if bluffs else _GIVES_UP
        spread = exp(_SPREAD * logistic_noise()[int(self.mind.rolls.choice * NOISE_SAMPLES)])
        seconds = _SHORTEST_THOUGHT + _RECALL_SECONDS * exp(-activation) * spread
        if bluffs and not acting:
            seconds += _BLUFF_SECONDS
        return min(seconds, LONGEST_THOUGHT)
