"""Decide whether to accept a claim or refuse it."""

from notahat.bots.reputation import logistic, logit

_FALSE_CARD = 0.30  # the later cost of accepting a falsely named card
_TRUE_CARD = 0.05  # the later cost of accepting a truly named card
_LUCKY_GUESS = 0.30  # the probability that a giver who does not know is right
_OTHER_GUESSES = 3.0  # the number of wrong gifts such a giver may name
_USUALLY_TRUE = 0.4  # what a player who has confused the cards believes of a claim
_MAX_EVIDENCE = 25.0  # bounds how much a giver changes the odds, so that a clear own memory outweighs it


def refusal_threshold(players: int) -> float:
    """Return the probability of truth below which a refusal pays: 0.40 with four players."""
    gain = 1.0 / (players - 1) + _FALSE_CARD
    return gain / (1.0 + gain - _TRUE_CARD)


def claim_probability(believed: float, giver_knows: float, lost: float) -> float:
    """Return the probability that a claim is true, from the own belief and from how likely the giver knows.

    Players confuse parcels with probability `lost`. This weakens the own belief and the giver's knowledge alike:
    weakening only the own belief would lead to tables where no claim is ever refused.
    """
    own = believed + lost * (_USUALLY_TRUE - believed)
    knows = giver_knows * (1.0 - lost)
    if_true = knows + (1.0 - knows) * _LUCKY_GUESS
    if_false = (1.0 - knows) * (1.0 - _LUCKY_GUESS) / _OTHER_GUESSES
    evidence = if_true / (if_false + if_true / _MAX_EVIDENCE)
    return own * evidence / (own * evidence + 1.0 - own)


def doubt(true: float, players: int, suspicion: float, noise: float) -> float:
    """Return the probability of a refusal: 0.5 at the threshold, which suspicion raises; noise makes it gradual."""
    return logistic((logit(refusal_threshold(players)) + suspicion - logit(true)) / noise)
