"""Who is at a table just now, as a value: here, lingering after a broken connection, or at another node."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from msgspec import Struct

NOBODY: frozenset[UUID] = frozenset()


class Presence(Struct, frozen=True):
    """`everybody` is who counts as present. `away` says since when somebody is not, as far as this room knows."""

    here: frozenset[UUID] = NOBODY
    lingering: Mapping[UUID, float] = {}  # until when
    elsewhere: frozenset[UUID] = NOBODY
    away: Mapping[UUID, float] = {}
    everybody: frozenset[UUID] = NOBODY

    def arrived(self, guest: UUID) -> "Presence":
        lingering = {other: until for other, until in self.lingering.items() if other != guest}
        return self._with(self.here | {guest}, lingering, self.elsewhere, self.away)

    def left(self, guest: UUID, until: float) -> "Presence":
        """The last connection of somebody is gone. They are away only after a moment: most come right back."""
        return self._with(self.here - {guest}, {**self.lingering, guest: until}, self.elsewhere, self.away)

    def settled(self, now: float) -> "Presence":
        """Who lingered long enough is away."""
        gone = {guest: until for guest, until in self.lingering.items() if until <= now}
        if not gone:
            return self
        lingering = {guest: until for guest, until in self.lingering.items() if until > now}
        return self._with(self.here, lingering, self.elsewhere, {**self.away, **gone})

    def at_other_nodes(self, guests: frozenset[UUID], now: float) -> "Presence":
        lost = dict.fromkeys(self.elsewhere - guests, now)
        return self._with(self.here, self.lingering, guests, {**self.away, **lost})

    def absent(self, guests: Iterable[UUID], since: float) -> tuple[tuple[UUID, float], ...]:
        """Those of the guests who are away, and since when. Who was never here is missed `since` somebody else is."""
        missing = (guest for guest in guests if guest not in self.everybody)
        return tuple((guest, max(since, self.away.get(guest, since))) for guest in missing)

    def next_change(self) -> float | None:
        """When the next of those who linger is away."""
        return min(self.lingering.values(), default=None)

    @staticmethod
    def _with(
        here: frozenset[UUID], lingering: Mapping[UUID, float], elsewhere: frozenset[UUID], away: Mapping[UUID, float]
    ) -> "Presence":
        everybody = here | elsewhere | frozenset(lingering)
        still = {guest: since for guest, since in away.items() if guest not in everybody}
        return Presence(here, lingering, elsewhere, still, everybody)
