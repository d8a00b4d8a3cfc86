"""Watching: a game in the terminal with the truth on the table and every thought open."""

import time
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from notahat.bots import Bot
from notahat.bots.belief import Belief
from notahat.bots.player import Player
from notahat.gifts import denial, name, offer
from notahat.lab.game import play_out
from notahat.lab.tournament import Setup, seat_game
from notahat.rules import Accepted, Drawn, Ended, Event, Offered, Penalised, Refused, Round, Wrapped
from notahat.rules.round import Answering, Giving

_LANG = "en"


def watch(setup: Setup, console: Console, pause: float = 0.0) -> None:
    """Play one game out in the terminal."""
    table = seat_game(setup, 0)
    stage = _Stage(table.players, table.names, console, pause)
    played = play_out(table.players, table.cards, setup.gifts, table.starter, setup.cap, stage.show)
    if played.capped:
        console.print(f"stopped after {setup.cap} passes: nobody was wrong often enough", highlight=False)


class _Stage:
    """Tells what happens and draws who believes what."""

    def __init__(self, players: Sequence[Bot], names: Sequence[str], console: Console, pause: float) -> None:
        self._players = players
        self._names = [f"{seat} {one}" for seat, one in enumerate(names)]
        self._console = console
        self._pause = pause

    def show(self, round_: Round, events: Sequence[Event], now: float) -> None:
        for event in events:
            said = self._told(event)
            if said:
                self._console.print(f"{now:6.1f} s  {said}", highlight=False)
        if type(round_.phase) is Giving:
            self._console.print(self._thoughts(round_))
            time.sleep(self._pause)

    def _told(self, event: Event) -> str:
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

    def _thoughts(self, round_: Round) -> Table:
        """One row for each card: where it lies, what it is, and what everyone thinks it is."""
        table = Table("where", "truth", *self._names)
        phase = round_.phase
        if isinstance(phase, Giving | Answering):
            thoughts = [self._thought(player, None) for player in self._players]
            table.add_row(f"in the hand of {phase.giver}", phase.card.gift, *_marked(phase.card.gift, thoughts))
        for seat, (column, unwrapped) in enumerate(zip(round_.columns, round_.unwrapped, strict=True)):
            for place, card in enumerate(column):
                if place < unwrapped:
                    table.add_row(f"seat {seat}, open", card.gift, *("" for _ in self._players))
                    continue
                thoughts = [self._thought(player, (seat, place)) for player in self._players]
                table.add_row(f"seat {seat}", card.gift, *_marked(card.gift, thoughts))
        return table

    def _thought(self, player: Bot, where: tuple[int, int] | None) -> Belief | None:
        """What a player believes about a card, if it is one of ours that can be asked."""
        if not isinstance(player, Player):
            return None
        parcels = player.mind.parcels
        parcel = parcels.hand if where is None else parcels.columns[where[0]][where[1]]
        return player.mind.guess(parcel) if parcel is not None else None


def _marked(gift: str, thoughts: Sequence[Belief | None]) -> list[str]:
    return [_in_words(gift, thought) for thought in thoughts]


def _in_words(gift: str, thought: Belief | None) -> str:
    if thought is None:
        return "?"
    if thought.best is None:
        return "[dim]forgotten[/dim]"
    share = f"{thought.shares[thought.best]:.0%}"
    return f"{thought.best} {share}" if thought.best == gift else f"[red]{thought.best} {share}[/red]"
