"""Replay a history: rebuild the moves from the events, and play them."""

from collections.abc import Iterable

from notahat.rules.events import Accepted, Drawn, Event, Judged, Offered, Refused, Wrapped
from notahat.rules.moves import Accept, Draw, Give, Judge, Move, Refuse, Wrap
from notahat.rules.round import Round, play


def replay(round_: Round, events: Iterable[Event]) -> Round:
    """Return the round after the moves of these events."""
    for event in events:
        move = move_behind(event)
        if move is not None:
            round_, _ = play(round_, move)
    return round_


def move_behind(event: Event) -> Move | None:
    """Return the move that caused an event, or None if the event follows from another one."""
    match event:
        case Drawn(giver=giver):
            return Draw(giver)
        case Wrapped(giver=giver):
            return Wrap(giver)
        case Offered(giver=giver, receiver=receiver, claim=claim):
            return Give(giver, claim, receiver)
        case Accepted(receiver=receiver):
            return Accept(receiver)
        case Refused(receiver=receiver):
            return Refuse(receiver)
        case Judged(seat=seat, wrong=wrong):
            return Judge(seat, wrong)
        case _:
            return None
