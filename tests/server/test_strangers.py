"""Nobody can act for, read as, or take over another's seat."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from notahat.clients.python import Client, Declined, TableClient
from support.raw_http import RawSocket
from support.server_process import Served
from support.timeouts import PATIENCE


async def reason(order: Awaitable[object]) -> str:
    with pytest.raises(Declined) as refused:
        await order
    return refused.value.reason


def at_a_running_match(
    server: Served, story: Callable[[TableClient, TableClient, TableClient], Awaitable[None]]
) -> None:
    """Ada and Ben play, and a stranger has found the link."""

    async def run() -> None:
        async with Client(server.url) as host, Client(server.url) as stranger:
            code = await host.open_table(starter=0, show_seconds=0, arrows="black")
            async with host.table(code) as ada, Client(server.url) as other:
                await ada.do("sit", name="Ada")
                async with other.table(code) as ben, stranger.table(code) as eve:
                    await ben.do("sit", name="Ben")
                    await ada.do("start")
                    await eve.until(lambda state: state.view.stage == "play")
                    await story(ada, ben, eve)

    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_a_stranger_cannot_move_for_anybody(server: Served) -> None:
    async def story(ada: TableClient, ben: TableClient, eve: TableClient) -> None:
        for seat in (None, 0, 1, -1, 99):
            assert await reason(eve.do("draw", seat=seat)) == "not_seated"
        for order in ({"do": "emote", "emote": "wow", "seat": 0}, {"do": "leave", "seat": 0}, {"do": "pause"}):
            name = str(order.pop("do"))
            assert await reason(eve.do(name, **order)) == "not_seated"
        assert await reason(ben.do("draw", seat=0)) == "not_your_seat"
        assert await reason(ben.do("rename", name="Ada!", seat=0)) == "not_your_seat"
        assert (await ada.do("draw")).view.round.turn == 1  # type: ignore[union-attr]

    at_a_running_match(server, story)


def test_saying_to_be_somebody_in_a_frame_helps_nobody(server: Served) -> None:
    async def story(ada: TableClient, ben: TableClient, eve: TableClient) -> None:
        frame = b'{"id": "e1", "do": "draw", "turn": 0, "by": 0, "you": [0], "token": "x"}'
        assert await reason(eve.send("e1", frame)) == "not_seated"
        assert await reason(eve.do("hand_over", seat=0)) == "not_host"
        assert await reason(eve.do("end_match")) == "not_host"
        assert ada.state is not None
        assert ben.state is not None

    at_a_running_match(server, story)


def test_a_stranger_sees_what_all_see_and_may_nothing_but_clap_and_wait_for_a_seat(server: Served) -> None:
    async def story(ada: TableClient, ben: TableClient, eve: TableClient) -> None:
        state = await ada.do("draw")
        seen = await eve.until(lambda other: other.v >= state.v)
        assert seen.you == ()
        assert {one.do for one in seen.may} == {"sit", "emote"}
        assert (await eve.do("sit", name="Eve")).you == ()
        assert ben.state is not None

    at_a_running_match(server, story)


def test_a_seat_that_somebody_left_is_theirs_alone(server: Served) -> None:
    async def story(ada: TableClient, ben: TableClient, eve: TableClient) -> None:
        await ben.do("leave")
        assert (await eve.do("sit", name="Ben")).view.waiting == ("Ben 2",)
        state = await ben.do("sit", name="whoever")
        assert state.you == (1,)
        assert state.view.seats[1].name == "Ben"
        assert ada.state is not None

    at_a_running_match(server, story)


def test_an_answer_goes_to_who_asked_even_if_another_uses_the_same_id(server: Served) -> None:
    async def story(ada: TableClient, ben: TableClient, eve: TableClient) -> None:
        frame = b'{"id": "same", "do": "draw", "turn": 0}'
        assert (await ada.send("same", frame)).ack == "same"
        assert await reason(eve.send("same", frame)) == "stale"
        assert ben.state is not None

    at_a_running_match(server, story)


def test_half_a_token_opens_nothing(server: Served) -> None:
    async def token_and_code() -> tuple[str, str]:
        async with Client(server.url) as client:
            return str(client.token), await client.open_table()

    token, code = asyncio.run(token_and_code())
    for guess in (token[:-1], token + "x", token.swapcase(), f"{token},{token}", ""):
        with RawSocket(server.url, f"/api/tables/{code}/socket", authorization=f"Bearer {guess}") as line:
            assert (line.status, line.reason) == (401, "no_guest")
