"""Storage of table logs, snapshots, codes, guests and presence, in SQLite or PostgreSQL.

A table is its id here, and its events are bytes. `await open_store(url)` returns a `Store` for
`sqlite:///relative/file.db`, `sqlite:////absolute/file.db`, `sqlite://:memory:` or `postgresql://…`. Call it inside
the running loop, and `await store.close()` at the end. All methods but `submit`, `subscribe` and `publish_presence`
are coroutines.

The log of a table:

- `append(table, expected, events, command=None) -> Commit` writes all events of one command as the version after
  `expected` (0 for a new table). The commit is on disk when the call returns. It raises `Conflict` if another writer
  was first: `read` and decide again. It raises `Unavailable` if the store cannot be reached and the result is unknown:
  do not answer the client, and pass the same command id when it retries.
- `submit(table, expected, events, command, done)` is `append` without a coroutine. The loop calls `done` with the
  `Commit` or with the exception that `append` would raise, never before `submit` has returned. Everything submitted in
  one iteration of the loop is committed together, and all its callbacks run in one later iteration.
- The same append again (the same version, command id and events) returns its commit. The store does not deduplicate
  commands otherwise: a writer that knows all versions up to `expected` knows their command ids. An append without an id
  gets a random one.
- `read(table, after=0) -> list[Commit]`: oldest first, without gaps; empty if the table does not exist.
- `read_commit(table, version) -> Commit | None`: one commit, without reading those after it.
- `tables() -> list[UUID]`: all tables, unordered.
- `save_snapshot(table, version, schema, state)`, `snapshot(table) -> Snapshot | None`: only the newest one is kept.

Other nodes (SQLite has none and never calls back):

- `subscribe(table, on_version, on_presence) -> stop` reports changes by *other* nodes until `stop()` is called.
  `on_version(version)` may come late and skip versions: compare, and `read` the gap. It may also report a commit of
  this node that has not been answered yet. `on_presence(guests)` reports the guests connected through other nodes.
- `publish_presence(node, {table: guests}, seconds)` states who is connected through this node. Call it with the tables
  that changed, and with the empty set when the last guest has left. The store renews this lease; without renewal it
  expires after `seconds`. Tables with a lease are not cleaned up.
- `refresh_presence(table)` returns once the subscribers know who is connected through other nodes.

Codes and people:

- `create_alias(code, table) -> bool` (False if the code is taken), `table_of(code) -> UUID | None`. Create the alias
  before appending version 1.
- `add_guest(hash, guest=None) -> UUID` returns the known guest for a known hash; with `guest` it adds another hash for
  that guest. `guest(hash) -> UUID | None`.
- `put_ticket(hash, guest, seconds)`, `take_ticket(hash) -> UUID | None`: a ticket works once, and until it expires.
- `end_tokens(guest) -> int` deletes all hashes and tickets of a guest and returns the number of hashes.

`tables_containing(text) -> list[UUID]` searches the events of all tables for some bytes: slow, for operators only.
`delete_table(table)` deletes a table with its code at once, also if guests are connected to it.

`clean(older_than_seconds) -> int` deletes tables that were not used for that long, with their codes (which may be
reused), and guests who were not seen for that long. It returns the number of deleted tables. It works in small steps
between which appends run, and a clock set far ahead does not make it delete more (safe_clock.py).

`check_health()` returns if the store can be read and written now, and raises `Unavailable` with the problem otherwise.
It waits behind the reads of others, so it takes long when they do. A SQLite store also refuses writes while its file is
deleted, replaced or cut.
"""

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
