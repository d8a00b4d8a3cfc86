"""A guest cannot act for another guest, or take over their seat."""

import asyncio
from collections.abc import Awaitable

import pytest

from notahat.clients.python import Client, Declined
from support.server_process import ServerProcess
from support.timeouts import TIMEOUT


async def reason(command: Awaitable[object]) -> str:
    with pytest.raises(Declined) as refusal:
        await command
    return refusal.value.reason


def test_stranger_cannot_move_for_a_player(server: ServerProcess) -> None:
    """Ada and Ben play, and Eve watches. Who sends a frame follows from the connection, never from the frame."""

    async def scenario() -> None:
        async with Client(server.url) as host, Client(server.url) as other, Client(server.url) as stranger:
            code = await host.open_table(starter=0, show_seconds=0, arrows="black")
            async with host.table(code) as ada, other.table(code) as ben, stranger.table(code) as eve:
                await ada.do("sit", name="Ada")
                await ben.do("sit", name="Ben")
                await ada.do("start")
                await eve.until(lambda state: state.view.stage == "play")
                for seat in (None, 0, 1, -1, 99):
                    assert await reason(eve.do("draw", seat=seat)) == "not_seated"
                assert await reason(eve.do("leave", seat=0)) == "not_seated"
                frame = b'{"id": "e1", "do": "draw", "turn": 0, "by": 0, "you": [0], "token": "x"}'
                assert await reason(eve.send("e1", frame)) == "not_seated"
                assert await reason(ben.do("draw", seat=0)) == "not_your_seat"
                assert (await ada.do("draw")).view.round.turn == 1  # type: ignore[union-attr]

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))
