"""The pocket and the server are the same game: the same logs, seeds and orders give the same bytes from both."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from notahat.clients.pocket import YOU
from notahat.clients.python import Client, Declined, TableClient
from notahat.server.clock import Clock
from notahat.server.http.guests import hashed
from notahat.server.settings import Settings
from notahat.server.table_codes import link_to
from notahat.store import open_store
from notahat.table import fold
from notahat.table.events import decode
from support.pictures import a_large_deck
from support.pocket_driver import CODE, Pocketed
from support.recorded_games import (
    LUCK,
    ORDERS,
    PACE,
    SEATS,
    everybody_at,
    frame,
    next_order,
    opening,
    play_in_the_pocket,
    pocket_with,
    settle,
)
from support.server_process import serving_here
from support.timeouts import PATIENCE

LOGS = sorted((Path(__file__).parents[2] / "table" / "logs").glob("*/*.jsonl"))
TABLE = UUID(int=7)


class StoppedClock(Clock):
    """It is always the same moment."""

    def time(self) -> float:
        return 5000.0

    def monotonic(self) -> float:
        return 100.0


class Ear(TableClient):
    """A client that keeps every byte it was sent."""

    def __init__(self, url: str, guest: UUID) -> None:
        super().__init__(url, guest.hex, link_to("K7QX", TABLE).removeprefix("/t/"))
        self.heard: list[str] = []

    def hear(self, message: bytes) -> None:
        self.heard.append(message.decode())
        super().hear(message)

    async def order(self, number: int, **order: object) -> None:
        await self.send(f"o{number}", frame(number, order))


async def server_with(stack: AsyncExitStack, folder: Path, log: list[str], guests: list[UUID]) -> str:
    """A server on whose shelf this log lies, and which knows these guests."""
    settings = Settings(port=0, store=f"sqlite:///{folder / 'log.db'}", pace=PACE, luck=LUCK)
    store = await open_store(settings.store_url)
    for guest in guests:
        await store.add_guest(hashed(guest.hex), guest)
    await store.create_alias("K7QX", TABLE)
    for version, entry in enumerate(log):
        await store.append(TABLE, version, entry.encode())
    await store.close()
    return await stack.enter_async_context(serving_here(settings, StoppedClock()))


async def heard_alike(ears: dict[UUID, Ear], pocket: Pocketed) -> None:
    """After all that happens by itself, here and there."""
    settle(pocket)
    for guest, ear in ears.items():
        wanted = pocket.shelf.heard[guest.hex]
        while len(ear.heard) < len(wanted):
            await asyncio.sleep(0.002)
        assert ear.heard == wanted, guest


async def greet_both(folder: Path, log: list[str]) -> None:
    table = fold(None, [decode(line.encode()) for line in log])
    guests = everybody_at(table)
    pocket = pocket_with(log)
    async with AsyncExitStack() as stack:
        url = await server_with(stack, folder, log, guests)
        ears: dict[UUID, Ear] = {}
        for guest in guests:
            ears[guest] = await stack.enter_async_context(Ear(url, guest))
            pocket.arrives(guest.hex, guest)
            await heard_alike(ears, pocket)
        for number, order in enumerate(ORDERS):
            await asyncio.gather(ears[guests[0]].order(number, **order), return_exceptions=True)
            pocket.sends(frame(number, order), guests[0].hex)
            await heard_alike(ears, pocket)
        client = Client(url, guests[0].hex)
        for number in range(1, table.dealt + 1):
            here = pocket.pocket.story(CODE, number, pocket.shelf.log())
            try:
                there = msgspec.json.encode(await client.story("K7QX", number)).decode()
            except Declined as declined:
                there = f'{{"reason":"{declined.reason}","detail":""}}'
            assert here == there


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_golden_logs_are_told_alike(path: Path, tmp_path: Path) -> None:
    log = path.read_text("utf-8").splitlines()
    asyncio.run(asyncio.wait_for(greet_both(tmp_path, log), PATIENCE))


async def play_on_the_server(folder: Path, log: list[str], hat: str = "") -> tuple[list[str], str]:
    """What was heard of a whole game, and of the deck that it was played with."""
    async with AsyncExitStack() as stack:
        url = await server_with(stack, folder, log, [YOU])
        client = Client(url, YOU.hex)
        ear = await stack.enter_async_context(Ear(url, YOU))
        version = (await client.put_deck("K7QX", hat.encode())).version if hat else 0
        for number, order in enumerate(SEATS):
            await ear.order(number, **order)
        number = len(SEATS)
        while ear.state is not None and ear.state.view.stage == "play":
            next_ = next_order(msgspec.to_builtins(ear.state))
            if next_ is None:
                version_ = ear.state.v
                await ear.until(lambda state: state.v > version_)  # noqa: B023
            else:
                await ear.order(number, **next_)
                number += 1
        deck = msgspec.json.encode(await client.deck("K7QX", version)).decode() if hat else ""
        return ear.heard, deck


def test_a_whole_game_against_computer_players_is_the_same_to_the_last_byte(tmp_path: Path) -> None:
    log = opening(edition="special", show_seconds=0)
    pocket = play_in_the_pocket(log)
    server, _ = asyncio.run(asyncio.wait_for(play_on_the_server(tmp_path, log), PATIENCE))
    assert len(server) > 25
    assert pocket.shelf.heard["me"] == server


def test_so_is_one_with_a_deck_of_somebodys_own(tmp_path: Path) -> None:
    log, hat = opening(show_seconds=0), a_large_deck()
    pocket = play_in_the_pocket(log, hat)
    server, deck = asyncio.run(asyncio.wait_for(play_on_the_server(tmp_path, log, hat), PATIENCE))
    assert pocket.shelf.heard["me"] == server
    assert pocket.deck(2) == deck
    assert "own_" in deck
    assert any("own_" in line for line in server)
