"""People without a browser, at a table with somebody who has one: they do exactly what a film or a test tells them.

They live in a thread with a loop of their own, so that whoever drives a browser just says `company.do(...)`.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self, TypeVar

from notahat.clients.python import PLAYS, Client, TableClient
from notahat.wire.messages import State

PATIENCE = 60.0
Answer = TypeVar("Answer")


class Company:
    """A table of our own, and people who sit down at it in the order of their names."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._open = AsyncExitStack()
        self._tables: dict[str, TableClient] = {}
        self._clients: dict[str, Client] = {}
        self.code = ""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._now(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()

    def open_table(self, *names: str, **options: Any) -> str:
        """The first of them opens it and is the host; nobody sits yet. Says its code."""
        self._now(self._arrive(names, options))
        return self.code

    def sit(self, *names: str) -> None:
        """These people sit down, or all of them."""
        for name in names or tuple(self._tables):
            self._now(self._tables[name].do("sit", name=name))

    def go(self, name: str) -> None:
        """Somebody's line breaks."""
        self._now(self._tables.pop(name).__aexit__(None, None, None))

    def come(self, name: str) -> None:
        """Somebody comes to the table, or back to it."""
        self._now(self._come(name))

    def do(self, name: str, order: str, **fields: Any) -> State:
        """What this person does, now."""
        if order in PLAYS and (round_ := self.state.view.round) is not None:
            fields.setdefault("turn", round_.turn)  # the others may hear of the last move a moment later
        return self._now(self._tables[name].do(order, **fields))

    def host_does(self, order: str, **fields: Any) -> State:
        return self.do(next(iter(self._tables)), order, **fields)

    def until(self, wanted: Callable[[State], bool]) -> State:
        """Wait until the table is like this."""
        return self._now(next(iter(self._tables.values())).until(wanted))

    def phase(self, name: str) -> Any:
        """Wait for this phase of the round."""
        state = self.until(lambda now: now.view.round is not None and _phase(now.view.round.phase) == name)
        assert state.view.round is not None
        return state.view.round.phase

    @property
    def state(self) -> State:
        state = next(iter(self._tables.values())).state
        assert state is not None
        return state

    async def _arrive(self, names: tuple[str, ...], options: dict[str, Any]) -> None:
        for name in names:
            client = await self._known(name)
            self.code = self.code or await client.open_table(**options)
            await self._come(name)

    async def _come(self, name: str) -> None:
        client = await self._known(name)
        self._tables[name] = await client.table(self.code).__aenter__()

    async def _known(self, name: str) -> Client:
        if name not in self._clients:
            self._clients[name] = await self._open.enter_async_context(Client(self._url))
        return self._clients[name]

    async def _close(self) -> None:
        for table in self._tables.values():
            await table.__aexit__(None, None, None)
        await self._open.aclose()

    def _now(self, doing: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run_coroutine_threadsafe(doing, self._loop).result(PATIENCE)


def _phase(phase: object) -> str:
    """The name that a phase has on the wire."""
    return type(phase).__name__.removesuffix("View").lower()
