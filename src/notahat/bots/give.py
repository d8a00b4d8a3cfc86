"""Decide what to claim, and who receives a card with an `any` back."""

from collections.abc import Sequence
from typing import NamedTuple

from notahat.bots.belief import Belief
from notahat.bots.reputation import Reputation

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
