import asyncio
import time
from pathlib import Path

from notahat.server.http.guests import RECHECK_SECONDS, Guests
from notahat.store import open_store


def test_cached_guest_is_still_recorded_as_seen(tmp_path: Path) -> None:
    """A server that runs for weeks asks the store again, so that cleaning does not delete regular guests."""

    async def scenario() -> None:
        url, now = f"sqlite:///{tmp_path}/tables.db", 0.0
        store = await open_store(url)
        guests = Guests(store, lambda: now)
        token = await guests.create_token()
        guest = await guests.identify(token)
        assert guest is not None
        await store._write("UPDATE guests SET seen = 1.0")  # type: ignore[attr-defined]
        assert await guests.identify(token) == guest
        assert await store._read("SELECT seen FROM guests") == [(1.0,)]  # type: ignore[attr-defined]
        now += RECHECK_SECONDS + 1
        assert await guests.identify(token) == guest
        ((seen,),) = await store._read("SELECT seen FROM guests")  # type: ignore[attr-defined]
        assert seen > time.time() - 3600
        await store.close()

    asyncio.run(scenario())
