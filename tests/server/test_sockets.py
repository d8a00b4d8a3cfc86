"""Promises of the socket: acks, repeated ids, two tabs, presence, restarts, limits."""

import asyncio

import pytest

from notahat.clients.python import Client, Declined
from support.raw_http import RawSocket
from support.server_process import Served, at_table
from support.timeouts import PATIENCE


async def opened(url: str, **options: object) -> tuple[Client, str]:
    client = await Client(url).__aenter__()
    return client, await client.open_table(**options)


def raw(server: Served, client: Client, code: str) -> RawSocket:
    return RawSocket(server.url, f"/api/tables/{code}/socket", authorization=f"Bearer {client.token}")


def test_the_current_state_comes_at_once_with_nothing_in_happened(server: Served) -> None:
    client, code = asyncio.run(opened(server.url))
    with raw(server, client, code) as line:
        state = line.message()
    assert list(state) == ["v", "view", "happened", "you", "may"]
    assert (state["v"], state["happened"], state["you"]) == (1, [], [])


def test_only_who_asked_gets_the_ack(server: Served) -> None:
    client, code = asyncio.run(opened(server.url))
    with raw(server, client, code) as first, raw(server, client, code) as second:
        first.message(), second.message()
        first.send(b'{"id": "a1", "do": "sit", "name": "Ada"}')
        mine, other = first.message(), second.message()
    assert mine.pop("ack") == "a1"
    assert mine == other
    assert mine["happened"] == [{"event": "sat_down", "seat": 0, "name": "Ada", "kind": "person"}]


def test_the_same_id_again_gets_the_same_answer_and_happens_once(server: Served) -> None:
    client, code = asyncio.run(opened(server.url))
    with raw(server, client, code) as line:
        line.message()
        for _ in range(3):
            line.send(b'{"id": "once", "do": "sit", "name": "Ada"}')
            state = line.message()
            assert state["ack"] == "once"
        assert state["you"] == [0]
        assert (state["v"], state["happened"]) == (2, [])
        line.send(b'{"id": "never", "do": "start"}')
        assert line.message()["reason"] == "too_few_players"
        line.send(b'{"id": "bot", "do": "add_bot", "level": "casual"}')
        assert line.message()["ack"] == "bot"
        line.send(b'{"id": "never", "do": "start"}')
        assert line.message()["reason"] == "too_few_players"
        line.send(b'{"id": "now", "do": "start"}')
        assert line.message()["ack"] == "now"


def test_two_guests_may_use_the_same_id(server: Served) -> None:
    client, code = asyncio.run(opened(server.url))
    other = asyncio.run(Client(server.url).__aenter__())
    with raw(server, client, code) as ada, raw(server, other, code) as ben:
        ben.message()
        ada.send(b'{"id": "x", "do": "sit", "name": "Ada"}')
        ben.message()
        ben.send(b'{"id": "x", "do": "sit", "name": "Ben"}')
        state = ben.message()
    assert (state["ack"], state["you"]) == ("x", [1])


def test_view_and_happened_are_the_same_bytes_for_everyone(server: Served) -> None:
    client, code = asyncio.run(opened(server.url))
    other = asyncio.run(Client(server.url).__aenter__())
    with raw(server, client, code) as ada, raw(server, other, code) as ben:
        ada.receive(), ada.receive(), ben.receive()
        ada.send(b'{"id": "x", "do": "sit", "name": "Ada"}')
        (_, mine), (_, theirs) = ada.receive(), ben.receive()
    assert mine.partition(b',"you":')[0] == theirs.partition(b',"you":')[0]
    assert mine != theirs


