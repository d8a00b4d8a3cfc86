"""Receiving: accept, or refuse where a false claim is likely enough."""

from notahat.bots.reputation import logistic, logit

_FALSE_CARD = 0.30  # what a falsely named card costs its new owner later
_TRUE_CARD = 0.05  # and a truly named one
_LUCKY_GUESS = 0.30  # how often a giver who does not know is right all the same
_OTHER_GUESSES = 3.0  # and how many wrong gifts such a giver may name
_LOST_BY_MISSING = 1.2  # how often a parcel that went round for long is taken for another, for each missed pass
_LOST_AT_MOST = 0.15
_STILL_TRACKED = 0.9  # and how slowly that comes, by each pass


def refusal_point(players: int) -> float:
    """Refuse when the claim is less likely true than this: 0.40 with four players."""
    gain = 1.0 / (players - 1) + _FALSE_CARD
    return gain / (1.0 + gain - _TRUE_CARD)


def truth(likely: float, giver_knows: float, passes: int, missed: float) -> float:
    """How likely a claim is true: the own belief, weighed with how likely the giver knows.

    Parcels get mixed up in everybody's mind, so losing track blurs the own belief and the giver's
    knowledge alike. Blurring the own belief only would end in a table where nobody ever refuses.
    """
    lost = min(_LOST_BY_MISSING * missed, _LOST_AT_MOST)
    kept = 1.0 - lost * (1.0 - _STILL_TRACKED**passes)
    own = likely * kept + (1.0 - kept) / _OTHER_GUESSES
    knows = giver_knows * kept
    if_true = knows + (1.0 - knows) * _LUCKY_GUESS
    if_false = (1.0 - knows) * (1.0 - _LUCKY_GUESS) / _OTHER_GUESSES
    return own * if_true / (own * if_true + (1.0 - own) * if_false)


def refuses(true: float, players: int, suspicion: float) -> bool:
    """Suspicious players refuse what others would still accept."""
    return true < logistic(logit(refusal_point(players)) + suspicion)
