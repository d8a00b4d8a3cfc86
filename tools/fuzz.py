"""`make fuzz`: a server of its own on loopback is sent frames and requests that make little sense, made by chance and
made by grammar, while somebody calm plays beside and a watch looks at its memory. Every frame must get an answer with a
known reason, no request may break anything, and nobody may wait for long. The seed that it tells plays the same again.
"""

import argparse
import asyncio
import base64
import os
import random
import secrets
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import msgspec
import psutil

from notahat.clients.python import Client
from notahat.table.commands import GuestCommand
from notahat.wire.reasons import reasons

PACE = "200"
LARGEST = 8192
BATCH = 24  # frames that wait for their answers together: fewer than a connection may have waiting
PATIENCE = 20.0
LONGEST_WAIT = 2.0
MOST_GROWTH = 200  # MB
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
KNOWN = frozenset(reasons())
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
# whoever lies with one of these may have to be waited for
OPEN_ENDED = ("content-length", "transfer-encoding", "expect", "upgrade", "connection")


class Broken(Exception):  # noqa: N818 - said of the server
    """Something that must not happen."""


class Chance(random.Random):
    """Words, values, frames and requests, each by chance."""

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

    def order(self, turn: int) -> dict[str, Any]:
        """An order by the grammar of the protocol, now and then with something wrong in it."""
        kind = self.choice(COMMANDS)
        order: dict[str, Any] = {"id": secrets_of(self), "do": kind.__struct_config__.tag}
        for field in msgspec.structs.fields(kind):
            if field.required or self.random() < 0.5:
                order[field.name] = self.likely(field.name, turn) if self.random() < 0.85 else self.value()
        if self.random() < 0.1:
            order[self.word()] = self.value()
        if self.random() < 0.05:
            order.pop(self.choice(list(order)))
        return order

    def likely(self, name: str, turn: int) -> Any:
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
            return msgspec.json.encode(self.order(turn))
        if kind < 0.8:
            return msgspec.json.encode(self.value())
        if kind < 0.88:
            return self.randbytes(self.randint(0, 300))
        if kind < 0.95:
            whole = bytearray(msgspec.json.encode(self.order(turn)))
            for _ in range(self.randint(1, 4)):
                whole[self.randrange(len(whole))] = self.getrandbits(8)
            return bytes(whole[: self.randint(0, len(whole))])
        return self.choice((b"[", b'{"a":', b'{"id":"x","do":"set_options","options":')) * self.randint(1, 1000)

    def raw_frame(self) -> bytes:
        """Bytes that need be no frame: reserved bits, unknown kinds, no mask, sizes that lie."""
        first = self.choice((0x80, 0, 0x40, 0x70)) | self.choice((TEXT, BINARY, CLOSE, PING, PONG, 0, 3, 11))
        size = self.choice((0, 5, 125, 126, 127))
        mask = self.choice((0x80, 0x80, 0))
        return bytes((first, mask | size)) + self.randbytes(self.randint(0, 200))

    def request(self, code: str, token: str) -> tuple[bytes, bool]:
        """A request, and whether it is one that must be answered soon."""
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
                said = self.word().encode("latin-1", "ignore").decode("latin-1").replace("\n", "").replace("\r", "")
                lines.append(f"{self.choice(HEADERS)}: {said}")
        whole = self.random() < 0.97
        if not whole:
            lines.append(f"{self.choice(OPEN_ENDED)}: {self.choice(('chunked', '100-continue', 'websocket', '99'))}")
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body, whole


def secrets_of(chance: random.Random) -> str:
    return f"{chance.getrandbits(48):x}"


