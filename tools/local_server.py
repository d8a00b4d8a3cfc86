"""A server and a browser for tools: `notahat serve` with an empty store on a free port, and headless Chromium."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from browser import ARGUMENTS, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser


class LocalServer(NamedTuple):
    """A running server process."""

    url: str
    process: "subprocess.Popen[str]"


@contextmanager
def local_server(pace: float, log: Path = Path(os.devnull), **environment: str) -> Iterator[LocalServer]:
    with tempfile.TemporaryDirectory(prefix="notahat-") as data, log.open("w") as stderr:
        options = ["--no-browser", "--port", "0", "--pace", str(pace), "--data", data]
        process = subprocess.Popen(
            [sys.executable, "-m", "notahat", "serve", *options],
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            env={**os.environ, **environment},
        )
        assert process.stdout is not None
        try:
            greeting = process.stdout.readline()
            assert greeting, "the server did not start"
            yield LocalServer(greeting.split()[-1], process)
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
