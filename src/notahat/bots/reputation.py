"""Reputation: what everyone could notice about the others, and what a giver may still know."""

from math import exp, log

from notahat.bots.parcel import Parcel

_HONEST, _FALSE = 6.0, 2.0  # the prior: of eight claims that come to light, two are false
JUST_SHOWN = 4.0  # everybody knows a card that was open a moment ago
_BY_PASS, _BY_AGE, _BY_HOLDING = 0.25, 0.06, 0.06
_TELLING = 1.5  # how much it gives away to be slower than usual
_MOST_TELLING = 1.0  # as a logarithm: beyond that something else held them up
_BLINK = 0.25  # nobody is quicker
_UNREAD = 2.0  # so many claims it takes to know half of what there is to know about someone's pace


class Reputation:
    """One seat's record: claims that came to light, and offers answered."""

    __slots__ = ("_claims", "_usual", "false", "offers", "refusals", "true", "wrong_refusals")

    def __init__(self) -> None:
        self.true = 0
        self.false = 0
        self.offers = 0
        self.refusals = 0
        self.wrong_refusals = 0
        self._claims = 0
        self._usual = 0.0  # the mean of the logarithms of the seconds they took to make a claim

    def took(self, seconds: float) -> float:
        """How much slower this seat was than it usually is, as a logarithm, as far as that is known.

        Everybody is compared with themselves: people are slower than computer players, and some
        people slower than others, without forgetting more or lying more.
        """
        logarithm = log(max(seconds, _BLINK))
        slower = (logarithm - self._usual) * self._claims / (self._claims + _UNREAD)
        self._claims += 1
        self._usual += (logarithm - self._usual) / self._claims
        return slower

    def honesty(self) -> float:
        """How much more or less the record lets one trust, on the logit scale."""
        return log((_HONEST + self.true) / (_FALSE + self.false)) - log(_HONEST / _FALSE)

    def doubt(self) -> float:
        """How often this seat refuses, from what was seen of it."""
        return (1.0 + self.refusals) / (9.0 + self.offers)

    def wrong_doubt(self) -> float:
        """How often this seat refuses true gifts."""
        return (0.5 + self.wrong_refusals) / (9.0 + self.offers)


def knowledge(parcel: Parcel, now: float, trust: float) -> float:
    """How likely someone who follows the table still knows a parcel, on the logit scale."""
    if parcel.passes == 0:
        return JUST_SHOWN
    forgotten = _BY_PASS * log(1.0 + parcel.passes)
    forgotten += _BY_AGE * log(1.0 + (now - parcel.shown_at) / 10.0)
    forgotten += _BY_HOLDING * log(1.0 + (now - parcel.since) / 10.0)
    return trust - forgotten


def tell(slower: float) -> float:
    """What a giver's hesitation gives away, on the logit scale: who is slower than usual may not know."""
    return -_TELLING * min(max(slower, -_MOST_TELLING), _MOST_TELLING)


def logistic(x: float) -> float:
    return 1.0 / (1.0 + exp(-x))


def logit(p: float) -> float:
    p = min(max(p, 1e-6), 1.0 - 1e-6)
    return log(p / (1.0 - p))
