"""`make fuzz`: send random and almost valid frames, requests and bytes to a server on loopback.

Every frame must get an answer with a known reason, no request may cause a server error, a well-behaved client beside it
must be answered in time, and memory must not grow much. `--seed` repeats a run.
"""

import argparse
import asyncio
import base64
import os
import random
import secrets
import struct
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any, get_args

import msgspec
import psutil

from fuzz_http import ByteGenerator, flood, send_stream
from local_server import local_server
from notahat.clients.python import Client
from notahat.table.commands import GuestCommand
from notahat.wire.reasons import reasons

PACE = 200.0
LARGEST_FRAME = 8192
BATCH = 24  # frames without an answer: fewer than a connection may have
TIMEOUT = 20.0
LONGEST_LATENCY, MEDIAN_LATENCY = 4.0, 0.3  # seconds, also on a busy machine
MEMORY_GROWTH_LIMIT = 64  # MB
FLOODS_PER_STREAM = 0.05
FLOOD_SECONDS = 0.3
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
REASONS = frozenset(reasons())
COMMANDS = tuple(get_args(GuestCommand))
WORDS = (
    "hat",
    "kite",
    "casual",
    "giver",
    "receiver",
    "wow",
    "random",
    "each",
    "spoken",
    "",
    "Ada",
    "\u0410da",
    "\u202e",
    "👩‍👩‍👧",
)
PATHS = (
    *("/", "/api/guests", "/api/tables", "/api/tables/CODE", "/api/tables/CODE/rounds/1", "/api/tables/AAAA"),
    *("/api/tickets", "/api/tickets/use", "/api/qr.svg?path=/t/CODE", "/api/openapi.json", "/healthz", "/t/CODE"),
    *("/assets/x.js", "/rules", "/api/tables/CODE/socket", "/..//../etc/passwd", "/%00", "/%ff%fe", "*"),
    *("http://elsewhere/", "/" + "x" * 9000),
)
HEADERS = (
    *("authorization", "cookie", "origin", "host", "content-type", "x-forwarded-for", "accept-encoding", "range"),
    *("sec-websocket-key", "sec-websocket-version", "sec-fetch-site"),
)
# a false value of one of these may make the server wait for more
OPEN_ENDED = ("content-length", "transfer-encoding", "expect", "upgrade", "connection")


class Violation(Exception):  # noqa: N818
    """The server did something that must not happen."""


