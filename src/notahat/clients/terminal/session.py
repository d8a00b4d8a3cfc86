"""One player's session: drives a host whose only connection is the terminal."""

import argparse
import getpass
import time
from collections import deque
from collections.abc import Sequence
from uuid import UUID

import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from notahat import gifts
from notahat.clients.terminal.render import Screen
from notahat.live.effects import Append, Load, Reply, Send, Wake
from notahat.live.host import Host
from notahat.live.requests import Connect, Open, Request, Submit, Time
from notahat.live.settings import Determinism, RoomSettings
from notahat.rules import Illegal, agree
from notahat.rules.round import usual_gifts
from notahat.rules.view import AnswerView
from notahat.store import Commit
from notahat.table import GuestCommand, May, TableView
from notahat.table import commands as do
from notahat.table.options import TableReason
from notahat.table.people import clean_name
from notahat.wire.messages import State

YOU = UUID(int=1)
LOG = UUID(int=0)
CONNECTION = "terminal"
CODE = "HERE"

_state = msgspec.json.Decoder(State)


class Quit(Exception):  # noqa: N818 - not an error
    """The player closed the input, or wants no other game."""


class TerminalSession:
    """A table with one person and computer players."""

    def __init__(self, screen: Screen, arguments: argparse.Namespace) -> None:
        seats = arguments.players
        gifts_each = arguments.gifts or usual_gifts(seats)
        agree(seats, gifts_each)
        name = _player_name(arguments.name)
        self._screen = screen
        self._lang: str = arguments.lang
        self._pace: float = arguments.pace
        self._log: list[Commit] = []
        self._now = 0.0
        self._clock_read_at = time.monotonic()
        self._wake: float | None = None
        self._state: State  # the room sends one as soon as the terminal connects
        self._events: list[RenderableType] = []
        self._lines: list[Text] = []  # with pace 0: all events since the last input
        self._parts: tuple[RenderableType, ...] = ()
        self._commands = 0
        starter = _starter(arguments.starter, seats)
        options = {
            "edition": arguments.edition,
            "special_cards": arguments.special_cards,
            "arrows": arguments.arrows,
            "gifts_each": gifts_each,
            "rounds": arguments.rounds,
            "starter": starter,
        }
        determinism = Determinism.seeded(arguments.seed)
        self._host = Host[str](RoomSettings(speed=self._pace or 1.0, determinism=determinism))
        self._handle(Open(CODE, CODE, options, 0.0))
        self._handle(Connect(CODE, CONNECTION))
        self._send(do.Sit(name))
        tempers = [*arguments.tempers, *[None] * seats][: seats - 1]
        for temper in tempers:
            self._send(do.AddBot(arguments.level, temper))

    @property
    def _view(self) -> TableView:
        return self._state.view

    def play(self) -> None:
        """Play one match after the other until the player quits."""
        self._send(do.Start())
        while True:
            command = self._next_command()
            if command is not None:
                self._send(command)
            elif not self._screen.has_room(self._view, len(self._lines)):
                self._show()
                self._ask(self._screen.text("read"))
            elif self._wake is not None:
                self._sleep_until(self._wake)
                self._handle(Time(CODE))
            else:
                raise AssertionError("no command and no wake is due")

    def _send(self, command: GuestCommand) -> None:
        self._commands += 1
        self._advance_clock()
        self._handle(Submit(CODE, CONNECTION, str(self._commands), command))

    def _handle(self, request: Request[str]) -> None:
        """Handle a request and carry out the effects. The log is in memory: every entry is committed at once."""
        waiting = deque(self._host.handle(request, YOU, self._now))
        while waiting:
            match waiting.popleft():
                case Append(version=version, key=key, entry=entry) as append:
                    self._log.append(Commit(LOG, version + 1, key, entry))
                    waiting.extend(self._host.committed(CODE, append, self._now))
                case Load():
                    waiting.extend(self._host.loaded(CODE, None, self._log, now=self._now, at=0.0))
                case Wake(at=at):
                    self._wake = at
                case Send(message=message):
                    self._receive(message)
                case Reply(result=Illegal() as illegal):
                    raise illegal

    def _receive(self, message: bytes) -> None:
        self._state = _state.decode(message)
        if self._pace == 0:  # each screen would be replaced at once
            self._lines += self._screen.event_lines(self._view, self._state.happened)
            self._events = [Group(*self._lines)]
            return
        if self._state.happened:
            self._events = self._screen.events(self._view, self._state.happened)
        if self._view.stage != "lobby":
            self._show(self._screen.waiting(self._view, self._you))

    @property
    def _you(self) -> int:
        return self._state.you[0] if self._state.you else 0

    def _next_command(self) -> GuestCommand | None:
        """Ask the player for a command; return None if it is another seat's turn."""
        may = {one.do: one for one in self._state.may}
        turn = self._view.round.turn if self._view.round is not None else 0
        if "again" in may:
            self._show(self._result())
            if not self._ask(self._screen.text("again")).casefold().startswith(self._screen.text("yes")):
                raise Quit
            return do.Again()
        if "start" in may and self._view.stage == "lobby":
            return do.Start()
        if "ready" in may:
            return self._confirm_ready()
        if "draw" in may:
            self._wait_for_enter("look" if turn == 0 else "draw", with_help=turn == 0)
            return do.Draw(turn)
        if "give" in may:
            return self._ask_give(may["give"], turn)
        return self._ask_answer(turn) if "accept" in may else None

    def _confirm_ready(self) -> GuestCommand:
        if self._view.stage == "between":
            self._show(self._result())
            self._ask("")
        else:
            starter = self._view.match.starter if self._view.match is not None else 0
            self._wait_for_enter("watch", with_help=True, who=self._view.seats[starter].name)
        return do.Ready()

    def _result(self) -> RenderableType:
        round_ = self._host.rooms[CODE].table.round
        return self._screen.result(self._view, round_.columns if round_ is not None else ())

    def _wait_for_enter(self, key: str, *, with_help: bool = False, **values: object) -> None:
        hint = [Text(self._screen.text("help"), style="dim")] if with_help else []
        self._show(Text(self._screen.text(key, **values)), *hint)
        self._ask("")

    def _ask_give(self, may: May, turn: int) -> do.Give:
        receivers = may.to or ()
        chosen: int | None = 0
        if len(receivers) > 1:
            chosen = None
            while chosen is None:
                chosen = self._choose(self._screen.text("whom"), [self._view.seats[seat].name for seat in receivers])
        to = receivers[chosen or 0]
        return do.Give(turn, self._ask_claim(self._view.seats[to].name), to)

    def _ask_claim(self, to: str) -> str:
        error = Text()
        while True:
            self._show(self._screen.current_card(self._view), error)
            text = self._ask(self._screen.text("what", to=to))
            claim = gifts.find(text, self._lang)
            if claim is not None:
                return claim
            near = gifts.suggest(text, self._lang, limit=6)
            names = [self._screen.name(key) for key in near]
            chosen = self._choose(self._screen.text("unclear"), names) if near else None
            if chosen is not None:
                return near[chosen]
            error = Text(self._screen.text("unknown"), style="red")

    def _ask_answer(self, turn: int) -> do.Accept | do.Refuse:
        phase = self._view.round.phase if self._view.round is not None else None
        claim = phase.claim if isinstance(phase, AnswerView) and phase.claim else ""
        choices = self._screen.text("answer", denial=gifts.typeset(gifts.denial(claim, self._lang)))
        while True:
            self._show(Text(choices, style="bold"))
            match self._ask("> ").strip().casefold()[:1]:
                case "n":
                    return do.Refuse(turn)
                case letter if letter and letter == choices[0].casefold():
                    return do.Accept(turn)

    def _choose(self, question: str, labels: Sequence[str]) -> int | None:
        """Ask for one of several choices by its number; return None for any other input."""
        self._show(self._screen.current_card(self._view), Text(question), self._screen.choices(labels))
        typed = self._ask("> ").strip()
        return int(typed) - 1 if typed.isdecimal() and 1 <= int(typed) <= len(labels) else None

    def _show(self, *parts: RenderableType) -> None:
        """Show the table, the latest events and these parts."""
        self._parts = parts
        self._screen.show(self._view, *self._events, *parts)

    def _ask(self, prompt: str) -> str:
        """Read a line. A question mark shows the rules and then the same screen again."""
        while (typed := self._read_line(prompt)).strip() == "?":
            self._screen.show_rules()
            self._read_line(self._screen.text("read"))
            self._show(*self._parts)
        return typed

    def _read_line(self, prompt: str) -> str:
        try:
            typed = self._screen.ask(prompt)
        except EOFError:
            raise Quit from None
        self._lines.clear()
        return typed

    def _sleep_until(self, at: float) -> None:
        """Wait until this time of the room. With pace 0 the room's time jumps instead."""
        self._advance_clock()
        if self._pace > 0:
            time.sleep(max(0.0, at - self._now))
            self._advance_clock()
        self._now = max(self._now, at)

    def _advance_clock(self) -> None:
        """Add the real time since the last call, unless the pace is 0."""
        clock = time.monotonic()
        if self._pace > 0:
            self._now += clock - self._clock_read_at
        self._clock_read_at = clock


def _starter(place: int | None, seats: int) -> int | str:
    """Convert the option, which counts from 1, to a seat; None means random (3.3)."""
    if place is None:
        return "random"
    if not 1 <= place <= seats:
        raise Illegal(TableReason.BAD_OPTIONS, f"--starter must be 1 to {seats}, not {place}")
    return place - 1


def _player_name(name: str | None) -> str:
    """Return the given name, else the OS login if it is a valid player name, else You."""
    if name:
        return clean_name(name)
    try:
        return clean_name(getpass.getuser())
    except (Illegal, KeyError, OSError):  # there may be no login, for example in a container
        return "You"
