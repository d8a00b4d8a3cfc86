"""One player's evening at the terminal: it drives a room whose only line is the terminal, and decides nothing."""

import argparse
import getpass
import time
from collections import deque
from collections.abc import Sequence
from random import Random
from uuid import UUID

import msgspec
from rich.console import RenderableType
from rich.text import Text

from notahat import gifts
from notahat.clients.terminal.render import Screen
from notahat.live.effects import Append, Effect, Send, Wake
from notahat.live.room import Room
from notahat.rules import Illegal, agree
from notahat.rules.round import usual_gifts
from notahat.rules.view import AnswerView
from notahat.table import GuestCommand, May, TableView, open_table
from notahat.table import commands as do
from notahat.table.events import encode
from notahat.table.illegal import TableReason
from notahat.table.name import tidy
from notahat.wire.messages import State

YOU = UUID(int=1)
LINE = "terminal"
CODE = "HERE"
KNOWN_STEP_SECONDS = 2.0  # with a seed the table's time follows from the moves alone, and so do computer players

_state = msgspec.json.Decoder(State)


class Stopped(Exception):  # noqa: N818 - not an error: the player has had enough
    """The player closed the input, or wants no other game."""


class Opening(msgspec.Struct, frozen=True):
    """The first entry of a log that nobody keeps."""

    events: bytes
    version: int = 1
    command: str = "opened"


