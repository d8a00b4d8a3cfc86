"""Storage of table logs, snapshots, codes, guests and presence, in SQLite or PostgreSQL: docs/store.md."""

from notahat.store.store import Commit, Conflict, SchemaTooNew, Snapshot, Store, Unavailable

__all__ = ["POSTGRES_SCHEMES", "Commit", "Conflict", "SchemaTooNew", "Snapshot", "Store", "Unavailable", "open_store"]

POSTGRES_SCHEMES = ("postgresql://", "postgres://")


async def open_store(url: str) -> Store:
    """Open the store at `url` and migrate its schema. Raise `ValueError` for an unknown scheme."""
    if url.startswith("sqlite://"):
        from notahat.store.sqlite import SqliteStore

        return await SqliteStore.open(url)
    if url.startswith(POSTGRES_SCHEMES):
        from notahat.store.postgres import PostgresStore

        return await PostgresStore.open(url)
    raise ValueError(f"the URL of a store starts with sqlite:// or postgresql://, not {url!r}")
