"""Events kept: what was acknowledged is never forgotten. A table is its id here, its events are bytes.

`await open_store(url)` with `sqlite:///relative/file.db`, `sqlite:////absolute/file.db`, `sqlite://:memory:` or
`postgresql://…` gives a `Store`; call it inside the running loop, and `await store.close()` at the end. All methods
but `submit`, `follow` and `hold` are coroutines.

The log of a table:

- `append(table, expected, events, command=None) -> Commit` adds all events of one command as one version. `expected`
  is the version it answers: 0 for a new table. It is on disk when the call returns. It raises `Conflict` when somebody
  else was first (then `read` and decide again) and `Unavailable` when the store cannot be reached and nobody knows
  whether the append happened: answer nothing, and when the command comes again pass the same id.
- `submit(table, expected, events, command, done)` is the same without a coroutine: `done` is called in the loop with
  the `Commit`, or with the exception that `append` would raise (`Conflict`, `Unavailable`; a bug of ours comes as what
  it is). All that is submitted within one turn of the loop is committed together, and all its answers come in one later
  turn, one after the other. `done` is never called before `submit` has returned. Nobody is hinted at one's own writes.
- A command id that the table has seen in its last 128 commits gives the first `Commit` again, whatever `expected` and
  `events` are now. So go on with the *returned* commit: its version and its events are what counts, and its version
  may be long past. Ids are kept per table: put the guest into them (`f"{guest.hex}:{id}"`), or one guest could take
  another's answer. Without an id an append gets a random one.
- `read(table, after=0) -> list[Commit]`, oldest first, without gaps; empty for a table that does not exist.
- `tables() -> list[UUID]`, all that there are, in no order.
- `follow(table, wrote, elsewhere) -> stop` tells what *other* nodes do, until `stop()` is called: `wrote(version)` when
  a version has appeared (it may come late or skip some: compare with the version one has, and `read` the gap; one's
  own may be found like this, too, until it is answered);
  `elsewhere(guests)` when the set of guests who are at this table on other nodes has changed. Both are called in the
  loop. With SQLite there are no other nodes, and nothing is ever called.
- `hold(node, {table: guests}, seconds)` says who is at which tables on this node: call it when that changes, with the
  tables that changed (several at once are one statement) and the empty set for a table that everybody left. The store
  renews it by itself; it ends with the process, `seconds` after its last breath. Tables that are held are not cleaned
  away.
- `save_snapshot(table, version, schema, state)` and `snapshot(table) -> Snapshot | None`: the newest one is kept.

Names and people:

- `create_alias(code, table) -> bool` (False: taken) and `table_of(code) -> UUID | None`. Make the alias first, then
  append version 1.
- `add_guest(hash, guest=None) -> UUID` (the same guest again for the same hash; with `guest`, one more hash for them),
  `guest(hash) -> UUID | None`.
- `put_ticket(hash, guest, seconds)`, `take_ticket(hash) -> UUID | None`: works exactly once, and only in time.

`clean(older_than_seconds) -> int` forgets tables that nobody touched for so long, with their codes (which may be used
again), and guests not seen for so long; it says how many tables. Tables that are held stay. It goes in many small
steps, between which moves are written, and a clock that was set far ahead makes nothing older (age.py).

`well()` returns when the store can be read and written now, and raises `Unavailable` that says what is wrong.
"""

from notahat.store.store import Commit, Conflict, Snapshot, Store, TooNew, Unavailable

__all__ = ["POSTGRES", "Commit", "Conflict", "Snapshot", "Store", "TooNew", "Unavailable", "open_store"]

POSTGRES = ("postgresql://", "postgres://")


async def open_store(url: str) -> Store:
    """Open the store that the address names, and bring its schema up to date."""
    if url.startswith("sqlite://"):
        from notahat.store.sqlite import SqliteStore

        return await SqliteStore.open(url)
    if url.startswith(POSTGRES):
        from notahat.store.postgres import PostgresStore

        return await PostgresStore.open(url)
    raise ValueError(f"a store's address starts with sqlite:// or postgresql://, not {url!r}")