class Line:
    """A WebSocket written out by hand, so that nothing is mended on the way."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, port: int, code: str, token: str) -> "Line":
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /api/tables/{code}/socket HTTP/1.1\r\nhost: here\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            f"sec-websocket-key: {key}\r\nsec-websocket-version: 13\r\nauthorization: Bearer {token}\r\n\r\n".encode()
        )
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
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
            kind, payload = await asyncio.wait_for(self._frame(), PATIENCE)
            if kind == TEXT:
                return msgspec.json.decode(payload, type=dict[str, Any])
            if kind == PING:
                self.send(payload, PONG)
            elif kind == CLOSE:
                raise ConnectionError("closed")

    async def _frame(self) -> tuple[int, bytes]:
        try:
            first, size = await self._reader.readexactly(2)
            if size == 126:
                size = int.from_bytes(await self._reader.readexactly(2))
            elif size == 127:
                size = int.from_bytes(await self._reader.readexactly(8))
            return first & 0x0F, await self._reader.readexactly(size)
        except asyncio.IncompleteReadError:
            raise ConnectionError("hung up") from None

    def close(self) -> None:
        self._writer.close()


class Fuzz:
    """One run: what is still to be sent, and what was seen."""

    def __init__(self, url: str, pid: int, seed: int, frames: int, requests: int) -> None:
        self.url, self.port = url, int(url.rpartition(":")[2])
        self.process = psutil.Process(pid)
        self.seed = seed
        self.frames_left, self.requests_left = frames, requests
        self.sent = Counter[str]()
        self.answers = Counter[str]()
        self.statuses = Counter[str]()
        self.longest = 0.0
        self.memory = [self._megabytes()]

    def _megabytes(self) -> float:
        return float(self.process.memory_info().rss) / 2**20

    async def run(self, workers: int, ends_at: float) -> None:
        calm = asyncio.create_task(self.calm())
        watch = asyncio.create_task(self.watch())
        try:
            async with asyncio.timeout_at(asyncio.get_running_loop().time() + ends_at - time.monotonic()):
                await asyncio.gather(
                    *(self.frames(n) for n in range(workers)), *(self.requests(n) for n in range(workers))
                )
        finally:
            watch.cancel()
            calm.cancel()
            results = await asyncio.gather(calm, watch, return_exceptions=True)
        broken = next((one for one in results if isinstance(one, Exception)), None)
        if broken is not None:
            raise broken

    async def table(self) -> tuple[str, str]:
        """A table with a bit of everything, and the token of its host."""
        async with Client(self.url) as client:
            code = await client.open_table(show_seconds=0)
            async with client.table(code) as table:
                await table.do("sit", name="Ada")
                await table.do("sit", name="Ben")
                await table.do("add_bot", level="casual")
                await table.do("start")
            return code, str(client.token)

    async def calm(self) -> None:
        """Somebody who plays beside: how long do they wait for an answer?"""
        code, token = await self.table()
        line = await Line.open(self.port, code, token)
        try:
            while True:
                began = time.monotonic()
                line.send(b'{"do": "beat"}')
                while "beat" not in await line.message():
                    pass
                self.longest = max(self.longest, time.monotonic() - began)
                await asyncio.sleep(0.02)
        finally:
            line.close()

    async def watch(self) -> None:
        while True:
            self.memory.append(self._megabytes())
            await asyncio.sleep(0.25)

    async def frames(self, number: int) -> None:
        chance = Chance(f"{self.seed}.frames.{number}")
        code, token = await self.table()
        while self.frames_left > 0:
            try:
                line = await Line.open(self.port, code, token)
            except ConnectionError:  # the host was left, removed or shut out: a new table
                code, token = await self.table()
                continue
            with suppress(ConnectionError):
                await self._talk(line, chance)
            line.close()
            if chance.random() < 0.3:
                code, token = await self.table()

    async def _talk(self, line: Line, chance: Chance) -> None:
        turn = 0
        for _ in range(chance.randint(1, 20)):
            batch = [chance.frame(turn) for _ in range(min(BATCH, self.frames_left))]
            batch = [frame for frame in batch if len(frame) <= LARGEST]
            self.frames_left -= len(batch)
            self.sent["frames"] += len(batch)
            for frame in batch:
                line.send(frame)
            turn = await self._answers(line, len(batch), turn)
        self.frames_left -= 2
        self.sent["bytes that are no frame"] += 2
        line.send_raw(chance.raw_frame())
        line.send(b"x" * chance.choice((0, 200, 9000)), chance.choice((TEXT, BINARY, CLOSE, PING)))
        with suppress(TimeoutError):  # mostly they hang up; sometimes they wait for the rest of it
            async with asyncio.timeout(0.2):
                while True:
                    await line.message()

    async def _answers(self, line: Line, wanted: int, turn: int) -> int:
        while wanted > 0:
            try:
                message = await line.message()
            except TimeoutError:
                raise Broken(f"{wanted} frames got no answer") from None
            round_ = (message.get("view") or {}).get("round")
            turn = round_["turn"] if round_ else turn
            if "no" in message:
                if message["reason"] not in KNOWN:
                    raise Broken(f"nobody knows the reason {message['reason']!r}")
                self.answers[message["reason"]] += 1
                wanted -= 1
            elif "ack" in message or "beat" in message:
                self.answers["done"] += 1
                wanted -= 1
        return turn

    async def requests(self, number: int) -> None:
        chance = Chance(f"{self.seed}.requests.{number}")
        code, token = await self.table()
        while self.requests_left > 0:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while self.requests_left > 0:
                    self.requests_left -= 1
                    self.sent["requests"] += 1
                    said, whole = chance.request(code, token)
                    writer.write(said)
                    if not await self._answered(reader, said, whole):
                        break
            writer.close()

    async def _answered(self, reader: asyncio.StreamReader, said: bytes, whole: bool) -> bool:
        """Read one answer; whether the connection goes on."""
        try:
            read = asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE if whole else 0.3)
            head = (await read).lower()
        except TimeoutError:
            if whole:
                raise Broken(f"no answer to {said[:300]!r}") from None
            self.statuses["silence"] += 1  # half a request, as far as they know
            return False
        status = head.split(b" ")[1].decode()
        self.statuses[status] += 1
        if status.startswith("5") and status != "503":
            raise Broken(f"{status} to {said[:300]!r}")
        lines = dict(line.partition(b": ")[::2] for line in head.split(b"\r\n")[1:] if line)
        size = int(lines.get(b"content-length", b"0"))
        if not said.startswith(b"HEAD ") and status != "101":
            await asyncio.wait_for(reader.readexactly(size), PATIENCE)
        return whole and lines.get(b"connection") != b"close" and status != "101"

    def report(self, seconds: float) -> str:
        first = self.memory[0]
        told = ", ".join(f"{count} {what}" for what, count in self.sent.most_common())
        return "\n".join(
            (
                f"seed {self.seed}: {told}, in {seconds:.0f} s",
                f"answers: {', '.join(f'{what} {count}' for what, count in self.answers.most_common())}",
                f"statuses: {', '.join(f'{what} {count}' for what, count in sorted(self.statuses.items()))}",
                f"longest wait beside: {self.longest * 1000:.0f} ms",
                f"memory: {first:.0f} MB at first, {max(self.memory):.0f} MB at most, {self.memory[-1]:.0f} MB at last",
            )
        )

    def judge(self, log: str) -> None:
        for sign in ('"trace"', '"level":"error"'):
            if sign in log:
                raise Broken(f"the server's log has {sign}:\n{log[-2000:]}")
        if self.longest > LONGEST_WAIT:
            raise Broken(f"somebody waited {self.longest:.1f} s")
        if max(self.memory) - self.memory[0] > MOST_GROWTH:
            raise Broken(f"the server grew by {max(self.memory) - self.memory[0]:.0f} MB")


def fuzz(seed: int, frames: int, requests: int, seconds: float, workers: int = 4) -> str:
    """Everything, against a server of its own; says what was seen, or raises `Broken`."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="notahat-fuzz-") as folder:
        log = Path(folder) / "server.log"
        with log.open("w") as told:
            server = _serve(folder, told)
        assert server.stdout is not None
        try:
            url = server.stdout.readline().split()[-1]
            run = Fuzz(url, server.pid, seed, frames, requests)
            asyncio.run(run.run(workers, began + seconds))
            if server.poll() is not None:
                raise Broken("the server is gone")
        finally:
            server.terminate()
            server.wait(PATIENCE)
            server.stdout.close()
        run.judge(log.read_text())
    return run.report(time.monotonic() - began)


def _serve(folder: str, log: Any) -> "subprocess.Popen[str]":
    command = [
        sys.executable,
        "-m",
        "notahat",
        "serve",
        "--no-browser",
        "--port",
        "0",
        "--data",
        folder,
        "--pace",
        PACE,
    ]
    enough = {"NOTAHAT_GUESTS_PER_ADDRESS": "1000000", "NOTAHAT_PUBLIC_URL": ""}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **enough})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="play a run again")
    parser.add_argument("--frames", type=int, default=101_000)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=540.0, help="no longer than this")
    given = parser.parse_args()
    seed = secrets.randbits(32) if given.seed is None else given.seed
    print(f"fuzz: seed {seed}", flush=True)
    try:
        print(fuzz(seed, given.frames, given.requests, given.seconds))
    except (Broken, TimeoutError) as broken:
        print(f"fuzz: {type(broken).__name__} with seed {seed}: {broken}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
