"""The server stops and comes back: nobody loses a seat, an answer or their time."""

import asyncio
import signal
from pathlib import Path

from notahat.clients.python import Client
from notahat.server.clock import Clock
from notahat.server.settings import Settings
from support.raw_http import CLOSE, RawSocket
from support.server_process import Served, serving_here
from support.timeouts import PATIENCE


async def opened(url: str, **options: object) -> tuple[Client, str]:
    client = await Client(url).__aenter__()
    return client, await client.open_table(**options)


def raw(server: Served, client: Client, code: str) -> RawSocket:
    return RawSocket(server.url, f"/api/tables/{code}/socket", authorization=f"Bearer {client.token}")


def test_graceful_stop_says_come_back_and_everyone_does(tmp_path: Path) -> None:
    server = Served(tmp_path).start()
    client, code = asyncio.run(opened(server.url))
    with raw(server, client, code) as line:
        line.message()
        line.send(b'{"id": "a", "do": "sit", "name": "Ada"}')
        assert line.message()["ack"] == "a"
        server.process.send_signal(signal.SIGTERM)
        kind, payload = line.receive()
        assert (kind, payload[:2]) == (CLOSE, (1012).to_bytes(2, "big"))
    assert server.stop() == 0
    server.start()
    with raw(server, client, code) as line:
        assert line.message()["you"] == [0]
        line.send(b'{"id": "a", "do": "sit", "name": "Ada"}')
        again = line.message()
        assert (again["ack"], again["you"], again["happened"]) == ("a", [0], [])
    server.stop()


def test_a_client_goes_on_by_itself_after_a_restart(tmp_path: Path) -> None:
    server = Served(tmp_path).start()

    async def story() -> None:
        client, code = await opened(server.url)
        async with client.table(code) as table:
            await table.do("sit", name="Ada")
            await asyncio.to_thread(server.stop)
            order = asyncio.create_task(table.do("add_bot", level="casual"))
            await asyncio.to_thread(server.start)
            state = await order
            assert [chair.kind for chair in state.view.seats] == ["person", "bot"]
            assert table.connections == 2

    asyncio.run(asyncio.wait_for(story(), PATIENCE))
    server.stop()


class Yesterday(Clock):
    """A time of day of one's own; everything else goes on as ever."""

    def __init__(self, days_ago: int) -> None:
        self._days_ago = days_ago

    def time(self) -> float:
        return 1_800_000_000.0 - self._days_ago * 86_400


def test_time_stands_still_while_nobody_is_there(tmp_path: Path) -> None:
    """Patience is two minutes; the server is away for a day."""
    settings = Settings(port=0, store=f"sqlite:///{tmp_path / 'tables.db'}")

    async def story() -> None:
        async with serving_here(settings, Yesterday(1)) as url:
            client, code = await opened(url, patience_seconds=120, show_seconds=0, starter=0)
            async with client.table(code) as table:
                for name in ("Ada", "Ben", "Cem"):
                    await table.do("sit", name=name)
                await table.do("start")
                await table.do("draw")
                await table.until(lambda state: any(one.do == "give" for one in state.may))
        async with serving_here(settings, Yesterday(0)) as url, Client(url, client.token).table(code) as table:
            assert table.state is not None
            assert table.state.view.round is not None
            assert table.state.view.round.turn == 2
            assert table.state.view.deadline is not None
            assert table.state.view.deadline.seconds == 120
            await table.do("give", claim="hat")

    asyncio.run(asyncio.wait_for(story(), PATIENCE))
