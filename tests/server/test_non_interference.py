"""Rule 9.5 over the wire: exchange the gifts of cards that lie face down, and nobody is sent another byte."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from uuid import UUID

import msgspec
import pytest

from notahat.client import TableClient
from notahat.gifts import catalogue
from notahat.rules import Card, legal
from notahat.rules.round import Answering, Giving
from notahat.server.clock import Clock
from notahat.server.code import link_to
from notahat.server.guests import hashed
from notahat.server.settings import Settings
from notahat.store import open_store
from notahat.table import Entry
from notahat.table import commands as do
from notahat.table.events import Dealt, encode
from support.patience import PATIENCE
from support.serving import serving_here
from support.sitting import Sitting, guest

PEOPLE = ("Ada", "Ben", "Cem", "Dora")
WATCHER = "Eva"
TABLE = UUID(int=7)
GIFTS = sorted(catalogue())


class StoppedClock(Clock):
    """It is always the same moment."""

    def time(self) -> float:
        return 5000.0

    def monotonic(self) -> float:
        return 100.0


class Ear(TableClient):
    """A client that keeps every byte it was sent."""

    def __init__(self, url: str, token: str, code: str) -> None:
        super().__init__(url, token, code)
        self.heard: list[bytes] = []

    def hear(self, message: bytes) -> None:
        self.heard.append(message)
        super().hear(message)


def running_game(seed: int) -> Sitting:
    """A game in which several cards lie face down, and the receiver of one is to answer."""
    luck = Random(seed)
    sitting = Sitting(luck=seed, edition="special", show_seconds=0, starter=0).seated(*PEOPLE).started()
    sitting.draw_and_wrap()
    for _ in range(9):
        sitting.give(luck.choice(GIFTS))
        sitting.answer(accepts=True)
        sitting.wrap()
    sitting.give(luck.choice(GIFTS))
    return sitting


def hidden_gifts(sitting: Sitting) -> list[str]:
    round_ = sitting.table.round
    assert round_ is not None
    columns = zip(round_.columns, round_.unwrapped, strict=True)
    hidden = [card.gift for column, unwrapped in columns for card in column[unwrapped:]]
    if isinstance(round_.phase, Giving | Answering):
        hidden.append(round_.phase.card.gift)
    return hidden


def exchanged(log: list[Entry], hidden: list[str]) -> list[Entry]:
    """The same log, dealt with each of the hidden gifts on the card of the next."""
    other = dict(zip(hidden, [*hidden[1:], hidden[0]], strict=True))

    def swap(card: Card) -> Card:
        return Card(other.get(card.gift, card.gift), card.back)

    def redealt(entry: Entry) -> Entry:
        events = tuple(
            msgspec.structs.replace(event, cards=tuple(map(swap, event.cards))) if isinstance(event, Dealt) else event
            for event in entry.events
        )
        return msgspec.structs.replace(entry, events=events)

    return [redealt(entry) for entry in log]


async def preload(path: Path, log: list[Entry]) -> Settings:
    """A store that holds a running game and its people."""
    settings = Settings(port=0, store=f"sqlite:///{path}", pace=100.0)
    store = await open_store(settings.store_url)
    for name in (*PEOPLE, WATCHER):
        await store.add_guest(hashed(name), guest(name))
    await store.create_alias("K7QX", TABLE)
    for version, entry in enumerate(log):
        await store.append(TABLE, version, encode(entry))
    await store.close()
    return settings


class Twin:
    """One of two servers with the same game but for the hidden gifts, and everybody connected to it."""

    def __init__(self, ears: dict[str, Ear]) -> None:
        self.ears = ears

    async def settle(self, version: int) -> None:
        for ear in self.ears.values():
            await ear.until(lambda state: state.v >= version)

    def heard(self) -> dict[str, list[bytes]]:
        return {name: list(ear.heard) for name, ear in self.ears.items()}


async def twin(stack: AsyncExitStack, settings: Settings) -> Twin:
    url = await stack.enter_async_context(serving_here(settings, StoppedClock()))
    ears: dict[str, Ear] = {}
    for count, name in enumerate((*PEOPLE, WATCHER), 1):
        ears[name] = await stack.enter_async_context(Ear(url, name, link_to("K7QX", TABLE).removeprefix("/t/")))
        for ear in ears.values():
            await ear.until(all_here(count))
    for ear in ears.values():  # while somebody was missing, the time that took decided what else could be done
        del ear.heard[:-1]
    return Twin(ears)


def all_here(count: int) -> Callable[[msgspec.Struct], bool]:
    """Presence is in the view: so many of the five are to be seen in it."""

    def here(state: msgspec.Struct) -> bool:
        view = state.view  # type: ignore[attr-defined]
        return bool(sum(not chair.away for chair in view.seats) + view.watching == count)

    return here


def next_order(sitting: Sitting, luck: Random) -> dict[str, object]:
    """What whoever's turn it is will say: anything but a refusal."""
    assert sitting.table.round is not None
    due = legal(sitting.table.round)
    if due.moves == ("give",):
        return {"do": "give", "claim": luck.choice(GIFTS), "to": luck.choice(due.receivers)}
    return {"do": "accept"}


async def order_both(twins: tuple[Twin, Twin], sitting: Sitting, order: dict[str, object], id_: str) -> None:
    """The same frame at both tables, and at the one that tells us what is due next."""
    round_ = sitting.table.round
    assert round_ is not None
    seat = legal(round_).seat
    assert seat is not None
    name = sitting.name_at(seat)
    frame = msgspec.json.encode({"id": id_, "turn": round_.turn, **order})
    command = msgspec.json.decode(frame, type=do.PlayCommand)
    sitting.does(name, command)
    sitting.wrap()
    for one in twins:
        await one.ears[name].send(id_, frame)
        await one.settle(len(sitting.log))


async def hear_both(tmp_path: Path, seed: int) -> None:
    sitting = running_game(seed)
    hidden = hidden_gifts(sitting)
    assert len(hidden) >= 4
    one = await preload(tmp_path / "one.db", sitting.log)
    other = await preload(tmp_path / "other.db", exchanged(sitting.log, hidden))
    luck = Random(seed)
    async with AsyncExitStack() as stack:
        twins = (await twin(stack, one), await twin(stack, other))
        assert twins[0].heard() == twins[1].heard()
        for number in range(24):
            await order_both(twins, sitting, next_order(sitting, luck), f"m{number}")
            assert twins[0].heard() == twins[1].heard()
        while legal(sitting.table.round).moves != ("accept", "refuse"):  # type: ignore[arg-type]
            await order_both(twins, sitting, next_order(sitting, luck), "last")
        assert all(len(bytes_) > 24 for bytes_ in twins[0].heard().values())
        await order_both(twins, sitting, {"do": "refuse"}, "refused")
        assert twins[0].heard() != twins[1].heard()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_r9_5_exchanged_gifts_change_no_byte_until_one_is_opened(tmp_path: Path, seed: int) -> None:
    asyncio.run(asyncio.wait_for(hear_both(tmp_path, seed), PATIENCE))
