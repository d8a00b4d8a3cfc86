"""The budget: every byte and second that an unknown client can make the server keep (docs/security.md), once."""

from typing import Literal

from msgspec import Struct

from notahat.gifts.hat_file import LARGEST_FILE
from notahat.live.limits import FRAMES_PER_SECOND, MAX_FRAME_BYTES, MAX_FRAMES, MAX_PENDING, MAX_STRIKES
from notahat.table.commands.knocks import KNOCK_SECONDS, MOST_PER_DEAL, MOST_WAITING

HttpUnit = Literal["bytes", "s", "headers", "chunks", "requests", "connections", "connections/s"]
SocketUnit = Literal["frames", "frames/s", "commands", "strikes", "sockets", "knocks", "knocks/min", "messages"]
KIB, MIB, MB = 1024, 1024 * 1024, 1_000_000
LARGEST = "the largest address is shed"
WAIT = "the bytes wait"


class Limit(Struct, frozen=True):
    """One limit: how much of what, counted for whom, and what happens to a client that exceeds it."""

    value: int
    unit: HttpUnit | SocketUnit
    what: str
    per: str
    then: str

    @property
    def amount(self) -> str:
        """The value as documents show it."""
        if self.unit != "bytes":
            return f"{self.value:,} {self.unit}"
        for size, name in ((MIB, "MiB"), (100_000, "MB"), (KIB, "KiB")):
            if self.value % size == 0:
                return f"{self.value / (MB if name == 'MB' else size):g} {name}"
        return f"{self.value:,} bytes"


# whatever the protocol: `accounts.py` enforces
HTTP_CONNECTIONS = Limit(2048, "connections", "HTTP connections, at most a quarter of all", "server", LARGEST)
NEW_CONNECTIONS = Limit(600, "connections", "new connections at once", "address", "closed")
NEW_CONNECTIONS_PER_SECOND = Limit(60, "connections/s", "new connections after that", "address", "closed")
SOCKETS = Limit(16_384, "sockets", "sockets, at most as many as the system allows files", "server", LARGEST)
ADDRESS_SOCKETS = Limit(128, "sockets", "sockets that are never closed for another address", "address", "may be closed")
HELD_BYTES = Limit(128 * MIB, "bytes", "received and not read, unread, or decks being checked", "server", LARGEST)

# HTTP: h11 parses, `http_guard.py` enforces
READ_BYTES = Limit(4 * KIB, "bytes", "bytes given to the parser at once", "connection", "the rest is parsed later")
HEAD_BYTES = Limit(16 * KIB, "bytes", "an incomplete head, trailer or chunk header", "connection", "431, closed")
HEADERS = Limit(100, "headers", "headers of a request", "request", "431, closed")
REQUESTS_AT_ONCE = Limit(4, "requests", "requests begun between two looks at the sockets", "server", "the rest wait")
QUEUED_BYTES = Limit(16 * KIB, "bytes", "requests that wait for an answer (pipelining)", "connection", "closed")
SMALL_CHUNKS = Limit(100, "chunks", "chunks of a body, beside one per KiB", "request", "400, closed")
REQUEST_SECONDS = Limit(15, "s", "from the connection or the first byte to the end of the request", "request", "408")
BODY_BYTES_PER_SECOND = Limit(16 * KIB, "bytes", "of a body that give it one second more", "request", "408")
RESPONSE_SECONDS = Limit(30, "s", "a response of which the client reads nothing", "connection", "closed")
RESPONSE_PART = Limit(64 * KIB, "bytes", "a response that is passed on at once", "connection", WAIT)
RESPONSE_KERNEL_BYTES = Limit(
    128 * KIB, "bytes", "responses that wait in the system (Linux doubles it)", "connection", WAIT
)
BODY_BYTES = Limit(8 * KIB, "bytes", "body of a request, except decks", "request", "413")

DECK_BYTES = Limit(LARGEST_FILE, "bytes", "a deck file", "request", "413")
DAILY_UPLOAD_BYTES = Limit(
    500_000, "bytes", "deck files a day, times `NOTAHAT_GUESTS_PER_ADDRESS` (120)", "address", "429"
)

# WebSockets: `sockets/upgrade.py` and `sockets/connection.py` enforce
UPGRADE_SECONDS = Limit(10, "s", "authorising an upgrade", "connection", "closed")
SOCKET_READ_BYTES = Limit(4 * KIB, "bytes", "bytes read from a socket at once", "connection", "the rest is read later")
MESSAGE_BYTES = Limit(MAX_FRAME_BYTES, "bytes", "a message, in one frame or several", "connection", "1009, closed")
UNSENT_BYTES = Limit(256 * KIB, "bytes", "messages that the client does not read", "connection", "closed")
KERNEL_BYTES = Limit(64 * KIB, "bytes", "the same in the system (Linux doubles it)", "connection", WAIT)
IDLE_SECONDS = Limit(25, "s", "silence, before and after a ping", "connection", "1001, closed")
CLOSE_SECONDS = Limit(1, "s", "waiting for the answer to a close frame", "connection", "closed")
FRAMES_AFTER_CLOSE = Limit(16, "frames", "frames after the server has closed", "connection", "the rest is not read")
PENDING_COMMANDS = Limit(MAX_PENDING, "commands", "commands that wait for an answer", "connection", "`too_fast`")
GUEST_FRAMES = Limit(MAX_FRAMES, "frames", "frames of any kind at once", "guest", "`too_fast`")
GUEST_FRAMES_PER_SECOND = Limit(FRAMES_PER_SECOND, "frames/s", "frames after that", "guest", "`too_fast`")
ADDRESS_FRAMES = Limit(2000, "frames", "frames at once", "address", "`too_fast`")
ADDRESS_FRAMES_PER_SECOND = Limit(500, "frames/s", "frames after that", "address", "`too_fast`")
STRIKES = Limit(MAX_STRIKES, "strikes", "frames over the limits", "connection", "1008, closed; as many fewer frames")
GUEST_SOCKETS = Limit(12, "sockets", "connections of a guest to one table", "guest", "1013, closed")

# knocks at running tables: `http/strangers.py` and `table/commands/knocks.py` enforce
ADDRESS_KNOCKS = Limit(10, "knocks", "knocks at once", "address", "429")
ADDRESS_KNOCKS_PER_MINUTE = Limit(2, "knocks/min", "knocks after that", "address", "429")
WAITING_KNOCKS = Limit(MOST_WAITING, "knocks", "knocks that wait for an answer", "table", "not heard")
DEAL_KNOCKS = Limit(MOST_PER_DEAL, "knocks", "knocks between two deals", "table", "not heard")
KNOCK_ANSWER_SECONDS = Limit(KNOCK_SECONDS, "s", "a knock without an answer", "table", "forgotten")

# sealed messages between peers: `http/rendezvous.py` enforces
SEALED_BYTES = Limit(4 * KIB, "bytes", "a sealed message at the rendezvous", "request", "413")
SEALED_SECONDS = Limit(600, "s", "a sealed message at the rendezvous", "message", "deleted")
BOX_MESSAGES = Limit(32, "messages", "sealed messages in a box", "box", "the oldest is deleted")
RENDEZVOUS_BYTES = Limit(16 * MIB, "bytes", "all sealed messages", "server", LARGEST)

LIMITS = {name: limit for name, limit in globals().items() if isinstance(limit, Limit)}
