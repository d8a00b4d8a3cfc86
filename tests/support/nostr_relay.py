"""A small Nostr relay: it passes events on by their tag `x`, and stores and checks nothing."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

TAG = "x"


class NostrRelay:
    """A relay and all frames that it has received."""

    def __init__(self) -> None:
        self.url = ""
        self.received: list[str] = []
        self.clients: set[Client] = set()

    def pass_on(self, event: dict[str, Any]) -> None:
        for client in self.clients:
            client.receive(event)


class Client(WSListener):
    """One connection to the relay."""

    def __init__(self, relay: NostrRelay) -> None:
        self._relay = relay
        self._boxes: dict[str, set[str]] = {}  # by subscription

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport
        self._relay.clients.add(self)

    def on_ws_disconnected(self, _: WSTransport) -> None:
        self._relay.clients.discard(self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()
        if frame.msg_type != WSMsgType.TEXT:
            return
        text = frame.get_payload_as_utf8_text()
        self._relay.received.append(text)
        match json.loads(text):
            case ["EVENT", event]:
                self._send("OK", event["id"], True, "")
                self._relay.pass_on(event)
            case ["REQ", subscription, wanted]:
                self._boxes[subscription] = set(wanted.get(f"#{TAG}", ()))
                self._send("EOSE", subscription)
            case ["CLOSE", subscription]:
                self._boxes.pop(subscription, None)

    def receive(self, event: dict[str, Any]) -> None:
        named = {value for name, value, *_ in event["tags"] if name == TAG}
        for subscription, boxes in self._boxes.items():
            if boxes & named:
                self._send("EVENT", subscription, event)

    def disconnect(self) -> None:
        self._transport.disconnect()

    def _send(self, *message: Any) -> None:
        self._transport.send(WSMsgType.TEXT, json.dumps(message).encode())


@contextmanager
def nostr_relay() -> Iterator[NostrRelay]:
    """Run a relay in a thread."""
    relay, loop, ready = NostrRelay(), asyncio.new_event_loop(), threading.Event()

    def client(_: WSUpgradeRequest) -> Client:
        return Client(relay)

    async def serve(stop: asyncio.Event) -> None:
        server = await ws_create_server(client, "127.0.0.1", 0)
        relay.url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ready.set()
        await stop.wait()
        for one in tuple(relay.clients):
            one.disconnect()
        server.close()

    stop = asyncio.Event()
    thread = threading.Thread(target=partial(loop.run_until_complete, serve(stop)), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield relay
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
