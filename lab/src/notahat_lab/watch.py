"""Show a game in the terminal with all hidden gifts and every player's beliefs."""

import time
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from notahat.bots import Bot
from notahat.bots.belief import Belief
from notahat.bots.player import Player
from notahat.narration.narrator import Narrator
from notahat.narration.vocabulary import Vocabulary
from notahat.rules import Event, Round, view
from notahat.rules.round import Answering, Giving
from notahat_lab.game import play_out
from notahat_lab.tournament import Setup, seat_game


def watch(setup: Setup, console: Console, pause: float = 0.0) -> None:
    """Play one game and print it."""
    table = seat_game(setup, 0)
    printer = _GamePrinter(table.players, table.names, console, pause)
    played = play_out(table.players, table.cards, setup.gifts, table.starter, setup.cap, printer.show)
    if played.capped:
        console.print(f"stopped after {setup.cap} passes: no player had three penalties", highlight=False)


class _GamePrinter:
    """Prints what happens, and a table of beliefs before each claim."""

    def __init__(self, players: Sequence[Bot], names: Sequence[str], console: Console, pause: float) -> None:
        self._players = players
        self._names = [f"{seat} {one}" for seat, one in enumerate(names)]
        self._narrator = Narrator("en", self._names, Vocabulary("en"))
        self._console = console
        self._pause = pause

    def show(self, round_: Round, events: Sequence[Event], now: float) -> None:
        seen = view(round_)
        for sentence in self._narrator.see(seen, events):
            self._console.print(f"{now:6.1f} s  {sentence}", highlight=False)
        if round_.over:
            self._console.print(self._narrator.result(seen), highlight=False)
        if type(round_.phase) is Giving:
            self._console.print(self._belief_table(round_))
            time.sleep(self._pause)

    def _belief_table(self, round_: Round) -> Table:
        """Return one row per card: its position, its gift, and every player's belief."""
        table = Table("where", "truth", *self._names)
        phase = round_.phase
        if isinstance(phase, Giving | Answering):
            gift = phase.card.gift
            table.add_row(f"in the hand of {phase.giver}", gift, *self._cells(gift, None))
        for seat, (column, unwrapped) in enumerate(zip(round_.columns, round_.unwrapped, strict=True)):
            for slot, card in enumerate(column):
                if slot < unwrapped:
                    table.add_row(f"seat {seat}, open", card.gift, *("" for _ in self._players))
                else:
                    table.add_row(f"seat {seat}", card.gift, *self._cells(card.gift, (seat, slot)))
        return table

    def _cells(self, gift: str, where: tuple[int, int] | None) -> list[str]:
        return [_cell(gift, _belief(player, where)) for player in self._players]


def _belief(player: Bot, where: tuple[int, int] | None) -> Belief | None:
    """Return a built-in player's belief about the card in hand or in a column; None for other players."""
    if not isinstance(player, Player):
        return None
    parcels = player.mind.parcels
    parcel = parcels.hand if where is None else parcels.columns[where[0]][where[1]]
    return player.mind.noiseless_belief(parcel) if parcel is not None else None


def _cell(gift: str, belief: Belief | None) -> str:
    if belief is None:
        return "?"
    if belief.best is None:
        return "[dim]forgotten[/dim]"
    share = f"{belief.probabilities[belief.best]:.0%}"
    return f"{belief.best} {share}" if belief.best == gift else f"[red]{belief.best} {share}[/red]"
