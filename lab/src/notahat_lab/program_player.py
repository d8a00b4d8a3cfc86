"""A computer player that is another program: `program:COMMAND`, or a client of MCP: `mcp:COMMAND`."""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from queue import Empty, Queue, SimpleQueue

import msgspec

from notahat.bots import Answer
from notahat.gifts import catalogue
from notahat.rules import Accept, Event, Give, Illegal, Legal, Move, Reason, Refuse, View
from notahat.rules.view import AnswerView, GiveView, OverView
from notahat.table import GuestCommand, May, TableReason
from notahat.table import commands as do
from notahat.table.options import Options
from notahat.table.shown import RoundDealt, Shown
from notahat.table.view import Chair, MatchView, TableView
from notahat.wire.messages import Heartbeat, HeartbeatReply, MalformedFrame, No, State, decode_frame
from notahat_lab.errors import LabError
from notahat_lab.text.reply import NAMES

KINDS = ("program:", "mcp:")
SEED = "NOTAHAT_SEED"  # the environment variable from which a program may draw its randomness
CODE = "LAB"
SECONDS = 2.0  # of thinking at the table, however long the program took, so that two runs are alike
MAX_MISSED = 3  # moves in one game; then the program is not asked again
ANY_GIFT = "hat"


def is_program(name: str) -> bool:
    return name.startswith(KINDS)


def program_command(name: str) -> list[str]:
    """Return the words of the command that a contender names. Raise `LabError` if there are none."""
    kind, _, command = name.partition(":")
    try:
        words = shlex.split(command)
    except ValueError as problem:
        raise LabError(f"cannot read {name!r}: {problem}") from None
    if not words:
        raise LabError(f"{name!r} names no command")
    return words if kind == "program" else [sys.executable, "-m", "notahat", "mcp", "--agent", command]


class ProgramPlayer:
    """A `notahat.bots.Bot` around a program that is started for one game. Close it afterwards."""

    def __init__(self, name: str, seat: int, seed: int, options: Options, seconds: float) -> None:
        self.missed = 0
        self._seat, self._options, self._seconds = seat, options, seconds
        self._process = ProgramProcess(program_command(name), {SEED: str(seed)})
        self._state: State | None = None
        self._ack: str | None = None

    def see(self, view: View, events: Sequence[Event], now: float) -> None:  # noqa: ARG002
        """Send the state to the program, which has a clock of its own."""
        happened: tuple[Shown, ...] = tuple(events)
        if self._state is None:
            table = _table(view, self._options)
            happened = (RoundDealt(1, table.match.starter if table.match else 0),)
        else:
            table = msgspec.structs.replace(self._state.view, round=view)
        if isinstance(view.phase, OverView):
            table = msgspec.structs.replace(table, stage="over")
        version = 1 if self._state is None else self._state.v + 1
        self._state = State(version, table, happened, (self._seat,), _may(view, self._seat), self._ack)
        self._ack = None
        self._process.write(msgspec.json.encode(self._state))

    def answer(self, view: View, legal: Legal, now: float) -> Answer:  # noqa: ARG002
        """Return the program's first legal move, or a replacement if there is none in time."""
        deadline = time.monotonic() + self._seconds
        while self.missed < MAX_MISSED and (line := self._process.read(deadline)) is not None:
            move = self._read(line, view, legal)
            if move is not None:
                return Answer(move, SECONDS)
        self.missed += 1
        return Answer(replacement(self._seat, view, legal), SECONDS)

    def close(self) -> None:
        """Tell the program that the game is over, also if it was stopped, and end it."""
        if self._state is not None and self._state.view.stage != "over":
            view = msgspec.structs.replace(self._state.view, stage="over")
            over = msgspec.structs.replace(self._state, v=self._state.v + 1, view=view, happened=(), may=())
            self._process.write(msgspec.json.encode(over))
        self._process.close(CLOSING_SECONDS if self.missed < MAX_MISSED else 0.0)

    def _read(self, line: bytes, view: View, legal: Legal) -> Move | None:
        """Return the move in a line. Send the reason if it is none."""
        try:
            id_, command = decode_frame(line)
        except MalformedFrame as problem:
            self._refuse(problem.id, Reason.UNREADABLE, str(problem))
            return None
        if isinstance(command, Heartbeat):
            self._process.write(msgspec.json.encode(HeartbeatReply()))
            return None
        try:
            move = _move(command, self._seat, view, legal)
        except Illegal as problem:
            self._refuse(id_, problem.reason, problem.detail)
            return None
        self._ack = id_
        return move

    def _refuse(self, id_: str | None, reason: str, detail: str) -> None:
        self._process.write(msgspec.json.encode(No(id_, reason, detail)))


