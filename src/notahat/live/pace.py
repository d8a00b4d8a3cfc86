"""Durations in seconds at normal pace. Each event is a scene; the next player thinks when it is over."""

from collections.abc import Iterable

from notahat.bots.player import LONGEST_THOUGHT, Answer
from notahat.rules import Accept, Accepted, Drawn, Event, Judged, Offered, Refused, Wrapped

# duration of each event's scene; the browser's animations take no longer
SCENE = {Drawn: 0.7, Wrapped: 1.0, Offered: 0.9, Accepted: 2.2, Refused: 5.2, Judged: 2.4}
REVEAL = 1.6  # the part of a refusal's scene in which the gift is read; a brisk pace does not shorten it
# The longest thought of computer players while one person alone waits: for the first claim since the person's last
# move, the second, and so on.
THOUGHTS = (LONGEST_THOUGHT, 1.0, 0.4, 0.0)
READ_CLAIM = 2.2  # people read a claim and vote on it
READ_QUICKLY = 1.6  # at any pace
CLAIM_STAYS = 1.35  # the part of an acceptance's scene in which the claim can still be read
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
    """Return after how long a player gives or answers."""
    return scene(events) + min(thinking, LONGEST_THOUGHT)


def answer_after(answer: Answer, events: Iterable[Event], speed: float, passes: int = 0) -> float:
    """Return after how long a computer player answers: the claim is read; after `passes` also while it is accepted."""
    read = max(READ_CLAIM, READ_QUICKLY * speed)
    stays = CLAIM_STAYS if passes > 0 and isinstance(answer.move, Accept) else 0.0
    return max(move_after(_hurried(answer.seconds, passes), events), read - stays)


def give_while_shown(thinking: float, events: Iterable[Event], passes: int) -> float:
    """Return after how long a computer player gives, if it thinks while the last move is shown to one person alone."""
    return max(_hurried(thinking, passes), scene(events))


def _hurried(thinking: float, passes: int) -> float:
    return min(thinking, THOUGHTS[min(passes, len(THOUGHTS) - 1)])
