"""Answers from a table's log: stories of finished rounds and own decks, made in a thread, one at a time, and cached."""

import asyncio
from collections.abc import Hashable
from functools import partial
from uuid import UUID

from notahat.live.effects import ReadLog
from notahat.live.host import answer_from_log
from notahat.live.requests import ReadDeck
from notahat.rules import Illegal
from notahat.server.caches import JobCache
from notahat.store import Commit, Store

MAX_STORIES = 64
MAX_DECKS = 16

Answers = JobCache[tuple[UUID, Hashable], bytes | None]


class LogReader:
    """Requests for the same story or deck share one job, also if there is none."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stories: Answers = JobCache(MAX_STORIES)
        self._decks: Answers = JobCache(MAX_DECKS)

    async def answer(self, table: UUID, read: ReadLog) -> bytes:
        """Return the answer to a request; raise `Illegal` if the log has none."""
        answers = self._decks if isinstance(read.request, ReadDeck) else self._stories
        answer = await answers.get((table, read.key), partial(self._make, table, read))
        if answer is None:
            raise Illegal(read.missing, "")
        return answer

    async def _make(self, table: UUID, read: ReadLog) -> bytes | None:
        return await asyncio.to_thread(answer_from_log, read.request, await self._commits(table, read))

    async def _commits(self, table: UUID, read: ReadLog) -> list[Commit]:
        if read.version is None:
            return await self._store.read(table)
        commit = await self._store.read_commit(table, read.version)
        return [] if commit is None else [commit]
