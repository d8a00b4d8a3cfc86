"""The interface of every store: values, errors and the `Store` protocol."""

from collections.abc import Callable, Mapping
from typing import Protocol
from uuid import UUID

from msgspec import Struct


class Commit(Struct, frozen=True):
    """One append: all events of one command. `version` counts a table's commits from 1."""

    table: UUID
    version: int
    command: str
    events: bytes


class Snapshot(Struct, frozen=True):
    """A table's state after `version` commits, encoded as `schema` says. It can be rebuilt from the log."""

    version: int
    schema: int
    state: bytes


class Conflict(Exception):  # noqa: N818 an answer, not an accident
    """Another writer committed this version first, or the table was deleted: read, then decide again."""


class Unavailable(Exception):  # noqa: N818
    """The store cannot be reached. An append may or may not have happened: retry with the same command id."""


class SchemaTooNew(Exception):  # noqa: N818
    """A newer release wrote the data."""


Done = Callable[[Commit | Exception], None]
OnVersion = Callable[[int], None]
OnPresence = Callable[[frozenset[UUID]], None]


class Store(Protocol):
    """Logs, snapshots, codes, guests, tickets and presence of all tables. See `notahat.store`."""

    def submit(self, table: UUID, expected: int, events: bytes, command: str, done: Done) -> None: ...
    async def append(self, table: UUID, expected: int, events: bytes, command: str | None = None) -> Commit: ...
    async def read(self, table: UUID, after: int = 0) -> list[Commit]: ...
    async def read_commit(self, table: UUID, version: int) -> Commit | None: ...

    async def tables(self) -> list[UUID]: ...

    def subscribe(self, table: UUID, on_version: OnVersion, on_presence: OnPresence) -> Callable[[], None]: ...
    async def refresh_presence(self, table: UUID) -> None: ...

    async def save_snapshot(self, table: UUID, version: int, schema: int, state: bytes) -> None: ...
    async def snapshot(self, table: UUID) -> Snapshot | None: ...

    async def create_alias(self, code: str, table: UUID) -> bool: ...
    async def table_of(self, code: str) -> UUID | None: ...

    async def add_guest(self, hash_: bytes, guest: UUID | None = None) -> UUID: ...
    async def guest(self, hash_: bytes) -> UUID | None: ...
    async def put_ticket(self, hash_: bytes, guest: UUID, seconds: float) -> None: ...
    async def take_ticket(self, hash_: bytes) -> UUID | None: ...
    async def end_tokens(self, guest: UUID) -> int: ...

    async def tables_containing(self, text: bytes) -> list[UUID]: ...
    async def delete_table(self, table: UUID) -> None: ...

    def publish_presence(self, node: str, present: Mapping[UUID, frozenset[UUID]], seconds: float) -> None: ...

    async def clean(self, older_than_seconds: float) -> int: ...
    async def check_health(self) -> None: ...
    async def close(self) -> None: ...
