"""Whole games over the wire: every variant, several rounds, spoken tables, one device with four seats."""

import asyncio
from itertools import product
from random import Random

import pytest

from notahat.clients.python import Client, Declined, TableClient
from notahat.gifts import catalogue
from notahat.wire.messages import State
from support.server_process import Served, at_table
from support.timeouts import PATIENCE

GIFTS = sorted(catalogue())
ODD_CLAIMS = 0.3
REFUSALS = 0.35
TOO_LATE = ("stale", "wrong_phase", "already_judged", "not_your_turn", "round_running")  # somebody was quicker


async def play(table: TableClient, luck: Random, name: str = "") -> State:
    """Do whatever may be done, until the match is over."""
    async with asyncio.timeout(PATIENCE):
        async for state in table:
            if state.view.stage == "over":
                return state
            if table.state is not None and state.v < table.state.v:
                continue  # only the present can be answered
            try:
                await move(table, state, luck)
            except Declined as refused:
                if refused.reason not in TOO_LATE:
                    raise
    raise AssertionError(f"{name} was not let in any more")


async def move(table: TableClient, state: State, luck: Random) -> None:
    offers = {one.do: one for one in state.may}
    if "give" in offers:
        to = luck.choice(offers["give"].to or (0,))
        claim = None if state.view.options.claims == "spoken" else luck.choice(GIFTS)
        await table.do("give", seat=offers["give"].seat, claim=claim, to=to)
    elif "accept" in offers:
        answer = "refuse" if luck.random() < REFUSALS else "accept"
        await table.do(answer, seat=offers["accept"].seat)
    elif "draw" in offers:
        await table.do("draw", seat=offers["draw"].seat)
    elif "judge" in offers and state.view.round and state.view.round.phase.__class__.__name__ == "JudgeView":
        await table.do("judge", wrong=luck.choice(("giver", "receiver")))
    elif "ready" in offers:
        await table.do("ready")


async def whole_match(url: str, luck: Random, **options: object) -> list[State]:
    """Four clients at one table, from opening it to the end."""
    async with Client(url) as host:
        code = await host.open_table(show_seconds=0, **options)
        async with host.table(code) as watching, at_table(url, code, "Ada", "Ben", "Cem", "Dora") as tables:
            await watching.do("start")
            ends = await asyncio.gather(*(play(table, Random(luck.random())) for table in tables))
            if any(one.do == "ready" for one in ends[0].may):  # then the last spoken verdict stands
                await tables[0].do("ready")
            stories = [await host.story(code, number + 1) for number in range(ends[0].view.match.number)]  # type: ignore[union-attr]
    totals = ends[0].view.match.totals  # type: ignore[union-attr]
    assert totals == tuple(map(sum, zip(*(story.scores for story in stories), strict=True)))
    assert all(max(story.scores) == 3 for story in stories)
    return ends


def test_a_whole_game_of_each_variant_is_played_by_four_clients(server: Served) -> None:
    variants = [
        {"edition": edition, "special_cards": special_cards, "arrows": arrows, "gifts_each": gifts_each}
        for (edition, special_cards), arrows, gifts_each in product(
            (("classic", False), ("special", True), ("special", False)), ("both", "black", "white"), (1, 2)
        )
    ]

    async def all_at_once() -> list[list[State]]:
        games = (whole_match(server.url, Random(n), **variant) for n, variant in enumerate(variants))
        return await asyncio.gather(*games)

    for variant, ends in zip(variants, asyncio.run(all_at_once()), strict=True):
        assert len({state.view.match.totals for state in ends if state.view.match}) == 1
        assert [state.you for state in ends] == [(0,), (1,), (2,), (3,)]
        assert ends[0].view.options.edition == variant["edition"]
        assert ends[0].view.match.winners  # type: ignore[union-attr]


def test_r8_2_a_match_of_several_rounds_over_the_wire(server: Served) -> None:
    ends = asyncio.run(whole_match(server.url, Random(1), rounds="each"))
    match = ends[0].view.match
    assert match is not None
    assert (match.round, match.of, match.number) == (4, 4, 4)
    assert match.winners == tuple(seat for seat in range(4) if match.totals[seat] == min(match.totals))


def test_r12_a_spoken_table_over_the_wire(server: Served) -> None:
    ends = asyncio.run(whole_match(server.url, Random(2), claims="spoken"))
    assert ends[0].view.options.claims == "spoken"
    assert ends[0].view.match.winners  # type: ignore[union-attr]


@pytest.mark.parametrize("people", [2, 4])
def test_one_guest_with_several_seats_on_one_device(server: Served, people: int) -> None:
    async def game() -> State:
        async with Client(server.url) as client:
            code = await client.open_table(show_seconds=0)
            async with client.table(code) as table:
                for name in ("Ada", "Ben", "Cem", "Dora")[:people]:
                    await table.do("sit", name=name)
                await table.do("start")
                return await play(table, Random(3))

    end = asyncio.run(game())
    assert end.you == tuple(range(people))
    assert end.view.match.gifts_each == (2 if people == 2 else 1)  # type: ignore[union-attr]


def test_computer_players_of_every_level_finish_a_match_with_a_person(server: Served) -> None:
    async def game() -> State:
        async with Client(server.url) as client:
            code = await client.open_table(show_seconds=1)
            async with client.table(code) as table:
                await table.do("sit", name="Ada")
                for level in ("goldfish", "casual", "regular", "elephant"):
                    await table.do("add_bot", level=level)
                await table.do("start")
                return await play(table, Random(4))

    end = asyncio.run(game())
    assert [chair.kind for chair in end.view.seats] == ["person"] + ["bot"] * 4


def test_an_all_computer_match_plays_itself_while_somebody_watches(server: Served) -> None:
    async def game() -> State:
        async with Client(server.url) as client:
            code = await client.open_table(rounds="each", show_seconds=1)
            async with client.table(code) as table:
                for _ in range(3):
                    await table.do("add_bot", level="goldfish")
                await table.do("start")
                async with asyncio.timeout(PATIENCE):
                    return await table.until(lambda state: state.view.stage == "over")

    end = asyncio.run(game())
    assert end.view.match.number == 3  # type: ignore[union-attr]


def test_again_leads_to_a_new_match_at_the_same_link(server: Served) -> None:
    async def games() -> tuple[State, int]:
        async with Client(server.url) as host:
            code = await host.open_table(show_seconds=0)
            async with host.table(code) as watching, at_table(server.url, code, "Ada", "Ben") as tables:
                await watching.do("start")
                await asyncio.gather(*(play(table, Random(n)) for n, table in enumerate(tables)))
                invitation = (await host.summary(code)).invitation
                async with Client(server.url) as late, late.table(invitation) as eva:
                    waiting = await eva.do("sit", name="Eva")
                    assert waiting.view.waiting == ("Eva",)
                    assert waiting.you == ()
                    await tables[0].do("again")
                    state = await watching.do("start")
                    return state, (await late.summary(code)).match.number  # type: ignore[union-attr]

    state, number = asyncio.run(games())
    assert [chair.name for chair in state.view.seats] == ["Ada", "Ben", "Eva"]
    assert number == 2
