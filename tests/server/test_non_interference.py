"""Rule 9.5 over the wire: exchange the gifts of cards that lie face down, and nobody is sent another byte; with a deck
that somebody made neither, nor does any address tell another thing about it.
"""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from uuid import UUID

import msgspec
import pytest

from notahat.clients.python import TableClient
from notahat.gifts import Deck, catalogue, read_deck
from notahat.gifts.hat_file import OWN
from notahat.rules import Card, legal
from notahat.rules.round import Answering, Giving
from notahat.server.clock import Clock
from notahat.server.http.guests import hashed
from notahat.server.settings import Settings
from notahat.server.table_codes import link_to
from notahat.store import open_store
from notahat.table import Entry
from notahat.table import commands as do
from notahat.table.events import Dealt, DeckPut, Event, encode
from support.pictures import hat, own, picture
from support.raw_http import ask
from support.server_process import serving_here
from support.tables import Sitting, guest
from support.timeouts import PATIENCE

PEOPLE = ("Ada", "Ben", "Cem", "Dora")
WATCHER = "Eva"
TABLE = UUID(int=7)
INVITED = link_to("K7QX", TABLE).removeprefix("/t/")
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


def deck_of_ours() -> do.BringDeck:
    """Own gifts alone, with every arrow there is: whatever is hidden, it is one of them."""
    ours = [own(f"thing {letter}", picture(size=(40 + n, 25))) for n, letter in enumerate("abcdefghijklmnopqr")]
    numbers = [f"#{n}" for n in range(1, len(ours) + 1)]
    sides = {"balanced": [], "left": numbers[:6], "right": numbers[6:12], "any": numbers[12:]}
    return do.BringDeck(read_deck(hat(own=ours, **sides)))


def claimable(sitting: Sitting) -> list[str]:
    deck = sitting.table.deck
    return [*GIFTS, *(gift.key for gift in deck.own)] if deck else GIFTS


def running_game(seed: int, ours: bool) -> Sitting:
    """A game in which several cards lie face down, and the receiver of one is to answer."""
    luck = Random(seed)
    sitting = Sitting(luck=seed, edition="special", show_seconds=0, starter=0).seated(*PEOPLE)
    if ours:
        sitting.does("Ada", deck_of_ours())
    sitting.started()
    sitting.draw_and_wrap()
    for _ in range(9):
        sitting.give(luck.choice(claimable(sitting)))
        sitting.answer(accepts=True)
        sitting.wrap()
    sitting.give(luck.choice(claimable(sitting)))
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
    """The same log, with each of the hidden gifts on the card of the next, in the deck and as it was dealt."""
    other = dict(zip(hidden, [*hidden[1:], hidden[0]], strict=True))

    def swap(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Card(other.get(card.gift, card.gift), card.back) for card in cards)

    def swapped(event: Event) -> Event:
        match event:
            case Dealt():
                return msgspec.structs.replace(event, cards=swap(event.cards))
            case DeckPut(deck=Deck() as deck):
                return DeckPut(msgspec.structs.replace(deck, cards=swap(deck.cards)))
        return event

    return [msgspec.structs.replace(entry, events=tuple(map(swapped, entry.events))) for entry in log]


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

    def __init__(self, url: str, ears: dict[str, Ear]) -> None:
        self.url = url
        self.ears = ears

    async def settle(self, version: int) -> None:
        for ear in self.ears.values():
            await ear.until(lambda state: state.v >= version)

    def heard(self) -> dict[str, list[bytes]]:
        return {name: list(ear.heard) for name, ear in self.ears.items()}

    async def read(self, version: int) -> list[tuple[int, dict[str, str], bytes]]:
        """All that the addresses of the table say of it, of its decks and its round."""
        whole = [f"/decks/{number}" for number in range(version + 2)]
        answers = [
            await asyncio.to_thread(
                ask, self.url, "GET", f"/api/tables/{INVITED}{what}", authorization=f"Bearer {name}"
            )
            for name, paths in (("Ada", ["", *whole, "/rounds/1"]), (WATCHER, ["", *whole]))
            for what in paths
        ]
        assert [answer.body for answer in answers if answer.body.startswith(b'{"name":"At home"')]
        return [(answer.status, answer.headers | {"date": ""}, answer.body) for answer in answers]


async def twin(stack: AsyncExitStack, settings: Settings) -> Twin:
    url = await stack.enter_async_context(serving_here(settings, StoppedClock()))
    ears: dict[str, Ear] = {}
    for count, name in enumerate((*PEOPLE, WATCHER), 1):
        ears[name] = await stack.enter_async_context(Ear(url, name, INVITED))
        for ear in ears.values():
            await ear.until(all_here(count))
    for ear in ears.values():  # while somebody was missing, the time that took decided what else could be done
        del ear.heard[:-1]
    return Twin(url, ears)


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
        return {"do": "give", "claim": luck.choice(claimable(sitting)), "to": luck.choice(due.receivers)}
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


async def hear_both(tmp_path: Path, seed: int, ours: bool = False) -> None:
    sitting = running_game(seed, ours)
    hidden = hidden_gifts(sitting)
    assert len(hidden) >= 4
    assert all(gift.startswith(OWN) == ours for gift in hidden)
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
        if ours:
            put = next(n for n, entry in enumerate(sitting.log, 1) if isinstance(entry.events[0], DeckPut))
            assert await twins[0].read(put) == await twins[1].read(put)
        assert all(len(bytes_) > 24 for bytes_ in twins[0].heard().values())
        await order_both(twins, sitting, {"do": "refuse"}, "refused")
        assert twins[0].heard() != twins[1].heard()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_r9_5_exchanged_gifts_change_no_byte_until_one_is_opened(tmp_path: Path, seed: int) -> None:
    asyncio.run(asyncio.wait_for(hear_both(tmp_path, seed), PATIENCE))


def test_r9_5_own_gifts_stay_hidden_too_and_no_address_of_the_deck_tells_of_them(tmp_path: Path) -> None:
    asyncio.run(asyncio.wait_for(hear_both(tmp_path, 4, ours=True), PATIENCE))
