"""The socket protocol: acks, deduplication, several connections of one guest, presence, refusals."""

import asyncio
import re

import pytest

from notahat.clients.python import Client, Declined
from support.raw_table import open_socket, open_table
from support.server_process import ServerProcess, seated_clients
from support.timeouts import TIMEOUT


def test_first_message_is_state_without_events(server: ServerProcess) -> None:
    client, code = asyncio.run(open_table(server.url))
    with open_socket(server, client, code) as connection:
        state = connection.message()
    assert list(state) == ["v", "view", "happened", "you", "may"]
    assert (state["v"], state["happened"], state["you"]) == (1, [], [])


def test_only_the_sender_gets_the_ack(server: ServerProcess) -> None:
    client, code = asyncio.run(open_table(server.url))
    with open_socket(server, client, code) as first, open_socket(server, client, code) as second:
        first.message(), second.message()
        first.send(b'{"id": "a1", "do": "sit", "name": "Ada"}')
        mine, other = first.message(), second.message()
    assert mine.pop("ack") == "a1"
    assert mine == other
    assert mine["happened"] == [{"event": "sat_down", "seat": 0, "name": "Ada", "kind": "person"}]


def test_repeated_command_id_happens_once_with_same_answer(server: ServerProcess) -> None:
    client, code = asyncio.run(open_table(server.url))
    with open_socket(server, client, code) as connection:
        connection.message()
        for _ in range(3):
            connection.send(b'{"id": "once", "do": "sit", "name": "Ada"}')
            state = connection.message()
            assert state["ack"] == "once"
        assert state["you"] == [0]
        assert (state["v"], state["happened"]) == (2, [])
        connection.send(b'{"id": "never", "do": "start"}')
        assert connection.message()["reason"] == "too_few_players"
        connection.send(b'{"id": "bot", "do": "add_bot", "level": "casual"}')
        assert connection.message()["ack"] == "bot"
        connection.send(b'{"id": "never", "do": "start"}')
        assert connection.message()["reason"] == "too_few_players"
        connection.send(b'{"id": "now", "do": "start"}')
        assert connection.message()["ack"] == "now"


def test_two_guests_may_use_the_same_id(server: ServerProcess) -> None:
    client, code = asyncio.run(open_table(server.url))
    other = asyncio.run(Client(server.url).__aenter__())
    with open_socket(server, client, code) as ada, open_socket(server, other, code) as ben:
        ben.message()
        ada.send(b'{"id": "x", "do": "sit", "name": "Ada"}')
        ben.message()
        ben.send(b'{"id": "x", "do": "sit", "name": "Ben"}')
        state = ben.message()
    assert (state["ack"], state["you"]) == ("x", [1])


def test_view_and_events_are_same_bytes_for_everyone(server: ServerProcess) -> None:
    client, code = asyncio.run(open_table(server.url))
    other = asyncio.run(Client(server.url).__aenter__())
    with open_socket(server, client, code) as ada, open_socket(server, other, code) as ben:
        ada.receive(), ada.receive(), ben.receive()
        ada.send(b'{"id": "x", "do": "sit", "name": "Ada"}')
        (_, mine), (_, theirs) = ada.receive(), ben.receive()
    assert mine.partition(b',"you":')[0] == theirs.partition(b',"you":')[0]
    assert mine != theirs


def test_heartbeat_is_answered(server: ServerProcess) -> None:
    client, code = asyncio.run(open_table(server.url))
    with open_socket(server, client, code) as connection:
        connection.message()
        connection.send(b'{"do": "beat"}')
        assert connection.message() == {"beat": True}


@pytest.mark.parametrize(
    ("frame", "id_"),
    [
        (b"", None),
        (b"hello", None),
        (b"[]", None),
        (b'{"do": "draw", "turn": 0}', None),
        (b'{"id": "", "do": "draw", "turn": 0}', None),
        (b'{"id": 5, "do": "draw", "turn": 0}', None),
        (b'{"id": "x"}', "x"),
        (b'{"id": "x", "do": "fly"}', "x"),
        (b'{"id": "x", "do": "draw"}', "x"),
        (b'{"id": "x", "do": "draw", "turn": "0"}', "x"),
        (b'{"id": "x", "do": "judge", "turn": 0, "wrong": "me"}', "x"),
        (b'{"id": "\xff", "do": "draw", "turn": 0}', None),
        (b'{"id": "x", "do": "sit", "name": "\xff"}', "x"),
        (b"[" * 5000, None),
        (b'{"id": "x", "do": "set_options", "options": {"edition": ' + b"[" * 3000 + b"]" * 3000 + b"}}", None),
        (b'{"id": "x", "do": "sit", "name": ' + b'{"a":' * 1200 + b"1" + b"}" * 1200 + b"}", None),
    ],
)
def test_malformed_frame_gets_a_reason(server: ServerProcess, frame: bytes, id_: str | None) -> None:
    client, code = asyncio.run(open_table(server.url))
    with open_socket(server, client, code) as connection:
        connection.message()
        connection.send(frame)
        answer = connection.message()
        assert (answer["no"], answer["reason"]) == (id_, "unreadable")
        connection.send(b'{"do": "beat"}')
        assert connection.message() == {"beat": True}


def test_unknown_bots_are_refused(server: ServerProcess) -> None:
    async def reasons() -> list[str]:
        found = []
        client, code = await open_table(server.url)
        async with client.table(code) as table:
            for order in ({"level": "genius"}, {"level": "casual", "character": "nobody"}):
                with pytest.raises(Declined) as refused:
                    await table.do("add_bot", **order)
                found.append(refused.value.reason)
        return found

    assert asyncio.run(reasons()) == ["unknown_level", "unknown_character"]


