"""Trace one `give` inside a host: Python calls, C calls, files touched and depth, from its command to the sends.

Usage: python bench/trace_give.py [--calls]   (`--calls` lists every Python function with its number of calls)
"""

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from uuid import UUID

from notahat.live.effects import Append, Effect
from notahat.live.host import Host
from notahat.live.requests import Connect, Open, Submit, Time
from notahat.live.settings import Determinism, RoomSettings
from notahat.store import Commit
from notahat.table import GuestCommand
from notahat.table import commands as do

SOURCE = Path(__file__).resolve().parent.parent / "src"
PEOPLE = tuple(UUID(int=number) for number in range(1, 5))
TABLE = "K7QX"


class CallTrace:
    """What the interpreter called while this was the profiler."""

    def __init__(self) -> None:
        self.python: Counter[str] = Counter()
        self.c_calls = 0
        self.files: set[str] = set()
        self.depth = self.deepest = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self.depth += 1
            self.deepest = max(self.deepest, self.depth)
            path = frame.f_code.co_filename
            self.python[f"{Path(path).name}: {frame.f_code.co_qualname}"] += 1
            if path.startswith(str(SOURCE)):
                self.files.add(path.removeprefix(f"{SOURCE}/"))
        elif event == "return":
            self.depth -= 1
        elif event == "c_call":
            self.c_calls += 1


class Evening:
    """Four people at one table; every entry is durable at once."""

    def __init__(self) -> None:
        self.now = 0.0
        self.host = Host[str](RoomSettings(determinism=Determinism.seeded(1)))
        self.commands = 0
        opened = self.host.handle(Open(TABLE, TABLE, {"starter": 0, "show_seconds": 0}, 0.0), PEOPLE[0], 0.0)
        log = [Commit(UUID(int=0), 1, one.key, one.entry) for one in opened if isinstance(one, Append)]
        self.host.loaded(TABLE, None, log, now=0.0, at=0.0)
        for guest in PEOPLE:
            self._carry_out(self.host.handle(Connect(TABLE, guest, deltas=True), guest, 0.0))
            self.send(guest, do.Sit("ABCD"[guest.int - 1]))
        self.send(PEOPLE[0], do.Start())

    def send(self, guest: UUID, command: GuestCommand) -> None:
        self.commands += 1
        self._carry_out(self.host.handle(Submit(TABLE, guest, str(self.commands), command), guest, self.now))

    def play_until(self, move: str) -> UUID:
        """Play on until this move is due; return the guest whose move it is."""
        while move not in (due := self.host.rooms[TABLE].table.due).moves:
            guest = PEOPLE[due.seat or 0]
            if due.moves == ("wrap",):
                self.now += 10.0
                self._carry_out(self.host.handle(Time(TABLE), None, self.now))
            else:
                self.send(guest, self._command(due.moves[0]))
        return PEOPLE[due.seat or 0]

    def _command(self, move: str) -> GuestCommand:
        if move == "give":
            return do.Give(self.turn, "hat")
        return do.Draw(self.turn) if move == "draw" else do.Accept(self.turn)

    @property
    def turn(self) -> int:
        round_ = self.host.rooms[TABLE].table.round
        return round_.turn if round_ is not None else 0

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Append):
                self._carry_out(self.host.committed(TABLE, effect, self.now))


def trace_give() -> CallTrace:
    """Trace a `give` of a table that has been played for a while."""
    evening = Evening()
    for _ in range(12):
        evening.play_until("give")
        evening.play_until("accept")
    giver = evening.play_until("give")
    evening.now += 2.0
    request = Submit(TABLE, giver, "give", do.Give(evening.turn, "hat"))
    trace = CallTrace()
    sys.setprofile(trace)
    effects = evening.host.handle(request, giver, evening.now)
    for effect in effects:
        if isinstance(effect, Append):
            effects = evening.host.committed(TABLE, effect, evening.now)
    sys.setprofile(None)
    return trace


def main() -> None:
    trace = trace_give()
    print(f"Python calls {sum(trace.python.values())}, C calls {trace.c_calls}")
    print(f"files {len(trace.files)}, depth {trace.deepest}")
    if "--calls" in sys.argv:
        for name, calls in trace.python.most_common():
            print(f"{calls:4} {name}")
        print(*sorted(trace.files), sep="\n")


if __name__ == "__main__":
    main()
