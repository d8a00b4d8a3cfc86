"""Show a game in the terminal with all hidden gifts and every player's beliefs."""

import time
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from notahat.bots import Bot
from notahat.bots.belief import Belief
from notahat.bots.player import Player
from notahat.gifts import denial, name, offer
from notahat.rules import Accepted, Drawn, Ended, Event, Offered, Penalised, Refused, Round, Wrapped
from notahat.rules.round import Answering, Giving
from notahat_lab.game import play_out
from notahat_lab.tournament import Setup, seat_game

_LANG = "en"


def watch(setup: Setup, console: Console, pause: float = 0.0) -> None:
    """Play one game and print it."""
    table = seat_game(setup, 0)
    printer = _GamePrinter(table.players, table.names, console, pause)
    played = play_out(table.players, table.cards, setup.gifts, table.starter, setup.cap, printer.show)
    if played.capped:
        console.print(f"stopped after {setup.cap} passes: no player had three penalties", highlight=False)


class _GamePrinter:
    """Prints the events, and a table of beliefs before each claim."""

    def __init__(self, players: Sequence[Bot], names: Sequence[str], console: Console, pause: float) -> None:
        self._players = players
        self._names = [f"{seat} {one}" for seat, one in enumerate(names)]
        self._console = console
        self._pause = pause

    def show(self, round_: Round, events: Sequence[Event], now: float) -> None:
        for event in events:
            text = self._describe(event)
            if text:
                self._console.print(f"{now:6.1f} s  {text}", highlight=False)
        if type(round_.phase) is Giving:
            self._console.print(self._belief_table(round_))
            time.sleep(self._pause)

    def _describe(self, event: Event) -> str:
        who = self._names
        match event:
            case Drawn(giver=giver, gift=gift):
                return f"{who[giver]} draws: {name(gift, _LANG)}"
            case Wrapped(giver=giver, back=back):
                return f"{who[giver]} wraps it: {back}"
            case Offered(giver=giver, receiver=receiver, claim=str(claim)):
                return f"{who[giver]} to {who[receiver]}: {offer(claim, _LANG)}"
            case Accepted(receiver=receiver):
                return f"{who[receiver]}: Thank you!"
            case Refused(receiver=receiver, claim=str(claim), gift=gift):
                return f"{who[receiver]}: {denial(claim, _LANG)} It is this: {name(gift, _LANG)}"
            case Penalised(seat=seat):
                return f"{who[seat]} was wrong"
            case Ended(scores=scores, winners=winners):
                return f"{' and '.join(who[seat] for seat in winners)} won, {', '.join(map(str, scores))}"
            case _:
                return ""

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
