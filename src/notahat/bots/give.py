"""Giving: name the gift, or the best guess, and with arrows everywhere pick who gets it."""

from collections.abc import Sequence
from typing import NamedTuple

from notahat.bots.belief import Belief
from notahat.bots.reputation import Reputation

_SURE = 0.6
_SAFE_LIE = 0.09  # a lie pays only where it is refused less often than this


class Offer(NamedTuple):
    """A claim, whom it goes to, and how likely it is true."""

    claim: str
    to: int
    true: float


def doubted(true: float, receiver_knows: float, reputation: Reputation) -> float:
    """How likely the receiver refuses a claim that I think true with this likelihood."""
    usual = reputation.doubt()
    return receiver_knows * (1.0 - true) + (1.0 - receiver_knows * (1.0 - true)) * usual


def value(true: float, refused: float, players: int) -> float:
    """What a claim is worth: a true one refused costs the receiver, a false one me."""
    return refused * (true / (players - 1) - (1.0 - true))


def known_offer(mine: Belief, receivers: Sequence[int]) -> Offer | None:
    """The truth, where it is known and there is nobody to choose: it cannot be penalised."""
    if len(receivers) > 1 or mine.best is None or mine.shares[mine.best] <= _SURE:
        return None
    return Offer(mine.best, receivers[0], mine.shares[mine.best])


def best_offer(
    mine: Belief,
    guesses: Sequence[str],
    receivers: Sequence[int],
    receiver_knows: float,
    reputations: Sequence[Reputation],
    scores: Sequence[int],
) -> Offer:
    """The claim and receiver with the best expected value; among equals, the one in the lead."""
    players = len(scores)
    offers = (
        (value(true, _refused(true, receiver_knows, reputations[to]), players), -scores[to], true, claim, to)
        for claim in guesses
        for true in (mine.likely(claim),)
        for to in receivers
    )
    _, _, true, claim, to = max(offers)
    return Offer(claim, to, true)


def _refused(true: float, receiver_knows: float, reputation: Reputation) -> float:
    """Where I am sure only wrong doubts count, else all of them."""
    if true > _SURE:
        return reputation.wrong_doubt() + doubted(true, receiver_knows, reputation) * (1.0 - true)
    return doubted(true, receiver_knows, reputation)


def safe_to_lie(receiver_knows: float, reputation: Reputation) -> bool:
    """Whether a knowing lie would hardly ever be refused."""
    return doubted(0.0, receiver_knows, reputation) < _SAFE_LIE
