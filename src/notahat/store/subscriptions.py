"""Local subscriptions to what other nodes do at a table."""

import logging
from collections.abc import Callable
from typing import TypeVar
from uuid import UUID

from msgspec import Struct

from notahat.store.store import OnPresence, OnVersion

Report = TypeVar("Report")

log = logging.getLogger("notahat.store")


class Subscription(Struct, eq=False):
    """Two callbacks, and what they were last called with."""

    on_version: OnVersion
    on_presence: OnPresence
    version: int = 0  # the newest one that was reported, or written by this node
    guests: frozenset[UUID] = frozenset()


class Subscriptions:
    """All subscriptions of this process, by table."""

    def __init__(self) -> None:
        self._by_table: dict[UUID, list[Subscription]] = {}

    def add(self, table: UUID, on_version: OnVersion, on_presence: OnPresence) -> Callable[[], None]:
        """Subscribe to a table; the returned function ends the subscription."""
        subscription = Subscription(on_version, on_presence)
        self._by_table.setdefault(table, []).append(subscription)

        def stop() -> None:
            self._by_table[table].remove(subscription)
            if not self._by_table[table]:
                del self._by_table[table]

        return stop

    def tables(self) -> list[UUID]:
        return list(self._by_table)

    def __contains__(self, table: UUID) -> bool:
        return table in self._by_table

    def report_version(self, table: UUID, version: int) -> None:
        """Report a version to those who do not know it."""
        for subscription in tuple(self._by_table.get(table, ())):
            if subscription.version < version:
                subscription.version = version
                _call(subscription.on_version, version)

    def skip_version(self, table: UUID, version: int) -> None:
        """Do not report this version: this node wrote it."""
        for subscription in self._by_table.get(table, ()):
            subscription.version = max(subscription.version, version)

    def report_presence(self, table: UUID, guests: frozenset[UUID]) -> None:
        """Report the guests on other nodes to those who know another set."""
        for subscription in tuple(self._by_table.get(table, ())):
            if subscription.guests != guests:
                subscription.guests = guests
                _call(subscription.on_presence, guests)


def _call(subscriber: Callable[[Report], None], report: Report) -> None:
    """Call a subscriber; its failure concerns no other table."""
    try:
        subscriber(report)
    except Exception:
        log.exception("a subscriber failed")
