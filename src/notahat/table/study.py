"""The study: which finished rounds may leave the server, because all their players agreed and still do."""

from collections.abc import Iterable, Iterator

from notahat.table.events import Entry
from notahat.table.story import PlayedRound, is_story_public, played_rounds
from notahat.table.table import Table


def finished_rounds(entries: Iterable[Entry]) -> Iterator[tuple[PlayedRound, bool]]:
    """Yield every round that was played to its end, and whether all its players agree to the study."""
    rounds = list(played_rounds(entries))
    for round_ in rounds:
        now = rounds[-1].last
        if is_story_public(now, round_.number) and _ended_by_rules(round_):
            yield round_, _agreed_by_all(round_, now)


def _agreed_by_all(round_: PlayedRound, now: Table) -> bool:
    """Whether all people in a round agreed before it was dealt and have not withdrawn since."""
    people = {seat.guest for seat in round_.dealt.seats if seat.guest is not None}
    return now.study and people <= {guest for guest, dealt in now.agreed.items() if dealt < round_.number}


def _ended_by_rules(round_: PlayedRound) -> bool:
    """Whether a round was not ended by the host, nor dealt again without a player (8.4)."""
    last = round_.moves[-1][0].after.round if round_.moves else None
    return last is not None and last.over
