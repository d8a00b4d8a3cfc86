"""A server whose clock stands still, with a stored game, and clients that record every message."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from notahat.clients.python import TableClient
from notahat.server.http.guests import hash_token
from notahat.server.settings import Settings
from notahat.server.table_codes import table_link
from notahat.server.timers import Clock
from notahat.store import open_store

TABLE = UUID(int=7)
NOW = 100.0
INVITED = table_link("K7QX", TABLE).removeprefix("/t/")


class StoppedClock(Clock):
    """Always shows the same time."""

    def time(self) -> float:
        return 5000.0

    def monotonic(self) -> float:
        return NOW


class RecordingClient(TableClient):
    """A client that keeps every message."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, token, INVITED)
        self.messages: list[bytes] = []

    def receive(self, message: bytes) -> None:
        self.messages.append(message)
        super().receive(message)


async def store_game(settings: Settings, log: Iterable[bytes], guests: Mapping[str, UUID]) -> None:
    """Store a game and its guests, each with a token."""
    store = await open_store(settings.store_url)
    for token, guest in guests.items():
        await store.add_guest(hash_token(token), guest)
    await store.create_alias("K7QX", TABLE)
    for version, entry in enumerate(log):
        await store.append(TABLE, version, entry)
    await store.close()
