"""One guest's connection to one table: every frame gets an answer."""

from enum import StrEnum
from uuid import UUID

from msgspec import Struct

from notahat.live.effects import POLICY_VIOLATION, close_code
from notahat.live.limits import FrameGate, FrameRefused, TooManyStrikes
from notahat.live.requests import Connect, Disconnect, Submit
from notahat.server.limits.accounts import Accounts
from notahat.server.limits.budget import KERNEL_BYTES
from notahat.server.node import Node
from notahat.server.sockets.upgrade import Connection
from notahat.wire.messages import Heartbeat, HeartbeatReply, ServerReason, encode_message, encode_no

MAX_DIGITS = 15
_HEARTBEAT_REPLY = encode_message(HeartbeatReply())


class ConnectionOptions(Struct, frozen=True):
    """Query options: send only changes (deltas), be the screen of a whole room, and the newest version seen before."""

    changes: bool = False
    screen: bool = False
    version: int = 0

    @classmethod
    def parse(cls, query: str) -> "ConnectionOptions":
        options = query.split("&")
        seen = next((one[2:] for one in options if one.startswith("v=")), "")
        version = int(seen) if seen.isascii() and seen.isdigit() and len(seen) <= MAX_DIGITS else 0
        return cls("changes=1" in options, "screen=1" in options, version)


class RefusedConnection(Connection):
    """A connection that is closed at once, because browsers do not show why a handshake was refused."""

    __slots__ = ("_reason",)

    def __init__(self, reason: StrEnum) -> None:
        super().__init__()
        self._reason = reason

    def on_open(self) -> None:
        self.close(close_code(self._reason), self._reason.value)


class GuestConnection(Connection):
    """Reads frames, applies limits and passes commands to the node."""

    __slots__ = ("_accounts", "_address", "_gate", "_guest", "_node", "_options", "_table", "token_hash")

    def __init__(
        self,
        node: Node,
        table: UUID,
        guest: UUID,
        *,
        accounts: Accounts,
        address: str,
        gate: FrameGate,
        options: ConnectionOptions,
        token_hash: bytes,
    ) -> None:
        super().__init__()
        self.token_hash = token_hash
        self._accounts = accounts
        self._address = address
        self._guest = guest
        self._node = node
        self._table = table
        self._gate = gate
        self._options = options

    def on_open(self) -> None:
        self._accounts.sockets.hold(self._address, self)
        self._node.handle(Connect(self._table, self, self._options.changes, self._options.screen), self._guest)

    def on_close(self) -> None:
        self._accounts.sockets.release(self._address, self)
        self._accounts.bytes.release(self._address, self)
        self._node.handle(Disconnect(self._table, self), self._guest)

    def on_unread(self, size: int) -> None:
        self._accounts.bytes.hold(self._address, self, size and size + KERNEL_BYTES.value)

    def allows_frame(self) -> bool:
        try:
            self._gate.count(None)
        except FrameRefused:
            return False
        except TooManyStrikes:
            self._cut_off()
            return False
        return True

    def on_message(self, message: bytes) -> None:
        try:
            id_, command = self._gate.read(message, lambda: self._node.host.pending_commands(self._table, self))
        except FrameRefused as refused:
            self._node.metrics.commands[refused.reason] += 1
            self.send(encode_no(refused.id, refused.reason, refused.detail))
            return
        except TooManyStrikes:
            self._cut_off()
            return
        if isinstance(command, Heartbeat):
            self.send(_HEARTBEAT_REPLY)
        else:
            self._node.handle(Submit(self._table, self, id_, command), self._guest)

    def _cut_off(self) -> None:
        self._accounts.shed_log.count(self._address, "frames")
        self.close(POLICY_VIOLATION, ServerReason.TOO_FAST.value)
