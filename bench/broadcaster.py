"""Our server, in which every heartbeat makes it tell the table's present to everybody at the table.

For bench/sockets.py only: it shows what broadcasting costs by itself, without rules and disk. Sockets, frames, limits,
views and what is personal are the server's own. `python broadcaster.py FOLDER` prints its address.
"""

import sys
from time import monotonic

from notahat.live.effects import Effect
from notahat.server.limits.rate_limit import Bucket
from notahat.server.main import make_server, spare_the_collector
from notahat.server.settings import Settings
from notahat.server.sockets import socket_auth
from notahat.server.sockets.connection import GuestConnection
from notahat.wire.messages import read_frame

PLENTY = 1e9
FIGURES = "figures"  # the token for /metrics


class Broadcasting(GuestConnection):
    """A connection that answers a heartbeat with the present, to all. Frames are counted, but there may be many."""

    def opened(self) -> None:
        self._own = self._shared = Bucket(PLENTY, PLENTY, monotonic)
        super().opened()

    def received(self, message: bytes) -> None:
        if not message.endswith(b'"beat"}'):
            return super().received(message)
        id_, _ = read_frame(message)
        if self._within_limits(id_):
            out: list[Effect] = []
            self._hosted.room._tell((), monotonic(), out)
            self._node._carry_out(self._hosted, out)
        return None


def main() -> None:
    socket_auth.GuestConnection = Broadcasting  # type: ignore[attr-defined]
    server = make_server(Settings(port=0, data=sys.argv[1], guests_per_address=100_000, metrics_token=FIGURES))
    server.after_start = lambda port: print(f"http://127.0.0.1:{port}", flush=True)
    spare_the_collector()
    server.run()


if __name__ == "__main__":
    main()
