"""Raw sockets to tables, and a clock for limits."""

from notahat.clients.python import Client
from support.raw_http import RawSocket
from support.server_process import ServerProcess


class ManualClock:
    """A clock that tests move forward."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


async def open_table(url: str, **options: object) -> tuple[Client, str]:
    """Return a new guest and the code of a table that they opened."""
    client = await Client(url).__aenter__()
    return client, await client.open_table(**options)


def open_socket(server: ServerProcess, client: Client, code: str) -> RawSocket:
    path = f"/api/tables/{code}/socket"
    return RawSocket(server.url, path, authorization=f"Bearer {client.token}")
