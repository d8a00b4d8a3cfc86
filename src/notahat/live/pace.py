"""How long things take, each duration once: in seconds at normal pace, for people, computer players and the laboratory.

What happens is shown as a scene, and whoever acts next starts to think when it has been seen.
"""

from collections.abc import Iterable

from notahat.bots.player import LONGEST_THOUGHT
from notahat.rules import Accepted, Drawn, Event, Judged, Offered, Refused, Wrapped

# how long people watch each event; the browser's scenes take no longer
SCENE = {Drawn: 0.7, Wrapped: 1.0, Offered: 0.9, Accepted: 2.2, Refused: 3.4, Judged: 2.4}
LEAST_FIRST_LOOK = 6.0
SETTLING_DOWN = 2.0
LOOK_AT_A_GIFT = 1.0
REACH_FOR_THE_SHOP = 0.4
NEXT_ROUND = 4.0
AWAY_AFTER = 3.0
LONG_AWAY = 20.0
HOST_AWAY = 60.0

# an option of the table: how much faster than normal everything goes
SPEED = {"relaxed": 0.7, "normal": 1.0, "brisk": 1.5}


def scene(events: Iterable[Event]) -> float:
    """How long it takes to see what has just happened."""
    return sum(SCENE.get(type(event), 0.0) for event in events)


def first_look(gifts: int) -> float:
    """How long everybody looks round before a computer player draws: sixteen gifts take longer than four."""
    return max(LEAST_FIRST_LOOK, SETTLING_DOWN + gifts * LOOK_AT_A_GIFT)


def wrap_after(show_seconds: float, events: Iterable[Event]) -> float:
    """How long an open gift lies in the giver's hand before it wraps itself."""
    return max(show_seconds, scene(events))


def draw_after(events: Iterable[Event]) -> float:
    """When a computer player draws: people want to see first what was in the box."""
    return scene(events) + REACH_FOR_THE_SHOP


def move_after(thinking: float, events: Iterable[Event]) -> float:
    """When a computer player names a gift or answers."""
    return scene(events) + min(thinking, LONGEST_THOUGHT)
