"""Who in this process wants to hear what other nodes do at a table."""

from collections.abc import Callable
from uuid import UUID

from msgspec import Struct

from notahat.store.store import Elsewhere, Wrote


class Follower(Struct, eq=False):
    """Somebody who is told of new versions, and of who is at the table on other nodes."""

    wrote: Wrote
    elsewhere: Elsewhere
    version: int = 0  # the newest one that they were told of, or wrote themselves
    guests: frozenset[UUID] = frozenset()


class Followers:
    """All followers of this process, by table."""

    def __init__(self) -> None:
        self._at: dict[UUID, list[Follower]] = {}

    def add(self, table: UUID, wrote: Wrote, elsewhere: Elsewhere) -> Callable[[], None]:
        """Follow a table, until what is returned is called."""
        follower = Follower(wrote, elsewhere)
        self._at.setdefault(table, []).append(follower)

        def stop() -> None:
            self._at[table].remove(follower)
            if not self._at[table]:
                del self._at[table]

        return stop

    def tables(self) -> list[UUID]:
        return list(self._at)

    def follows(self, table: UUID) -> bool:
        return table in self._at

    def wrote(self, table: UUID, version: int) -> None:
        """Tell of a version, if that is news."""
        for follower in tuple(self._at.get(table, ())):
            if follower.version < version:
                follower.version = version
                follower.wrote(version)

    def wrote_here(self, table: UUID, version: int) -> None:
        """Our own versions are no news."""
        for follower in self._at.get(table, ()):
            follower.version = max(follower.version, version)

    def elsewhere(self, table: UUID, guests: frozenset[UUID]) -> None:
        """Tell who is there on other nodes, if that is news."""
        for follower in tuple(self._at.get(table, ())):
            if follower.guests != guests:
                follower.guests = guests
                follower.elsewhere(guests)
