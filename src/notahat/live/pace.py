"""Durations in seconds at normal pace, for rooms and the laboratory.

Each event is shown as a scene; the next player starts to think when the scene is over.
"""

from collections.abc import Iterable, Sequence

from notahat.bots.player import LONGEST_THOUGHT
from notahat.rules import Accepted, Drawn, Event, Judged, Offered, Refused, Wrapped

# duration of each event's scene; the browser's animations take no longer
SCENE = {Drawn: 0.7, Wrapped: 1.0, Offered: 0.9, Accepted: 2.2, Refused: 5.2, Judged: 2.4}
REVEAL = 1.6  # the part of a refusal's scene in which the gift is read; a brisk pace does not shorten it
# Seconds that one person alone has at any pace to judge a claim between computer players, and their longest thought:
# for the first claim since the person's last move, the second, and so on. The longer the wait, the less is added to it.
VOTES = (2.4, 1.8, 1.3, 0.9, 0.7, 0.5)
THOUGHTS = (LONGEST_THOUGHT, 2.0, 1.0, 0.7, 0.5, 0.5)
CLAIM_TRAVELS = 0.52  # the part of an offer's scene before the claim is shown
CATCH_BREATH = 0.3
SETTLING_DOWN = 2.0
LOOK_AT_A_GIFT = 2.0  # as long as a screen reader takes to say whose it is and what
LAST_LOOK = 1.0  # at a gift that has been open since the deal
REACH_FOR_THE_SHOP = 0.4
NEXT_ROUND = 4.0
AWAY_AFTER = 3.0
LONG_AWAY = 20.0
HOST_AWAY = 60.0

# the option `pace` as a speed factor
SPEED = {"relaxed": 0.7, "normal": 1.0, "brisk": 1.7}


def scene(events: Iterable[Event]) -> float:
    """Return how long the scenes of these events take."""
    return sum(SCENE.get(type(event), 0.0) for event in events)


def first_look(gifts: int) -> float:
    """Return how long people look at the open gifts before a computer player draws first."""
    return SETTLING_DOWN + gifts * LOOK_AT_A_GIFT


def wrap_after(show_seconds: float, from_shop: bool, events: Iterable[Event]) -> float:
    """Return after how long an open card wraps itself. Only a new gift is shown for `show_seconds`."""
    return max(show_seconds if from_shop else min(show_seconds, LAST_LOOK), scene(events))


def draw_after(events: Iterable[Event], speed: float = 1.0) -> float:
    """Return after how long a computer player draws at a table of this speed."""
    revealed = any(isinstance(event, Refused) for event in events)
    return scene(events) + REACH_FOR_THE_SHOP + (REVEAL * (max(1.0, speed) - 1.0) if revealed else 0.0)


def move_after(thinking: float, events: Iterable[Event]) -> float:
    """Return after how long a computer player gives or answers."""
    return scene(events) + min(thinking, LONGEST_THOUGHT)


def answer_after_vote(thinking: float, events: Iterable[Event], passes: int, speed: float) -> float:
    """Return after how long a computer player answers another one, if one person alone may vote meanwhile and has
    watched so many passes since the last own move.
    """
    return max(move_after(_hurried(thinking, passes), events), CLAIM_TRAVELS + _at(VOTES, passes) * speed)


def give_while_shown(thinking: float, events: Iterable[Event], passes: int) -> float:
    """Return after how long a computer player gives, if it thinks while the last move is shown to one person alone."""
    return max(_hurried(thinking, passes), scene(events) + CATCH_BREATH)


def _hurried(thinking: float, passes: int) -> float:
    return min(thinking, _at(THOUGHTS, passes))


def _at(values: Sequence[float], passes: int) -> float:
    return values[min(passes, len(values) - 1)]
