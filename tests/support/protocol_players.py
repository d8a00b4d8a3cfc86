"""People without a page: in a thread of their own they draw, name a gift, and doubt whatever they are offered."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager

from notahat.clients.python import Client, TableClient
from notahat.gifts import catalogue
from notahat.wire.messages import State
from support.timeouts import PATIENCE


class Liar:
    """Claims what cannot be right. An honest one says what they have just drawn."""

    def __init__(self, url: str, code: str, name: str, honest: bool = False) -> None:
        self.name = name
        self.seated: Future[None] = Future()
        self._url, self._code, self._honest = url, code, honest
        self._drawn = ""

    async def play(self) -> None:
        async with Client(self._url) as client, client.table(self._code) as table:
            await table.do("sit", name=self.name)
            self.seated.set_result(None)
            async for state in table:
                await self._move(table, state)

    async def _move(self, table: TableClient, state: State) -> None:
        round_ = state.view.round
        self._drawn = getattr(getattr(round_ and round_.phase, "card", None), "gift", self._drawn)
        if state is not table.state:
            return  # there is news already
        may = {one.do for one in state.may}
        if "draw" in may:
            await table.do("draw")
        elif "give" in may:
            await table.do("give", claim=self._drawn if self._honest else self._lie())
        elif "refuse" in may:
            await table.do("refuse")

    def _lie(self) -> str:
        return next(gift for gift in catalogue() if gift != self._drawn)


@contextmanager
def playing(*people: Liar) -> Iterator[None]:
    """They sit down in this order, and play until they are not needed any more."""
    loop = asyncio.new_event_loop()
    with closing(loop), ThreadPoolExecutor(1) as thread:
        thread.submit(loop.run_forever)
        tasks: list[Future[None]] = []
        try:
            for person in people:
                tasks.append(asyncio.run_coroutine_threadsafe(person.play(), loop))
                person.seated.result(PATIENCE)
            yield
            assert [task.exception() for task in tasks if task.done()] == []
        finally:
            asyncio.run_coroutine_threadsafe(_get_up(), loop).result(PATIENCE)
            loop.call_soon_threadsafe(loop.stop)


async def _get_up() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for one in others:
        one.cancel()
    await asyncio.gather(*others, return_exceptions=True)
