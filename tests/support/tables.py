"""A table with its log for tests: guests by name, one call for each command."""

from uuid import UUID, uuid5

import pytest

from notahat.rules import Accept, Draw, Give, Illegal, Move, Refuse, Wrap
from notahat.table import Context, Entry, May, Shown, Table, decide, fold, may, open_table, shown
from notahat.table import commands as do
from notahat.table.admission import screen_id
from notahat.table.commands import Command
from notahat.table.events import Crowd

NAMESPACE = UUID(int=0)


def guest(name: str) -> UUID:
    return uuid5(NAMESPACE, name)


class TableDriver:
    """A table and its log. All guests who sent a command are present, except those in `away`."""

    def __init__(
        self,
        host: str = "Ada",
        seed: int = 1,
        screen: bool = False,
        study: bool = False,
        probe: float = 0.0,
        **options: object,
    ) -> None:
        self.seed = seed
        self.now = 1000.0
        self.away: set[str] = set()
        self.long_away: set[str] = set()  # counts only for guests who are also in `away`
        self.idle_seat: int | None = None  # for whom the table has waited so long that others may help
        self.bot_move: Move | None = None  # what a computer player would do there
        self.votes: Crowd | None = None  # on the current claim
        self.people = {host}
        self.screens: set[str] = set()  # guests with a big screen that came by link
        self.log: list[Entry] = [open_table("K7QX", guest(host), options, self.now, screen, study, probe)]
        self.table: Table = fold(None, self.log)

    @property
    def present(self) -> frozenset[UUID]:
        people = frozenset(guest(name) for name in self.people - self.away)
        return people | {screen_id(guest(name)) for name in self.screens}

    @property
    def absent(self) -> frozenset[UUID]:
        return frozenset(guest(name) for name in self.long_away & self.away)

    @property
    def turn(self) -> int:
        assert self.table.round is not None
        return self.table.round.turn

    def send(self, name: str | None, command: Command, after: float = 1.0) -> tuple[Shown, ...]:
        """Send a command (name None: a system command) and return the shown events."""
        self.now += after
        self.seed += 1
        if name is not None:
            self.people.add(name)
        by = None if name is None else guest(name)
        entry, steps = decide(self.context(by), command)
        if steps:
            self.log.append(entry)
            self.table = steps[-1].after
        return tuple(event for step in steps for event in shown(step))

    def context(self, by: UUID | None) -> Context:
        """Return the circumstances of this driver for a command."""
        return Context(
            self.table,
            by,
            at=self.now,
            present=self.present,
            seed=lambda: self.seed,
            away=self.absent,
            idle_seat=self.idle_seat,
            bot_move=self.bot_move,
            votes=self.votes,
        )

    def refusal(self, name: str | None, command: Command) -> str:
        """Return the reason for which a command is refused."""
        before = self.table
        with pytest.raises(Illegal) as refused:
            self.send(name, command)
        assert self.table == before
        assert refused.value.detail
        return str(refused.value.reason.value)

    def stage(self) -> str:
        return self.table.stage

    def seated(self, *names: str) -> "TableDriver":
        for name in names:
            self.send(name, do.Sit(name))
        return self

    def started(self) -> "TableDriver":
        self.send("Ada", do.Start())
        return self

    def offers(self, name: str, what: str | None = None) -> list[May]:
        """Return what a guest may do; `what`: only this command."""
        offered = may(self.table, guest(name), self.present, self.absent, self.idle_seat)
        return [one for one in offered if what in (None, one.do)]

    def may(self, name: str) -> set[str]:
        return {one.do for one in self.offers(name)}

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.table.seats]

    def name_at(self, seat: int) -> str:
        return self.table.seats[seat].name

    def draw_and_wrap(self) -> None:
        """Draw from the seat whose turn it is, and let the card wrap itself."""
        self.move()
        self.wrap()

    def wrap(self) -> None:
        if self.table.due.moves == ("wrap",):
            self.move()

    def give(self, claim: str | None = "hat") -> None:
        self.move(claim)

    def answer(self, accepts: bool = True) -> tuple[Shown, ...]:
        return self.move(accepts=accepts)

    def move(self, claim: str | None = "hat", accepts: bool = False, after: float = 1.0) -> tuple[Shown, ...]:
        """Make the move that is due, as its player or, to wrap or for a computer player, as the system."""
        assert self.table.due.seat is not None
        seat = self.table.seats[self.table.due.seat]
        if self.table.due.moves == ("wrap",) or seat.played_by_bot:
            return self.send(None, do.PlayFor(self.turn, due_move(self.table, claim, accepts)), after)
        name = next(name for name in self.people if guest(name) == seat.guest)
        return self.send(name, due_command(self.table, claim, accepts), after)

    def play_round(self) -> tuple[Shown, ...]:
        """Let every player lie and every receiver refuse until the round is over; return the last shown events. At a
        spoken table Ada judges every giver to be wrong.
        """
        events: tuple[Shown, ...] = ()
        while self.table.stage == "play":
            if self.table.due.moves == ("judge",):
                events = self.send("Ada", do.Judge(self.turn, "giver"))
            else:
                lie = "kite" if self.passed_gift == "hat" else "hat"
                events = self.move(None if self.table.spoken else lie)
        return events

    @property
    def passed_gift(self) -> str:
        """The gift in hand or on offer, if any."""
        assert self.table.round is not None
        card = getattr(self.table.round.phase, "card", None)
        return "" if card is None else str(card.gift)


def due_move(table: Table, claim: str | None = "hat", accepts: bool = False) -> Move:
    """Return the move that is due, with this claim or answer."""
    due, seat = table.due, table.due.seat
    assert seat is not None
    match due.moves[0]:
        case "draw":
            return Draw(seat)
        case "wrap":
            return Wrap(seat)
        case "give":
            return Give(seat, claim, due.receivers[0])
        case _:
            return Accept(seat) if accepts else Refuse(seat)


def due_command(table: Table, claim: str | None = "hat", accepts: bool = False) -> do.GuestCommand:
    """Return the move that is due as its player sends it."""
    assert table.round is not None
    turn, seat = table.round.turn, table.due.seat
    match due_move(table, claim, accepts):
        case Draw():
            return do.Draw(turn, seat=seat)
        case Give(to=to):
            return do.Give(turn, claim, to, seat=seat)
        case Accept():
            return do.Accept(turn, seat=seat)
        case _:
            return do.Refuse(turn, seat=seat)
