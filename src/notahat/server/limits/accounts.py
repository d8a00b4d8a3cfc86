"""What each address holds of the server, for every protocol. When a resource is full, the largest is shed first."""

import hashlib
import secrets
from collections import Counter
from functools import lru_cache
from ipaddress import ip_address, ip_network
from time import monotonic
from typing import Protocol
from uuid import UUID

from notahat.live.limits import Clock, FrameGate, RateLimit, TokenBucket
from notahat.server.limits import budget
from notahat.server.ops.logs import RareWarning
from notahat.wire.messages import ServerReason

IPV6_PREFIX = 64  # bits: one customer gets a whole network of this size
ANY_PEER = "yes"
MAX_CACHED = 10_000


def client_address(forwarded: str, peer: str | None, behind_proxy: str) -> str:
    """Return the address that limits count: behind a proxy the last of `X-Forwarded-For`, which it wrote itself."""
    last = forwarded.rpartition(",")[2].strip() if is_proxy(peer or "", behind_proxy) else ""
    return address_key(last or peer or "?")


@lru_cache(MAX_CACHED)
def address_key(address: str) -> str:
    """Return what rate limits count as one address: an IPv4 address, or an IPv6 network."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed, IPV6_PREFIX), strict=False))


@lru_cache(MAX_CACHED)
def is_proxy(peer: str, behind_proxy: str) -> bool:
    """Return whether to believe a peer's `X-Forwarded-For`; raise `ValueError` if the setting is invalid."""
    if behind_proxy in ("", ANY_PEER):
        return bool(behind_proxy)
    networks = [ip_network(one) for one in behind_proxy.split()]
    try:
        address = ip_address(peer)
    except ValueError:  # a Unix socket has no address
        return False
    return any(address in network for network in networks)


A_DAY = 24 * 3600
LOG_LINES = (60, 1.0)  # at once and per second, of all addresses together


class Holder(Protocol):
    """Something that keeps a part of a resource until it is shed."""

    def shed(self) -> None: ...


class ShedLog:
    """Counts what is shed by reason, and logs it once a minute for each address, under a pseudonym."""

    def __init__(self, clock: Clock = monotonic) -> None:
        self.counts: Counter[str] = Counter()
        self._warning = RareWarning("a client was shed")
        self._lines = TokenBucket(*LOG_LINES, clock)
        self._key = secrets.token_bytes(16)

    def count(self, address: str, reason: str) -> None:
        self.counts[reason] += 1
        pseudonym = hashlib.blake2b(address.encode(), key=self._key, digest_size=4).hexdigest()
        if self._warning.is_due(f"{address} {reason}") and self._lines.take():
            self._warning.log(f"{address} {reason}", reason=reason, address=pseudonym)


class Pool:
    """One bounded resource. When it is full, the address that holds most gives back what it used least recently."""

    def __init__(self, name: str, limit: int, shed_log: ShedLog, share: int = 0) -> None:
        self.name = name
        self.total = 0
        self.limit = limit
        self._share = share  # what no address has to give back to make room for another
        self._shed_log = shed_log
        self._held: Counter[str] = Counter()  # by address
        self._holders: dict[str, dict[Holder, int]] = {}  # by address, the least recently used first

    def hold(self, address: str, holder: Holder, size: int = 1) -> None:
        """Set how much a holder holds, 0 for nothing; then shed until the limit is kept."""
        self._set(address, holder, size)
        while self.total > self.limit:
            self._shed_from(self._largest())

    def release(self, address: str, holder: Holder) -> None:
        if holder in self._holders.get(address, ()):
            self._set(address, holder, 0)

    def _set(self, address: str, holder: Holder, size: int) -> None:
        holders = self._holders.setdefault(address, {})
        change = size - holders.pop(holder, 0)
        if size:
            holders[holder] = size
        self.total += change
        self._held[address] += change
        if not holders:
            del self._holders[address], self._held[address]

    def make_room(self, address: str, size: int = 1, reserve: int = 0) -> bool:
        """Return whether an address may hold more, after shedding others that hold more than it then would."""
        while self.total + size + reserve > self.limit:
            largest = self._largest() if self._held else address
            if self._held[largest] <= max(self._share, self._held[address] + size):
                self._shed_log.count(address, self.name)
                return False
            self._shed_from(largest)
        return True

    def _largest(self) -> str:
        return max(self._held, key=self._held.__getitem__)

    def _shed_from(self, address: str) -> None:
        holder = next(iter(self._holders[address]))
        self.release(address, holder)
        self._shed_log.count(address, self.name)
        holder.shed()


class Accounts:
    """All resources, and the rates of frames and uploads, of one server with so many connections."""

    def __init__(self, connections: int, speed: float = 1.0, guests_per_address: int = 1, clock: Clock = monotonic):
        self.shed_log = ShedLog(clock)

        def rate(burst: budget.Limit, per_second: budget.Limit) -> RateLimit:
            return RateLimit(burst.value * speed, per_second.value * speed, clock)

        # for HTTP, and as many for members of tables
        self.reserve = min(connections // 4, budget.HTTP_CONNECTIONS.value)
        self.http = Pool("connections", self.reserve, self.shed_log)
        sockets = min(connections - self.reserve, budget.SOCKETS.value)
        self.sockets = Pool("sockets", sockets, self.shed_log, budget.ADDRESS_SOCKETS.value)
        self.bytes = Pool("bytes", budget.HELD_BYTES.value, self.shed_log)
        self.mailboxes = Pool("mailboxes", budget.RENDEZVOUS_BYTES.value, self.shed_log)
        self.new_connections = rate(budget.NEW_CONNECTIONS, budget.NEW_CONNECTIONS_PER_SECOND)
        self._guest_frames = rate(budget.GUEST_FRAMES, budget.GUEST_FRAMES_PER_SECOND)
        self._address_frames = rate(budget.ADDRESS_FRAMES, budget.ADDRESS_FRAMES_PER_SECOND)
        a_day = guests_per_address * budget.DAILY_UPLOAD_BYTES.value
        self._daily_uploads = RateLimit(a_day, a_day / A_DAY, clock)

    def pools(self) -> tuple[Pool, ...]:
        return self.http, self.sockets, self.bytes, self.mailboxes

    def frame_gate(self, guest: UUID, address: str) -> FrameGate:
        """Return the gate of a new connection for its frames of any kind."""
        return FrameGate(self._guest_frames.bucket(guest.int), self._address_frames.bucket(address))

    def upload(self, address: str) -> "Upload":
        return Upload(self.bytes, address, self._daily_uploads.bucket(address))


class Upload:
    """The bytes of a deck that is being uploaded or checked, inside a `with` block."""

    def __init__(self, held: Pool, address: str, daily: TokenBucket) -> None:
        self._held = held
        self._address = address
        self._daily = daily
        self._size = 0
        self._is_shed = False

    def __enter__(self) -> "Upload":
        return self

    def __exit__(self, *_: object) -> None:
        self._held.release(self._address, self)

    def count(self, more: int) -> ServerReason | None:
        """Count received bytes; return the reason for a refusal if there are too many."""
        if not self._daily.take(more):
            return ServerReason.TOO_FAST
        self._size += more
        if not self._is_shed:
            self._held.hold(self._address, self, self._size)
        return ServerReason.BUSY if self._is_shed else None

    def shed(self) -> None:
        self._is_shed = True
