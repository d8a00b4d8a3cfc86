"""A page's WebSocket whose incoming messages a test can delay."""

import re

from playwright.sync_api import Page, WebSocketRoute


class ThrottledSocket:
    """Create it before the page is opened."""

    def __init__(self, page: Page) -> None:
        self._held: list[str | bytes] | None = None
        page.route_web_socket(re.compile("/socket"), self._on_connect)

    def _on_connect(self, page_side: WebSocketRoute) -> None:
        self._page_side = page_side
        server_side = page_side.connect_to_server()
        page_side.on_message(server_side.send)
        server_side.on_message(self._on_message)

    def _on_message(self, message: str | bytes) -> None:
        if self._held is None:
            self._page_side.send(message)
        else:
            self._held.append(message)

    def hold(self) -> None:
        self._held = []

    def release(self) -> None:
        held, self._held = self._held or [], None
        for message in held:
            self._page_side.send(message)
