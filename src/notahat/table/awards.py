"""Awards at the end of a round, drawn from what really happened."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

from msgspec import Struct

from notahat import rules
from notahat.rules import Accepted, FaceUp, Offered, Refused, View
from notahat.rules.view import WrapView
from notahat.table.events import By

Name = Literal["best_memory", "boldest_lie", "most_suspicious", "most_trusting"]


class Award(Struct, frozen=True, omit_defaults=True):
    """Who gets it; shared if equal, and for what: how many times, or which claim for which gift."""

    award: Name
    seats: tuple[int, ...]
    count: int | None = None
    claim: str | None = None
    gift: str | None = None


class Told(Protocol):
    """What an award needs to know of a move."""

    @property
    def took(self) -> float: ...
    @property
    def seat(self) -> int: ...
    @property
    def by(self) -> By: ...
    @property
    def gift(self) -> str | None: ...
    @property
    def events(self) -> tuple[rules.Event, ...]: ...
    @property
    def view(self) -> View: ...


def awards(steps: Sequence[Told]) -> tuple[Award, ...]:
    """All awards of a round that somebody has earned."""
    remembered: Counter[int] = Counter()
    suspicious: Counter[int] = Counter()
    trusting: Counter[int] = Counter()
    lies: list[tuple[int, Award]] = []
    open_at: dict[str, int] = {}
    for turn, step in enumerate(steps):
        for event in step.events:
            match event:
                case Offered(giver=giver, claim=str(claim)) if claim == step.gift and open_at.get(claim) != turn - 2:
                    remembered[giver] += 1
                case Accepted(giver=giver, receiver=receiver) if _false(steps, turn):
                    trusting[receiver] += 1
                    gift = step.gift or ""
                    lie = Award("boldest_lie", (giver,), claim=_claim(steps, turn), gift=gift)
                    lies.append((turn - open_at.get(gift, -1), lie))
                case Refused(receiver=receiver, claim=claim, gift=gift):
                    suspicious[receiver] += 1
                    if claim is not None and claim != gift:
                        remembered[receiver] += 1
                case _:
                    pass
        open_at.update((gift, turn) for gift in _open(step.view))
    boldest = [min(lies, key=lambda told: told[0])[1]] if lies else []
    return (
        *_most("best_memory", remembered),
        *boldest,
        *_most("most_suspicious", suspicious),
        *_most("most_trusting", trusting),
    )


def _open(view: View) -> Iterator[str]:
    """The gifts that lie open in columns or in a giver's hand."""
    for seat in view.seats:
        yield from (card.gift for card in seat.column if isinstance(card, FaceUp))
    if isinstance(view.phase, WrapView):
        yield view.phase.card.gift


def _claim(steps: Sequence[Told], turn: int) -> str | None:
    """What the giver said just before this answer."""
    offered = next((event for event in steps[turn - 1].events if isinstance(event, Offered)), None)
    return offered.claim if offered else None


def _false(steps: Sequence[Told], turn: int) -> bool:
    claim = _claim(steps, turn)
    return claim is not None and claim != steps[turn].gift


def _most(award: Name, count: Counter[int]) -> tuple[Award, ...]:
    if not count:
        return ()
    most = max(count.values())
    return (Award(award, tuple(sorted(seat for seat, times in count.items() if times == most)), count=most),)
