"""A page's WebSocket whose incoming messages a test can delay."""

import re

from playwright.sync_api import Page, WebSocketRoute


class ThrottledSocket:
    """Create it before the page is opened."""

    def __init__(self, page: Page) -> None:
        self._held: list[str | bytes] | None = None
        self._hold_after = ""
        page.route_web_socket(re.compile("/socket"), self._on_connect)

    def _on_connect(self, page_side: WebSocketRoute) -> None:
        self._page_side = page_side
        server_side = page_side.connect_to_server()
        page_side.on_message(server_side.send)
        server_side.on_message(self._on_message)

    def _on_message(self, message: str | bytes) -> None:
        if self._held is not None:
            self._held.append(message)
            return
        self._page_side.send(message)
        if self._hold_after and self._hold_after in str(message):
            self._hold_after = ""
            self.hold()

    def hold(self) -> None:
        self._held = []

    def hold_after(self, text: str) -> None:
        """Hold all messages after the next one that contains this text."""
        self._hold_after = text

    def release(self) -> None:
        held, self._held = self._held or [], None
        for message in held:
            self._page_side.send(message)
