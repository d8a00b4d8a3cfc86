"""Durations in seconds at normal pace, for rooms and the laboratory.

Each event is shown as a scene; the next player starts to think when the scene is over.
"""

from collections.abc import Iterable

from notahat.bots.player import LONGEST_THOUGHT
from notahat.rules import Accepted, Drawn, Event, Judged, Offered, Refused, Wrapped

# duration of each event's scene; the browser's animations take no longer
SCENE = {Drawn: 0.7, Wrapped: 1.0, Offered: 0.9, Accepted: 2.2, Refused: 3.4, Judged: 2.4}
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


def draw_after(events: Iterable[Event]) -> float:
    """Return after how long a computer player draws."""
    return scene(events) + REACH_FOR_THE_SHOP


def move_after(thinking: float, events: Iterable[Event]) -> float:
    """Return after how long a computer player gives or answers."""
    return scene(events) + min(thinking, LONGEST_THOUGHT)
