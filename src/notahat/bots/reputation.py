"""Reputation: what everybody could notice about a seat, and what a giver may still know."""

from math import exp, log

from notahat.bots.parcel import Parcel

_PRIOR_TRUE, _PRIOR_FALSE = 6.0, 2.0  # the prior: of eight claims that come to light, two are false
JUST_SHOWN = 4.0  # logit of knowing a card that was open a moment ago
_BY_PASS, _BY_AGE, _BY_HOLDING = 0.25, 0.06, 0.06
_HESITATION_WEIGHT = 1.0
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
        """Record the time of a claim, and return how much slower it was than usual, as a logarithm.

        Each seat is compared with itself: slow people do not forget more or lie more than quick ones.
        """
        logarithm = log(max(seconds, _MIN_SECONDS))
        slower = (logarithm - self._mean_log_seconds) * self._timed / (self._timed + _PACE_PRIOR)
        self._timed += 1
        self._mean_log_seconds += (logarithm - self._mean_log_seconds) / self._timed
        return slower

    def honesty_logit(self) -> float:
        """Return how much the record changes the trust in this seat."""
        odds = (_PRIOR_TRUE + self.true_claims) / (_PRIOR_FALSE + self.false_claims)
        return log(odds) - log(_PRIOR_TRUE / _PRIOR_FALSE)

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
