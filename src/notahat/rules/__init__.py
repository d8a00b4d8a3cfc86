"""The game itself: pure values and functions, with no clock, randomness, I/O or human language."""

from notahat.rules.card import Back, Card
from notahat.rules.events import (
    Accepted,
    Drawn,
    Ended,
    Event,
    Judged,
    Offered,
    Penalised,
    Refused,
    Wrapped,
)
from notahat.rules.illegal import Illegal, Reason
from notahat.rules.match import Match, agree, deal_round, drop, join, play_match
from notahat.rules.moves import Accept, Draw, Give, Judge, Move, Refuse, Wrap
from notahat.rules.round import Legal, Round, cards_needed, deal, legal, play, receivers
from notahat.rules.view import FaceDown, FaceUp, View, view

__all__ = [
    "Accept",
    "Accepted",
    "Back",
    "Card",
    "Draw",
    "Drawn",
    "Ended",
    "Event",
    "FaceDown",
    "FaceUp",
    "Give",
    "Illegal",
    "Judge",
    "Judged",
    "Legal",
    "Match",
    "Move",
    "Offered",
    "Penalised",
    "Reason",
    "Refuse",
    "Refused",
    "Round",
    "View",
    "Wrap",
    "Wrapped",
    "agree",
    "cards_needed",
    "deal",
    "deal_round",
    "drop",
    "join",
    "legal",
    "play",
    "play_match",
    "receivers",
    "view",
]
