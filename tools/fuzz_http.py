"""HTTP by the byte, for `make fuzz`: pipelining, chunks, trailers, split writes, resets, and sockets that flood.

Nothing of it needs to be answered. The server may close the connection at any time, but must not fail, grow or make
others wait.
"""

import asyncio
import random
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress

PATHS = ("/", "/healthz", "/api/guests", "/api/lines", "/api/tables", "/api/tables/CODE/deck", "/api/openapi.json")
SMALL = b"GET / HTTP/1.1\r\nhost: abcdef\r\n\r\n"  # 32 bytes, so that many fill every read exactly
LONG = 2**20
FLOOD = 2**18
ANSWER_SECONDS = 0.2  # for connections that wait for an answer


class ByteGenerator(random.Random):
    """Random streams of bytes that look like HTTP."""

    def stream(self, code: str, token: str) -> bytes:
        """Return all bytes of one connection."""
        kinds = (self.pipelined, self.small_requests, self.chunked, self.endless, self.mutated, self.wrong_length)
        return self.choice(kinds)(code, token)

    def head(self, code: str, token: str, *headers: str) -> bytes:
        method, path = self.choice(("GET", "POST", "POST", "HEAD", "BREW")), self.choice(PATHS).replace("CODE", code)
        lines = [f"{method} {path} HTTP/1.{self.choice('1110')}", "host: here", f"authorization: Bearer {token}"]
        lines += [f"x{n}: {'y' * self.choice((0, 1, 50, 500))}" for n in range(self.choice((0, 0, 3, 30, 110)))]
        return "\r\n".join((*lines, *headers, "", "")).encode()

    def pipelined(self, code: str, token: str) -> bytes:
        return b"".join(
            self.head(code, token, f"content-length: {size}") + b"x" * size
            for size in self.choices((0, 2, 50), k=self.choice((2, 10, 300)))
        )

    def small_requests(self, *_: str) -> bytes:
        return SMALL * (self.choice((LONG, 4 * LONG)) // len(SMALL))

    def chunked(self, code: str, token: str) -> bytes:
        """Return a chunked body, sometimes with a wrong size, an extension or trailers."""
        parts = [self.head(code, token, "transfer-encoding: chunked")]
        for size in self.choices((1, 1, 2, 100, 5000), k=self.choice((0, 3, 50, 400))):
            written = size if self.random() < 0.995 else self.choice((0, size + 1, 2**60, -1))
            extension = ";" + "e" * self.choice((1, 100)) if self.random() < 0.1 else ""
            parts.append(f"{written:x}{extension}\r\n".encode() + self.randbytes(size) + b"\r\n")
        parts += [b"0\r\n", b"t: u\r\n" * self.choice((0, 0, 1, 200)), self.choice((b"\r\n", b"\r\n", b"", b"\n"))]
        return b"".join(parts) * self.choice((1, 1, 3))

    def endless(self, code: str, token: str) -> bytes:
        """Return a head, trailer, extension, chunk size or body that does not end."""
        chunked = self.head(code, token, "transfer-encoding: chunked")
        begun = self.choice(
            (b"GET /", b"GET / HTTP/1.1\r\nx: ", chunked + b"0\r\nx: ", chunked + b"1;", chunked, SMALL[:-2])
        )
        return begun + self.choice((b"y", b"x: y\r\n", b"1\r\nx\r\n", b"0", b"\r\n")) * self.choice(
            (9, 9000, LONG // 4)
        )

    def mutated(self, code: str, token: str) -> bytes:
        sent = bytearray(self.chunked(code, token) if self.random() < 0.5 else self.pipelined(code, token))
        for _ in range(self.randint(1, 9)):
            sent[self.randrange(min(len(sent), 2000))] = self.choice((0, 10, 13, 32, 58, 255, self.getrandbits(8)))
        return bytes(sent)

    def wrong_length(self, code: str, token: str) -> bytes:
        wanted = self.choice(("0", "5", "99999", "2000000", "-1", "1_0", "9" * 30, "5, 6"))
        headers = [f"content-length: {wanted}"]
        if self.random() < 0.3:
            headers.append(self.choice(("transfer-encoding: chunked", "expect: 100-continue", "upgrade: websocket")))
        return self.head(code, token, *headers) + b"x" * self.choice((0, 5, 6, 70_000, 500_000))

    def pieces(self, stream: bytes) -> Iterator[bytes]:
        """Yield a stream as it is written: at once, in parts, or the first bytes one by one."""
        match self.randrange(3):
            case 0:
                yield stream
            case 1:
                size = self.choice((1000, 65536))
                yield from (stream[start : start + size] for start in range(0, len(stream), size))
            case _:
                slow = min(len(stream), 200)
                yield from (stream[n : n + 1] for n in range(slow))
                yield stream[slow:]


async def send_stream(port: int, generate: ByteGenerator, code: str, token: str) -> bytes:
    """Send one stream, then hang up in some way; return what was read."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    stream, received = generate.stream(code, token), b""
    ending = generate.choice(("read", "close", "reset", "eof"))
    if ending == "reset":
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    reading = asyncio.create_task(reader.read(LONG)) if ending == "read" else None
    with suppress(ConnectionError, TimeoutError):
        async with asyncio.timeout(5 * ANSWER_SECONDS):  # the server may stop reading
            for piece in generate.pieces(stream):
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
    if reading is not None:
        with suppress(ConnectionError, TimeoutError):
            received = await asyncio.wait_for(reading, ANSWER_SECONDS)
    if ending == "eof":
        with suppress(OSError):
            writer.write_eof()
    writer.transport.abort() if ending == "reset" else writer.close()
    return received


def flood(generate: ByteGenerator) -> bytes:
    """Return small frames without a pause: more than a connection may send before the server closes it."""
    payload = generate.choice((b"", b"{}", b'{"do": "beat"}', b"x" * 100))
    first = generate.choice((0x81, 0x89, 0x8A))
    frame = bytes((first, 0x80 | len(payload), 0, 0, 0, 0)) + payload
    return frame * (FLOOD // len(frame))
