"""What computer players at a table have been shown in this round, so that each can be told at any time."""

import logging

from msgspec import Struct

from notahat.bots import Answer, Bot, remark, sit_down
from notahat.rules import Event, Round, View, legal
from notahat.rules import view as view_round
from notahat.table import Step, Table
from notahat.table.shown import Remarked
from notahat.table.table import STAND_IN_LEVEL

log = logging.getLogger("notahat.watcher")


class Sight(Struct, frozen=True):
    """The round after something happened."""

    view: View
    events: tuple[Event, ...]
    at: float


class Watcher:
    """Keeps the sights of one round and the computer players who have seen them."""

    def __init__(self) -> None:
        self._sights: list[Sight] = []
        self._bots: dict[tuple[int, str], Bot] = {}
        self._seen: Round | None = None

    def view_of(self, round_: Round | None) -> View | None:
        """The view of a round, if it is the one seen last."""
        return self._sights[-1].view if self._sights and self._seen is round_ else None

    def deal(self, table: Table) -> None:
        """A new round lies on the table: memory starts fresh."""
        self._sights.clear()
        self._bots.clear()
        self.see(table, ())

    def see(self, table: Table, events: tuple[Event, ...]) -> None:
        if table.round is None:
            return
        self._seen = table.round
        sight = Sight(view_round(table.round), events, table.since)
        self._sights.append(sight)
        for key, bot in tuple(self._bots.items()):
            try:
                bot.see(sight.view, sight.events, sight.at)
            except Exception:  # a computer player who breaks down must not take the table along
                log.exception("a computer player broke down", extra={"level": key[1]})
                del self._bots[key]

    def answer(self, table: Table, seat: int) -> Answer:
        """What a computer player in this seat would do now, and after how many seconds."""
        if table.round is None:
            raise AssertionError("nobody answers without a round")
        bot = self._bot(table, seat)
        return bot.answer(view_round(table.round), legal(table.round), table.since)

    def _bot(self, table: Table, number: int) -> Bot:
        seat = table.seats[number]
        level = seat.level or STAND_IN_LEVEL
        bot = self._bots.get((number, level))
        if bot is None:
            bot = sit_down(level, number, table.seeds[number], seat.character)
            for sight in self._sights:
                bot.see(sight.view, sight.events, sight.at)
            self._bots[number, level] = bot
        return bot


def remarks(step: Step) -> tuple[Remarked, ...]:
    """What slips out of computer players when something happens: made of what all have seen, the same on every node."""
    events, after = step.said, step.after
    if not events or after.round is None:
        return ()
    said = (
        (number, remark(seat.character, number, events, after.round.turn, after.seeds[number]))
        for number, seat in enumerate(after.seats)
        if seat.guest is None and seat.character is not None
    )
    return tuple(Remarked(seat, one.character, one.occasion, one.number) for seat, one in said if one is not None)
