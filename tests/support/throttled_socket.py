"""A line to a table on which what comes in is held back when a test says so."""

import re

from playwright.sync_api import Page, WebSocketRoute


class Line:
    """Made before the page is opened."""

    def __init__(self, page: Page) -> None:
        self._held: list[str | bytes] | None = None
        page.route_web_socket(re.compile("/socket"), self._connected)

    def _connected(self, near: WebSocketRoute) -> None:
        self._near = near
        far = near.connect_to_server()
        near.on_message(far.send)
        far.on_message(self._came)

    def _came(self, message: str | bytes) -> None:
        if self._held is None:
            self._near.send(message)
        else:
            self._held.append(message)

    def hold(self) -> None:
        self._held = []

    def let_go(self) -> None:
        held, self._held = self._held or [], None
        for message in held:
            self._near.send(message)
