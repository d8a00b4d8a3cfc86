"""Render the table, the latest events and the prompts in a terminal."""

import re
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
from notahat.gifts.word import facts
from notahat.narration.narrator import NARRATED, Narrator, Vocabulary, terminal_texts
from notahat.rules import Back, Card, Drawn, FaceDown, FaceUp, Refused, View, receivers
from notahat.rules.round import PENALTIES_THAT_END
from notahat.rules.view import AnswerView, GiveView, WrapView
from notahat.table import Shown, TableView
from notahat.table.shown import Remarked

ARROWS = {Back.LEFT: ("◀", "black on yellow"), Back.RIGHT: ("▶", "bold white on blue"), Back.ANY: ("✱", "bold magenta")}
_SOUNDS_LIKE_I = re.compile(r"i|hi(?![ae])", re.IGNORECASE)  # Spanish *y* becomes *e* before it: Ada e Ilya
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
        """Render what happened: large gifts that were shown, then the sentences."""
        gifts_shown = [self._gift(event.gift) for event in happened if isinstance(event, Drawn | Refused)]
        phase = view.round.phase if view.round is not None else None
        if isinstance(phase, WrapView) and not phase.from_shop:
            gifts_shown.append(self._gift(phase.card.gift))
        return [*gifts_shown, *self.event_lines(view, happened)]

    def event_lines(self, view: TableView, happened: Sequence[Shown]) -> list[Text]:
        """Render what happened as sentences."""
        moves = [event for event in happened if isinstance(event, NARRATED)]
        lines = self._narrator(view).see(view.round, moves, brief=True) if view.round is not None and moves else ()
        remarks = (self._remark(view, event) for event in happened if isinstance(event, Remarked))
        return [*(Text(gifts.typeset(line)) for line in lines), *remarks]

    def _remark(self, view: TableView, event: Remarked) -> Text:
        who = self.text("says", who=view.seats[event.seat].name)
        remark = Remark(event.character, event.occasion, event.number).text(self._lang)  # type: ignore[arg-type]
        return Text.assemble((f"{who} ", "bold"), (remark, "italic dim"))

    def _narrator(self, view: TableView) -> Narrator:
        return Narrator(self._lang, [seat.name for seat in view.seats], Vocabulary(self._lang))

    def has_room(self, view: TableView, lines: int) -> bool:
        """Return whether so many lines fit between the table and a prompt; always without a real terminal."""
        return not self._console.is_terminal or lines + len(view.seats) + _FRAME_LINES < self._console.height

    def waiting(self, view: TableView, you: int) -> RenderableType:
        """Render which other player must act now."""
        seat = _acting_seat(view.round) if view.round is not None else None
        if seat is None or seat == you:
            return Text()
        line = self._narrator(view).say("waiting", who=view.seats[seat].name)
        return Group(self.current_card(view), Text(), Text(line, style="dim"))

    def current_card(self, view: TableView) -> RenderableType:
        """Render the card that is being given."""
        phase = view.round.phase if view.round is not None else None
        if isinstance(phase, GiveView):
            return Align.center(self._card(phase.card, phase.giver, view))
        return Text()

    def choices(self, labels: Sequence[str]) -> RenderableType:
        return Text("   ").join(Text(f"{number} {label}") for number, label in enumerate(labels, 1))

    def _gift(self, gift: str) -> RenderableType:
        name = Text(self.name(gift), style="bold", justify="center")
        return Align.center(Panel(name, padding=(1, 6), style="black on white"))

    def name(self, gift: str) -> str:
        return gifts.typeset(gifts.name(gift, self._lang))

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
        assert view.match is not None and view.round is not None, "no round was played"  # noqa: PT018
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
            return Text(f" {self.name(card.gift)} ", "black on white")
        sign, style = ARROWS[card.back]
        to = receivers(card.back, holder, len(view.seats))
        receiver = view.seats[to[0]].name if len(to) == 1 else ""
        return Text(f" {sign} {receiver}".rstrip() + " ", style)


def _acting_seat(round_: View) -> int | None:
    phase = round_.phase
    return phase.receiver if isinstance(phase, AnswerView) else getattr(phase, "giver", None)


def join_names(names: Sequence[str], lang: str) -> str:
    """Join names into a list: Ada, Bo and Cleo."""
    *others, last = names
    if not others:
        return last
    word = "e" if lang == "es" and _SOUNDS_LIKE_I.match(last) else facts(lang).and_
    return f"{', '.join(others)} {word} {last}"
