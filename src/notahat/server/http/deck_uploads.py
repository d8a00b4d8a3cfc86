"""Own decks: uploaded by HTTP because they are larger than a frame, and read back from the table's log."""

import asyncio
import secrets
from uuid import UUID
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from notahat.gifts import Deck, read_deck
from notahat.gifts.hat_file import NameKeys
from notahat.rules import Illegal
from notahat.server.caches import LruCache
from notahat.server.confusables import name_keys
from notahat.server.node import Node, OpenRoom
from notahat.store import Store, Unavailable
from notahat.table.commands import BringDeck
from notahat.wire.deck_messages import deck_message_in
from notahat.wire.reasons import ServerReason, reason_of

MAX_CACHED = 16
MAX_CACHED_MISSES = 4096
TIMEOUT_SECONDS = 10.0
RETRY = "try again in a moment"


class _Answer(Struct):
    """The part of a message that answers a command."""

    ack: str | None = None
    no: str | None = None
    reason: str = ""
    detail: str = ""


class UploadConnection:
    """A connection for one command: an upload takes the same path as a command in a frame."""

    def __init__(self, guest: UUID) -> None:
        self.guest = guest
        self.answer: asyncio.Future[_Answer] = asyncio.get_running_loop().create_future()

    def send(self, message: bytes) -> None:
        answer = msgspec.json.decode(message, type=_Answer)
        if (answer.ack or answer.no) and not self.answer.done():
            self.answer.set_result(answer)

    def close(self, code: int, reason: str = "") -> None:  # noqa: ARG002
        if not self.answer.done():  # a guest who was removed gets the table's own reason with the next request
            self.answer.set_exception(Unavailable(RETRY))


class DeckValidator:
    """Validates uploaded decks in a thread, because decoding pictures is slow, and one at a time.

    Each guest and each address has at most one deck in the queue, so that a guest with many decks delays nobody else.
    """

    def __init__(self, name_keys: NameKeys = name_keys) -> None:
        self._name_keys = name_keys
        self._running = asyncio.Lock()
        self._locks: WeakValueDictionary[UUID | str, asyncio.Lock] = WeakValueDictionary()

    async def validate(self, data: bytes, guest: UUID, address: str) -> Deck:
        """Return the deck in a file; raise `Illegal` with the reason and the place of an error."""
        async with self._lock(guest), self._lock(address), self._running:
            return await asyncio.to_thread(read_deck, data, self._name_keys)

    def _lock(self, key: UUID | str) -> asyncio.Lock:
        """Return the lock of a guest or address, which is dropped when nothing waits for it."""
        return self._locks.setdefault(key, asyncio.Lock())


async def put_deck(node: Node, open_room: OpenRoom, guest: UUID, deck: Deck) -> None:
    """Put a deck on a table; raise `Illegal` if the table refuses it, `Unavailable` if it does not answer."""
    connection = UploadConnection(guest)
    if not node.connect(open_room, connection, changes=False):
        raise Unavailable(RETRY)
    try:
        node.submit(open_room, connection, secrets.token_hex(8), BringDeck(deck))
        answer = await asyncio.wait_for(connection.answer, TIMEOUT_SECONDS)
    except TimeoutError:
        raise Unavailable(RETRY) from None
    finally:
        node.disconnect(open_room, connection)
    if answer.no and answer.reason == ServerReason.TOO_FAST:  # other writers were first too often
        raise Unavailable(RETRY)
    if answer.no:
        raise Illegal(reason_of(answer.reason), answer.detail)


class DeckCache:
    """Own decks as they are sent to guests. One is read at a time, so that other reads wait for at most one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._decks: LruCache[tuple[UUID, int], bytes] = LruCache(MAX_CACHED)
        self._without_deck: LruCache[tuple[UUID, int], bool] = LruCache(MAX_CACHED_MISSES)
        self._reading = asyncio.Lock()

    async def deck(self, table: UUID, version: int) -> bytes | None:
        """Return the deck that was put on a table with this version of its log; None if there is none."""
        if not self._is_cached(table, version):
            async with self._reading:
                if not self._is_cached(table, version):  # the request before may have asked for the same
                    await self._read(table, version)
        return self._decks.touch((table, version))

    def _is_cached(self, table: UUID, version: int) -> bool:
        return (table, version) in self._decks or self._without_deck.touch((table, version)) is not None

    async def _read(self, table: UUID, version: int) -> None:
        """Read one commit of the log; an existing commit without a deck is remembered as well."""
        commit = await self._store.read_commit(table, version)
        if commit is None:
            return
        deck = deck_message_in(commit.events)
        if deck is None:
            self._without_deck[table, version] = True
        else:
            self._decks[table, version] = deck
