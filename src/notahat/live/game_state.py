"""The state of a table in play: the table, the view of its round, and the computer players who watch it."""

import logging

from notahat.live.bot_players import BotPlayers, remarks
from notahat.rules import Move, Round, View, legal
from notahat.rules import view as view_round
from notahat.rules.view import view_after
from notahat.table import Shown, Step, Table, shown
from notahat.table.commands import BotMove

log = logging.getLogger("notahat.room")


class Game:
    """Advances by durable entries only."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.bots = BotPlayers()
        self.round_view: View | None = None

    def advance(self, entry: tuple[Step, ...]) -> tuple[Shown, ...]:
        """Advance table and computer players, and return what guests are shown."""
        happened: list[Shown] = []
        for step in entry:
            happened += shown(step)
            if step.rule_events and step.after.round is not None:
                self.round_view = self._view_after(step.before.round, step.after.round)
                self.bots.see(step, self.round_view)
                happened += remarks(step)
            elif step.after.round is not step.before.round:
                self.round_view = None
                self.bots.deal(step.after)
        self.table = entry[-1].after
        return tuple(happened)

    def _view_after(self, before: Round | None, after: Round) -> View:
        view = self.round_view
        return view_round(after) if view is None or before is None else view_after(view, before, after)

    def bot_move(self, command: BotMove) -> Move | None:
        """Return what a computer player would do, or None if that is not the seat whose move it is."""
        round_ = self.table.round
        if round_ is None or self.table.spoken or legal(round_).seat != command.seat:
            return None
        try:
            return self.bots.move(self.table, command.seat)
        except Exception:  # a broken computer player must not break the table
            log.exception("computer player failed")
            return None
