"""Decks that people make: brought to a table by HTTP, because they are larger than a frame, and read from its log."""

import asyncio
import secrets
from collections import OrderedDict
from uuid import UUID
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from notahat.gifts import Deck, read_deck
from notahat.gifts.hat_file import Looks
from notahat.rules import Illegal
from notahat.server.confusables import looks
from notahat.server.node import Hosted, Node
from notahat.store import Store, Unavailable
from notahat.table.commands import BringDeck
from notahat.wire.deck_messages import told_in
from notahat.wire.reasons import ServerReason, reason_of

MOST_KEPT = 16
SECONDS = 10.0
AGAIN = "ask again in a moment"


class _Answer(Struct):
    """As much of a message as whoever waits for an answer needs to read."""

    ack: str | None = None
    no: str | None = None
    reason: str = ""
    detail: str = ""


class Errand:
    """A line to a table, open for one order and its answer: what comes by HTTP goes the way that all orders go."""

    def __init__(self, guest: UUID) -> None:
        self.guest = guest
        self.answer: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()

    def send(self, message: bytes) -> None:
        answer = msgspec.json.decode(message, type=_Answer)
        if (answer.ack or answer.no) and not self.answer.done():
            self.answer.set_result(answer)

    def close(self, code: int, reason: str = "") -> None:  # noqa: ARG002
        if not self.answer.done():  # whoever was sent away hears the table's own reason when they ask again
            self.answer.set_exception(Unavailable(AGAIN))


class Porter:
    """Looks through the decks that people bring: beside the loop, because pictures take a while, and one at a time. Who
    brings many waits behind themselves: others wait for one deck of an address, and at one address for one of a guest.
    """

    def __init__(self, looks: Looks = looks) -> None:
        self._looks = looks
        self._one_at_a_time = asyncio.Lock()
        self._turns: WeakValueDictionary[UUID | str, asyncio.Lock] = WeakValueDictionary()

    async def looked_through(self, data: bytes, guest: UUID, address: str) -> Deck:
        """The deck in a file; raises `Illegal` with the reason and the place."""
        async with self._turn(guest), self._turn(address), self._one_at_a_time:
            return await asyncio.to_thread(read_deck, data, self._looks)

    def _turn(self, whose: UUID | str) -> asyncio.Lock:
        """One at a time of theirs; forgotten when nobody waits for it any more."""
        return self._turns.setdefault(whose, asyncio.Lock())


async def put_deck(node: Node, hosted: Hosted, guest: UUID, deck: Deck) -> None:
    """Bring a deck to a table; raises `Illegal` where the table refuses it, and then nothing of it is kept, and
    `Unavailable` where nobody can say.
    """
    errand = Errand(guest)
    if not node.arrived(hosted, errand, changes=False):
        raise Unavailable(AGAIN)
    try:
        node.ordered(hosted, errand, secrets.token_hex(8), BringDeck(deck))
        answer = await asyncio.wait_for(errand.answer, SECONDS)
    except TimeoutError:
        raise Unavailable(AGAIN) from None
    finally:
        node.left(hosted, errand)
    if answer.no and answer.reason == ServerReason.TOO_FAST:  # others wrote first, again and again
        raise Unavailable(AGAIN)
    if answer.no:
        raise Illegal(reason_of(answer.reason), answer.detail)


class Decks:
    """Decks as they are told to everybody at a table, each made once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: OrderedDict[tuple[UUID, int], bytes] = OrderedDict()

    async def of(self, table: UUID, version: int) -> bytes | None:
        """The deck that came with a version of a table's log; None if none did."""
        key = (table, version)
        if key not in self._kept:
            commits = await self._store.read(table, version - 1)
            told = told_in(commits[0].events) if commits and commits[0].version == version else None
            if told is None:
                return None
            self._kept[key] = told
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]
