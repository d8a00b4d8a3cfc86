"""What is seen in a terminal: the table, and below it what is going on right now."""

import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from select import select
from signal import set_wakeup_fd
from socket import socket, socketpair
from typing import Any

from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from notahat import gifts
from notahat.bots import Remark
from notahat.clients.terminal.typography import listed, quoted
from notahat.rules import (
    Accepted,
    Back,
    Card,
    Drawn,
    FaceDown,
    FaceUp,
    Offered,
    Penalised,
    Refused,
    View,
    receivers,
)
from notahat.rules.round import PENALTIES_THAT_END
from notahat.rules.view import AnswerView, GiveView, WrapView
from notahat.table import Shown, TableView
from notahat.table.shown import Remarked

ARROWS = {Back.LEFT: ("◀", "black on yellow"), Back.RIGHT: ("▶", "bold white on blue"), Back.ANY: ("✱", "bold magenta")}


@contextmanager
def interrupts() -> Iterator[socket]:
    """Something to wait for beside the keyboard: it can be read once a signal has come."""
    heard, tells = socketpair()
    with heard, tells:
        tells.setblocking(False)
        before = set_wakeup_fd(tells.fileno(), warn_on_full_buffer=False)
        try:
            yield heard
        finally:
            set_wakeup_fd(before)


