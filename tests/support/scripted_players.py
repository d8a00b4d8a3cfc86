"""Protocol clients that do what a film or a browser test says, for tables with one player in a browser.

Their event loop runs in a thread, so synchronous code can call `players.do(...)`.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self, TypeVar

from notahat.clients.python import MOVES, Client, TableClient
from notahat.rules.view import FaceUp
from notahat.wire.messages import State
from support.timeouts import TIMEOUT

Result = TypeVar("Result")


class ScriptedPlayers:
    """A table, and named players who sit down at it in this order."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._stack = AsyncExitStack()
        self._tables: dict[str, TableClient] = {}
        self._clients: dict[str, Client] = {}
        self.code = ""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(TIMEOUT)
        self._loop.close()

    def open_table(self, *names: str, **options: Any) -> str:
        """Let the first player open a table and all connect to it, without sitting down. Return its code."""
        self._run(self._connect_all(names, options))
        return self.code

    def sit(self, *names: str) -> None:
        """Seat these players, or all of them."""
        for name in names or tuple(self._tables):
            self._run(self._tables[name].do("sit", name=name))

    def join(self, code: str, name: str) -> None:
        """Seat a player at a table that somebody else opened."""
        self.code = code
        self.connect(name)
        self.sit(name)

    def disconnect(self, name: str) -> None:
        self._run(self._tables.pop(name).__aexit__(None, None, None))

    def connect(self, name: str) -> None:
        self._run(self._connect(name))

    def do(self, name: str, command: str, **fields: Any) -> State:
        if command in MOVES and (round_ := self.state.view.round) is not None:
            fields.setdefault("turn", round_.turn)  # this player may not have received the last move yet
        return self._run(self._tables[name].do(command, **fields))

    def do_as_host(self, command: str, **fields: Any) -> State:
        return self.do(next(iter(self._tables)), command, **fields)

    def until(self, wanted: Callable[[State], bool]) -> State:
        """Wait until `wanted` is true of the table."""
        return self._run(next(iter(self._tables.values())).until(wanted))

    def phase(self, name: str) -> Any:
        """Wait for this phase of the round and return it."""
        state = self.until(lambda now: now.view.round is not None and _phase_name(now.view.round.phase) == name)
        assert state.view.round is not None
        return state.view.round.phase

    def face_up_gift(self) -> str:
        """Return a gift that lies face up in front of a player: a claim of it is wrong."""
        assert self.state.view.round is not None
        return next(
            card.gift for seat in self.state.view.round.seats for card in seat.column if isinstance(card, FaceUp)
        )

    def top_gift(self) -> str:
        """Return the gift that is drawn next."""
        assert self.state.view.round is not None
        assert self.state.view.round.shop.top is not None
        return self.state.view.round.shop.top

    @property
    def state(self) -> State:
        state = next(iter(self._tables.values())).state
        assert state is not None
        return state

    async def _connect_all(self, names: tuple[str, ...], options: dict[str, Any]) -> None:
        for name in names:
            client = await self._client(name)
            self.code = self.code or await client.open_table(**options)
            await self._connect(name)

    async def _connect(self, name: str) -> None:
        client = await self._client(name)
        self._tables[name] = await client.table(self.code).__aenter__()

    async def _client(self, name: str) -> Client:
        if name not in self._clients:
            self._clients[name] = await self._stack.enter_async_context(Client(self._url))
        return self._clients[name]

    async def _close(self) -> None:
        for table in self._tables.values():
            await table.__aexit__(None, None, None)
        await self._stack.aclose()

    def _run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(TIMEOUT)


def _phase_name(phase: object) -> str:
    """Return the name of a phase in the protocol."""
    return type(phase).__name__.removesuffix("View").lower()
