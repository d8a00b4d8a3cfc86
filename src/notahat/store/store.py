"""What every store promises, whatever it is made of."""

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
    """A table's state after `version` commits, in the shape that `schema` names. It can be thrown away."""

    version: int
    schema: int
    state: bytes


class Conflict(Exception):  # noqa: N818 an answer, not an accident
    """Somebody else wrote this version first, or the table is gone: read, decide again."""


class Unavailable(Exception):  # noqa: N818
    """The store cannot be reached, and whether an append happened is not known: ask again with the same command id."""


class TooNew(Exception):  # noqa: N818
    """The data was written by a newer release than this one."""


Done = Callable[[Commit | Exception], None]
Wrote = Callable[[int], None]
Elsewhere = Callable[[frozenset[UUID]], None]


class Store(Protocol):
    """Events kept, and what little else outlives a process."""

    def submit(self, table: UUID, expected: int, events: bytes, command: str, done: Done) -> None: ...
    async def append(self, table: UUID, expected: int, events: bytes, command: str | None = None) -> Commit: ...
    async def read(self, table: UUID, after: int = 0) -> list[Commit]: ...

    async def tables(self) -> list[UUID]: ...

    def follow(self, table: UUID, wrote: Wrote, elsewhere: Elsewhere) -> Callable[[], None]: ...
    async def look_around(self, table: UUID) -> None: ...

    async def save_snapshot(self, table: UUID, version: int, schema: int, state: bytes) -> None: ...
    async def snapshot(self, table: UUID) -> Snapshot | None: ...

    async def create_alias(self, code: str, table: UUID) -> bool: ...
    async def table_of(self, code: str) -> UUID | None: ...

    async def add_guest(self, hash_: bytes, guest: UUID | None = None) -> UUID: ...
    async def guest(self, hash_: bytes) -> UUID | None: ...
    async def put_ticket(self, hash_: bytes, guest: UUID, seconds: float) -> None: ...
    async def take_ticket(self, hash_: bytes) -> UUID | None: ...

    def hold(self, node: str, held: Mapping[UUID, frozenset[UUID]], seconds: float) -> None: ...

    async def clean(self, older_than_seconds: float) -> int: ...
    async def well(self) -> None: ...
    async def close(self) -> None: ...
