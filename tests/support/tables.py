"""A table for tests: people by their names, orders in one line, and the log they leave."""

from uuid import UUID, uuid5

import pytest

from notahat.rules import Illegal, Wrap, legal
from notahat.table import Entry, Order, Shown, Table, fold, may, open_table, resolve, shown
from notahat.table import commands as do
from notahat.table.commands import Command

NAMESPACE = UUID(int=0)


def guest(name: str) -> UUID:
    return uuid5(NAMESPACE, name)


class Sitting:
    """A live table with a log; everybody ever named is here unless said to be away."""

    def __init__(
        self, host: str = "Ada", luck: int = 1, screen: bool = False, study: bool = False, **options: object
    ) -> None:
        self.luck = luck
        self.now = 1000.0
        self.away: set[str] = set()
        self.long_away: set[str] = set()  # those of them who have been away for a while
        self.people = {host}
        self.log: list[Entry] = [open_table("K7QX", guest(host), options, self.now, screen, study)]
        self.table: Table = fold(None, self.log)

    @property
    def present(self) -> frozenset[UUID]:
        return frozenset(guest(name) for name in self.people - self.away)

    @property
    def absent(self) -> frozenset[UUID]:
        return frozenset(guest(name) for name in self.long_away & self.away)

    @property
    def turn(self) -> int:
        assert self.table.round is not None
        return self.table.round.turn

    def does(self, name: str | None, command: Command, after: float = 1.0) -> tuple[Shown, ...]:
        """Somebody (None: the house) gives an order; says what everyone sees of it."""
        self.now += after
        self.luck += 1
        if name is not None:
            self.people.add(name)
        by = None if name is None else guest(name)
        new, steps = resolve(self.table, Order(command, by, self.now, self.present, self.luck, self.absent))
        if steps:
            self.log.append(new)
            self.table = steps[-1].after
        return tuple(seen for step in steps for seen in shown(step))

    def refusal(self, name: str | None, command: Command) -> str:
        """The reason for a no."""
        before = self.table
        with pytest.raises(Illegal) as refused:
            self.does(name, command)
        assert self.table == before
        assert refused.value.detail
        return str(refused.value.reason.value)

    def stage(self) -> str:
        return self.table.stage

    def seated(self, *names: str) -> "Sitting":
        for name in names:
            self.does(name, do.Sit(name))
        return self

    def started(self) -> "Sitting":
        self.does("Ada", do.Start())
        return self

    def may(self, name: str) -> set[str]:
        return {one.do for one in may(self.table, guest(name), self.present, self.absent)}

    def name_at(self, seat: int) -> str:
        return self.table.seats[seat].name

    def draw_and_wrap(self) -> None:
        """Whoever is to draw does, and the card wraps itself."""
        assert self.table.round is not None
        seat = legal(self.table.round).seat
        assert seat is not None
        self.does(self.name_at(seat), do.Draw(self.turn))
        self.wrap()

    def wrap(self) -> None:
        assert self.table.round is not None
        due = legal(self.table.round)
        if due.moves == ("wrap",):
            assert due.seat is not None
            self.does(None, do.PlayFor(self.turn, Wrap(due.seat)))

    def give(self, claim: str | None = "hat") -> None:
        assert self.table.round is not None
        due = legal(self.table.round)
        assert due.seat is not None
        self.does(self.name_at(due.seat), do.Give(self.turn, claim, due.receivers[0], due.seat))

    def answer(self, accepts: bool = True) -> tuple[Shown, ...]:
        assert self.table.round is not None
        seat = legal(self.table.round).seat
        assert seat is not None
        command = do.Accept(self.turn, seat) if accepts else do.Refuse(self.turn, seat)
        return self.does(self.name_at(seat), command)

    def play_round(self) -> tuple[Shown, ...]:
        """Everybody lies about everything and is refused, until the round is over."""
        seen: tuple[Shown, ...] = ()
        while self.table.stage == "play":
            self.draw_and_wrap()
            self.give("hat" if self._in_the_air() != "hat" else "kite")
            seen = self.answer(accepts=False)
        return seen

    def _in_the_air(self) -> str:
        assert self.table.round is not None
        card = getattr(self.table.round.phase, "card", None)
        assert card is not None
        return str(card.gift)
