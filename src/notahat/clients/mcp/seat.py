"""One program's seat: what happened since the last answer, and the newest state, as sentences."""

import asyncio
from contextlib import AsyncExitStack, suppress

from notahat.clients.python import Client, Declined, TableClient
from notahat.gifts import suggest
from notahat.narration.narrator import Narrator
from notahat.narration.vocabulary import Vocabulary
from notahat.rules import Accepted, AnswerView, Drawn, DrawView, GiveView, Offered, Refused, Wrapped, WrapView
from notahat.table.shown import RoundDealt
from notahat.wire.messages import State

LONGEST_WAIT = 25.0  # seconds; clients give up on a tool after half a minute
LONGEST_ANSWER = 1200  # characters
MOVES = ("draw", "give", "accept", "refuse")
_MOVES_SHOWN = (Drawn, Wrapped, Offered, Accepted, Refused)


class Seat:
    """One player at one table: what happened since the last answer, and the newest state."""

    def __init__(self, client: Client, table: TableClient, lang: str) -> None:
        self.client, self.table, self._lang = client, table, lang
        self._lines: list[str] = []
        self._decks: dict[int, Vocabulary] = {}
        self._vocabulary = Vocabulary(lang)
        self.exit = AsyncExitStack()
        self._reader: asyncio.Task[None] | None = None

    async def sit(self, name: str) -> None:
        """Connect and take a seat. Raise `Declined` if the table refuses it."""
        await self.exit.enter_async_context(self.table)
        if self.state.view.options.claims == "spoken":
            raise Declined("spoken_claims", "people speak their claims at this table")
        await self.table.do("sit", name=name, program=True)
        self.start_reading()

    def start_reading(self) -> None:
        """Take in all states from now on."""
        self._reader = asyncio.create_task(self._read())
        self.exit.callback(self._reader.cancel)

    @property
    def state(self) -> State:
        if self.table.state is None:
            raise Declined("no_connection", "the server cannot be reached")
        return self.table.state

    @property
    def narrator(self) -> Narrator:
        return Narrator(self._lang, [seat.name for seat in self.state.view.seats], self._vocabulary)

    @property
    def moves(self) -> set[str]:
        """The moves that this seat may make now."""
        return {one.do for one in self.state.may if one.do in MOVES}

    async def wait(self, seconds: float) -> None:
        """Wait until it is this seat's turn or the round is over. A program needs no time for the first look."""
        if self.state.view.stage == "play" and any(one.do == "ready" for one in self.state.may):
            with suppress(Declined):
                await self.table.do("ready")
        wanted = asyncio.create_task(self.table.until(lambda _: bool(self.moves) or self.state.view.stage != "play"))
        with suppress(TimeoutError):
            await asyncio.wait_for(wanted, min(max(seconds, 0.0), LONGEST_WAIT))
        await asyncio.sleep(0)  # let the reader take in what has just arrived

    def answer(self) -> str:
        """Return what happened since the last answer, the table and the question, oldest events left out if needed."""
        view, narrator = self.state.view, self.narrator
        if view.round is None:
            return narrator.say("lobby", names=", ".join(seat.name for seat in view.seats))
        asked = narrator.question(view.round) if self.moves else self._whose_turn()
        end = "\n\n".join((narrator.table(view.round), asked))
        lines, left_out = self._lines, 0
        self._lines = []
        while lines and len("\n".join((*lines, end))) > LONGEST_ANSWER - 80:
            lines, left_out = lines[1:], left_out + 1
        before = [narrator.say("left_out", n=left_out)] if left_out else []
        return "\n".join((*before, *lines, "", end)).strip()

    def find_gift(self, text: str) -> str:
        gift = self._vocabulary.find(text)
        if gift is None:
            near = ", ".join(map(self._vocabulary.name, suggest(text, self._lang, 3)))
            raise Declined("no_such_gift", f"no gift is called {text[:60]!r}" + (f"; perhaps {near}" if near else ""))
        return gift

    def find_receiver(self, name: str | None) -> int | None:
        if name is None:
            return None
        seats = [seat.name.casefold() for seat in self.state.view.seats]
        if name.casefold() not in seats:
            raise Declined("no_such_player", f"nobody at the table is called {name[:40]!r}")
        return seats.index(name.casefold())

    def _whose_turn(self) -> str:
        view = self.state.view
        phase = view.round.phase if view.round else None
        match phase:
            case AnswerView(receiver=seat) | DrawView(giver=seat) | WrapView(giver=seat) | GiveView(giver=seat):
                return self.narrator.say("waiting", who=view.seats[seat].name)
            case _ if view.round is not None:
                return self.narrator.result(view.round)
            case _:
                return ""

    async def _read(self) -> None:
        async for state in self.table:
            await self._learn_deck(state)
            round_ = state.view.round
            if round_ is None:
                continue
            if any(isinstance(event, RoundDealt) for event in state.happened):
                self._lines = list(self.narrator.see(round_, ()))
            events = [event for event in state.happened if isinstance(event, _MOVES_SHOWN)]
            if events:
                self._lines += self.narrator.see(round_, events, brief=True)

    async def _learn_deck(self, state: State) -> None:
        """Learn the names of a deck that people made."""
        deck = state.view.deck
        if not deck:
            self._vocabulary = self._decks.setdefault(0, Vocabulary(self._lang))
            return
        if deck.version not in self._decks:
            found = await self.client.deck(self.table.code, deck.version)
            own = {gift.key: (words[0], words[2], words[3]) for gift in found.own if (words := gift.words[self._lang])}
            self._decks[deck.version] = Vocabulary(self._lang, own=own)
        self._vocabulary = self._decks[deck.version]
