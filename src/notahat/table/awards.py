"""Awards at the end of a round or a match, computed from its moves."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from notahat.rules import Accepted, FaceUp, Offered, Refused, View
from notahat.rules.view import WrapView

if TYPE_CHECKING:
    from notahat.table.story import Moment

AwardName = Literal["best_memory", "boldest_lie", "most_suspicious", "most_trusting"]


class Award(Struct, frozen=True, omit_defaults=True):
    """Who gets it (several seats if equal), and for what: how many times, or which claim for which gift."""

    award: AwardName
    seats: tuple[int, ...]
    count: int | None = None
    claim: str | None = None
    gift: str | None = None


class _Counts:
    """What is counted for the awards; a lie has the number of turns since its gift was last seen."""

    def __init__(self) -> None:
        self.remembered: Counter[int] = Counter()
        self.suspicious: Counter[int] = Counter()
        self.trusting: Counter[int] = Counter()
        self.lies: list[tuple[int, Award]] = []

    def add_round(self, moments: Sequence["Moment"]) -> None:
        open_at: dict[str, int] = {}
        for turn, moment in enumerate(moments):
            for event in moment.events:
                match event:
                    case Offered(giver=giver, claim=str(claim)) if claim == moment.gift:
                        self.remembered[giver] += open_at.get(claim) != turn - 2
                    case Accepted(giver=giver, receiver=receiver) if _claim(moments, turn) not in (None, moment.gift):
                        self.trusting[receiver] += 1
                        gift = moment.gift or ""
                        lie = Award("boldest_lie", (giver,), claim=_claim(moments, turn), gift=gift)
                        self.lies.append((turn - open_at.get(gift, -1), lie))
                    case Refused(receiver=receiver, claim=claim, gift=gift):
                        self.suspicious[receiver] += 1
                        self.remembered[receiver] += claim is not None and claim != gift
                    case _:
                        pass
            open_at.update((gift, turn) for gift in _open_gifts(moment.view))


def awards(rounds: Iterable[Sequence["Moment"]]) -> tuple[Award, ...]:
    """Return all awards that were earned in these rounds of one match."""
    counts = _Counts()
    for moments in rounds:
        counts.add_round(moments)
    boldest = [min(counts.lies, key=lambda lie: lie[0])[1]] if counts.lies else []
    return (
        *_most("best_memory", counts.remembered),
        *boldest,
        *_most("most_suspicious", counts.suspicious),
        *_most("most_trusting", counts.trusting),
    )


def _open_gifts(view: View) -> Iterator[str]:
    """Yield the gifts that lie open in columns or in the giver's hand."""
    for seat in view.seats:
        yield from (card.gift for card in seat.column if isinstance(card, FaceUp))
    if isinstance(view.phase, WrapView):
        yield view.phase.card.gift


def _claim(moments: Sequence["Moment"], turn: int) -> str | None:
    """Return the claim that the move at `turn` answers."""
    offered = next((event for event in moments[turn - 1].events if isinstance(event, Offered)), None)
    return offered.claim if offered else None


def _most(award: AwardName, count: Counter[int]) -> tuple[Award, ...]:
    most = max(count.values(), default=0)
    if not most:
        return ()
    return (Award(award, tuple(sorted(seat for seat, times in count.items() if times == most)), count=most),)
