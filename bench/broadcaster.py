"""Our server with one change, for bench/sockets.py: every heartbeat broadcasts the table's state.

This measures a broadcast without rules and disk. `python broadcaster.py FOLDER` prints the server's address.
"""

import sys
from time import monotonic

from notahat.live.effects import Effect
from notahat.live.frame_gate import FrameGate, StrikeCounter, TokenBucket
from notahat.server.main import make_server, tune_garbage_collector
from notahat.server.settings import Settings
from notahat.server.sockets import socket_auth
from notahat.server.sockets.connection import GuestConnection

UNLIMITED = 1e9
METRICS_TOKEN = "figures"  # noqa: S105


class Broadcasting(GuestConnection):
    """A connection that broadcasts the state on a heartbeat, without a rate limit."""

    def on_open(self) -> None:
        self._gate = FrameGate(StrikeCounter(TokenBucket(UNLIMITED, UNLIMITED, monotonic)))
        super().on_open()

    def on_message(self, message: bytes) -> None:
        if not message.endswith(b'"beat"}'):
            return super().on_message(message)
        self._gate.read(message, self._pending)
        out: list[Effect] = []
        self._node.host.rooms[self._table]._broadcast((), monotonic(), out)
        return self._node._execute(self._table, out)


def main() -> None:
    socket_auth.GuestConnection = Broadcasting  # type: ignore[attr-defined]
    server = make_server(Settings(port=0, data=sys.argv[1], guests_per_address=100_000, metrics_token=METRICS_TOKEN))
    server.after_start = lambda port: print(f"http://127.0.0.1:{port}", flush=True)
    tune_garbage_collector()
    server.run()


if __name__ == "__main__":
    main()
