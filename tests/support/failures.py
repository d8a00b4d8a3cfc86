"""What a failed browser test leaves behind: pictures, what was shown before, and the servers' logs."""

import json
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import Error, Page

from support.server_process import ServerProcess

FOLDER = Path(__file__).parents[2] / "build" / "failures"
LOG_CHARACTERS = 20_000


def folder_of(test: str) -> Path:
    """Return where a test keeps what it leaves behind, by its node ID."""
    return FOLDER / re.sub(r"[^\w.-]+", "-", test.rpartition("/")[2]).strip("-")


def keep_page(page: Page, errors: Iterable[str]) -> None:
    """Keep a guest's page as the test left it, and the logs of the servers that run."""
    if (test := os.environ.get("PYTEST_CURRENT_TEST")) is None:
        return  # a benchmark or a tool
    folder = folder_of(test.rpartition(" ")[0])
    folder.mkdir(parents=True, exist_ok=True)
    guest = f"guest-{len(list(folder.glob('*.png'))) + 1}"
    with suppress(Error):  # the page may be closed, or the browser gone
        page.screenshot(path=folder / f"{guest}.png", animations="disabled", timeout=20_000)
        shown = page.evaluate("() => window.record ?? []")
        lines = [json.dumps(_without_empty(entry), ensure_ascii=False) for entry in shown]
        (folder / f"{guest}.txt").write_text("\n".join([page.url, *errors, *lines]) + "\n", "utf-8")
    for number, server in enumerate(ServerProcess.running, 1):
        (folder / f"server-{number}.log").write_text(server.log[-LOG_CHARACTERS:], "utf-8")


def _without_empty(entry: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in entry.items() if value}
