"""A node that meets an event it does not know sends everybody away to come back, and guesses nothing."""

import asyncio
from pathlib import Path

from notahat.clients.python import Client
from notahat.server.settings import Settings
from notahat.store import open_store
from support.raw_http import RawSocket
from support.server_process import serving_here
from support.timeouts import PATIENCE

STRANGE = b'{"at": 9e9, "schema": 2, "events": [{"event": "teleported", "seat": 0}]}'


def test_a_newer_log_closes_the_table_with_1012(tmp_path: Path) -> None:
    settings = Settings(port=0, store=f"sqlite:///{tmp_path / 'tables.db'}", pace=100.0)

    async def story() -> None:
        async with serving_here(settings) as url, Client(url) as client:
            code = await client.open_table()
            path, token = f"/api/tables/{code}/socket", f"Bearer {client.token}"
            line = await asyncio.to_thread(lambda: RawSocket(url, path, authorization=token))
            with line:
                await asyncio.to_thread(line.message)
                newer = await open_store(settings.store_url)
                table = await newer.table_of(code)
                assert table is not None
                await newer.append(table, 1, STRANGE)
                await newer.close()
                line.send(b'{"id": "a", "do": "sit", "name": "Ada"}')
                assert await asyncio.to_thread(line.closed_with) == (1012, "come back")
            again = await asyncio.to_thread(lambda: RawSocket(url, path, authorization=token))
            with again:
                assert again.status == 503
                assert await asyncio.to_thread(lambda: again.reason) == "busy"

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_a_table_that_was_cleaned_away_is_gone_for_those_who_sit_at_it(tmp_path: Path) -> None:
    settings = Settings(port=0, store=f"sqlite:///{tmp_path / 'tables.db'}", pace=100.0)

    async def story() -> None:
        async with serving_here(settings) as url, Client(url) as client:
            code = await client.open_table()
            path, token = f"/api/tables/{code}/socket", f"Bearer {client.token}"
            line = await asyncio.to_thread(lambda: RawSocket(url, path, authorization=token))
            with line:
                await asyncio.to_thread(line.message)
                cleaner = await open_store(settings.store_url)
                assert await cleaner.clean(-1.0) == 1
                await cleaner.close()
                line.send(b'{"id": "a", "do": "sit", "name": "Ada"}')
                assert (await asyncio.to_thread(line.closed_with))[0] == 1012
            again = await asyncio.to_thread(lambda: RawSocket(url, path, authorization=token))
            with again:
                assert again.status == 404

    asyncio.run(asyncio.wait_for(story(), PATIENCE))
