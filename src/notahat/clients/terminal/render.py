"""Render the table, the latest events and the prompts in a terminal."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from select import select
from signal import set_wakeup_fd
from socket import socket, socketpair

from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from notahat import gifts
from notahat.bots import Remark
from notahat.clients.terminal.typography import join_names, quote
from notahat.narration.narrator import terminal_texts
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
_FRAME_LINES = 14  # of the table without its seats, and of the longest prompt


@contextmanager
def signal_socket() -> Iterator[socket]:
    """Yield a socket that becomes readable when a signal arrives, to wait for beside the keyboard."""
    reader, writer = socketpair()
    with reader, writer:
        writer.setblocking(False)
        previous = set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        try:
            yield reader
        finally:
            set_wakeup_fd(previous)


class Screen:
    """Renders in one language."""

    def __init__(self, console: Console, lang: str) -> None:
        self._console = console
        self._lang = lang
        self._signals: socket | None = None

    @contextmanager
    def alternate_screen(self) -> Iterator[None]:
        """Use the alternate screen of a real terminal; it disappears afterwards."""
        if not self._console.is_terminal:
            yield
            return
        with self._console.screen(hide_cursor=False), signal_socket() as self._signals:
            yield

    def text(self, key: str, **values: object) -> str:
        template: str = terminal_texts(self._lang)[key]
        return template.format(**values)

    def show_goodbye(self) -> None:
        self._console.print(self.text("goodbye"))

    def ask(self, prompt: str) -> str:
        self._console.print(Text(f"\n  {prompt}"), end="")
        if self._signals is not None:  # else Ctrl-C just before the read would wait for Enter
            select([sys.stdin, self._signals], [], [])
        return input()

    def show(self, view: TableView, *parts: RenderableType) -> None:
        if self._console.is_terminal:
            self._console.clear()
        padded = (Padding(part, (1, 2, 0, 2)) for part in parts)
        self._console.print(self._table(view), *padded)

    def events(self, view: TableView, happened: Sequence[Shown]) -> list[RenderableType]:
        """Render events one part below the other, with large gifts."""
        parts = [part for event in happened for part in self._event(view, event)]
        return [self._gift(part) if isinstance(part, str) else part for part in parts]

    def event_lines(self, view: TableView, happened: Sequence[Shown]) -> list[Text]:
        """Render events in one line each."""
        lines = []
        for event in happened:
            parts = [self._label(part) if isinstance(part, str) else part for part in self._event(view, event)]
            if parts:
                lines.append(Text(" ").join(parts))
        return lines

    def has_room(self, view: TableView, lines: int) -> bool:
        """Return whether so many lines fit between the table and a prompt; always without a real terminal."""
        return not self._console.is_terminal or lines + len(view.seats) + _FRAME_LINES < self._console.height

    def _event(self, view: TableView, event: Shown) -> Iterator[Text | str]:
        """Yield texts and gifts."""
        names = [seat.name for seat in view.seats]
        match event:
            case Drawn(giver=giver, gift=gift):
                yield gift
                yield Text(self.text("drew", who=names[giver]))
            case Offered(giver=giver, receiver=receiver, claim=str(claim)):
                yield Text(self.text("offers", who=names[giver], to=names[receiver]))
                yield self._spoken(gifts.offer(claim, self._lang))
            case Accepted(receiver=receiver):
                yield Text(self.text("says", who=names[receiver]))
                yield self._spoken(self.text("thanks"))
                if view.round is not None and isinstance(view.round.phase, WrapView):
                    yield view.round.phase.card.gift
                    yield Text(self.text("wraps", who=names[receiver]))
            case Refused(receiver=receiver, claim=str(claim), gift=gift):
                yield Text(self.text("says", who=names[receiver]))
                yield self._spoken(gifts.denial(claim, self._lang), "red")
                yield Text(self.text("inside"))
                yield gift
            case Penalised(seat=seat):
                yield Text(self.text("penalty", who=names[seat]), style="bold red")
            case Remarked(seat=seat, character=character, occasion=occasion, number=number):
                remark = Remark(character, occasion, number).text(self._lang)  # type: ignore[arg-type]
                yield Text.assemble((f"{self.text('says', who=names[seat])} ", "bold"), (remark, "italic dim"))
            case _:
                pass

    def waiting(self, view: TableView, you: int) -> RenderableType:
        """Render which other player must act now."""
        phase = view.round.phase if view.round is not None else None
        match phase:
            case GiveView(giver=giver) if giver != you:
                line = Text(self.text("chooses", who=view.seats[giver].name), style="dim")
                return Group(self.current_card(view), Text(), line)
            case AnswerView(receiver=receiver) if receiver != you:
                return Text(self.text("believes", who=view.seats[receiver].name), style="dim")
            case _:
                return Text()

    def current_card(self, view: TableView) -> RenderableType:
        """Render the card that is being wrapped, given or answered."""
        phase = view.round.phase if view.round is not None else None
        if isinstance(phase, WrapView | GiveView | AnswerView):
            return Align.center(self._card(phase.card, phase.giver, view))
        return Text()

    def choices(self, labels: Sequence[str]) -> RenderableType:
        return Text("   ").join(Text(f"{number} {label}") for number, label in enumerate(labels, 1))

    def _gift(self, gift: str) -> RenderableType:
        name = Text(self.name(gift), style="bold", justify="center")
        return Align.center(Panel(name, padding=(1, 6), style="black on white"))

    def _label(self, gift: str) -> Text:
        return Text(f" {self.name(gift)} ", "black on white")

    def name(self, gift: str) -> str:
        return gifts.typeset(gifts.name(gift, self._lang))

    def _spoken(self, line: str, style: str = "green") -> Text:
        return Text(quote(line, self._lang), style=f"italic bold {style}")

    def show_rules(self) -> None:
        """Show the rules and three tips."""
        if self._console.is_terminal:
            self._console.clear()
        texts = terminal_texts(self._lang)
        rules = [Padding(Text(rule), (1, 2, 0, 2)) for rule in texts["rules"]]
        tips = [Padding(Text(f"· {tip}"), (0, 2)) for tip in texts["tips"]]
        self._console.print(*rules, Padding(Text(texts["tips_title"], "bold"), (1, 2, 0, 2)), *tips)

    def result(self, view: TableView, columns: Sequence[Sequence[Card]]) -> RenderableType:
        """Render all gifts unwrapped, the scores and the winners."""
        if view.match is None or view.round is None:
            raise AssertionError("no round was played")
        over = view.stage == "over"
        scores, winners = (view.match.totals, view.match.winners) if over else (view.round.scores, view.round.winners)
        rows = Grid(box=None, padding=(0, 2), show_header=False)
        for seat, column, score in zip(view.seats, columns, scores, strict=True):
            gifts_ = ", ".join(self.name(card.gift) for card in column)
            rows.add_row(Text(seat.name, "bold"), gifts_, Text(str(score), "red"))
        names = join_names([view.seats[winner].name for winner in winners], self._lang)
        plural = "one" if len(winners) == 1 else "other"
        line = terminal_texts(self._lang)["winner"][plural].format(who=names)
        return Group(self.text("round_over"), Text(), rows, Text(), Text(line, "bold green"))

    def _table(self, view: TableView) -> RenderableType:
        """Render every seat's column and penalties, and the shop."""
        if view.round is None or view.match is None:
            return Text()
        rows = Grid(box=None, padding=(0, 2), show_header=False)
        acting = _acting_seat(view.round)
        for number, (seat, cards) in enumerate(zip(view.seats, view.round.seats, strict=True)):
            column = Text(" ").join(self._card(card, number, view) for card in cards.column)
            pips = "●" * len(cards.penalties) + "○" * (PENALTIES_THAT_END - len(cards.penalties))
            penalties = ", ".join(self.name(gift) for gift in cards.penalties)
            name = Text(seat.name, style="bold reverse" if number == acting else "bold")
            rows.add_row(name, column, Text(pips, "red"), penalties)
        shop = view.round.shop
        top = (f" {self.name(shop.top) if shop.top else '–'} ", "black on white")
        line = Text.assemble(
            f"{self.text('says', who=self.text('shop'))} ", top, f"  {self.text('left', number=shop.left)}"
        )
        title = f"Not a Hat · {self.text('round', number=view.match.round, of=view.match.of)}"
        return Panel(Group(rows, Text(), line), title=title, padding=(1, 1))

    def _card(self, card: FaceUp | FaceDown, holder: int, view: TableView) -> Text:
        if isinstance(card, FaceUp):
            return self._label(card.gift)
        sign, style = ARROWS[card.back]
        to = receivers(card.back, holder, len(view.seats))
        receiver = view.seats[to[0]].name if len(to) == 1 else ""
        return Text(f" {sign} {receiver}".rstrip() + " ", style)


def _acting_seat(round_: View) -> int | None:
    phase = round_.phase
    return phase.receiver if isinstance(phase, AnswerView) else getattr(phase, "giver", None)
