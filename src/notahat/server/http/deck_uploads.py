"""Own decks: files that are larger than a frame, validated before they are put on a table."""

import asyncio
from uuid import UUID
from weakref import WeakValueDictionary

from notahat.gifts import Deck, read_deck
from notahat.gifts.hat_file import NameKeys
from notahat.server.confusables import name_keys


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
