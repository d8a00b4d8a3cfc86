"""The pocket and the server give the same bytes for the same logs, seeds and commands."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from notahat.clients.pocket import YOU
from notahat.clients.python import Client, Declined, TableClient
from notahat.server.clock import Clock
from notahat.server.http.guests import hash_token
from notahat.server.settings import Settings
from notahat.server.table_codes import table_link
from notahat.store import open_store
from notahat.table import fold
from notahat.table.events import decode
from support.pictures import large_deck
from support.pocket_driver import PocketTable
from support.recorded_games import (
    LOBBY_COMMANDS,
    PACE,
    SEED,
    SETUP_COMMANDS,
    frame,
    guests_of,
    next_command,
    opening,
    play_in_pocket,
    pocket_with,
)
from support.server_process import in_process_server
from support.timeouts import TIMEOUT

LOGS = sorted((Path(__file__).parents[2] / "table" / "logs").glob("*/*.jsonl"))
TABLE = UUID(int=7)


class StoppedClock(Clock):
    """Always shows the same time."""

    def time(self) -> float:
        return 5000.0

    def monotonic(self) -> float:
        return 100.0


class RecordingClient(TableClient):
    """A client that keeps every message."""

    def __init__(self, url: str, guest: UUID) -> None:
        super().__init__(url, guest.hex, table_link("K7QX", TABLE).removeprefix("/t/"))
        self.messages: list[str] = []

    def receive(self, message: bytes) -> None:
        self.messages.append(message.decode())
        super().receive(message)

    async def command(self, number: int, **fields: object) -> None:
        await self.send(f"o{number}", frame(number, fields))


async def server_with(stack: AsyncExitStack, folder: Path, log: list[str], guests: list[UUID]) -> str:
    """Start a server whose store has this log and these guests."""
    settings = Settings(port=0, store=f"sqlite:///{folder / 'log.db'}", pace=PACE, luck=SEED)
    store = await open_store(settings.store_url)
    for guest in guests:
        await store.add_guest(hash_token(guest.hex), guest)
    await store.create_alias("K7QX", TABLE)
    for version, entry in enumerate(log):
        await store.append(TABLE, version, entry.encode())
    await store.close()
    return await stack.enter_async_context(in_process_server(settings, StoppedClock()))


async def assert_same_messages(clients: dict[UUID, RecordingClient], pocket: PocketTable) -> None:
    """Compare after all scheduled wakes have run on both sides."""
    pocket.run_all_wakes()
    for guest, client in clients.items():
        wanted = pocket.browser.messages[guest.hex]
        while len(client.messages) < len(wanted):
            await asyncio.sleep(0.002)
        assert client.messages == wanted, guest


async def compare_log(folder: Path, log: list[str]) -> None:
    table = fold(None, [decode(line.encode()) for line in log])
    guests = guests_of(table)
    pocket = pocket_with(log)
    async with AsyncExitStack() as stack:
        url = await server_with(stack, folder, log, guests)
        clients: dict[UUID, RecordingClient] = {}
        for guest in guests:
            clients[guest] = await stack.enter_async_context(RecordingClient(url, guest))
            pocket.connect(guest.hex, guest)
            await assert_same_messages(clients, pocket)
        for number, fields in enumerate(LOBBY_COMMANDS):
            await asyncio.gather(clients[guests[0]].command(number, **fields), return_exceptions=True)
            pocket.send(frame(number, fields), guests[0].hex)
            await assert_same_messages(clients, pocket)
        client = Client(url, guests[0].hex)
        for number in range(1, table.dealt + 1):
            here = pocket.ask("story", number)
            try:
                there = msgspec.json.encode(await client.story("K7QX", number)).decode()
            except Declined as declined:
                there = f'{{"reason":"{declined.reason}","detail":""}}'
            assert here == there


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_golden_log_gives_same_messages_as_server(path: Path, tmp_path: Path) -> None:
    log = path.read_text("utf-8").splitlines()
    asyncio.run(asyncio.wait_for(compare_log(tmp_path, log), TIMEOUT))


async def play_on_the_server(folder: Path, log: list[str], hat: str = "") -> tuple[list[str], str]:
    """Play a whole game; return its messages and the deck it was played with."""
    async with AsyncExitStack() as stack:
        url = await server_with(stack, folder, log, [YOU])
        client = Client(url, YOU.hex)
        player = await stack.enter_async_context(RecordingClient(url, YOU))
        version = (await client.put_deck("K7QX", hat.encode())).version if hat else 0
        for number, fields in enumerate(SETUP_COMMANDS):
            await player.command(number, **fields)
        number = len(SETUP_COMMANDS)
        while player.state is not None and player.state.view.stage == "play":
            command = next_command(msgspec.to_builtins(player.state))
            if command is None:
                version_ = player.state.v
                await player.until(lambda state: state.v > version_)  # noqa: B023
            else:
                await player.command(number, **command)
                number += 1
        deck = msgspec.json.encode(await client.deck("K7QX", version)).decode() if hat else ""
        return player.messages, deck


def test_game_with_bots_gives_same_bytes_as_server(tmp_path: Path) -> None:
    log = opening(edition="special", show_seconds=0)
    pocket = play_in_pocket(log)
    server, _ = asyncio.run(asyncio.wait_for(play_on_the_server(tmp_path, log), TIMEOUT))
    assert len(server) > 25
    assert pocket.browser.messages["me"] == server


def test_game_with_own_deck_gives_same_bytes_as_server(tmp_path: Path) -> None:
    log, hat = opening(show_seconds=0), large_deck()
    pocket = play_in_pocket(log, hat)
    server, deck = asyncio.run(asyncio.wait_for(play_on_the_server(tmp_path, log, hat), TIMEOUT))
    assert pocket.browser.messages["me"] == server
    assert pocket.deck(2) == deck
    assert "own_" in deck
    assert any("own_" in line for line in server)
