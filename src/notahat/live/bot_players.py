"""Computer players at a table: what each was shown in this round, what it thinks of next, and what slips out."""

import logging

from msgspec import Struct

from notahat.bots import Answer, Bot, remark, sit_down
from notahat.gifts.hat_file import look_alikes_with
from notahat.rules import Event, Round, View, legal
from notahat.rules import view as view_round
from notahat.table import Step, Table
from notahat.table.shown import Remarked
from notahat.table.table import STAND_IN_LEVEL

log = logging.getLogger("notahat.minds")


class Sight(Struct, frozen=True, gc=False):
    """The round after something happened. Everybody saw it, so whoever sits in later has seen it too."""

    round: Round
    said: tuple[Event, ...]
    at: float


class Minds:
    """The sights of one round, and the computer players who have seen them."""

    def __init__(self) -> None:
        self._sights: list[Sight] = []
        self._bots: dict[tuple[int, str], Bot] = {}
        self._thought: tuple[int, int, int, Answer] | None = None

    @property
    def last_said(self) -> tuple[Event, ...]:
        """What happened last in the round."""
        return self._sights[-1].said if self._sights else ()

    def deal(self, table: Table) -> None:
        """A new round lies on the table: memory starts fresh."""
        self._sights.clear()
        self._bots.clear()
        if table.round is not None:
            self._sights.append(Sight(table.round, (), table.since))

    def see(self, step: Step, view: View) -> None:
        """A move was made, and `view` is what everybody sees now."""
        if step.after.round is None:
            return
        self._sights.append(Sight(step.after.round, step.said, step.after.since))
        for key, bot in tuple(self._bots.items()):
            try:
                bot.see(view, step.said, step.after.since)
            except Exception:  # a computer player who breaks down must not take the table along
                log.exception("a computer player broke down", extra={"level": key[1]})
                del self._bots[key]

    def answer(self, table: Table, seat: int) -> Answer:
        """What a computer player in this seat does now, and after how many seconds. It thinks once about each turn."""
        if table.round is None:
            raise AssertionError("nobody answers without a round")
        turn = (table.dealt, table.round.turn, seat)
        if self._thought is None or self._thought[:3] != turn:
            bot = self._bot(table, seat)
            answer = bot.answer(view_round(table.round), legal(table.round), table.since)
            self._thought = (*turn, answer)
        return self._thought[3]

    def _bot(self, table: Table, number: int) -> Bot:
        seat = table.seats[number]
        level = seat.level or STAND_IN_LEVEL
        bot = self._bots.get((number, level))
        if bot is None:
            likeness = look_alikes_with(table.deck) if table.deck is not None else None
            bot = sit_down(level, number, table.seeds[number], seat.character, likeness)
            for sight in self._sights:
                bot.see(view_round(sight.round), sight.said, sight.at)
            self._bots[number, level] = bot
        return bot


def remarks(step: Step) -> tuple[Remarked, ...]:
    """What slips out of computer players when something happens: made of what all have seen, the same on every node."""
    after = step.after
    if not step.said or after.round is None:
        return ()
    turn = after.round.turn
    said = (
        (number, remark(seat.character, number, step.said, turn, after.seeds[number]))
        for number, seat in enumerate(after.seats)
        if seat.guest is None and seat.character is not None
    )
    return tuple(Remarked(seat, one.character, one.occasion, one.number) for seat, one in said if one is not None)
