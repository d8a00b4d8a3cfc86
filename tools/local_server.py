"""A server and a browser for tools: `notahat serve` with an empty store on a free port, and headless Chromium."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from browser import ARGUMENTS, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@contextmanager
def local_server(pace: float, **environment: str) -> Iterator[str]:
    """Run a server and return its URL."""
    with tempfile.TemporaryDirectory(prefix="notahat-") as data:
        options = ["--no-browser", "--port", "0", "--pace", str(pace), "--data", data]
        process = subprocess.Popen(
            [sys.executable, "-m", "notahat", "serve", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **environment},
        )
        assert process.stdout is not None
        try:
            greeting = process.stdout.readline()
            assert greeting, "the server did not start"
            yield greeting.split()[-1]
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


@contextmanager
def local_browser() -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright

    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()