def test_bots_get_distinct_names(server: ServerProcess) -> None:
    async def bot_names() -> list[str]:
        client, code = await open_table(server.url)
        async with client.table(code) as table:
            for _ in range(3):
                await table.do("add_bot", level="casual")
            state = await table.do("add_bot", level="casual", name="HAL")
        return [chair.name for chair in state.view.seats]

    found = asyncio.run(bot_names())
    assert found[3] == "HAL"
    assert len(set(found)) == 4


def test_disconnected_player_is_away_and_gets_seat_back(server: ServerProcess) -> None:
    async def scenario() -> None:
        client, code = await open_table(server.url)
        async with seated_clients(server.url, code, "Ada") as (ada,):
            async with client.table(code) as ben:
                await ben.do("sit", name="Ben")
                ben.drop()
                await ben.until(lambda _: ben.connections == 2)
                assert (await ben.do("emote", emote="hello")).you == (1,)
            await ada.until(lambda state: state.view.seats[1].away)
            async with client.table(code) as ben:
                assert ben.state is not None
                assert ben.state.you == (1,)
                await ada.until(lambda state: not state.view.seats[1].away)

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))


def sockets(server: ServerProcess) -> float:
    return float(re.findall(r"^notahat_sockets (.+)$", server.metrics(), re.MULTILINE)[0])


def test_two_tabs_of_one_guest_are_one_player(server: ServerProcess) -> None:
    async def scenario() -> None:
        client, code = await open_table(server.url)
        async with seated_clients(server.url, code, "Ada") as (ada,), client.table(code) as first:
            before = await asyncio.to_thread(sockets, server)
            async with client.table(code) as second:
                await first.do("sit", name="Ben")
                state = await second.until(lambda state: state.you == (1,))
                assert state.view.watching == 0
            while await asyncio.to_thread(sockets, server) > before:  # until the server has closed the second tab's
                pass
            state = await first.do("emote", emote="wow")
            assert not state.view.seats[1].away
            assert ada.state is not None

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))


def test_stand_in_gives_seat_back_when_person_returns(server: ServerProcess) -> None:
    async def scenario() -> None:
        host, code = await open_table(server.url, show_seconds=0)
        async with host.table(code) as ada:
            await ada.do("sit", name="Ada")
            client = await Client(server.url).__aenter__()
            async with client.table(code) as ben:
                await ben.do("sit", name="Ben")
                await ada.do("set_options", options={"starter": 1})
                await ada.do("start")
            await ada.until(lambda state: state.view.seats[1].away)
            await ada.do("sit_in", seat=1)
            await ada.until(lambda state: state.view.round is not None and state.view.round.turn > 0)
            async with client.table(code) as ben:
                await ada.until(lambda state: state.view.seats[1].stand_in is not True)
                assert (await ben.do("emote", emote="hello")).you == (1,)

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))


def test_absent_host_is_replaced_until_return(server: ServerProcess) -> None:
    async def scenario() -> None:
        client, code = await open_table(server.url)
        async with seated_clients(server.url, code, "Ben") as (ben,):
            async with client.table(code) as ada:
                await ada.do("sit", name="Ada")
            await ben.until(lambda state: state.view.host == 0)
            assert "start" in {one.do for one in ben.state.may}  # type: ignore[union-attr]
            async with client.table(code):
                await ben.until(lambda state: state.view.host == 1)

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))


def test_house_moves_after_patience_ends(server: ServerProcess) -> None:
    async def scenario() -> set[str]:
        host, code = await open_table(server.url, patience_seconds=10, show_seconds=0, starter=0)
        async with host.table(code) as ada:
            await ada.do("sit", name="Ada")
            await ada.do("sit", name="Ben")
            await ada.do("start")
            await ada.do("draw")
            seen: set[str] = set()
            async for state in ada:
                seen |= {type(event).__name__ for event in state.happened}
                if state.view.stage == "over" or len(seen) > 7:
                    return seen
        raise AssertionError("the table closed")

    seen = asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))
    assert {"OutOfTime", "Offered"} <= seen


def test_removed_guest_is_closed_and_stays_out(server: ServerProcess) -> None:
    async def scenario() -> None:
        host, code = await open_table(server.url)
        async with host.table(code) as ada:
            await ada.do("sit", name="Ada")
            client = await Client(server.url).__aenter__()
            async with client.table(code) as ben:
                await ben.do("sit", name="Ben")
                await ada.do("remove", seat=1)
                with pytest.raises(Declined) as out:
                    await ben.until(lambda _: False)
                assert out.value.reason == "removed"
            with pytest.raises(Declined) as refused:
                async with client.table(code):
                    pass
            assert refused.value.reason == "removed"

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))


def test_match_without_spectators_is_closed_to_strangers(server: ServerProcess) -> None:
    async def scenario() -> list[str]:
        host, code = await open_table(server.url, spectators=False)
        reasons = []
        async with host.table(code) as ada:
            for name in ("Ada", "Ben"):
                await ada.do("sit", name=name)
            stranger = await Client(server.url).__aenter__()
            async with stranger.table(code) as watching:
                await ada.do("start")
                with pytest.raises(Declined) as out:
                    await watching.until(lambda _: False)
                reasons.append(out.value.reason)
            with pytest.raises(Declined) as refused:
                async with stranger.table(code):
                    pass
            reasons.append(refused.value.reason)
            await ada.do("end_match")
            with pytest.raises(Declined) as unread:
                await stranger.story(code, 1)
            reasons.append(unread.value.reason)
            assert (await host.story(code, 1)).number == 1
        return reasons

    assert asyncio.run(asyncio.wait_for(scenario(), TIMEOUT)) == ["no_spectators"] * 3
