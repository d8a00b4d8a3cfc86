"""The rendezvous: sealed messages between browsers, bounded and soon deleted."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.requests import Request
from starlette.types import Message

from notahat.rules import Illegal
from notahat.server.http.rendezvous import PUTS, WAIT_SECONDS, Rendezvous, RendezvousEndpoint
from notahat.server.limits.accounts import Pool, ShedLog
from notahat.server.limits.budget import BOX_MESSAGES, RENDEZVOUS_BYTES, SEALED_BYTES, SEALED_SECONDS
from notahat.wire.messages import ServerReason
from simulation.loop import VirtualLoop
from support.raw_http import send_request
from support.server_process import ServerProcess
from support.timeouts import until

BOX, OTHER = "0" * 32, "1" * 32


def make_rendezvous(wait_seconds: float = WAIT_SECONDS) -> tuple[Rendezvous, Pool]:
    held = Pool("mailboxes", RENDEZVOUS_BYTES.value, ShedLog())
    return Rendezvous(held, wait_seconds), held


def run_with_virtual_time(story: Coroutine[None, None, None]) -> None:
    loop = VirtualLoop("rendezvous")
    with loop.patched():
        loop.run(story)


def test_message_is_passed_on_and_then_deleted() -> None:
    async def story() -> None:
        rendezvous, held = make_rendezvous()
        waiting = asyncio.create_task(rendezvous.take(BOX, 0, "host"))
        await asyncio.sleep(0)
        rendezvous.put(OTHER, "b3RoZXI", "guest")
        rendezvous.put(BOX, "b2ZmZXI", "guest")
        (message,) = (await waiting).messages
        assert message.body == "b2ZmZXI"
        assert (await rendezvous.take(BOX, message.number - 1, "host")).messages[0].number == message.number
        assert (await rendezvous.take(BOX, message.number, "host")).messages == ()
        await asyncio.sleep(SEALED_SECONDS.value)
        assert (await rendezvous.take(BOX, 0, "host")).messages == ()
        assert held.total == 0

    run_with_virtual_time(story())


def test_rendezvous_is_bounded() -> None:
    async def story() -> None:
        rendezvous, _ = make_rendezvous()
        for number in range(BOX_MESSAGES.value + 3):
            rendezvous.put(BOX, f"m{number}", "guest")
        kept = (await rendezvous.take(BOX, 0, "host")).messages
        assert [one.body for one in kept] == [f"m{number}" for number in range(3, BOX_MESSAGES.value + 3)]
        for _ in range(PUTS[0] - BOX_MESSAGES.value - 3):
            rendezvous.put(BOX, "m", "guest")
        with pytest.raises(Illegal) as refusal:
            rendezvous.put(BOX, "m", "guest")
        assert refusal.value.reason == ServerReason.TOO_FAST
        for number in range(RENDEZVOUS_BYTES.value // SEALED_BYTES.value + 1):
            rendezvous.put(f"{number:032x}", "m" * SEALED_BYTES.value, f"address {number}")

    with pytest.raises(Illegal) as refusal:
        run_with_virtual_time(story())
    assert refusal.value.reason == ServerReason.BUSY


def test_wait_ends_when_the_client_hangs_up() -> None:
    async def story() -> None:
        rendezvous, _ = make_rendezvous(wait_seconds=3600)
        endpoint = RendezvousEndpoint(rendezvous, lambda _: "address")
        await endpoint.get(_request("GET", b""))
        await until(lambda: not rendezvous.waits)

    asyncio.run(story())


def test_client_that_hangs_up_while_it_sends_is_no_error() -> None:
    endpoint = RendezvousEndpoint(make_rendezvous()[0], lambda _: "address")
    asyncio.run(endpoint.post(_request("POST", b"half")))


def _request(method: str, body: bytes) -> Request:
    """Return a request of a client that hangs up: after a whole request without a body, or in the middle of one."""
    received: list[Message] = [{"type": "http.request", "body": body, "more_body": bool(body)}]

    async def receive() -> Message:
        return received.pop() if received else {"type": "http.disconnect"}

    scope = {"type": "http", "method": method, "headers": [], "query_string": b"", "path_params": {"box": BOX}}
    return Request(scope, receive)


def test_rendezvous_over_http_is_open_to_all_origins(server: ServerProcess) -> None:
    path = f"/api/rendezvous/{BOX}"
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(send_request, server.url, "GET", f"{path}?after=0", origin="https://elsewhere.example")
        sent = send_request(server.url, "POST", path, b"c2VhbGVk", origin="https://elsewhere.example")
        assert sent.status == 202
        answer = waiting.result()
    assert answer.headers["access-control-allow-origin"] == sent.headers["access-control-allow-origin"] == "*"
    assert b'"body":"c2VhbGVk"' in answer.body
    refused = [
        send_request(server.url, "POST", path, b"m" * (SEALED_BYTES.value + 1)),
        send_request(server.url, "POST", path, b"not sealed!"),
        send_request(server.url, "POST", "/api/rendezvous/short", b"c2VhbGVk"),
        send_request(server.url, "GET", f"{path}?after=-1"),
    ]
    assert [one.status for one in refused] == [413, 400, 404, 400]
    assert {one.headers["access-control-allow-origin"] for one in refused} == {"*"}
    assert "c2VhbGVk" not in server.log