def test_the_heartbeat_is_answered(server: Served) -> None:
    client, code = asyncio.run(opened(server.url))
    with raw(server, client, code) as line:
        line.message()
        line.send(b'{"do": "beat"}')
        assert line.message() == {"beat": True}


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
def test_an_unreadable_frame_gets_a_reason(server: Served, frame: bytes, id_: str | None) -> None:
    client, code = asyncio.run(opened(server.url))
    with raw(server, client, code) as line:
        line.message()
        line.send(frame)
        answer = line.message()
        assert (answer["no"], answer["reason"]) == (id_, "unreadable")
        line.send(b'{"do": "beat"}')
        assert line.message() == {"beat": True}


def test_unknown_computer_players_are_refused(server: Served) -> None:
    async def reasons() -> list[str]:
        found = []
        client, code = await opened(server.url)
        async with client.table(code) as table:
            for order in ({"level": "genius"}, {"level": "casual", "character": "nobody"}):
                with pytest.raises(Declined) as refused:
                    await table.do("add_bot", **order)
                found.append(refused.value.reason)
        return found

    assert asyncio.run(reasons()) == ["unknown_level", "unknown_character"]


def test_computer_players_introduce_themselves(server: Served) -> None:
    async def names() -> list[str]:
        client, code = await opened(server.url)
        async with client.table(code) as table:
            for _ in range(3):
                await table.do("add_bot", level="casual")
            state = await table.do("add_bot", level="casual", name="HAL")
        return [chair.name for chair in state.view.seats]

    found = asyncio.run(names())
    assert found[3] == "HAL"
    assert len(set(found)) == 4


def test_who_drops_out_is_away_after_a_moment_and_back_with_the_seat(server: Served) -> None:
    async def story() -> None:
        client, code = await opened(server.url)
        async with at_table(server.url, code, "Ada") as (ada,):
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

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_two_tabs_of_one_guest_are_one_player(server: Served) -> None:
    async def story() -> None:
        client, code = await opened(server.url)
        async with at_table(server.url, code, "Ada") as (ada,), client.table(code) as first:
            async with client.table(code) as second:
                await first.do("sit", name="Ben")
                state = await second.until(lambda state: state.you == (1,))
                assert state.view.watching == 0
            await asyncio.sleep(0.1)
            state = await first.do("emote", emote="wow")
            assert not state.view.seats[1].away
            assert ada.state is not None

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_a_bot_sits_in_and_the_person_has_the_seat_back_by_coming(server: Served) -> None:
    async def story() -> None:
        host, code = await opened(server.url, show_seconds=0)
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

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_an_absent_hosts_role_passes_on_and_returns(server: Served) -> None:
    async def story() -> None:
        client, code = await opened(server.url)
        async with at_table(server.url, code, "Ben") as (ben,):
            async with client.table(code) as ada:
                await ada.do("sit", name="Ada")
            await ben.until(lambda state: state.view.host == 0)
            assert "start" in {one.do for one in ben.state.may}  # type: ignore[union-attr]
            async with client.table(code):
                await ben.until(lambda state: state.view.host == 1)

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_patience_ends_and_the_house_moves(server: Served) -> None:
    async def story() -> set[str]:
        host, code = await opened(server.url, patience_seconds=10, show_seconds=0, starter=0)
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

    seen = asyncio.run(asyncio.wait_for(story(), PATIENCE))
    assert {"OutOfTime", "Offered"} <= seen


def test_removed_people_are_shown_the_door_and_kept_out(server: Served) -> None:
    async def story() -> None:
        host, code = await opened(server.url)
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

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_a_match_without_spectators_is_for_those_who_play(server: Served) -> None:
    async def story() -> list[str]:
        host, code = await opened(server.url, spectators=False)
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

    assert asyncio.run(asyncio.wait_for(story(), PATIENCE)) == ["no_spectators"] * 3


def test_metrics_count_what_happens(server: Served) -> None:
    async def story() -> None:
        client, code = await opened(server.url)
        async with client.table(code) as table:
            await table.do("sit", name="Ada")

    asyncio.run(story())
    text = server.figures()
    assert 'notahat_commands_total{outcome="done"}' in text
    assert "notahat_tables " in text
    assert 'notahat_command_seconds_bucket{le="+Inf"}' in text
