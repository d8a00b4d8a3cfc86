"""Protocol clients in a thread of their own, which draw, claim a gift and refuse every claim."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager

from notahat.clients.python import Client, TableClient
from notahat.gifts import catalogue
from notahat.wire.messages import State
from support.timeouts import TIMEOUT


class RefusingPlayer:
    """Claims a wrong gift, or, if honest, the gift just drawn."""

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
            return  # a newer state has arrived
        may = {one.do for one in state.may}
        if "draw" in may:
            await table.do("draw")
        elif "give" in may:
            await table.do("give", claim=self._drawn if self._honest else self._wrong_gift())
        elif "refuse" in may:
            await table.do("refuse")

    def _wrong_gift(self) -> str:
        return next(gift for gift in catalogue() if gift != self._drawn)


@contextmanager
def protocol_players(*players: RefusingPlayer) -> Iterator[None]:
    """Seat the players in this order, and let them play until the end of the block."""
    loop = asyncio.new_event_loop()
    with closing(loop), ThreadPoolExecutor(1) as thread:
        thread.submit(loop.run_forever)
        tasks: list[Future[None]] = []
        try:
            for player in players:
                tasks.append(asyncio.run_coroutine_threadsafe(player.play(), loop))
                player.seated.result(TIMEOUT)
            yield
            assert [task.exception() for task in tasks if task.done()] == []
        finally:
            asyncio.run_coroutine_threadsafe(_cancel_all(), loop).result(TIMEOUT)
            loop.call_soon_threadsafe(loop.stop)


async def _cancel_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