class Generator(random.Random):
    """Random words, values, frames and requests."""

    def number(self) -> Any:
        return self.choice((self.randint(-2, 12), self.getrandbits(64), -self.getrandbits(70), self.random(), 1e308))

    def word(self) -> str:
        if self.random() < 0.6:
            return self.choice(WORDS)
        return "".join(
            chr(self.choice((self.randint(32, 126), self.randint(0, 0xD7FF)))) for _ in range(self.randint(0, 40))
        )

    def value(self, depth: int = 0) -> Any:
        kind = self.random()
        if kind < 0.3:
            return self.number()
        if kind < 0.7 or depth > 4:
            return self.word()
        if kind < 0.8:
            return self.choice((None, True, False))
        if kind < 0.9:
            return [self.value(depth + 1) for _ in range(self.randint(0, 4))]
        return {self.word(): self.value(depth + 1) for _ in range(self.randint(0, 4))}

    def command(self, turn: int) -> dict[str, Any]:
        """Return a command of the protocol, sometimes with an error in it."""
        kind = self.choice(COMMANDS)
        command: dict[str, Any] = {"id": f"{self.getrandbits(48):x}", "do": kind.__struct_config__.tag}
        for field in msgspec.structs.fields(kind):
            if field.required or self.random() < 0.5:
                command[field.name] = self.plausible(field.name, turn) if self.random() < 0.85 else self.value()
        if self.random() < 0.1:
            command[self.word()] = self.value()
        if self.random() < 0.05:
            command.pop(self.choice(list(command)))
        return command

    def plausible(self, name: str, turn: int) -> Any:
        match name:
            case "turn":
                return turn + self.choice((0, 0, 0, 1, -1))
            case "seat" | "to":
                return self.randint(-1, 8)
            case "options":
                return {self.choice(("claims", "gifts_each", "starter", "pace", "edition")): self.value()}
            case "locked":
                return False
            case _:
                return self.word()

    def frame(self, turn: int) -> bytes:
        kind = self.random()
        if kind < 0.7:
            return msgspec.json.encode(self.command(turn))
        if kind < 0.8:
            return msgspec.json.encode(self.value())
        if kind < 0.88:
            return self.randbytes(self.randint(0, 300))
        if kind < 0.95:
            frame = bytearray(msgspec.json.encode(self.command(turn)))
            for _ in range(self.randint(1, 4)):
                frame[self.randrange(len(frame))] = self.getrandbits(8)
            return bytes(frame[: self.randint(0, len(frame))])
        return self.choice((b"[", b'{"a":', b'{"id":"x","do":"set_options","options":')) * self.randint(1, 1000)

    def raw_frame(self) -> bytes:
        """Return an invalid frame: reserved bits, unknown opcodes, no mask, wrong sizes."""
        first = self.choice((0x80, 0, 0x40, 0x70)) | self.choice((TEXT, BINARY, CLOSE, PING, PONG, 0, 3, 11))
        size = self.choice((0, 5, 125, 126, 127))
        mask = self.choice((0x80, 0x80, 0))
        return bytes((first, mask | size)) + self.randbytes(self.randint(0, 200))

    def request(self, code: str, token: str) -> tuple[bytes, bool]:
        """Return a request, and whether it is complete, so that the server must answer."""
        if self.random() < 0.08:
            return self.randbytes(self.randint(1, 400)) + b"\r\n\r\n", False
        method = self.choice(("GET", "GET", "POST", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"))
        path = self.choice(PATHS).replace("CODE", code)
        if self.random() < 0.2:
            path += self.word().encode("ascii", "ignore").decode().replace(" ", "").replace("\n", "").replace("\r", "")
        lines = [f"{method} {path} HTTP/1.1", "host: here"]
        if self.random() < 0.6:
            lines.append(f"authorization: Bearer {token}")
        body = b""
        if method in ("POST", "PUT"):
            body = self.choice(
                (b"", b"{}", msgspec.json.encode(self.value()), self.frame(0), self.randbytes(50), b"x" * 9000)
            )
            lines.append(f"content-length: {len(body)}")
        for _ in range(self.randint(0, 3)):
            if self.random() < 0.3:
                value = self.word().encode("latin-1", "ignore").decode("latin-1").replace("\n", "").replace("\r", "")
                lines.append(f"{self.choice(HEADERS)}: {value}")
        complete = self.random() < 0.97
        if not complete:
            lines.append(f"{self.choice(OPEN_ENDED)}: {self.choice(('chunked', '100-continue', 'websocket', '99'))}")
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body, complete


class RawSocket:
    """A WebSocket without a library, so that invalid frames can be sent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, port: int, code: str, token: str) -> "RawSocket":
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /api/tables/{code}/socket HTTP/1.1\r\nhost: here\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            f"sec-websocket-key: {key}\r\nsec-websocket-version: 13\r\nauthorization: Bearer {token}\r\n\r\n".encode()
        )
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), TIMEOUT)
        if b" 101 " not in head.partition(b"\r\n")[0]:
            writer.close()
            raise ConnectionError(head.partition(b"\r\n")[0].decode())
        return cls(reader, writer)

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        size = len(payload)
        length = bytes((0x80 | size,)) if size < 126 else bytes((0x80 | 126,)) + struct.pack(">H", size)
        self._writer.write(bytes((0x80 | kind,)) + length + bytes(4) + payload)  # a mask of zeros changes nothing

    def send_raw(self, data: bytes) -> None:
        self._writer.write(data)

    async def message(self) -> dict[str, Any]:
        """The next text; `ConnectionError` when the line is dead."""
        while True:
            async with asyncio.timeout(TIMEOUT):  # wait_for() of Python 3.11 can lose a cancellation
                kind, payload = await self._frame()
            if kind == TEXT:
                return msgspec.json.decode(payload, type=dict[str, Any])
            if kind == PING:
                self.send(payload, PONG)
            elif kind == CLOSE:
                raise ConnectionError("closed")

    async def discard(self, seconds: float) -> None:
        """Read until the server closes the connection or the time is over."""
        ends_at = time.monotonic() + seconds
        data = b"first"
        while data and (left := ends_at - time.monotonic()) > 0:
            async with asyncio.timeout(left):
                data = await self._reader.read(65536)

    async def _frame(self) -> tuple[int, bytes]:
        try:
            first, size = await self._reader.readexactly(2)
            if size == 126:
                size = int.from_bytes(await self._reader.readexactly(2))
            elif size == 127:
                size = int.from_bytes(await self._reader.readexactly(8))
            return first & 0x0F, await self._reader.readexactly(size)
        except asyncio.IncompleteReadError:
            raise ConnectionError("connection closed") from None

    def close(self) -> None:
        self._writer.close()


class Fuzz:
    """One run: what is left to send, and what was observed."""

    def __init__(self, url: str, pid: int, seed: int, frames: int, requests: int, streams: int) -> None:
        self.url, self.port = url, int(url.rpartition(":")[2])
        self.process = psutil.Process(pid)
        self.seed = seed
        self.frames_left, self.requests_left, self.streams_left = frames, requests, streams
        self.sent = Counter[str]()
        self.answers = Counter[str]()
        self.statuses = Counter[str]()
        self.latencies: list[float] = []
        self.memory = [self._megabytes()]

    def _megabytes(self) -> float:
        return float(self.process.memory_info().rss) / 2**20

    async def run(self, workers: int, ends_at: float) -> None:
        latency = asyncio.create_task(self.measure_latency())
        memory = asyncio.create_task(self.measure_memory())
        try:
            async with asyncio.timeout_at(asyncio.get_running_loop().time() + ends_at - time.monotonic()):
                kinds = (self.frames, self.requests, self.streams)
                await asyncio.gather(*(kind(number) for kind in kinds for number in range(workers)))
        finally:
            memory.cancel()
            latency.cancel()
            results = await asyncio.gather(latency, memory, return_exceptions=True)
        error = next((result for result in results if isinstance(result, Exception)), None)
        if error is not None:
            raise error

    async def table(self) -> tuple[str, str]:
        """Start a match of two people and a computer player; return its code and the host's token."""
        async with Client(self.url) as client:
            code = await client.open_table(show_seconds=0)
            async with client.table(code) as table:
                await table.do("sit", name="Ada")
                await table.do("sit", name="Ben")
                await table.do("add_bot", level="casual")
                await table.do("start")
            return code, str(client.token)

    async def measure_latency(self) -> None:
        """Send heartbeats over a well-behaved connection."""
        code, token = await self.table()
        connection = await RawSocket.open(self.port, code, token)
        try:
            while True:
                began = time.monotonic()
                connection.send(b'{"do": "beat"}')
                while "beat" not in await connection.message():
                    pass
                self.latencies.append(time.monotonic() - began)
                await asyncio.sleep(0.02)
        finally:
            connection.close()

    async def measure_memory(self) -> None:
        while True:
            self.memory.append(self._megabytes())
            await asyncio.sleep(0.25)

    async def frames(self, number: int) -> None:
        generate = Generator(f"{self.seed}.frames.{number}")
        code, token = await self.table()
        while self.frames_left > 0:
            try:
                connection = await RawSocket.open(self.port, code, token)
            except ConnectionError:  # the host has left or was removed
                code, token = await self.table()
                continue
            with suppress(ConnectionError):
                await self._talk(connection, generate)
            connection.close()
            if generate.random() < 0.3:
                code, token = await self.table()

    async def _talk(self, connection: RawSocket, generate: Generator) -> None:
        turn = 0
        for _ in range(generate.randint(1, 20)):
            batch = [generate.frame(turn) for _ in range(min(BATCH, self.frames_left))]
            batch = [frame for frame in batch if len(frame) <= LARGEST_FRAME]
            self.frames_left -= len(batch)
            self.sent["frames"] += len(batch)
            for frame in batch:
                connection.send(frame)
            turn = await self._answers(connection, len(batch), turn)
        self.frames_left -= 2
        self.sent["invalid frames"] += 2
        connection.send_raw(generate.raw_frame())
        connection.send(b"x" * generate.choice((0, 200, 9000)), generate.choice((TEXT, BINARY, CLOSE, PING)))
        with suppress(TimeoutError):  # the server closes the connection, or waits for the rest of the frame
            async with asyncio.timeout(0.2):
                while True:
                    await connection.message()

    async def _answers(self, connection: RawSocket, wanted: int, turn: int) -> int:
        while wanted > 0:
            try:
                message = await connection.message()
            except TimeoutError:
                raise Violation(f"{wanted} frames got no answer") from None
            round_ = (message.get("view") or {}).get("round")
            turn = round_["turn"] if round_ else turn
            if "no" in message:
                if message["reason"] not in REASONS:
                    raise Violation(f"unknown reason {message['reason']!r}")
                self.answers[message["reason"]] += 1
                wanted -= 1
            elif "ack" in message or "beat" in message:
                self.answers["done"] += 1
                wanted -= 1
        return turn

    async def requests(self, number: int) -> None:
        generate = Generator(f"{self.seed}.requests.{number}")
        code, token = await self.table()
        while self.requests_left > 0:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while self.requests_left > 0:
                    self.requests_left -= 1
                    self.sent["requests"] += 1
                    request, complete = generate.request(code, token)
                    writer.write(request)
                    if not await self._read_response(reader, request, complete):
                        break
            writer.close()

    async def streams(self, number: int) -> None:
        """Send bytes that need not be HTTP, and floods of frames; nothing of it must be answered."""
        generate = ByteGenerator(f"{self.seed}.streams.{number}")
        code, token = await self.table()
        while self.streams_left > 0:
            self.streams_left -= 1
            self.sent["streams"] += 1
            if generate.random() < FLOODS_PER_STREAM:
                await self._flood(code, token, flood(generate))
            received = await send_stream(self.port, generate, code, token)
            if b"HTTP/1.1 500 " in received:
                raise Violation(f"500 in {received[:300]!r}")

    async def _flood(self, code: str, token: str, frames: bytes) -> None:
        with suppress(ConnectionError, TimeoutError):
            connection = await RawSocket.open(self.port, code, token)
            self.sent["floods"] += 1
            try:
                connection.send_raw(frames)
                await connection.discard(FLOOD_SECONDS)
            finally:
                connection.close()

    async def _read_response(self, reader: asyncio.StreamReader, request: bytes, complete: bool) -> bool:
        """Read one response and return whether the connection stays open."""
        try:
            response = asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), TIMEOUT if complete else 0.3)
            head = (await response).lower()
        except TimeoutError:
            if complete:
                raise Violation(f"no answer to {request[:300]!r}") from None
            self.statuses["silence"] += 1  # the server waits for the rest
            return False
        status = head.split(b" ")[1].decode()
        self.statuses[status] += 1
        if status.startswith("5") and status not in ("501", "503"):  # 501: an unknown transfer coding
            raise Violation(f"{status} to {request[:300]!r}")
        headers = dict(line.partition(b": ")[::2] for line in head.split(b"\r\n")[1:] if line)
        size = int(headers.get(b"content-length", b"0"))
        if not request.startswith(b"HEAD ") and status != "101":
            await asyncio.wait_for(reader.readexactly(size), TIMEOUT)
        return complete and headers.get(b"connection") != b"close" and status != "101"

    def report(self, seconds: float) -> str:
        first = self.memory[0]
        sent = ", ".join(f"{count} {what}" for what, count in self.sent.most_common())
        return "\n".join(
            (
                f"seed {self.seed}: {sent}, in {seconds:.0f} s",
                f"answers: {', '.join(f'{what} {count}' for what, count in self.answers.most_common())}",
                f"statuses: {', '.join(f'{what} {count}' for what, count in sorted(self.statuses.items()))}",
                f"longest latency: {max(self.latencies) * 1000:.0f} ms, median {median(self.latencies) * 1000:.0f} ms",
                f"memory: first {first:.0f} MB, at most {max(self.memory):.0f} MB, last {self.memory[-1]:.0f} MB",
            )
        )

    def check(self, log: str) -> None:
        if max(self.memory) - self.memory[0] > MEMORY_GROWTH_LIMIT:
            raise Violation(f"the server grew by {max(self.memory) - self.memory[0]:.0f} MB")
        if max(self.latencies) > LONGEST_LATENCY or median(self.latencies) > MEDIAN_LATENCY:
            raise Violation(f"a heartbeat took {max(self.latencies):.1f} s, in the median {median(self.latencies):.1f}")
        for sign in ('"trace"', '"level":"error"'):
            if sign in log:
                raise Violation(f"the server logged {sign}:\n{log[-2000:]}")


