"""Decide whether to accept a claim or refuse it."""

from notahat.bots.reputation import logistic, logit

_FALSE_CARD = 0.30  # the later cost of accepting a falsely named card
_TRUE_CARD = 0.05  # the later cost of accepting a truly named card
_LUCKY_GUESS = 0.30  # the probability that a giver who does not know is right
_OTHER_GUESSES = 3.0  # the number of wrong gifts such a giver may name
_LOST_BY_INATTENTION = 1.2  # the share of parcels confused in the long run, for each missed pass
_LOST_AT_MOST = 0.15
_TRACKED_PER_PASS = 0.9  # how slowly that share is approached


def refusal_threshold(players: int) -> float:
    """Return the probability of truth below which a refusal pays: 0.40 with four players."""
    gain = 1.0 / (players - 1) + _FALSE_CARD
    return gain / (1.0 + gain - _TRUE_CARD)


def claim_probability(believed: float, giver_knows: float, passes: int, inattention: float) -> float:
    """Return the probability that a claim is true, from the own belief and from how likely the giver knows.

    Players confuse parcels. This weakens the own belief and the giver's knowledge alike: weakening only the own
    belief would lead to tables where no claim is ever refused.
    """
    lost = min(_LOST_BY_INATTENTION * inattention, _LOST_AT_MOST)
    tracked = 1.0 - lost * (1.0 - _TRACKED_PER_PASS**passes)
    own = believed * tracked + (1.0 - tracked) / _OTHER_GUESSES
    knows = giver_knows * tracked
    if_true = knows + (1.0 - knows) * _LUCKY_GUESS
    if_false = (1.0 - knows) * (1.0 - _LUCKY_GUESS) / _OTHER_GUESSES
    return own * if_true / (own * if_true + (1.0 - own) * if_false)


def should_refuse(true: float, players: int, suspicion: float) -> bool:
    """Return whether to refuse a claim that is true with probability `true`; suspicion raises the threshold."""
    return true < logistic(logit(refusal_threshold(players)) + suspicion)
