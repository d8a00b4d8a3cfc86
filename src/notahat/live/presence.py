"""Presence as a value: who is connected here, lingers after a broken connection, or is connected to another node."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from msgspec import Struct

NOBODY: frozenset[UUID] = frozenset()


class Presence(Struct, frozen=True):
    """`present` is connected, lingering or elsewhere; `away` maps the others that this room knows to when they went."""

    connected: frozenset[UUID] = NOBODY
    lingering: Mapping[UUID, float] = {}  # until when
    elsewhere: frozenset[UUID] = NOBODY
    away: Mapping[UUID, float] = {}
    present: frozenset[UUID] = NOBODY

    def connect(self, guest: UUID) -> "Presence":
        lingering = {other: until for other, until in self.lingering.items() if other != guest}
        return self._with(self.connected | {guest}, lingering, self.elsewhere, self.away)

    def disconnect(self, guest: UUID, until: float) -> "Presence":
        """Let a guest linger until a time, as most come back at once."""
        return self._with(self.connected - {guest}, {**self.lingering, guest: until}, self.elsewhere, self.away)

    def expire(self, now: float) -> "Presence":
        """Count the guests whose lingering has ended as away."""
        gone = {guest: until for guest, until in self.lingering.items() if until <= now}
        if not gone:
            return self
        lingering = {guest: until for guest, until in self.lingering.items() if until > now}
        return self._with(self.connected, lingering, self.elsewhere, {**self.away, **gone})

    def set_elsewhere(self, guests: frozenset[UUID], now: float) -> "Presence":
        lost = dict.fromkeys(self.elsewhere - guests, now)
        return self._with(self.connected, self.lingering, guests, {**self.away, **lost})

    def absent(self, guests: Iterable[UUID], since: float) -> tuple[tuple[UUID, float], ...]:
        """Return those of the guests who are away and since when, but not before `since`."""
        missing = (guest for guest in guests if guest not in self.present)
        return tuple((guest, max(since, self.away.get(guest, since))) for guest in missing)

    @staticmethod
    def _with(
        connected: frozenset[UUID],
        lingering: Mapping[UUID, float],
        elsewhere: frozenset[UUID],
        away: Mapping[UUID, float],
    ) -> "Presence":
        present = connected | elsewhere | frozenset(lingering)
        still_away = {guest: since for guest, since in away.items() if guest not in present}
        return Presence(connected, lingering, elsewhere, still_away, present)
