"""Plain HTTP and a plain socket for tests that must see, or send, every byte."""

import base64
import http.client
import os
import socket
import struct
from types import TracebackType
from urllib.parse import urlsplit

import msgspec

from support.timeouts import PATIENCE

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Answer(msgspec.Struct):
    """An HTTP answer, read to its end."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, object]:
        return msgspec.json.decode(self.body, type=dict[str, object])


def ask(url: str, method: str, path: str, body: bytes | None = None, /, **headers: str) -> Answer:
    """One request. Header names are written with underscores."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        found = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, found, response.read())
    finally:
        connection.close()


def said_plainly(url: str, said: bytes) -> bytes:
    """What is answered to bytes that need be no request, until the line is dead."""
    place = urlsplit(url)
    with socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as line:
        line.sendall(said)
        told = b""
        while data := line.recv(65536):
            told += data
    return told


class RawSocket:
    """A WebSocket written out by hand, so that nothing is mended on the way."""

    def __init__(self, url: str, path: str, receive_buffer: int | None = None, /, **headers: str) -> None:
        place = urlsplit(url)
        self._socket = socket.socket()
        if receive_buffer is not None:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._socket.settimeout(PATIENCE)
        self._socket.connect((place.hostname, place.port))
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {place.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
        ]
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self._read = b""
        while b"\r\n\r\n" not in self._read:
            self._more()
        head, _, self._read = self._read.partition(b"\r\n\r\n")
        self.status = int(head.split(b" ")[1])

    def __enter__(self) -> "RawSocket":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    @property
    def reason(self) -> str:
        """Why the door was not opened."""
        while not self._read.endswith(b"}"):
            self._more()
        return str(msgspec.json.decode(self._read)["reason"])

    def send(self, payload: bytes, kind: int = TEXT, fin: bool = True) -> None:
        mask = os.urandom(4)
        size = len(payload)
        head = bytes([(0x80 if fin else 0) | kind])
        if size < 126:
            head += bytes([0x80 | size])
        else:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload))
        self._socket.sendall(head + mask + masked)

    def send_raw(self, frame: bytes) -> None:
        """Send a frame as nobody should."""
        self._socket.sendall(frame)

    def receive(self) -> tuple[int, bytes]:
        """The next frame: its kind and payload."""
        self._need(2)
        kind, size, start = self._read[0] & 0x0F, self._read[1] & 0x7F, 2
        if size == 126:
            self._need(4)
            size, start = struct.unpack(">H", self._read[2:4])[0], 4
        elif size == 127:
            self._need(10)
            size, start = struct.unpack(">Q", self._read[2:10])[0], 10
        self._need(start + size)
        payload, self._read = self._read[start : start + size], self._read[start + size :]
        return kind, payload

    def message(self) -> dict[str, object]:
        """The next text message."""
        while True:
            kind, payload = self.receive()
            if kind == TEXT:
                return msgspec.json.decode(payload, type=dict[str, object])
            assert kind == PING, (kind, payload)
            self.send(payload, PONG)

    def closed_with(self) -> tuple[int, str]:
        """Read on until the server says goodbye."""
        while True:
            kind, payload = self.receive()
            if kind == CLOSE:
                return struct.unpack(">H", payload[:2])[0], payload[2:].decode()

    def _need(self, size: int) -> None:
        while len(self._read) < size:
            self._more()

    def _more(self) -> None:
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionError("the server hung up")
        self._read += data
