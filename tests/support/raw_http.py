"""An HTTP and a WebSocket client for tests that must see, or send, every byte."""

import base64
import http.client
import os
import socket
import struct
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import msgspec

from support.timeouts import TIMEOUT

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Response(msgspec.Struct):
    """An HTTP response with its whole body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, object]:
        return msgspec.json.decode(self.body, type=dict[str, object])


def send_request(url: str, method: str, path: str, body: bytes | None = None, /, **headers: str) -> Response:
    """Send one request. Header names are written with underscores."""
    address = urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=TIMEOUT)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        found = {name.lower(): value for name, value in response.getheaders()}
        return Response(response.status, found, response.read())
    finally:
        connection.close()


def exchange_raw(url: str, request: bytes) -> bytes:
    """Send bytes that need not be a valid request; return all that comes until the server closes the connection."""
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=TIMEOUT) as connection:
        connection.sendall(request)
        response = b""
        while data := connection.recv(65536):
            response += data
    return response


class RawSocket:
    """A WebSocket without a library, so that invalid frames can be sent."""

    def __init__(self, url: str, path: str, /, **headers: str) -> None:
        address = urlsplit(url)
        self._socket = socket.socket()
        self._socket.settimeout(TIMEOUT)
        self._socket.connect((address.hostname, address.port))
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {address.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
        ]
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self._buffer = b""
        while b"\r\n\r\n" not in self._buffer:
            self._receive_more()
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        self.status = int(head.split(b" ")[1])

    def __enter__(self) -> "RawSocket":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._socket.close()

    @property
    def reason(self) -> str:
        """The reason of a refused upgrade."""
        while not self._buffer.endswith(b"}"):
            self._receive_more()
        return str(msgspec.json.decode(self._buffer)["reason"])

    def send(self, payload: bytes, opcode: int = TEXT) -> None:
        mask = os.urandom(4)
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + struct.pack(">H", size)
        masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload))
        self._socket.sendall(bytes([0x80 | opcode]) + length + mask + masked)

    def send_raw(self, frame: bytes) -> None:
        """Send bytes that need not be a valid frame."""
        self._socket.sendall(frame)

    def receive(self) -> tuple[int, bytes]:
        """Return the opcode and payload of the next frame."""
        self._fill(2)
        opcode, size, start = self._buffer[0] & 0x0F, self._buffer[1] & 0x7F, 2
        if size == 126:
            self._fill(4)
            size, start = struct.unpack(">H", self._buffer[2:4])[0], 4
        elif size == 127:
            self._fill(10)
            size, start = struct.unpack(">Q", self._buffer[2:10])[0], 10
        self._fill(start + size)
        payload, self._buffer = self._buffer[start : start + size], self._buffer[start + size :]
        return opcode, payload

    def message(self) -> dict[str, Any]:
        """Return the next text message, decoded."""
        while True:
            opcode, payload = self.receive()
            if opcode == TEXT:
                return msgspec.json.decode(payload, type=dict[str, Any])
            assert opcode == PING, (opcode, payload)
            self.send(payload, PONG)

    def closed_with(self) -> tuple[int, str]:
        """Read until the close frame; return its code and reason."""
        while True:
            opcode, payload = self.receive()
            if opcode == CLOSE:
                return struct.unpack(">H", payload[:2])[0], payload[2:].decode()

    def _fill(self, size: int) -> None:
        while len(self._buffer) < size:
            self._receive_more()

    def _receive_more(self) -> None:
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionError("the server closed the connection")
        self._buffer += data
