"""A small reverse proxy on loopback that serves a server below a path and strips that path, as Home Assistant does."""

import socket
import threading
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Self

PREFIX = "/api/hassio_ingress/x"
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
END_OF_HEAD = b"\r\n\r\n"


class StrippingProxy(ThreadingTCPServer):
    """Forwards requests below `PREFIX` to a port, one per connection, and answers all others with 404."""

    daemon_threads = False  # closing waits for the threads, and they close their sockets
    request_queue_size = 128

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), Forward)
        self.upstream = port
        self.open: set[socket.socket] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{PREFIX}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        for one in self.open.copy():
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self.server_close()  # waits for the threads


class Forward(BaseRequestHandler):
    """One request, or one socket."""

    server: StrippingProxy
    request: socket.socket

    def handle(self) -> None:
        head = b""
        self.server.open.add(self.request)
        with suppress(OSError):
            while END_OF_HEAD not in head and (data := self.request.recv(65536)):
                head += data
            stripped = strip(head)
            if stripped is None:
                self.request.sendall(NOT_FOUND)
            else:
                self._forward(stripped)
        self.server.open.discard(self.request)

    def _forward(self, head: bytes) -> None:
        with socket.create_connection(("127.0.0.1", self.server.upstream)) as upstream:
            self.server.open.add(upstream)
            upstream.sendall(head)
            sending = threading.Thread(target=copy, args=(self.request, upstream), daemon=True)
            sending.start()
            copy(upstream, self.request)
            with suppress(OSError):
                self.request.shutdown(socket.SHUT_RDWR)
            sending.join()
            self.server.open.discard(upstream)


def copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def strip(request: bytes) -> bytes | None:
    """Return a request for the server: without the prefix, and as the only one of its connection."""
    head, _, rest = request.partition(END_OF_HEAD)
    first, *lines = head.split(b"\r\n")
    method, path, version = (first.split(b" ") + [b"", b""])[:3]
    if not path.startswith(PREFIX.encode() + b"/"):
        return None
    if not any(line.lower().startswith(b"upgrade:") for line in lines):
        lines = [line for line in lines if not line.lower().startswith(b"connection:")] + [b"connection: close"]
    first = b" ".join((method, path.removeprefix(PREFIX.encode()), version))
    return b"\r\n".join((first, *lines)) + END_OF_HEAD + rest
