"""Stories for the gallery, played by a real room without a server."""

from typing import Any, Self

import msgspec

from notahat.gifts import LANGUAGES, catalogue, offer
from notahat.rules import Legal, legal
from notahat.table import commands as do
from notahat.table.commands import GuestCommand
from notahat.table.events import decode
from notahat.table.story import story
from support.room_driver import RoomDriver
from support.tables import guest

NAMES = (
    "Ada",
    "Wolfgang-Maximilian",
    "Bo",
    "Clementine-Marie",
    "Onkel Bartholomäus",
    "Hieronymusschwarz",
    "Eve",
    "Theodora",
)
CHARACTERS = ("ilya", "dolores")
CLAIM = max(catalogue(), key=lambda gift: max(len(offer(gift, lang)) for lang in LANGUAGES))
LONG_ENOUGH = 25.0  # seconds until others may act for an absent player


class Evening:
    """A table. Ada is the host; people have a device each, unless all sit around one."""

    def __init__(
        self, people: int = 4, bots: int = 0, around: bool = False, probe: float = 0.0, **options: Any
    ) -> None:
        plain = {"arrows": "black", "starter": 0, **options}
        self.driver = RoomDriver("Ada", options=plain, probe=probe).connect("Ada")
        self.people = NAMES[:people]
        self.around = around
        for name in self.people:
            if not around and name != "Ada":
                self.driver.connect(name)
            self.do(name, do.Sit(name))
        for number in range(bots):
            self.do("Ada", do.AddBot("regular", CHARACTERS[number] if number < len(CHARACTERS) else None))

    def do(self, name: str, command: GuestCommand) -> Self:
        self.driver.send("Ada" if self.around else name, command)
        return self

    def start(self) -> Self:
        return self.do("Ada", do.Start())

    def draw(self) -> Self:
        """Draw, and wait until the gift is wrapped."""
        return self._move(do.Draw(self.turn, seat=self._seat())).wrapped()

    def wrapped(self) -> Self:
        """Wait until an open gift is wrapped."""
        self.driver.run_until(lambda _: self.due.moves != ("wrap",))
        return self

    def give(self, claim: str | None = CLAIM) -> Self:
        to = self.due.receivers[-1] if len(self.due.receivers) > 1 else None
        return self._move(do.Give(self.turn, claim, to, seat=self._seat()))

    def accept(self) -> Self:
        return self._move(do.Accept(self.turn, seat=self._seat()))

    def refuse(self) -> Self:
        return self._move(do.Refuse(self.turn, seat=self._seat()))

    def offer(self, claim: str | None = CLAIM) -> Self:
        """Draw if needed, and give."""
        if self.due.moves == ("draw",):
            self.draw()
        return self.give(claim)

    def vote(self) -> Self:
        """Let everybody vote who is neither giver nor receiver."""
        for seat in {*range(len(self.people))} - {self._seat(), (self._seat() - 1) % len(self.people)}:
            self.do(self.people[seat], do.Vote(self.turn, believe=seat % 2 == 0))
        return self

    def penalties(self, count: int) -> Self:
        """Let claims be refused until there are so many penalties."""
        for _ in range(count):
            self.offer().refuse()
        return self

    def judge(self) -> Self:
        return self.do("Ada", do.Judge(self.turn, "giver", seat=0))

    def finish(self, claim: str | None = CLAIM) -> Self:
        """Refuse all claims to people until the round is over; computer players decide themselves."""
        while self.driver.room.table.stage == "play":
            if self.due.seat is None or self.due.seat >= len(self.people):
                self.wait(1.0)
            elif "refuse" not in self.due.moves:
                self.offer(claim)
            else:
                self.refuse()
                if claim is None:
                    self.judge()
        return self

    def away(self, name: str) -> Self:
        self.driver.disconnect(name)
        self.driver.advance(LONG_ENOUGH)
        return self

    def watch(self, name: str, screen: bool = False) -> Self:
        self.driver.connect(name, screen=screen)
        return self

    def knock(self, name: str) -> Self:
        self.driver.call("knocked", guest(name), name, self.driver.now)
        return self

    def wait(self, seconds: float) -> Self:
        self.driver.advance(seconds)
        return self

    @property
    def due(self) -> Legal:
        assert self.driver.room.table.round is not None
        return legal(self.driver.room.table.round)

    @property
    def turn(self) -> int:
        assert self.driver.room.table.round is not None
        return self.driver.room.table.round.turn

    def messages(self, connection: str, count: int = 1) -> list[str]:
        """Return the last whole states that this connection received."""
        return [message.decode() for message in self.driver.messages[connection] if b'"view"' in message][-count:]

    def story(self) -> Any:
        """Return the story of the round as JSON values, or None while it runs."""
        if self.driver.room.table.stage not in ("between", "over"):
            return None
        entries = (decode(stored.events) for stored in self.driver.log)
        return msgspec.to_builtins(story(entries, self.driver.room.table.dealt))

    def _seat(self) -> int:
        assert self.due.seat is not None
        return self.due.seat

    def _move(self, command: GuestCommand) -> Self:
        return self.do(self.people[self._seat()], command)
