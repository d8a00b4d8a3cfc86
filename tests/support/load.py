"""Many tables at once, with people and computer players, for tests in which something breaks."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random

import msgspec

from notahat.clients.python import Client, Declined, TableClient
from notahat.gifts import catalogue
from notahat.store import Store
from notahat.wire.messages import State
from support.timeouts import PATIENCE

GIFTS = sorted(catalogue())
# somebody was quicker: another connection of the same person, or the house
TOO_LATE = ("stale", "wrong_phase", "not_your_turn", "round_running", "round_over")
THOUGHT_SECONDS = 0.1
NAP_SECONDS = 0.8


class Person:
    """A client who plays, and remembers every promise the server made."""

    def __init__(self, client: Client, table: TableClient, luck: Random) -> None:
        self.client = client
        self.table = table
        self.seats: tuple[int, ...] = ()
        self.promised: dict[str, int] = {}
        self.hurry = False
        self.dozing = 0.0  # how often somebody nods off
        self.drowsy = False  # and whether they surely do so next
        self._luck = luck

    @property
    def sees_own_seat(self) -> bool:
        return self.table.state is not None and self.table.state.you == self.seats

    async def do(self, order: str, **fields: object) -> State:
        """Give an order, until it is answered; an answer is a promise."""
        id_ = secrets.token_hex(6)
        state = await self.table.send(id_, msgspec.json.encode({"id": id_, "do": order, **fields}))
        self.promised[id_] = state.v
        return state

    async def play(self) -> State:
        """Do whatever may be done, until the match is over."""
        while True:
            state = await self.table.until(lambda state: bool(state.may))
            if state.view.stage == "over":
                return state
            assert state.you == self.seats, "somebody lost their seat"
            try:
                if not await self._move(state):
                    await self._something_new(state)
            except Declined as refused:
                if refused.reason not in (*TOO_LATE, "too_fast"):
                    raise
                await asyncio.sleep(THOUGHT_SECONDS)

    async def _move(self, state: State) -> bool:
        offers = {one.do: one for one in state.may}
        turn = state.view.round.turn if state.view.round else 0
        if not self.hurry:
            await asyncio.sleep(self._luck.uniform(0, 2 * THOUGHT_SECONDS))
            if self._luck.random() < self.dozing or self.drowsy:
                self.drowsy = False
                await asyncio.sleep(NAP_SECONDS)
        if "give" in offers:
            to = self._luck.choice(offers["give"].to or (0,))
            await self.do("give", turn=turn, seat=self.seats[0], claim=self._luck.choice(GIFTS), to=to)
        elif "accept" in offers:
            wary = 0.9 if self.hurry else 0.1
            answer = "refuse" if self._luck.random() < wary else "accept"
            await self.do(answer, turn=turn, seat=self.seats[0])
        elif "draw" in offers:
            await self.do("draw", turn=turn, seat=self.seats[0])
        elif "ready" in offers:
            await self.do("ready")
        else:
            return False
        return True

    async def _something_new(self, old: State) -> None:
        await self.table.until(lambda state: state.v != old.v or state.may != old.may)


class Game:
    """One table with its people."""

    def __init__(self, code: str, people: list[Person]) -> None:
        self.code = code
        self.people = people

    async def play(self) -> list[State]:
        return await asyncio.gather(*(person.play() for person in self.people))

    @property
    def over(self) -> bool:
        return all(person.table.state is not None and person.table.state.view.stage == "over" for person in self.people)


@asynccontextmanager
async def games(count: int, people: int, bots: int, urls: list[str], **options: object) -> AsyncIterator[list[Game]]:
    """Tables in play. The people of each are spread over the servers."""
    async with AsyncExitStack() as stack:

        async def begin(number: int) -> Game:
            luck, joined, code = Random(number), [], ""
            for seat in range(people):
                client = await stack.enter_async_context(Client(urls[(number + seat) % len(urls)]))
                code = code or await client.open_table(**options)
                table = await stack.enter_async_context(client.table(code))
                person = Person(client, table, Random(luck.random()))
                person.seats = (await person.do("sit", name=f"Person {seat + 1}")).you
                joined.append(person)
            for _ in range(bots):
                await joined[0].do("add_bot", level="regular")
            await joined[0].do("start")
            return Game(code, joined)

        yield list(await asyncio.gather(*(begin(number) for number in range(count))))


async def finish(crowd: list[Game], playing: Awaitable[list[list[State]]], seconds: float) -> list[list[State]]:
    """Nothing breaks any more: play quickly to the end."""
    for game in crowd:
        for person in game.people:
            person.hurry = True
    return await asyncio.wait_for(playing, seconds)


async def everybody(crowd: list[Game], wanted: Callable[[Person], bool], seconds: float = PATIENCE) -> None:
    """Wait until something is true of everybody."""
    deadline = time.monotonic() + seconds
    for person in (person for game in crowd for person in game.people):
        while not wanted(person):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)


async def answers(crowd: list[Game], more: int) -> None:
    """Wait until so many orders more were answered: trouble comes in the middle of games, on any machine."""
    people = [person for game in crowd for person in game.people]
    wanted = sum(len(person.promised) for person in people) + more
    async with asyncio.timeout(PATIENCE):
        while sum(len(person.promised) for person in people) < wanted:
            await asyncio.sleep(0.02)


async def check_promises(store: Store, crowd: list[Game]) -> int:
    """Whatever was acknowledged is in the log, once, and no later than the answer said; says how much that was."""
    promises = 0
    for game in crowd:
        id_ = await store.table_of(game.code)
        assert id_ is not None
        log = await store.read(id_)
        assert [commit.version for commit in log] == list(range(1, len(log) + 1))
        versions: dict[str, list[int]] = {}
        for commit in log:
            versions.setdefault(commit.command.rpartition(":")[2], []).append(commit.version)
        for person in game.people:
            for command, answered in person.promised.items():
                (version,) = versions[command]
                assert version <= answered
                promises += 1
    return promises
