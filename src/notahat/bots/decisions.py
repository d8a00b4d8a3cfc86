"""Decisions: what to claim, to whom, and whether to accept a claim; and the reputations that they depend on."""

from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

from notahat.bots.memory import Belief
from notahat.bots.parcel import Parcel

_PRIOR_TRUE, _PRIOR_FALSE = 6.0, 2.0  # the prior: of eight claims that come to light, two are false
_MAX_HONESTY = 0.9  # as a logit; with unbounded trust a table of elephants would accept everything
JUST_SHOWN = 4.0  # logit of knowing a card that was open a moment ago
_BY_PASS, _BY_AGE, _BY_HOLDING = 0.25, 0.06, 0.06
_HESITATION_WEIGHT = 0.3
_MAX_HESITATION = 1.0  # as a logarithm; a longer delay has other causes
_MIN_SECONDS = 0.25
_PACE_PRIOR = 2.0  # the number of claims after which half of a seat's usual pace is known


class Reputation:
    """One seat's record: its revealed claims, its answers to offers, and its pace."""

    __slots__ = ("_mean_log_seconds", "_timed", "false_claims", "offers", "refusals", "true_claims", "wrong_refusals")

    def __init__(self) -> None:
        self.true_claims = 0
        self.false_claims = 0
        self.offers = 0
        self.refusals = 0
        self.wrong_refusals = 0
        self._timed = 0
        self._mean_log_seconds = 0.0

    def record_time(self, seconds: float) -> float:
        """Record the time of a claim; return how much slower it was than usual for this seat, as a logarithm."""
        logarithm = log(max(seconds, _MIN_SECONDS))
        slower = (logarithm - self._mean_log_seconds) * self._timed / (self._timed + _PACE_PRIOR)
        self._timed += 1
        self._mean_log_seconds += (logarithm - self._mean_log_seconds) / self._timed
        return slower

    def record_claim(self, true: bool) -> None:
        """Record a claim that came to light, or that agrees or not with what the observer firmly remembers."""
        if true:
            self.true_claims += 1
        else:
            self.false_claims += 1

    def honesty_logit(self) -> float:
        """Return how much the record changes the trust in this seat."""
        odds = (_PRIOR_TRUE + self.true_claims) / (_PRIOR_FALSE + self.false_claims)
        return min(log(odds) - log(_PRIOR_TRUE / _PRIOR_FALSE), _MAX_HONESTY)

    def refusal_rate(self) -> float:
        """Estimate how often this seat refuses."""
        return (1.0 + self.refusals) / (9.0 + self.offers)

    def wrong_refusal_rate(self) -> float:
        """Estimate how often this seat refuses true claims."""
        return (0.5 + self.wrong_refusals) / (9.0 + self.offers)


def knowledge_logit(parcel: Parcel, now: float, trust: float) -> float:
    """Return the logit of the probability that an attentive player still knows a parcel."""
    if parcel.passes == 0:
        return JUST_SHOWN
    forgotten = _BY_PASS * log(1.0 + parcel.passes)
    forgotten += _BY_AGE * log(1.0 + (now - parcel.shown_at) / 10.0)
    forgotten += _BY_HOLDING * log(1.0 + (now - parcel.held_since) / 10.0)
    return trust - forgotten


def hesitation_logit(slower: float) -> float:
    """Return how much a giver's hesitation lowers the trust that it knows the gift."""
    return -_HESITATION_WEIGHT * min(max(slower, -_MAX_HESITATION), _MAX_HESITATION)


def logistic(x: float) -> float:
    return 1.0 / (1.0 + exp(-x))


def logit(p: float) -> float:
    p = min(max(p, 1e-6), 1.0 - 1e-6)
    return log(p / (1.0 - p))


_SURE_ABOVE = 0.6


class Offer(NamedTuple):
    """A claim, its receiver, and the probability that it is true."""

    claim: str
    to: int
    true: float


def refusal_probability(true: float, receiver_knows: float, reputation: Reputation) -> float:
    """Return the probability that the receiver refuses a claim which is true with probability `true`."""
    usual = reputation.refusal_rate()
    return receiver_knows * (1.0 - true) + (1.0 - receiver_knows * (1.0 - true)) * usual


def expected_value(true: float, refused: float, players: int) -> float:
    """Return the value of a claim: refusing a true one costs the receiver a penalty, a false one the giver."""
    return refused * (true / (players - 1) - (1.0 - true))


def known_offer(mine: Belief, receivers: Sequence[int]) -> Offer | None:
    """Return the truth if it is known and there is only one receiver: a true claim costs the giver nothing."""
    if len(receivers) > 1 or mine.best is None or mine.probabilities[mine.best] <= _SURE_ABOVE:
        return None
    return Offer(mine.best, receivers[0], mine.probabilities[mine.best])


def best_offer(
    mine: Belief,
    guesses: Sequence[str],
    receivers: Sequence[int],
    receiver_knows: float,
    reputations: Sequence[Reputation],
    scores: Sequence[int],
) -> Offer:
    """Return the claim and receiver with the best expected value; prefer the leader among equals."""
    players = len(scores)
    offers = (
        (_offer_value(true, receiver_knows, reputations[to], players), -scores[to], true, claim, to)
        for claim in guesses
        for true in (mine.probability(claim),)
        for to in receivers
    )
    _, _, true, claim, to = max(offers)
    return Offer(claim, to, true)


def _offer_value(true: float, receiver_knows: float, reputation: Reputation, players: int) -> float:
    refused = refusal_probability(true, receiver_knows, reputation)
    if true > _SURE_ABOVE:  # count only wrong refusals
        refused = reputation.wrong_refusal_rate() + refused * (1.0 - true)
    return expected_value(true, refused, players)


_FALSE_CARD = 0.30  # the later cost of accepting a falsely named card
_TRUE_CARD = 0.05  # the later cost of accepting a truly named card
_LUCKY_GUESS = 0.30  # the probability that a giver who does not know is right
_OTHER_GUESSES = 3.0  # the number of wrong gifts such a giver may name
_USUALLY_TRUE = 0.6  # what a player who has confused the cards believes of a claim
_MAX_EVIDENCE = 25.0  # bounds how much a giver changes the odds, so that a clear own memory outweighs it


def claim_probability(believed: float, giver_knows: float, lost: float) -> float:
    """Return how probable a claim is. `lost` weakens own belief and giver's knowledge alike, or nobody would refuse."""
    own = believed + lost * (_USUALLY_TRUE - believed)
    knows = giver_knows * (1.0 - lost)
    if_true = knows + (1.0 - knows) * _LUCKY_GUESS
    if_false = (1.0 - knows) * (1.0 - _LUCKY_GUESS) / _OTHER_GUESSES
    evidence = if_true / (if_false + if_true / _MAX_EVIDENCE)
    return own * evidence / (own * evidence + 1.0 - own)


def doubt(true: float, players: int, suspicion: float, noise: float) -> float:
    """Return the probability of a refusal: 0.5 at the threshold, which suspicion raises; noise makes it gradual."""
    gain = 1.0 / (players - 1) + _FALSE_CARD
    threshold = gain / (1.0 + gain - _TRUE_CARD)  # 0.40 with four players
    return logistic((logit(threshold) + suspicion - logit(true)) / noise)
