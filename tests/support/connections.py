"""Connections without a socket, for a node in the test's own process."""

from typing import Any
from uuid import UUID

import msgspec

from support.tables import guest


class RecordingConnection:
    """A connection that records messages and its close code; with `fails` it cannot send."""

    def __init__(self, name: str, fails: bool = False) -> None:
        self.guest: UUID = guest(name)
        self.fails = fails
        self.messages: list[dict[str, Any]] = []
        self.closed: int | None = None

    def send(self, message: bytes) -> None:
        if self.fails:
            raise RuntimeError("handler is closed")
        self.messages.append(msgspec.json.decode(message))

    def close(self, code: int, reason: str = "") -> None:  # noqa: ARG002
        if self.fails:
            raise RuntimeError("handler is closed")
        self.closed = code

    @property
    def acknowledged(self) -> list[str]:
        return [message["ack"] for message in self.messages if "ack" in message]
