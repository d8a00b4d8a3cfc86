"""Stories of rounds, told from a table's whole log: beside the loop, one at a time, and each only once."""

import asyncio
from collections import OrderedDict
from uuid import UUID

from notahat.server.node import Hosted
from notahat.store import Commit, Store
from notahat.table.events import decode
from notahat.table.story import story
from notahat.wire.messages import write

MOST_KEPT = 64

Told = tuple[UUID, int, int]  # which table, which round, and the deals there had been: what is told then stays so


class Stories:
    """Whoever asks for a story that is being told already waits for the same one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._one_at_a_time = asyncio.Semaphore(1)
        self._kept: OrderedDict[Told, asyncio.Task[bytes | None]] = OrderedDict()

    async def of(self, hosted: Hosted, number: int) -> bytes | None:
        """The story of a finished round as it is sent; None if there is none."""
        key = (hosted.id, number, hosted.room.table.dealt)
        task = self._kept.get(key)
        if task is None:
            task = self._kept[key] = asyncio.get_running_loop().create_task(self._tell(hosted.id, number))
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        try:
            return await asyncio.shield(task)
        except Exception:
            self._kept.pop(key, None)  # whoever asks next may have more luck
            raise

    async def _tell(self, id_: UUID, number: int) -> bytes | None:
        async with self._one_at_a_time:
            commits = await self._store.read(id_)
            return await asyncio.to_thread(_told, commits, number)


def _told(commits: list[Commit], number: int) -> bytes | None:
    told = story((decode(commit.events) for commit in commits), number)
    return None if told is None else write(told)
