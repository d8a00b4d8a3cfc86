"""Webhooks: signed events for the operator's own programs, with bounded retries and nothing hidden."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from notahat.clients.python import Client
from notahat.server.settings import Settings
from notahat.server.webhook import TRIES, Webhook, sign
from notahat.table import Entry, fold, shown, steps
from notahat.table import commands as do
from support.cli import refusal
from support.server_process import in_process_server
from support.tables import TableDriver
from support.timeouts import TIMEOUT

SECRET = "a secret of the house"  # noqa: S105
TABLE = UUID(int=7)


class Receiver:
    """What the operator's program received. It fails for the first requests."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.requests = 0
        self.messages: list[dict[str, object]] = []
        self.changed = threading.Condition()
        self.url = ""

    def receive(self, body: bytes, signature: str) -> int:
        with self.changed:
            self.requests += 1
            self.changed.notify_all()
            if self.requests <= self.failures:
                return 503
            assert signature == sign(SECRET.encode(), body)
            self.messages.append(msgspec.json.decode(body, type=dict[str, object]))
            return 204

    def wait(self, requests: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.requests >= requests, TIMEOUT)


@contextmanager
def receiver(failures: int = 0) -> Iterator[Receiver]:
    received = Receiver(failures)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            self.send_response(received.receive(body, self.headers["x-notahat-signature"]))
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = False  # closing waits for them
        received.url = f"http://127.0.0.1:{server.server_port}/lights"
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield received
        server.shutdown()


def messages(log: list[Entry]) -> list[dict[str, object]]:
    """Return what a game sends, without ids and times."""

    async def send(received: Receiver) -> None:
        webhook = Webhook(received.url, SECRET)
        table = fold(None, log[:1])
        for entry in log[1:]:
            made = steps(table, entry)
            webhook.happened(TABLE, tuple(event for step in made for event in shown(step)))
            table = made[-1].after
        webhook.waiting(TABLE, 2)
        webhook.waiting(TABLE, 2)
        running = asyncio.create_task(webhook.run())
        while not any(one["event"] == "waiting" for one in received.messages):
            await asyncio.to_thread(received.wait, received.requests + 1)
        running.cancel()

    with receiver() as received:
        asyncio.run(asyncio.wait_for(send(received), TIMEOUT))
    return [{name: one[name] for name in one if name not in ("id", "at", "table")} for one in received.messages]


def test_reveal_win_and_waiting_are_sent() -> None:
    driver = TableDriver(show_seconds=0, starter=0).seated("Ada", "Ben", "Cem").started()
    driver.draw_and_wrap()
    driver.give("hat")
    driver.answer(accepts=False)
    driver.send("Ada", do.EndMatch())
    reveal, win, waiting = messages(driver.log)
    assert (reveal["event"], reveal["giver"], reveal["claim"]) == ("reveal", 0, "hat")
    assert win["event"] == "win"
    assert waiting == {"event": "waiting", "seat": 2}


def test_retries_are_bounded_and_the_next_event_arrives(caplog: pytest.LogCaptureFixture) -> None:
    async def send(received: Receiver) -> None:
        webhook = Webhook(received.url, SECRET, retry_seconds=0.001)
        running = asyncio.create_task(webhook.run())
        webhook.waiting(TABLE, 1)
        webhook.waiting(TABLE, 2)
        await asyncio.to_thread(received.wait, TRIES + 2)
        while not received.messages:
            await asyncio.sleep(0)
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    with receiver(failures=TRIES + 1) as received:
        asyncio.run(asyncio.wait_for(send(received), TIMEOUT))
    assert [one["seat"] for one in received.messages] == [2], "the first was given up, the second repeated"
    assert [record.message for record in caplog.records] == ["webhook: the receiver does not answer"]


def test_server_sends_events_only_if_configured(tmp_path: Path) -> None:
    async def story(url: str) -> None:
        async with Client(url) as client, client.table(await client.open_table()) as table:
            await table.do("sit", name="Ada")
            await table.do("add_bot", level="casual")
            await table.do("start")
            await table.do("end_match")

    async def configured(received: Receiver) -> None:
        store = f"sqlite:///{tmp_path}/tables.db"
        async with in_process_server(Settings(port=0, store=store, webhook=received.url, webhook_secret=SECRET)) as url:
            await story(url)
            await asyncio.to_thread(received.wait, 1)

    with receiver() as received:
        asyncio.run(asyncio.wait_for(configured(received), TIMEOUT))
    assert received.messages[-1]["event"] == "win"
    assert "at least 16" in refusal("serve", env={"NOTAHAT_WEBHOOK": received.url, "NOTAHAT_WEBHOOK_SECRET": "short"})
