"""Rule 9.5: two servers whose games differ only in face-down gifts send the same bytes, by socket and by HTTP."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import msgspec

from notahat.rules import legal
from notahat.rules.round import Answering
from notahat.server.settings import Settings
from notahat.table import Entry
from notahat.table import commands as do
from notahat.table.events import DeckPut, encode
from support.hidden_gifts import PEOPLE, claimable, hidden_gifts, running_game, with_swapped_gifts
from support.raw_http import send_request
from support.recorded_server import INVITED, RecordingClient, StoppedClock, store_game
from support.server_process import in_process_server
from support.tables import TableDriver, guest
from support.timeouts import TIMEOUT

WATCHER = "Eva"


async def preload(path: Path, log: list[Entry]) -> Settings:
    """Store a running game and its guests; return the settings of a server for it."""
    settings = Settings(port=0, store=f"sqlite:///{path}", pace=100.0)
    await store_game(settings, map(encode, log), {name: guest(name) for name in (*PEOPLE, WATCHER)})
    return settings


class Server:
    """One of two servers whose games differ only in hidden gifts, with all clients connected."""

    def __init__(self, url: str, clients: dict[str, RecordingClient]) -> None:
        self.url = url
        self.clients = clients

    async def settle(self, version: int) -> None:
        for client in self.clients.values():
            await client.until(lambda state: state.v >= version)

    def received(self) -> dict[str, list[bytes]]:
        return {name: list(client.messages) for name, client in self.clients.items()}

    async def read(self, version: int) -> list[tuple[int, dict[str, str], bytes]]:
        """Return all HTTP responses about the table, its decks and its round."""
        deck_paths = [f"/decks/{number}" for number in range(version + 2)]
        answers = [
            await asyncio.to_thread(
                send_request, self.url, "GET", f"/api/tables/{INVITED}{what}", authorization=f"Bearer {name}"
            )
            for name, paths in (("Ada", ["", *deck_paths, "/rounds/1"]), (WATCHER, ["", *deck_paths]))
            for what in paths
        ]
        assert [answer.body for answer in answers if answer.body.startswith(b'{"name":"At home"')]
        return [(answer.status, answer.headers | {"date": ""}, answer.body) for answer in answers]


async def start_server(stack: AsyncExitStack, settings: Settings) -> Server:
    url = await stack.enter_async_context(in_process_server(settings, StoppedClock()))
    clients: dict[str, RecordingClient] = {}
    for count, name in enumerate((*PEOPLE, WATCHER), 1):
        clients[name] = await stack.enter_async_context(RecordingClient(url, name))
        for client in clients.values():
            await client.until(presence_is(count))
    for client in clients.values():  # messages before all were connected depend on timing
        del client.messages[:-1]
    return Server(url, clients)


def presence_is(count: int) -> Callable[[msgspec.Struct], bool]:
    """Return a check that the view shows so many connected guests."""

    def check(state: msgspec.Struct) -> bool:
        view = state.view  # type: ignore[attr-defined]
        return bool(sum(not chair.away for chair in view.seats) + view.watching == count)

    return check


def next_command(driver: TableDriver, randomness: Random) -> dict[str, object]:
    """Return a random command other than a refusal."""
    assert driver.table.round is not None
    due = legal(driver.table.round)
    if due.moves == ("give",):
        return {"do": "give", "claim": randomness.choice(claimable(driver)), "to": randomness.choice(due.receivers)}
    return {"do": "accept"}


async def send_to_both(
    servers: tuple[Server, Server], driver: TableDriver, fields: dict[str, object], id_: str
) -> None:
    """Send a command to both servers and to the driver, which knows what is due next."""
    round_ = driver.table.round
    assert round_ is not None
    seat = legal(round_).seat
    assert seat is not None
    name = driver.name_at(seat)
    frame = msgspec.json.encode({"id": id_, "turn": round_.turn, **fields})
    driver.send(name, msgspec.json.decode(frame, type=do.ANY_GUEST_COMMAND))
    driver.wrap()
    for one in servers:
        await one.clients[name].send(id_, frame)
        await one.settle(len(driver.log))


async def vote_differently(servers: tuple[Server, Server], driver: TableDriver, id_: str) -> None:
    """Let the spectator believe the current claim at one server and doubt it at the other."""
    round_ = driver.table.round
    assert round_ is not None
    if isinstance(round_.phase, Answering):
        for one, believe in zip(servers, (True, False), strict=True):
            frame = msgspec.json.encode({"id": id_, "do": "vote", "turn": round_.turn, "believe": believe})
            await one.clients[WATCHER].send(id_, frame)


async def compare_servers(tmp_path: Path, seed: int) -> None:
    driver = running_game(seed, own_gifts=True)
    hidden = hidden_gifts(driver)
    assert len(hidden) >= 4
    one = await preload(tmp_path / "one.db", driver.log)
    other = await preload(tmp_path / "other.db", with_swapped_gifts(driver.log, hidden))
    randomness = Random(seed)
    async with AsyncExitStack() as stack:
        servers = (await start_server(stack, one), await start_server(stack, other))
        assert servers[0].received() == servers[1].received()
        for number in range(24):
            await send_to_both(servers, driver, next_command(driver, randomness), f"m{number}")
            await vote_differently(servers, driver, f"v{number}")
            assert servers[0].received() == servers[1].received()
        while legal(driver.table.round).moves != ("accept", "refuse"):  # type: ignore[arg-type]
            await send_to_both(servers, driver, next_command(driver, randomness), "last")
        put = next(n for n, entry in enumerate(driver.log, 1) if isinstance(entry.events[0], DeckPut))
        assert await servers[0].read(put) == await servers[1].read(put)
        assert all(len(messages) > 24 for messages in servers[0].received().values())
        await send_to_both(servers, driver, {"do": "refuse"}, "refused")
        assert servers[0].received() != servers[1].received()


def test_r9_5_exchanged_gifts_change_no_byte_until_one_is_opened(tmp_path: Path) -> None:
    """With own gifts, which are also sent as a deck; the simulation's twins have those of the catalogue."""
    asyncio.run(asyncio.wait_for(compare_servers(tmp_path, 4), TIMEOUT))
