"""URLs of stores."""

from uuid import uuid4

import psycopg
import pytest

from notahat.store import Unavailable, open_store
from support.postgres import Postgres


@pytest.mark.anyio
async def test_unknown_store_url_is_refused() -> None:
    with pytest.raises(ValueError, match="sqlite:// or postgresql://"):
        await open_store("mysql://localhost/tables")


@pytest.mark.anyio
async def test_memory_store_is_empty_after_reopening() -> None:
    table = uuid4()
    store = await open_store("sqlite://:memory:")
    await store.append(table, 0, b"event")
    assert len(await store.read(table)) == 1
    await store.close()
    store = await open_store("sqlite://:memory:")
    assert await store.read(table) == []
    await store.close()


@pytest.mark.anyio
async def test_database_without_rights_is_unavailable(postgres: Postgres) -> None:
    """So that the server can report it in one line, without a traceback."""
    with psycopg.connect(postgres.empty_database(), autocommit=True) as administrator:
        administrator.execute("CREATE ROLE nobody_much LOGIN")
        try:
            with pytest.raises(Unavailable, match="permission denied"):
                await open_store(postgres.address.replace("postgres:@", "nobody_much:@"))
        finally:
            administrator.execute("DROP ROLE nobody_much")
