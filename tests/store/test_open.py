"""Which address opens which store."""

from uuid import uuid4

import pytest

from notahat.store import open_store


@pytest.mark.anyio
async def test_an_address_of_neither_store_is_refused() -> None:
    with pytest.raises(ValueError, match="sqlite:// or postgresql://"):
        await open_store("mysql://localhost/tables")


@pytest.mark.anyio
async def test_a_store_in_memory_keeps_nothing_after_closing() -> None:
    table = uuid4()
    store = await open_store("sqlite://:memory:")
    await store.append(table, 0, b"event")
    assert len(await store.read(table)) == 1
    await store.close()
    store = await open_store("sqlite://:memory:")
    assert await store.read(table) == []
    await store.close()
