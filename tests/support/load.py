"""Many tables at once, with scripted clients and computer players, for tests in which servers fail."""

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
from support.timeouts import TIMEOUT

GIFTS = sorted(catalogue())
# another connection of the same guest or a stand-in has moved first
RACE_REASONS = ("stale", "wrong_phase", "not_your_turn", "round_running", "round_over")
THINKING_SECONDS = 0.1


class LoadPlayer:
    """A client that plays, and records every acknowledgement."""

    def __init__(self, client: Client, table: TableClient, randomness: Random) -> None:
        self.client = client
        self.table = table
        self.seats: tuple[int, ...] = ()
        self.acknowledged: dict[str, int] = {}
        self.no_delay = False
        self._random = randomness

    @property
    def has_own_seat(self) -> bool:
        return self.table.state is not None and self.table.state.you == self.seats

    async def do(self, command: str, **fields: object) -> State:
        """Send a command, wait for its answer, and record it as acknowledged."""
        id_ = secrets.token_hex(6)
        state = await self.table.send(id_, msgspec.json.encode({"id": id_, "do": command, **fields}))
        self.acknowledged[id_] = state.v
        return state

    async def play(self) -> State:
        """Make every possible move until the match is over."""
        while True:
            state = await self.table.until(lambda state: bool(state.may))
            if state.view.stage == "over":
                return state
            assert state.you == self.seats, "the player lost the seat"
            try:
                if not await self._move(state):
                    await self._wait_for_change(state)
            except Declined as refused:
                if refused.reason not in (*RACE_REASONS, "too_fast"):
                    raise
                await asyncio.sleep(THINKING_SECONDS)

    async def _move(self, state: State) -> bool:
        offers = {one.do: one for one in state.may}
        turn = state.view.round.turn if state.view.round else 0
        if not self.no_delay:
            await asyncio.sleep(self._random.uniform(0, 2 * THINKING_SECONDS))
        if "give" in offers:
            to = self._random.choice(offers["give"].to or (0,))
            await self.do("give", turn=turn, seat=self.seats[0], claim=self._random.choice(GIFTS), to=to)
        elif "accept" in offers:
            refusal_probability = 0.9 if self.no_delay else 0.1
            answer = "refuse" if self._random.random() < refusal_probability else "accept"
            await self.do(answer, turn=turn, seat=self.seats[0])
        elif "draw" in offers:
            await self.do("draw", turn=turn, seat=self.seats[0])
        elif "ready" in offers:
            await self.do("ready")
        else:
            return False
        return True

    async def _wait_for_change(self, old: State) -> None:
        await self.table.until(lambda state: state.v != old.v or state.may != old.may)


class LoadGame:
    """One table with its clients."""

    def __init__(self, code: str, people: list[LoadPlayer]) -> None:
        self.code = code
        self.people = people

    async def play(self) -> list[State]:
        return await asyncio.gather(*(person.play() for person in self.people))

    @property
    def over(self) -> bool:
        return all(person.table.state is not None and person.table.state.view.stage == "over" for person in self.people)


@asynccontextmanager
async def running_games(
    count: int, people: int, bots: int, urls: list[str], **options: object
) -> AsyncIterator[list[LoadGame]]:
    """Start matches. The clients of each table are spread over the servers."""
    async with AsyncExitStack() as stack:

        async def begin(number: int) -> LoadGame:
            randomness, joined, code = Random(number), [], ""
            for seat in range(people):
                client = await stack.enter_async_context(Client(urls[(number + seat) % len(urls)]))
                code = code or await client.open_table(**options)
                table = await stack.enter_async_context(client.table(code))
                person = LoadPlayer(client, table, Random(randomness.random()))
                person.seats = (await person.do("sit", name=f"Person {seat + 1}")).you
                joined.append(person)
            for _ in range(bots):
                await joined[0].do("add_bot", level="regular")
            await joined[0].do("start")
            return LoadGame(code, joined)

        yield list(await asyncio.gather(*(begin(number) for number in range(count))))


async def play_to_end(
    games: list[LoadGame], playing: Awaitable[list[list[State]]], seconds: float
) -> list[list[State]]:
    """Play on without delays and wait for the end of all matches."""
    for game in games:
        for person in game.people:
            person.no_delay = True
    return await asyncio.wait_for(playing, seconds)


async def wait_for_all(games: list[LoadGame], wanted: Callable[[LoadPlayer], bool], seconds: float = TIMEOUT) -> None:
    """Wait until `wanted` is true of every player."""
    deadline = time.monotonic() + seconds
    for person in (person for game in games for person in game.people):
        while not wanted(person):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)


async def wait_for_answers(games: list[LoadGame], more: int) -> None:
    """Wait until this many more commands are acknowledged, so that a failure happens in the middle of the matches."""
    people = [person for game in games for person in game.people]
    wanted = sum(len(person.acknowledged) for person in people) + more
    async with asyncio.timeout(TIMEOUT):
        while sum(len(person.acknowledged) for person in people) < wanted:
            await asyncio.sleep(0.02)


async def check_acknowledged(store: Store, games: list[LoadGame]) -> int:
    """Assert that every acknowledged command is in the log once, at its version or before; return their number."""
    count = 0
    for game in games:
        id_ = await store.table_of(game.code)
        assert id_ is not None
        log = await store.read(id_)
        assert [commit.version for commit in log] == list(range(1, len(log) + 1))
        versions: dict[str, list[int]] = {}
        for commit in log:
            versions.setdefault(commit.key.rpartition(":")[2], []).append(commit.version)
        for person in game.people:
            for command, answered in person.acknowledged.items():
                (version,) = versions[command]
                assert version <= answered
                count += 1
    return count
