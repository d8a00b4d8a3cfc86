"""A guest cannot act for another guest, or take over their seat."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from notahat.clients.python import Client, Declined, TableClient
from support.server_process import ServerProcess
from support.timeouts import TIMEOUT


async def reason(command: Awaitable[object]) -> str:
    with pytest.raises(Declined) as refusal:
        await command
    return refusal.value.reason


def with_running_match(
    server: ServerProcess, scenario: Callable[[TableClient, TableClient, TableClient], Awaitable[None]]
) -> None:
    """Run a scenario in which Ada and Ben play and Eve watches."""

    async def run() -> None:
        async with Client(server.url) as host, Client(server.url) as stranger:
            code = await host.open_table(starter=0, show_seconds=0, arrows="black")
            async with host.table(code) as ada, Client(server.url) as other:
                await ada.do("sit", name="Ada")
                async with other.table(code) as ben, stranger.table(code) as eve:
                    await ben.do("sit", name="Ben")
                    await ada.do("start")
                    await eve.until(lambda state: state.view.stage == "play")
                    await scenario(ada, ben, eve)

    asyncio.run(asyncio.wait_for(run(), TIMEOUT))


def test_stranger_cannot_move_for_a_player(server: ServerProcess) -> None:
    async def scenario(ada: TableClient, ben: TableClient, eve: TableClient) -> None:
        for seat in (None, 0, 1, -1, 99):
            assert await reason(eve.do("draw", seat=seat)) == "not_seated"
        for command in ({"do": "emote", "emote": "wow", "seat": 0}, {"do": "leave", "seat": 0}, {"do": "pause"}):
            name = str(command.pop("do"))
            assert await reason(eve.do(name, **command)) == "not_seated"
        assert await reason(ben.do("draw", seat=0)) == "not_your_seat"
        assert await reason(ben.do("rename", name="Ada!", seat=0)) == "not_your_seat"
        assert (await ada.do("draw")).view.round.turn == 1  # type: ignore[union-attr]

    with_running_match(server, scenario)


def test_identity_in_a_frame_is_ignored(server: ServerProcess) -> None:
    async def scenario(ada: TableClient, ben: TableClient, eve: TableClient) -> None:
        frame = b'{"id": "e1", "do": "draw", "turn": 0, "by": 0, "you": [0], "token": "x"}'
        assert await reason(eve.send("e1", frame)) == "not_seated"
        assert await reason(eve.do("hand_over", seat=0)) == "not_host"
        assert await reason(eve.do("end_match")) == "not_host"
        assert ada.state is not None
        assert ben.state is not None

    with_running_match(server, scenario)


def test_same_command_id_of_two_guests_is_answered_separately(server: ServerProcess) -> None:
    async def scenario(ada: TableClient, ben: TableClient, eve: TableClient) -> None:
        frame = b'{"id": "same", "do": "draw", "turn": 0}'
        assert (await ada.send("same", frame)).ack == "same"
        assert await reason(eve.send("same", frame)) == "stale"
        assert ben.state is not None

    with_running_match(server, scenario)
