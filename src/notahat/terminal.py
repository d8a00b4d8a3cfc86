"""The game in a terminal: you against computer players.

Nothing remembers for the player here either: each sight replaces the one before, and a real terminal
is given its own screen, so that no gift can be scrolled back to.
"""

import argparse
import getpass
import random
import time
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from notahat import gifts
from notahat.bots import LEVELS, Bot, sit_down
from notahat.rules import (
    Accept,
    Accepted,
    Back,
    Draw,
    Drawn,
    Event,
    FaceUp,
    Give,
    Illegal,
    Legal,
    Match,
    Move,
    Offered,
    Penalised,
    Refuse,
    Refused,
    Round,
    Wrap,
    agree,
    deal_round,
    legal,
    play_match,
    view,
)
from notahat.rules.round import PENALTIES_THAT_END, usual_gifts
from notahat.rules.view import FaceDown, View

YOU = 0
NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hanna")
ARROWS = {Back.LEFT: ("◀", "black on yellow"), Back.RIGHT: ("▶", "bold white on blue"), Back.ANY: ("✱", "bold magenta")}


class Stopped(Exception):  # noqa: N818 - not an error: the player has had enough
    """The player closed the input."""


def add_command(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`notahat play`, with every variant as an option."""
    parser = commands.add_parser("play", help="play in the terminal against computer players")
    parser.add_argument("--players", type=int, default=4, metavar="2-8", help="how many sit at the table, you included")
    parser.add_argument("--edition", choices=["classic", "special"], default="classic")
    parser.add_argument("--no-special-cards", action="store_true", help="the special edition without its special cards")
    parser.add_argument("--arrows", choices=["both", "black", "white"], default="both", help="one colour is harder")
    parser.add_argument("--gifts", type=int, choices=[1, 2], help="gifts each; two players always have two")
    parser.add_argument("--rounds", choices=["one", "each"], default="one", help="one round, or one for each player")
    parser.add_argument("--level", choices=LEVELS, default="casual", help="how well the computer players remember")
    parser.add_argument("--lang", choices=gifts.LANGUAGES, default="en")
    parser.add_argument("--name", default="", help="your name at the table")
    parser.add_argument("--pace", type=float, default=1.0, help="how fast it goes; 2 is twice as fast, 0 does not wait")
    parser.add_argument("--seed", type=int, help="shuffle the same way again")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play until the player has had enough."""
    console = Console(highlight=False)
    try:
        game = Game(console, arguments)
    except Illegal as refusal:
        console.print(f"notahat: {refusal.detail}", style="red")
        return 2
    with console.screen(hide_cursor=False) if console.is_terminal else Nothing():
        try:
            while game.play_match():
                pass
        except (Stopped, KeyboardInterrupt):
            pass
    console.print(game.say("goodbye"))
    return 0


class Nothing:
    """In place of the terminal's own screen where there is none."""

    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


def _login() -> str:
    """The name one has on this machine. In a container one may have none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


@cache
def _texts(lang: str) -> dict[str, Any]:
    return tomllib.loads(files("notahat").joinpath("terminal_words", f"{lang}.toml").read_text("utf-8"))


class Game:
    """One player's evening at the terminal."""

    def __init__(self, console: Console, arguments: argparse.Namespace) -> None:
        seats = arguments.players
        self._console = console
        self._lang: str = arguments.lang
        self._pace: float = arguments.pace
        self._level: str = arguments.level
        self._rounds = arguments.rounds
        self._gifts_each: int = arguments.gifts or usual_gifts(seats)
        self._cards = gifts.cards(arguments.edition, not arguments.no_special_cards, arguments.arrows)
        self._random = random.Random(arguments.seed)
        agree(seats, self._gifts_each)
        you = (arguments.name or _login()).strip()[:20] or "You"
        others = [name for name in NAMES if name.casefold() != you.casefold()]
        self._names = (you, *others[: seats - 1])
        self._match: Match = agree(seats, self._gifts_each, self._rounds)
        self._bots: dict[int, Bot] = {}
        self._began = 0.0

    def say(self, key: str, **values: object) -> str:
        text: str = _texts(self._lang)[key]
        return text.format(**values)

    def play_match(self) -> bool:
        """Play one match, and say whether the player wants another."""
        seats = len(self._names)
        self._match = agree(seats, self._gifts_each, self._rounds, starter=self._random.randrange(seats))
        while not self._match.over:
            self._play_round()
        self._show(self._result(self._match.totals, self._match.winners))
        return self._ask(self.say("again")).casefold().startswith(self.say("yes"))

    def _play_round(self) -> None:
        self._match = deal_round(self._match, self._random.sample(self._cards, len(self._cards)))
        seats = range(1, len(self._names))
        self._bots = {seat: sit_down(self._level, seat, self._random.getrandbits(32)) for seat in seats}
        self._began = time.monotonic()
        self._see(())
        starter = legal(self._round).seat
        first = self.say("look") if starter == YOU else self.say("watch", who=self._names[starter or 0])
        self._show(Text(first))
        self._ask("")
        self._act(Draw(starter or 0))
        while not self._round.over:
            self._act(self._next_move(legal(self._round)))

    @property
    def _round(self) -> Round:
        assert self._match.round is not None
        return self._match.round

    def _next_move(self, now: Legal) -> Move:
        assert now.seat is not None
        who = self._names[now.seat]
        match now.moves:
            case ("draw",):
                if now.seat == YOU:
                    self._show(Text(self.say("draw")))
                    self._ask("")
                return Draw(now.seat)
            case ("wrap",):
                return Wrap(now.seat)
            case _ if now.seat == YOU:
                return self._your_give(now) if now.moves == ("give",) else self._your_answer()
            case _:
                thinking = "chooses" if now.moves == ("give",) else "believes"
                self._show(self._in_the_air(), Text(self.say(thinking, who=who), style="dim"))
                answer = self._bots[now.seat].answer(view(self._round), now, self._now())
                self._wait(answer.seconds)
                return answer.move

    def _act(self, move: Move) -> None:
        self._match, events = play_match(self._match, move)
        self._see(events)
        for event in events:
            self._tell(event)
        phase = view(self._round).phase
        card = getattr(phase, "card", None)
        if isinstance(move, Accept) and isinstance(card, FaceUp):
            self._show(self._gift(card.gift), Text(self.say("wraps", who=self._names[move.seat])))
            self._wait(2.5)

    def _see(self, events: Sequence[Event]) -> None:
        for bot in self._bots.values():
            bot.see(view(self._round), events, self._now())

    def _now(self) -> float:
        return time.monotonic() - self._began

    def _tell(self, event: Event) -> None:
        """Show what happened, as long as it takes to take in."""
        names = self._names
        match event:
            case Drawn(giver=giver, gift=gift):
                self._show(self._gift(gift), Text(self.say("drew", who=names[giver])))
                self._wait(3.0)
            case Offered(giver=giver, receiver=receiver, claim=str(claim)):
                offers = self.say("offers", who=names[giver], to=names[receiver])
                self._show(Text(offers), self._spoken(gifts.offer(claim, self._lang)))
                self._wait(1.5 if receiver != YOU else 0)
            case Accepted(receiver=receiver):
                self._show(Text(f"{names[receiver]}:"), self._spoken(self.say("thanks")))
                self._wait(1.0)
            case Refused(receiver=receiver, claim=str(claim), gift=gift):
                denial = self._spoken(gifts.denial(claim, self._lang), "red")
                self._show(Text(f"{names[receiver]}:"), denial)
                self._wait(1.5)
                self._show(denial, Text(self.say("inside")), self._gift(gift))
                self._wait(2.0)
            case Penalised(seat=seat, gift=gift):
                self._show(self._gift(gift), Text(self.say("penalty", who=names[seat]), style="bold red"))
                self._wait(2.0)
            case _:
                pass

    def _your_give(self, now: Legal) -> Give:
        to = now.receivers[0]
        if len(now.receivers) > 1:
            chosen = None
            while chosen is None:
                chosen = self._choose(self.say("whom"), [self._names[seat] for seat in now.receivers])
            to = now.receivers[chosen]
        return Give(YOU, self._your_claim(to), to)

    def _your_claim(self, to: int) -> str:
        complaint = Text()
        while True:
            self._show(self._in_the_air(), complaint)
            text = self._ask(self.say("what", to=self._names[to]))
            claim = gifts.find(text, self._lang)
            if claim is not None:
                return claim
            near = gifts.suggest(text, self._lang, limit=6)
            chosen = self._choose(self.say("unclear"), [gifts.name(key, self._lang) for key in near]) if near else None
            if chosen is not None:
                return near[chosen]
            complaint = Text(self.say("unknown"), style="red")

    def _your_answer(self) -> Move:
        phase = view(self._round).phase
        claim: str = getattr(phase, "claim", "")
        giver: int = getattr(phase, "giver", 0)
        choices = self.say("answer", denial=gifts.denial(claim, self._lang))
        offers = self.say("offers", who=self._names[giver], to=self._names[YOU])
        while True:
            self._show(Text(offers), self._spoken(gifts.offer(claim, self._lang)), Text(choices, style="bold"))
            match self._ask("> ").strip().casefold()[:1]:
                case "n":
                    return Refuse(YOU)
                case letter if letter and letter == choices[0].casefold():
                    return Accept(YOU)

    def _choose(self, question: str, labels: Sequence[str]) -> int | None:
        """Ask for one of several things by its number, or by anything else for none of them."""
        listed = Text("   ").join(Text(f"{number} {label}") for number, label in enumerate(labels, 1))
        self._show(self._in_the_air(), Text(question), listed)
        typed = self._ask("> ").strip()
        return int(typed) - 1 if typed.isdecimal() and 1 <= int(typed) <= len(labels) else None

    def _ask(self, prompt: str) -> str:
        try:
            return self._console.input(Text(f"\n  {prompt}"))
        except EOFError:
            raise Stopped from None

    def _wait(self, seconds: float) -> None:
        if self._pace > 0:
            time.sleep(seconds / self._pace)

    def _show(self, *parts: RenderableType) -> None:
        """The table, and below it what is going on right now."""
        if self._console.is_terminal:
            self._console.clear()
        self._console.print(self._table(view(self._round)), *(Padding(part, (1, 2, 0, 2)) for part in parts))

    def _table(self, seen: View) -> RenderableType:
        """Everyone's column and penalties, and the shop."""
        rows = Table(box=None, padding=(0, 2), show_header=False)
        acting = legal(self._round).seat
        for seat, (name, lying) in enumerate(zip(self._names, seen.seats, strict=True)):
            column = Text(" ").join(self._card(card, seat) for card in lying.column)
            pips = "●" * len(lying.penalties) + "○" * (PENALTIES_THAT_END - len(lying.penalties))
            kept = ", ".join(gifts.name(gift, self._lang) for gift in lying.penalties)
            rows.add_row(
                Text(name, style="bold reverse" if seat == acting else "bold"), column, Text(pips, "red"), kept
            )
        top = gifts.name(seen.shop.top, self._lang) if seen.shop.top else "–"
        shop = Text.assemble(
            f"{self.say('shop')}: ", (f" {top} ", "black on white"), f"  {self.say('left', number=seen.shop.left)}"
        )
        number = len(self._match.finished) + (not self._round.over)
        title = f"Not a Hat · {self.say('round', number=number, of=self._match.of)}"
        return Panel(Group(rows, Text(), shop), title=title, padding=(1, 1))

    def _card(self, card: FaceUp | FaceDown, holder: int) -> Text:
        if isinstance(card, FaceUp):
            return Text(f" {gifts.name(card.gift, self._lang)} ", "black on white")
        sign, style = ARROWS[card.back]
        neighbours = {Back.LEFT: holder + 1, Back.RIGHT: holder - 1}
        goes_to = self._names[neighbours[card.back] % len(self._names)] if card.back in neighbours else ""
        return Text(f" {sign} {goes_to}".rstrip() + " ", style)

    def _in_the_air(self) -> RenderableType:
        phase = view(self._round).phase
        card, giver = getattr(phase, "card", None), getattr(phase, "giver", YOU)
        return Align.center(self._card(card, giver)) if card is not None else Text()

    def _gift(self, gift: str) -> RenderableType:
        name = Text(gifts.name(gift, self._lang), style="bold", justify="center")
        return Align.center(Panel(name, padding=(1, 6), style="black on white"))

    def _spoken(self, line: str, style: str = "green") -> Text:
        return Text(f"“{line}”", style=f"italic bold {style}")

    def _result(self, scores: Sequence[int], winners: Sequence[int]) -> RenderableType:
        """All gifts unwrapped, and who won."""
        opened = Table(box=None, padding=(0, 2), show_header=False)
        for name, column, score in zip(self._names, self._round.columns, scores, strict=True):
            opened.add_row(
                Text(name, "bold"), ", ".join(gifts.name(c.gift, self._lang) for c in column), Text(str(score), "red")
            )
        who = ", ".join(self._names[seat] for seat in winners)
        number = "one" if len(winners) == 1 else "other"
        won = _texts(self._lang)["winner"][number].format(who=who)
        return Group(self.say("round_over"), Text(), opened, Text(), Text(won, "bold green"))
