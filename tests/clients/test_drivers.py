"""Server, pocket and terminal give the same bytes for the same story: they drive the same host."""

import argparse
import asyncio
import io
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
from rich.console import Console

from notahat.clients.pocket import YOU
from notahat.clients.python import Client, Declined
from notahat.clients.terminal.render import Screen
from notahat.clients.terminal.session import CODE, TerminalSession
from notahat.live.requests import Request, Submit, Time
from notahat.server.settings import Settings
from notahat.table import GuestCommand, fold, open_table
from notahat.table.commands import ANY_GUEST_COMMAND
from notahat.table.events import decode, encode
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
from support.recorded_server import NOW, RecordingClient, StoppedClock, store_game
from support.server_process import in_process_server
from support.timeouts import TIMEOUT

NEWEST_LOGS = max((Path(__file__).parents[1] / "table" / "logs").iterdir())
VIEWS = {path: msgspec.json.decode(path.read_bytes()) for path in sorted(NEWEST_LOGS.glob("*.json"))}
LOGS = [path.with_suffix(".jsonl") for path, view in VIEWS.items() if view["stage"] != "play"]  # no timer runs
OPTIONS: dict[str, object] = {
    "edition": "special", "special_cards": True, "arrows": "both", "gifts_each": 1, "rounds": "one", "starter": 1
}  # fmt: skip


class RecordingGuest(RecordingClient):
    """A client that sends numbered commands."""

    def __init__(self, url: str, guest: UUID) -> None:
        super().__init__(url, guest.hex)

    @property
    def texts(self) -> list[str]:
        return [message.decode() for message in self.messages]

    async def received(self, count: int) -> None:
        """Wait for so many messages."""
        while len(self.messages) < count:
            await asyncio.sleep(0.002)

    async def command(self, number: int, **fields: object) -> None:
        await self.send(f"o{number}", frame(number, fields))


async def server_with(stack: AsyncExitStack, folder: Path, log: list[str], guests: list[UUID]) -> str:
    """Start a server whose store has this log and these guests."""
    settings = Settings(port=0, store=f"sqlite:///{folder / 'log.db'}", pace=PACE, luck=SEED)
    await store_game(settings, map(str.encode, log), {guest.hex: guest for guest in guests})
    return await stack.enter_async_context(in_process_server(settings, StoppedClock()))


async def assert_same_messages(clients: dict[UUID, RecordingGuest], pocket: PocketTable) -> None:
    """Compare after all scheduled wakes have run on both sides."""
    pocket.run_all_wakes()
    for guest, client in clients.items():
        wanted = pocket.browser.messages[guest.hex]
        await client.received(len(wanted))
        assert client.texts == wanted, guest


async def compare_log(folder: Path, log: list[str]) -> None:
    table = fold(None, [decode(line.encode()) for line in log])
    guests = guests_of(table)
    pocket = pocket_with(log)
    async with AsyncExitStack() as stack:
        url = await server_with(stack, folder, log, guests)
        clients: dict[UUID, RecordingGuest] = {}
        for guest in guests:
            clients[guest] = await stack.enter_async_context(RecordingGuest(url, guest))
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


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_golden_log_gives_same_messages_as_server(path: Path, tmp_path: Path) -> None:
    log = path.read_text("utf-8").splitlines()
    asyncio.run(asyncio.wait_for(compare_log(tmp_path, log), TIMEOUT))


async def play_on_the_server(folder: Path, log: list[str], hat: str) -> tuple[list[str], str]:
    """Play a whole game; return its messages and the deck it was played with."""
    async with AsyncExitStack() as stack:
        url = await server_with(stack, folder, log, [YOU])
        client = Client(url, YOU.hex)
        player = await stack.enter_async_context(RecordingGuest(url, YOU))
        version = (await client.put_deck("K7QX", hat.encode())).version
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
        return player.texts, msgspec.json.encode(await client.deck("K7QX", version)).decode()


def test_game_with_own_deck_gives_same_bytes_as_server(tmp_path: Path) -> None:
    log, hat = opening(show_seconds=0), large_deck()
    pocket = play_in_pocket(log, hat)
    server, deck = asyncio.run(asyncio.wait_for(play_on_the_server(tmp_path, log, hat), TIMEOUT))
    assert pocket.browser.messages["me"] == server
    assert pocket.deck(2) == deck
    assert "own_" in deck
    assert any("own_" in line for line in server)


Story = list[tuple[int, str, bytes]]  # frames with their id, and after how many messages each was sent


class ScriptedSession(TerminalSession):
    """A terminal whose player follows `next_command`, and whose clock stands still."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self.story: Story = []
        arguments = argparse.Namespace(
            players=4, gifts=1, name="Ada", lang="en", pace=PACE, seed=SEED, starter=2, edition="special",
            special_cards=True, arrows="both", rounds="one", tempers=["berta"], level="casual",
        )  # fmt: skip
        super().__init__(Screen(Console(file=io.StringIO()), "en"), arguments)

    def _advance_clock(self) -> None:
        self._now = NOW

    def _sleep_until(self, at: float) -> None:
        self._now = max(NOW, at)

    def _handle(self, request: Request[str]) -> None:
        if isinstance(request, Submit):
            sent = msgspec.json.encode({"id": request.id, **msgspec.to_builtins(request.command)})
            self.story.append((len(self.messages), request.id, sent))
        elif not isinstance(request, Time):
            self._now = NOW
        super()._handle(request)
        self._now = NOW

    def _receive(self, message: bytes) -> None:
        self.messages.append(message.decode())
        super()._receive(message)

    def _next_command(self) -> GuestCommand | None:
        if self._state.view.stage != "play":
            raise StopIteration
        fields = next_command(msgspec.to_builtins(self._state))
        return None if fields is None else msgspec.convert(fields, ANY_GUEST_COMMAND)


def play_in_terminal() -> ScriptedSession:
    session = ScriptedSession()
    with suppress(StopIteration):
        session.play()
    return session


def replay_in_pocket(log: list[str], story: Story, count: int) -> list[str]:
    pocket = pocket_with(log)
    pocket.connect()
    messages = pocket.browser.messages["me"]
    for after, _, sent in story:
        while len(messages) < after:
            pocket.run_next_wake()
        pocket.send(sent)
    while len(messages) < count:
        pocket.run_next_wake()
    return messages


async def replay_on_server(folder: Path, log: list[str], story: Story, count: int) -> list[str]:
    async with AsyncExitStack() as stack:
        url = await server_with(stack, folder, log, [YOU])
        player = await stack.enter_async_context(RecordingGuest(url, YOU))
        for after, id_, sent in story:
            await player.received(after)
            await player.send(id_, sent)
        await player.received(count)
        return player.texts


def test_all_drivers_give_the_same_bytes(tmp_path: Path) -> None:
    session = play_in_terminal()
    assert len(session.messages) > 25
    assert '"event":"refused"' in "".join(session.messages)
    log = [encode(open_table(CODE, YOU, OPTIONS, 0.0)).decode()]
    story, count = session.story, len(session.messages)
    assert replay_in_pocket(log, story, count) == session.messages
    replay = replay_on_server(tmp_path, log, story, count)
    assert asyncio.run(asyncio.wait_for(replay, TIMEOUT)) == session.messages
