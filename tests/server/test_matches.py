"""Whole matches over the network: several rounds, spoken tables, several seats of one guest, another match."""

import asyncio
from random import Random

from notahat.clients.python import Client, Declined, TableClient
from notahat.gifts import catalogue
from notahat.wire.messages import State
from support.server_process import ServerProcess, seated_clients
from support.timeouts import TIMEOUT

GIFTS = sorted(catalogue())
ODD_CLAIMS = 0.3
REFUSALS = 0.35
RACE_REASONS = ("stale", "wrong_phase", "already_judged", "not_your_turn", "round_running")  # another player was first


async def play(table: TableClient, randomness: Random, name: str = "") -> State:
    """Send permitted commands until the match is over; return the last state."""
    async with asyncio.timeout(TIMEOUT):
        async for state in table:
            if state.view.stage == "over":
                return state
            if table.state is not None and state.v < table.state.v:
                continue  # only the newest state can be answered
            try:
                await move(table, state, randomness)
            except Declined as refusal:
                if refusal.reason not in RACE_REASONS:
                    raise
    raise AssertionError(f"{name} was not let in any more")


async def move(table: TableClient, state: State, randomness: Random) -> None:
    permitted = {one.do: one for one in state.may}
    if "give" in permitted:
        to = randomness.choice(permitted["give"].to or (0,))
        claim = None if state.view.options.claims == "spoken" else randomness.choice(GIFTS)
        await table.do("give", seat=permitted["give"].seat, claim=claim, to=to)
    elif "accept" in permitted:
        answer = "refuse" if randomness.random() < REFUSALS else "accept"
        await table.do(answer, seat=permitted["accept"].seat)
    elif "draw" in permitted:
        await table.do("draw", seat=permitted["draw"].seat)
    elif "judge" in permitted and state.view.round and state.view.round.phase.__class__.__name__ == "JudgeView":
        await table.do("judge", wrong=randomness.choice(("giver", "receiver")))
    elif "ready" in permitted:
        await table.do("ready")


async def whole_match(url: str, randomness: Random, **options: object) -> list[State]:
    """Play a match with four clients; return their last states."""
    async with Client(url) as host:
        code = await host.open_table(show_seconds=0, **options)
        async with host.table(code) as host_table, seated_clients(url, code, "Ada", "Ben", "Cem", "Dora") as tables:
            await host_table.do("start")
            final_states = await asyncio.gather(*(play(table, Random(randomness.random())) for table in tables))
            if any(one.do == "ready" for one in final_states[0].may):  # then the last spoken verdict stands
                await tables[0].do("ready")
            stories = [await host.story(code, number + 1) for number in range(final_states[0].view.match.number)]  # type: ignore[union-attr]
    totals = final_states[0].view.match.totals  # type: ignore[union-attr]
    assert totals == tuple(map(sum, zip(*(story.scores for story in stories), strict=True)))
    assert all(max(story.scores) == 3 for story in stories)
    return final_states


def test_r8_2_match_of_several_rounds(server: ServerProcess) -> None:
    final_states = asyncio.run(whole_match(server.url, Random(1), edition="special", special_cards=True, rounds="each"))
    assert [state.you for state in final_states] == [(0,), (1,), (2,), (3,)]
    assert len({state.view.match for state in final_states}) == 1
    match = final_states[0].view.match
    assert match is not None
    assert (match.round, match.of, match.number) == (4, 4, 4)
    assert match.winners == tuple(seat for seat in range(4) if match.totals[seat] == min(match.totals))


def test_r12_spoken_table(server: ServerProcess) -> None:
    final_states = asyncio.run(whole_match(server.url, Random(2), claims="spoken"))
    assert final_states[0].view.options.claims == "spoken"
    assert final_states[0].view.match.winners  # type: ignore[union-attr]


def test_r7_2_one_guest_plays_two_seats(server: ServerProcess) -> None:
    async def game() -> State:
        async with Client(server.url) as client:
            code = await client.open_table(show_seconds=0)
            async with client.table(code) as table:
                for name in ("Ada", "Ben"):
                    await table.do("sit", name=name)
                await table.do("start")
                return await play(table, Random(3))

    final_state = asyncio.run(game())
    assert final_state.you == (0, 1)
    assert final_state.view.match.gifts_each == 2  # type: ignore[union-attr]


def test_again_starts_a_new_match_at_the_same_link(server: ServerProcess) -> None:
    async def games() -> tuple[State, int]:
        async with Client(server.url) as host:
            code = await host.open_table(show_seconds=0)
            async with host.table(code) as host_table, seated_clients(server.url, code, "Ada", "Ben") as tables:
                await host_table.do("start")
                await asyncio.gather(*(play(table, Random(n)) for n, table in enumerate(tables)))
                invitation = (await host.summary(code)).invitation
                async with Client(server.url) as late_guest, late_guest.table(invitation) as eva:
                    waiting = await eva.do("sit", name="Eva")
                    assert waiting.view.waiting == ("Eva",)
                    assert waiting.you == ()
                    await tables[0].do("again")
                    state = await host_table.do("start")
                    return state, (await late_guest.summary(code)).match.number  # type: ignore[union-attr]

    state, number = asyncio.run(games())
    assert [seat.name for seat in state.view.seats] == ["Ada", "Ben", "Eva"]
    assert number == 2