def replacement(seat: int, view: View, legal: Legal) -> Move:
    """Return the move for a program that made none: it refuses, or names the gift on top of the shop. Both are poor."""
    if "give" not in legal.moves:
        return Refuse(seat)
    return Give(seat, view.shop.top or ANY_GIFT, legal.receivers[0])


def _move(command: GuestCommand, seat: int, view: View, legal: Legal) -> Move:
    """Return the move of a command. Raise `Illegal` with the reason that a table would give."""
    if not isinstance(command, do.Give | do.Accept | do.Refuse):
        raise Illegal(Reason.WRONG_PHASE, "a ladder has no other commands than give, accept and refuse")
    if command.turn != view.turn:
        raise Illegal(TableReason.STALE, f"the round is at turn {view.turn}, not {command.turn}")
    if isinstance(command, do.Give) != ("give" in legal.moves):
        raise Illegal(Reason.WRONG_PHASE, f"only {' or '.join(legal.moves)} is possible now")
    match command:
        case do.Accept():
            return Accept(seat)
        case do.Refuse():
            return Refuse(seat)
        case do.Give(claim=claim, to=to):
            if claim not in catalogue():
                raise Illegal(TableReason.UNKNOWN_GIFT, f"there is no gift {str(claim)[:40]!r} in the catalogue")
            if to is None and len(legal.receivers) > 1:
                raise Illegal(Reason.RECEIVER_NEEDED, "this card may go to anyone: say who receives it")
            if to is not None and to not in legal.receivers:
                raise Illegal(Reason.NOT_A_RECEIVER, f"this card can go to {legal.receivers} only")
            return Give(seat, claim, to)


def _table(view: View, options: Options) -> TableView:
    """Return the table of a game that has just been dealt. Names do not tell who plays."""
    seats, gifts_each = len(view.seats), len(view.seats[0].column)
    starter = getattr(view.phase, "giver", 0)
    return TableView(
        code=CODE,
        host=None,
        stage="play",
        seats=tuple(Chair(name, "program", away=False) for name in NAMES[:seats]),
        waiting=(),
        watching=0,
        locked=True,
        paused=False,
        options=options,
        match=MatchView(1, 1, (0,) * seats, (), 1, starter, gifts_each, ended_early=False),
        deadline=None,
        round=view,
    )


def _may(view: View, seat: int) -> tuple[May, ...]:
    match view.phase:
        case GiveView(giver=giver, receivers=receivers) if giver == seat:
            return (May("give", seat=seat, to=receivers),)
        case AnswerView(receiver=receiver) if receiver == seat:
            return (May("accept", seat=seat), May("refuse", seat=seat))
        case _:
            return ()


MAX_LINE_BYTES = 8 * 1024  # as a frame of the protocol
MAX_UNREAD_LINES = 100
CLOSING_SECONDS = 5.0


class ProgramProcess:
    """A running program. Its errors go to the terminal."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own program
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | environment,
                start_new_session=True,
            )
        except OSError as problem:
            raise LabError(f"cannot start {command[0]}: {problem.strerror}") from None
        self._to_write: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines: Queue[bytes] = Queue(MAX_UNREAD_LINES)
        self._ended = threading.Event()
        for work in (self._write_lines, self._read_lines):
            threading.Thread(target=work, daemon=True).start()

    def write(self, line: bytes) -> None:
        """Write a line, now or when the program reads."""
        self._to_write.put(line + b"\n")

    def read(self, deadline: float) -> bytes | None:
        """Return the next line, or None if there is none until the deadline or the program has ended."""
        while (left := deadline - time.monotonic()) > 0:
            ended = self._ended.is_set()  # before the last look at the lines
            try:
                return self._lines.get(timeout=0.001 if ended else min(left, 0.05))
            except Empty:
                if ended:
                    return None
        return None

    def close(self, seconds: float = CLOSING_SECONDS) -> None:
        """Close the program's input, and end it if it does not end by itself soon."""
        self._to_write.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        self._kill()
        self._process.wait()

    def _kill(self) -> None:
        """End the program and all that it started."""
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def _write_lines(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError), self._process.stdin as stdin:  # a program may stop reading
            while (line := self._to_write.get()) is not None:
                stdin.write(line)
                stdin.flush()

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError), self._process.stdout as stdout:
            while line := stdout.readline(MAX_LINE_BYTES):
                self._lines.put(line)
        self._ended.set()
