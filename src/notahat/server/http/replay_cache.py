"""Stories of finished rounds, built from a table's whole log in a thread, one at a time, and cached."""

import asyncio
from functools import partial
from uuid import UUID

from notahat.server.caches import JobCache
from notahat.server.node import OpenRoom
from notahat.store import Commit, Store
from notahat.table.events import decode
from notahat.table.story import story
from notahat.wire.messages import encode_message

MAX_CACHED = 64

Key = tuple[UUID, int, int]  # table, round, and number of deals: a story does not change until the next deal


class ReplayCache:
    """Encoded stories; requests for the same story share one job."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._jobs: JobCache[Key, bytes | None] = JobCache(MAX_CACHED)

    async def story(self, open_room: OpenRoom, number: int) -> bytes | None:
        """Return the story of a finished round; None if there is none."""
        key = (open_room.id, number, open_room.room.table.dealt)
        return await self._jobs.get(key, partial(self._build, open_room.id, number))

    async def _build(self, table: UUID, number: int) -> bytes | None:
        return await asyncio.to_thread(_encode_story, await self._store.read(table), number)


def _encode_story(commits: list[Commit], number: int) -> bytes | None:
    found = story((decode(commit.events) for commit in commits), number)
    return None if found is None else encode_message(found)
