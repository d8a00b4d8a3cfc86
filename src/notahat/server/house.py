"""The house keeps time at a table: cards wrap themselves, computer players move, patience ends, the host's role passes
on. It gives orders like anyone, into the same place; the log decides which node was first.
"""

import asyncio
from collections.abc import Callable

from msgspec import Struct

from notahat.rules import Draw, Move, Wrap, legal
from notahat.server.room import Room
from notahat.table import HouseCommand
from notahat.table.commands import CallOff, ComeBack, DealNext, PassHost, PlayFor, ReturnHost

FIRST_LOOK_SECONDS = 6.0  # a computer player who starts lets people look round before the first draw
DRAW_SECONDS = 3.0  # a draw follows a refusal, and people want to see what was in the box
NEXT_ROUND_SECONDS = 4.0
HOST_AWAY_SECONDS = 60.0
LONGEST_THOUGHT = 6.0
MOST_UNATTENDED_TURNS = 3000

Propose = Callable[[Room, HouseCommand, str | None], None]


class Plan(Struct, frozen=True):
    """An order to give when the present decision is so many seconds old (at pace 1)."""

    seconds: float
    command: HouseCommand
    id: str | None = None


class House:
    """The clock of one room on this node. Nodes are staggered, so that they do not all try at once."""

    def __init__(self, room: Room, propose: Propose, stagger: float = 0.0) -> None:
        self._room = room
        self._propose = propose
        self._stagger = stagger
        self._timer: asyncio.TimerHandle | None = None
        self._host_timer: asyncio.TimerHandle | None = None
        self._thought: tuple[int, int, Plan] | None = None

    def look(self) -> None:
        """Look at the table after every change, and set the clock anew. A table with nobody connected sleeps."""
        _cancel(self._timer)
        if not self._room.listeners:
            self._forget_host()
            return
        self._welcome_back()
        self._mind_the_host()
        plan = self._plan()
        if plan is not None:
            age = self._room.clock.monotonic() - self._room.began
            wait = plan.seconds / self._room.pace - age
            self._timer = self._later(wait + self._stagger, plan)

    def stop(self) -> None:
        _cancel(self._timer)
        self._forget_host()

    def _later(self, seconds: float, plan: Plan) -> asyncio.TimerHandle:
        loop = asyncio.get_running_loop()
        return loop.call_later(max(0.0, seconds), self._propose, self._room, plan.command, plan.id)

    def _welcome_back(self) -> None:
        """People who are here again play for themselves, and the host is host again."""
        room = self._room
        if room.table.deputy is None and not any(seat.stand_in for seat in room.table.seats):
            return
        for guest in {listener.guest for listener in room.listeners}:
            if any(room.table.seats[seat].stand_in for seat in room.table.held_by(guest)):
                self._propose(room, ComeBack(guest), None)
        if room.table.deputy is not None and room.table.owner in room.present:
            self._propose(room, ReturnHost(), None)

    def _mind_the_host(self) -> None:
        room, present = self._room, self._room.present
        if room.table.host in present or not room.table.persons_here(present):
            self._forget_host()
        elif self._host_timer is None:
            wait = HOST_AWAY_SECONDS / room.pace + self._stagger
            self._host_timer = self._later(wait, Plan(wait, PassHost()))

    def _forget_host(self) -> None:
        _cancel(self._host_timer)
        self._host_timer = None

    def _plan(self) -> Plan | None:
        table = self._room.table
        if table.stage == "between":
            return self._next_round()
        if table.stage != "play" or table.paused or table.round is None:
            return None
        if table.round.turn >= MOST_UNATTENDED_TURNS and all(seat.played_by_bot for seat in table.seats):
            return Plan(0.0, CallOff())
        due = legal(table.round)
        if due.seat is None:
            return None
        if due.moves == ("wrap",):
            return self._play(float(table.options.show_seconds), Wrap(due.seat))
        if table.seats[due.seat].played_by_bot and not table.spoken:
            return self._thinking(due.seat, due.moves)
        if table.patience is not None:
            return self._play(table.patience, self._in_their_place(due.seat, due.moves))
        return None

    def _thinking(self, seat: int, moves: tuple[str, ...]) -> Plan:
        """What a computer player will do; it thinks once about each turn."""
        table = self._room.table
        turn = table.round.turn if table.round else 0
        if self._thought is not None and self._thought[:2] == (table.dealt, turn):
            return self._thought[2]
        if moves == ("draw",):
            plan = self._play(FIRST_LOOK_SECONDS if turn == 0 else DRAW_SECONDS, Draw(seat))
        else:
            answer = self._room.ledger.watcher.answer(table, seat)
            plan = self._play(min(answer.seconds, LONGEST_THOUGHT), answer.move)
        self._thought = (table.dealt, turn, plan)
        return plan

    def _in_their_place(self, seat: int, moves: tuple[str, ...]) -> Move:
        if moves == ("draw",):
            return Draw(seat)
        return self._room.ledger.watcher.answer(self._room.table, seat).move

    def _play(self, seconds: float, move: Move) -> Plan:
        table = self._room.table
        turn = table.round.turn if table.round else 0
        return Plan(seconds, PlayFor(turn, move), f"{table.dealt}.{turn}")

    def _next_round(self) -> Plan | None:
        """When all who are here are ready, the others are not waited for; but somebody must be here."""
        table = self._room.table
        people = [seat for seat in table.seats if not seat.played_by_bot]
        here = table.persons_here(self._room.present)
        if (people and not here) or not table.all_ready(self._room.present):
            return None
        return Plan(NEXT_ROUND_SECONDS, DealNext(), f"deal.{table.dealt}")


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