def fuzz(seed: int, frames: int, requests: int, streams: int, seconds: float, workers: int = 4) -> str:
    """Fuzz a new server; return a report, or raise `Violation`."""
    began = time.monotonic()
    settings = {"NOTAHAT_GUESTS_PER_ADDRESS": "1000000", "NOTAHAT_PUBLIC_URL": ""}
    with tempfile.NamedTemporaryFile(prefix="notahat-fuzz-", suffix=".log") as log:
        with local_server(PACE, Path(log.name), **settings) as server:
            run = Fuzz(server.url, server.process.pid, seed, frames, requests, streams)
            asyncio.run(run.run(workers, began + seconds))
            if server.process.poll() is not None:
                raise Violation("the server has ended")
        run.check(Path(log.name).read_text())
    return run.report(time.monotonic() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="repeat a run")
    parser.add_argument("--frames", type=int, default=101_000)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--streams", type=int, default=5_000, help="connections with bytes that need not be HTTP")
    parser.add_argument("--seconds", type=float, default=540.0, help="time limit")
    given = parser.parse_args()
    seed = secrets.randbits(32) if given.seed is None else given.seed
    print(f"fuzz: seed {seed}", flush=True)
    try:
        print(fuzz(seed, given.frames, given.requests, given.streams, given.seconds))
    except (Violation, TimeoutError) as error:
        print(f"fuzz: {type(error).__name__} with seed {seed}: {error}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