class Screen:
    """Draws in one language."""

    def __init__(self, console: Console, lang: str) -> None:
        self._console = console
        self._lang = lang
        self._interrupted: socket | None = None

    @contextmanager
    def own(self) -> Iterator[None]:
        """A real terminal gets a screen of its own, which is gone afterwards."""
        if not self._console.is_terminal:
            yield
            return
        with self._console.screen(hide_cursor=False), interrupts() as self._interrupted:
            yield

    def say(self, key: str, **values: object) -> str:
        text: str = _texts(self._lang)[key]
        return text.format(**values)

    def say_goodbye(self) -> None:
        self._console.print(self.say("goodbye"))

    def ask(self, prompt: str) -> str:
        self._console.print(Text(f"\n  {prompt}"), end="")
        if self._interrupted is not None:  # Ctrl-C in the moment before Python reads would go unheard until Enter
            select([sys.stdin, self._interrupted], [], [])
        return input()

    def show(self, view: TableView, *parts: RenderableType) -> None:
        if self._console.is_terminal:
            self._console.clear()
        padded = (Padding(part, (1, 2, 0, 2)) for part in parts)
        self._console.print(self._table(view), *padded)

    def told(self, view: TableView, happened: Sequence[Shown]) -> list[RenderableType]:
        """What has just happened, in words and pictures."""
        return [part for event in happened for part in self._event(view, event)]

    def _event(self, view: TableView, event: Shown) -> Iterator[RenderableType]:
        names = [chair.name for chair in view.seats]
        match event:
            case Drawn(giver=giver, gift=gift):
                yield self.gift(gift)
                yield Text(self.say("drew", who=names[giver]))
            case Offered(giver=giver, receiver=receiver, claim=str(claim)):
                yield Text(self.say("offers", who=names[giver], to=names[receiver]))
                yield self.spoken(gifts.offer(claim, self._lang))
            case Accepted(receiver=receiver):
                yield Text(self.say("says", who=names[receiver]))
                yield self.spoken(self.say("thanks"))
                if view.round is not None and isinstance(view.round.phase, WrapView):
                    yield self.gift(view.round.phase.card.gift)
                    yield Text(self.say("wraps", who=names[receiver]))
            case Refused(receiver=receiver, claim=str(claim), gift=gift):
                yield Text(self.say("says", who=names[receiver]))
                yield self.spoken(gifts.denial(claim, self._lang), "red")
                yield Text(self.say("inside"))
                yield self.gift(gift)
            case Penalised(seat=seat):
                yield Text(self.say("penalty", who=names[seat]), style="bold red")
            case Remarked(seat=seat, character=character, occasion=occasion, number=number):
                said = Remark(character, occasion, number).text(self._lang)  # type: ignore[arg-type]
                yield Text.assemble((f"{self.say('says', who=names[seat])} ", "bold"), (said, "italic dim"))
            case _:
                pass

    def waiting(self, view: TableView, you: int) -> RenderableType:
        """Whom everybody waits for."""
        phase = view.round.phase if view.round is not None else None
        match phase:
            case GiveView(giver=giver) if giver != you:
                line = Text(self.say("chooses", who=view.seats[giver].name), style="dim")
                return Group(self.in_the_air(view), Text(), line)
            case AnswerView(receiver=receiver) if receiver != you:
                return Text(self.say("believes", who=view.seats[receiver].name), style="dim")
            case _:
                return Text()

    def in_the_air(self, view: TableView) -> RenderableType:
        phase = view.round.phase if view.round is not None else None
        if isinstance(phase, WrapView | GiveView | AnswerView):
            return Align.center(self._card(phase.card, phase.giver, view))
        return Text()

    def choices(self, labels: Sequence[str]) -> RenderableType:
        return Text("   ").join(Text(f"{number} {label}") for number, label in enumerate(labels, 1))

    def gift(self, gift: str) -> RenderableType:
        name = Text(self.name(gift), style="bold", justify="center")
        return Align.center(Panel(name, padding=(1, 6), style="black on white"))

    def name(self, gift: str) -> str:
        return gifts.typeset(gifts.name(gift, self._lang))

    def spoken(self, line: str, style: str = "green") -> Text:
        return Text(quoted(line, self._lang), style=f"italic bold {style}")

    def explain(self) -> None:
        """The rules, and three tips."""
        if self._console.is_terminal:
            self._console.clear()
        texts = _texts(self._lang)
        rules = [Padding(Text(rule), (1, 2, 0, 2)) for rule in texts["rules"]]
        tips = [Padding(Text(f"· {tip}"), (0, 2)) for tip in texts["tips"]]
        self._console.print(*rules, Padding(Text(texts["tips_title"], "bold"), (1, 2, 0, 2)), *tips)

    def result(self, view: TableView, columns: Sequence[Sequence[Card]]) -> RenderableType:
        """All gifts unwrapped, and who won."""
        if view.match is None or view.round is None:
            raise AssertionError("nothing was played")
        over = view.stage == "over"
        scores, winners = (view.match.totals, view.match.winners) if over else (view.round.scores, view.round.winners)
        opened = Grid(box=None, padding=(0, 2), show_header=False)
        for chair, column, score in zip(view.seats, columns, scores, strict=True):
            lay = ", ".join(self.name(card.gift) for card in column)
            opened.add_row(Text(chair.name, "bold"), lay, Text(str(score), "red"))
        who = listed([view.seats[seat].name for seat in winners], self._lang)
        won = _texts(self._lang)["winner"]["one" if len(winners) == 1 else "other"].format(who=who)
        return Group(self.say("round_over"), Text(), opened, Text(), Text(won, "bold green"))

    def _table(self, view: TableView) -> RenderableType:
        """Everyone's column and penalties, and the shop."""
        if view.round is None or view.match is None:
            return Text()
        rows = Grid(box=None, padding=(0, 2), show_header=False)
        acting = _acting(view.round)
        for seat, (chair, lying) in enumerate(zip(view.seats, view.round.seats, strict=True)):
            column = Text(" ").join(self._card(card, seat, view) for card in lying.column)
            pips = "●" * len(lying.penalties) + "○" * (PENALTIES_THAT_END - len(lying.penalties))
            kept = ", ".join(self.name(gift) for gift in lying.penalties)
            name = Text(chair.name, style="bold reverse" if seat == acting else "bold")
            rows.add_row(name, column, Text(pips, "red"), kept)
        shop = view.round.shop
        top = (f" {self.name(shop.top) if shop.top else '–'} ", "black on white")
        line = Text.assemble(
            f"{self.say('says', who=self.say('shop'))} ", top, f"  {self.say('left', number=shop.left)}"
        )
        title = f"Not a Hat · {self.say('round', number=view.match.round, of=view.match.of)}"
        return Panel(Group(rows, Text(), line), title=title, padding=(1, 1))

    def _card(self, card: FaceUp | FaceDown, holder: int, view: TableView) -> Text:
        if isinstance(card, FaceUp):
            return Text(f" {self.name(card.gift)} ", "black on white")
        sign, style = ARROWS[card.back]
        to = receivers(card.back, holder, len(view.seats))
        goes_to = view.seats[to[0]].name if len(to) == 1 else ""
        return Text(f" {sign} {goes_to}".rstrip() + " ", style)


def _acting(round_: View) -> int | None:
    phase = round_.phase
    return phase.receiver if isinstance(phase, AnswerView) else getattr(phase, "giver", None)


@cache
def _texts(lang: str) -> dict[str, Any]:
    return tomllib.loads(files("notahat.clients.terminal").joinpath("words", f"{lang}.toml").read_text("utf-8"))
