"""A restart keeps seats, answers and deadlines."""

import asyncio
import signal
from pathlib import Path

from notahat.clients.python import Client
from notahat.server.clock import Clock
from notahat.server.settings import Settings
from support.raw_http import CLOSE
from support.raw_table import open_socket, open_table
from support.server_process import ServerProcess, in_process_server
from support.timeouts import TIMEOUT


def test_graceful_stop_closes_with_1012_and_keeps_seats(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path).start()
    client, code = asyncio.run(open_table(server.url))
    with open_socket(server, client, code) as connection:
        connection.message()
        connection.send(b'{"id": "a", "do": "sit", "name": "Ada"}')
        assert connection.message()["ack"] == "a"
        server.process.send_signal(signal.SIGTERM)
        kind, payload = connection.receive()
        assert (kind, payload[:2]) == (CLOSE, (1012).to_bytes(2, "big"))
    assert server.stop() == 0
    server.start()
    with open_socket(server, client, code) as connection:
        assert connection.message()["you"] == [0]
        connection.send(b'{"id": "a", "do": "sit", "name": "Ada"}')
        repeated = connection.message()
        assert (repeated["ack"], repeated["you"], repeated["happened"]) == ("a", [0], [])
    server.stop()


def test_client_reconnects_after_a_restart(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path).start()

    async def scenario() -> None:
        client, code = await open_table(server.url)
        async with client.table(code) as table:
            await table.do("sit", name="Ada")
            await asyncio.to_thread(server.stop)
            command = asyncio.create_task(table.do("add_bot", level="casual"))
            await asyncio.to_thread(server.start)
            state = await command
            assert [chair.kind for chair in state.view.seats] == ["person", "bot"]
            assert table.connections == 2

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))
    server.stop()


class ShiftedClock(Clock):
    """Wall-clock time of some days ago; monotonic time is real."""

    def __init__(self, days_ago: int) -> None:
        self._days_ago = days_ago

    def time(self) -> float:
        return 1_800_000_000.0 - self._days_ago * 86_400


def test_deadline_does_not_run_while_server_is_down(tmp_path: Path) -> None:
    """Patience is two minutes; the server is down for a day."""
    settings = Settings(port=0, store=f"sqlite:///{tmp_path / 'tables.db'}")

    async def scenario() -> None:
        async with in_process_server(settings, ShiftedClock(1)) as url:
            client, code = await open_table(url, patience_seconds=120, show_seconds=0, starter=0)
            async with client.table(code) as table:
                for name in ("Ada", "Ben", "Cem"):
                    await table.do("sit", name=name)
                await table.do("start")
                await table.do("draw")
                await table.until(lambda state: any(one.do == "give" for one in state.may))
        async with in_process_server(settings, ShiftedClock(0)) as url, Client(url, client.token).table(code) as table:
            assert table.state is not None
            assert table.state.view.round is not None
            assert table.state.view.round.turn == 2
            assert table.state.view.deadline is not None
            assert table.state.view.deadline.seconds == 120
            await table.do("give", claim="hat")

    asyncio.run(asyncio.wait_for(scenario(), TIMEOUT))
