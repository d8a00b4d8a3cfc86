"""The computer players of a room: what each has seen in this round, its next move, and its remarks."""

import logging
from collections.abc import Container
from itertools import takewhile

from notahat.bots import Answer, Bot, remark, sit_down
from notahat.gifts.hat_file import look_alikes_in
from notahat.live.settings import dials_from
from notahat.rules import Accept, Draw, Event, Move, Refuse, Round, View, Wrap, legal, play
from notahat.rules import view as view_round
from notahat.table import Step, Table
from notahat.table.events import Played
from notahat.table.shown import Remarked
from notahat.table.table import STAND_IN_LEVEL, dials_of

log = logging.getLogger("notahat.bot_players")


class BotPlayers:
    """Computer players, and the moves of one round: a stand-in that comes later must have seen all of them."""

    def __init__(self) -> None:
        self.last_events: tuple[Event, ...] = ()
        self._dealt: tuple[Round, float] | None = None
        self._moves: list[tuple[Move, float]] = []
        self._bots: dict[tuple[int, str], Bot] = {}
        self._answer: tuple[int, int, int, Answer] | None = None  # with round, turn and seat that it belongs to

    def deal(self, table: Table) -> None:
        """Forget the last round and see a new one."""
        self._moves.clear()
        self._bots.clear()
        self.last_events = ()
        self._dealt = None if table.round is None else (table.round, table.since)

    def see(self, step: Step, view: View) -> None:
        """See a move; `view` is the round's view after it."""
        if not isinstance(step.event, Played):
            return
        self.last_events = step.rule_events
        self._moves.append((step.event.move, step.after.since))
        for key, bot in tuple(self._bots.items()):
            try:
                bot.see(view, step.rule_events, step.after.since)
            except Exception:  # a broken computer player must not break the table
                log.exception("computer player failed", extra={"level": key[1]})
                del self._bots[key]

    def answer(self, table: Table, seat: int) -> Answer:
        """Return the move of a computer player on this seat and its thinking time. Computed once for each turn."""
        assert table.round is not None, "a computer player was asked without a round"
        turn = (table.dealt, table.round.turn, seat)
        if self._answer is None or self._answer[:3] != turn:
            bot = self._bot(table, seat)
            answer = bot.answer(view_round(table.round), legal(table.round), table.since)
            self._answer = (*turn, answer)
        return self._answer[3]

    def passes_without(self, seats: Container[int]) -> int:
        """Return how many gifts were accepted or refused since one of these seats moved."""
        others = takewhile(lambda move: move.seat not in seats, (move for move, _ in reversed(self._moves)))
        return sum(isinstance(move, Accept | Refuse) for move in others)

    def move(self, table: Table, seat: int) -> Move:
        """Return the move that a computer player makes for the seat whose turn it is."""
        match legal(table.round).moves if table.round is not None else ():
            case ("draw",):
                return Draw(seat)
            case ("wrap",):
                return Wrap(seat)
        return self.answer(table, seat).move

    def _bot(self, table: Table, number: int) -> Bot:
        seat = table.seats[number]
        level = seat.level or STAND_IN_LEVEL
        bot = self._bots.get((number, level))
        if bot is None:
            look_alikes = look_alikes_in(table.deck) if table.deck is not None else None
            dials = dials_from(dials_of(table, number))
            bot = sit_down(level, number, table.seeds[number], seat.character, look_alikes, dials=dials)
            if self._dealt is not None:  # show it the round so far
                round_, at = self._dealt
                bot.see(view_round(round_), (), at)
                for move, moved_at in self._moves:
                    round_, events = play(round_, move)
                    bot.see(view_round(round_), events, moved_at)
            self._bots[number, level] = bot
        return bot


def remarks(step: Step) -> tuple[Remarked, ...]:
    """Return the remarks of computer players about a step. They follow from the state, so all nodes make the same."""
    after = step.after
    if not step.rule_events or after.round is None:
        return ()
    turn = after.round.turn
    made = (
        (number, remark(seat.character, number, step.rule_events, turn, after.seeds[number]))
        for number, seat in enumerate(after.seats)
        if seat.guest is None and seat.character is not None
    )
    return tuple(Remarked(seat, one.character, one.occasion, one.number) for seat, one in made if one is not None)
