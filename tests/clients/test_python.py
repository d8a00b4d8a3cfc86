"""The Python client: how it reconnects."""

import asyncio
from collections.abc import Iterator
from itertools import pairwise
from time import monotonic

from picows import WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

from notahat.clients.python import FIRST_BACKOFF, LONGEST_BACKOFF, STABLE_SECONDS, Client, ReconnectBackoff
from notahat.table import view
from notahat.wire.messages import encode_personal, encode_shared, encode_state
from support.tables import TableDriver

CONNECTIONS = 5


class FailingServer(WSListener):
    """Sends the first state and closes the connection, as with a full disk."""

    def on_ws_connected(self, transport: WSTransport) -> None:
        driver = TableDriver()
        shared = encode_shared(1, view(driver.table, driver.present), ())
        transport.send(WSMsgType.TEXT, encode_state(shared, encode_personal((), ())))
        transport.disconnect()


def test_failing_table_is_asked_less_and_less_often() -> None:
    async def run() -> list[float]:
        times: list[float] = []
        enough = asyncio.Event()

        def accept(_: WSUpgradeRequest) -> WSListener:
            times.append(monotonic())
            if len(times) == CONNECTIONS:
                enough.set()
            return FailingServer()

        server = await ws_create_server(accept, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, Client(f"http://127.0.0.1:{port}", "guest").table("K7QX"):
            await enough.wait()
        return times

    times = asyncio.run(run())
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps[-1] > 3 * FIRST_BACKOFF, gaps


def _delays(backoff: ReconnectBackoff, now: float = 0.0) -> Iterator[float]:
    while True:
        yield backoff.next_delay(now)


def test_backoff_doubles_up_to_a_limit() -> None:
    delays = _delays(ReconnectBackoff())
    for number in range(10):
        longest = min(FIRST_BACKOFF * 2**number, LONGEST_BACKOFF)
        assert longest / 2 <= next(delays) <= longest


def test_backoff_restarts_after_an_answer_or_a_stable_time() -> None:
    backoff = ReconnectBackoff()
    for acknowledged, lasted, restarts in ((True, 0.0, True), (False, STABLE_SECONDS, True), (False, 1.0, False)):
        for _ in range(4):
            backoff.next_delay(0.0)
        backoff.on_state(100.0, acknowledged)
        backoff.on_state(100.5, False)
        assert (backoff.next_delay(100.0 + lasted) <= FIRST_BACKOFF) == restarts