class Evening:
    """Sits down at a table with computer players."""

    def __init__(self, screen: Screen, arguments: argparse.Namespace) -> None:
        seats = arguments.players
        gifts_each = arguments.gifts or usual_gifts(seats)
        agree(seats, gifts_each)
        name = _called(arguments.name)
        self._screen = screen
        self._lang: str = arguments.lang
        self._pace: float = arguments.pace
        self._luck = Random(arguments.seed)
        self._now = 0.0
        self._slept = time.monotonic()
        self._wake: float | None = None
        self._heard: State | None = None
        self._told: list[RenderableType] = []
        self._sight: tuple[RenderableType, ...] = ()
        self._orders = 0
        starter = _starter(arguments.starter, seats)
        options = {
            "edition": arguments.edition,
            "special_cards": not arguments.no_special_cards,
            "arrows": arguments.arrows,
            "gifts_each": gifts_each,
            "rounds": arguments.rounds,
            "starter": starter,
        }
        opening = Opening(encode(open_table(CODE, YOU, options, 0.0)))
        known = KNOWN_STEP_SECONDS if arguments.seed is not None else 0.0
        room = Room.open(None, (opening,), self._now, speed=self._pace or 1.0, tick=known)
        if room is None:
            raise AssertionError("a table that was opened is there")
        self._room = room
        self._carry_out(room.arrived(LINE, YOU, self._now))
        self._order(do.Sit(name))
        tempers = [*arguments.tempers, *[None] * seats][: seats - 1]
        for temper in tempers:
            self._order(do.AddBot(arguments.level, temper))

    @property
    def _state(self) -> State:
        if self._heard is None:
            raise AssertionError("whoever arrives is told the present")
        return self._heard

    @property
    def _view(self) -> TableView:
        return self._state.view

    def play(self) -> None:
        """One match after the other, until the player has had enough."""
        self._order(do.Start())
        while True:
            command = self._your_turn()
            if command is not None:
                self._order(command)
            elif self._wake is not None:
                self._sleep_until(self._wake)
                self._carry_out(self._room.woken(self._now, self._luck.getrandbits(63)))
            else:
                raise AssertionError("nobody can go on")

    def _order(self, command: GuestCommand) -> None:
        self._orders += 1
        self._pass_time()
        self._carry_out(self._room.ordered(LINE, str(self._orders), command, self._now, self._luck.getrandbits(63)))

    def _carry_out(self, effects: list[Effect]) -> None:
        """Nothing is kept here: what the room wants to be durable is so, as soon as all else is carried out."""
        waiting = deque(effects)
        while waiting:
            effect = waiting.popleft()
            if isinstance(effect, Append):
                waiting.extend(self._room.committed(effect.version, self._now))
            elif isinstance(effect, Wake):
                self._wake = effect.at
            elif isinstance(effect, Send):
                self._hear(effect.message)

    def _hear(self, message: bytes) -> None:
        self._heard = _state.decode(message)
        happened = self._heard.happened
        if happened:
            self._told = self._screen.told(self._view, happened)
        if self._view.stage != "lobby":
            self._show(self._screen.waiting(self._view, self._you))

    @property
    def _you(self) -> int:
        return self._state.you[0] if self._state.you else 0

    def _your_turn(self) -> GuestCommand | None:
        """What the player orders now; None if it is somebody else's turn."""
        may = {one.do: one for one in self._state.may}
        turn = self._view.round.turn if self._view.round is not None else 0
        if "again" in may:
            return self._another_game()
        if "start" in may and self._view.stage == "lobby":
            return do.Start()
        if "ready" in may:
            return self._ready()
        if "draw" in may:
            self._enter("look" if turn == 0 else "draw", with_help=turn == 0)
            return do.Draw(turn)
        if "give" in may:
            return self._give(may["give"], turn)
        return self._answer(turn) if "accept" in may else None

    def _ready(self) -> GuestCommand:
        if self._view.stage == "between":
            self._show(self._result())
            self._ask("")
        else:
            starter = self._view.match.starter if self._view.match is not None else 0
            self._enter("watch", with_help=True, who=self._view.seats[starter].name)
        return do.Ready()

    def _another_game(self) -> GuestCommand:
        self._show(self._result())
        if not self._ask(self._screen.say("again")).casefold().startswith(self._screen.say("yes")):
            raise Stopped
        return do.Again()

    def _result(self) -> RenderableType:
        round_ = self._room.table.round
        return self._screen.result(self._view, round_.columns if round_ is not None else ())

    def _enter(self, key: str, *, with_help: bool = False, **values: object) -> None:
        hint = [Text(self._screen.say("help"), style="dim")] if with_help else []
        self._show(Text(self._screen.say(key, **values)), *hint)
        self._ask("")

    def _give(self, may: May, turn: int) -> do.Give:
        receivers = may.to or ()
        chosen: int | None = 0
        if len(receivers) > 1:
            chosen = None
            while chosen is None:
                chosen = self._choose(self._screen.say("whom"), [self._view.seats[seat].name for seat in receivers])
        to = receivers[chosen or 0]
        return do.Give(turn, self._claim(self._view.seats[to].name), to)

    def _claim(self, to: str) -> str:
        complaint = Text()
        while True:
            self._show(self._screen.in_the_air(self._view), complaint)
            text = self._ask(self._screen.say("what", to=to))
            claim = gifts.find(text, self._lang)
            if claim is not None:
                return claim
            near = gifts.suggest(text, self._lang, limit=6)
            names = [self._screen.name(key) for key in near]
            chosen = self._choose(self._screen.say("unclear"), names) if near else None
            if chosen is not None:
                return near[chosen]
            complaint = Text(self._screen.say("unknown"), style="red")

    def _answer(self, turn: int) -> do.Accept | do.Refuse:
        phase = self._view.round.phase if self._view.round is not None else None
        claim = phase.claim if isinstance(phase, AnswerView) and phase.claim else ""
        choices = self._screen.say("answer", denial=gifts.typeset(gifts.denial(claim, self._lang)))
        while True:
            self._show(Text(choices, style="bold"))
            match self._ask("> ").strip().casefold()[:1]:
                case "n":
                    return do.Refuse(turn)
                case letter if letter and letter == choices[0].casefold():
                    return do.Accept(turn)

    def _choose(self, question: str, labels: Sequence[str]) -> int | None:
        """Ask for one of several things by its number, or by anything else for none of them."""
        self._show(self._screen.in_the_air(self._view), Text(question), self._screen.choices(labels))
        typed = self._ask("> ").strip()
        return int(typed) - 1 if typed.isdecimal() and 1 <= int(typed) <= len(labels) else None

    def _show(self, *parts: RenderableType) -> None:
        """What has just happened stays in sight until the next thing does."""
        self._sight = parts
        self._screen.show(self._view, *self._told, *parts)

    def _ask(self, prompt: str) -> str:
        """What the player types; a question mark, at any time, gets the rules and comes back to the same sight."""
        while (typed := self._typed(prompt)).strip() == "?":
            self._screen.explain()
            self._typed(self._screen.say("read"))
            self._show(*self._sight)
        return typed

    def _typed(self, prompt: str) -> str:
        try:
            return self._screen.ask(prompt)
        except EOFError:
            raise Stopped from None

    def _sleep_until(self, at: float) -> None:
        """Without a pace nobody waits, and the room's time jumps ahead."""
        self._pass_time()
        if self._pace > 0:
            time.sleep(max(0.0, at - self._now))
            self._pass_time()
        self._now = max(self._now, at)

    def _pass_time(self) -> None:
        """However long the player thought, by the clock on the wall; without a pace no time passes by itself."""
        woke = time.monotonic()
        if self._pace > 0:
            self._now += woke - self._slept
        self._slept = woke


def _starter(place: int | None, seats: int) -> int | str:
    """The seat that begins, counted from 1 as people count; drawn by lot if nobody is named (3.3)."""
    if place is None:
        return "random"
    if not 1 <= place <= seats:
        raise Illegal(TableReason.BAD_OPTIONS, f"nobody sits on place {place}: there are {seats}")
    return place - 1


def _called(name: str | None) -> str:
    """What the player is called: as they say, or as on this machine if that is a name for a table, or You."""
    if name:
        return tidy(name)
    try:
        return tidy(_login())
    except Illegal:
        return "You"


def _login() -> str:
    """The name one has on this machine. In a container one may have none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
