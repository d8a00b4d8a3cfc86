"""Serve the gallery: the built app with recorded states in place of a server, and a page with all of them."""

import json
import mimetypes
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from gallery.states import states

HERE = Path(__file__).parent
BUILT = Path(__file__).parents[2] / "src" / "notahat" / "server" / "static"
DEFAULTS = {"lang": "en", "text": "1", "theme": "auto"}


def state_path(name: str, **how: str) -> str:
    """Return the path of a state, in a language, with a size of text."""
    return f"{_record(name)['path']}?{urlencode({'state': name, **how})}"


@cache
def _record(name: str) -> dict[str, Any]:
    return states()[name].record()


def _app(query: dict[str, str]) -> bytes:
    """Return the app's page with the recorded state."""
    how = {**DEFAULTS, **query}
    told = {"state": _record(how["state"]), "lang": how["lang"], "text": float(how["text"]), "theme": how["theme"]}
    data = json.dumps(told).replace("</", "<\\/")
    script = f"<script>globalThis.GALLERY = {data}</script><script src='/gallery/inject.js'></script>"
    page = (BUILT / "index.html").read_text("utf-8").replace('="./', '="/')  # states have paths of several folders
    return page.replace("<head>", f"<head>{script}", 1).encode()


def _index() -> bytes:
    listed = [{"name": name, "path": state_path(name), "screen": one.screen} for name, one in states().items()]
    return (HERE / "page.html").read_text("utf-8").replace("/* STATES */ []", json.dumps(listed)).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        query = {key: values[0] for key, values in parse_qs(url.query).items()}
        if url.path == "/":
            self._answer(_index(), "text/html")
        elif url.path.startswith(("/t/", "/home")):
            self._answer(_app(query), "text/html")
        elif url.path == "/gallery/frames":
            self._answer(b"<!doctype html><body>", "text/html")
        elif url.path == "/gallery/inject.js":
            self._answer((HERE / "inject.js").read_bytes(), "text/javascript")
        else:
            self._file(BUILT / url.path.lstrip("/"))

    def _file(self, path: Path) -> None:
        if not path.resolve().is_relative_to(BUILT) or not path.is_file():
            self._answer(b"", "text/plain", 404)
            return
        self._answer(path.read_bytes(), mimetypes.guess_type(path.name)[0] or "application/octet-stream", cached=True)

    def _answer(self, body: bytes, kind: str, status: int = 200, cached: bool = False) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8" if kind.startswith("text/") else kind)
        self.send_header("Content-Length", str(len(body)))
        if cached:
            self.send_header("Cache-Control", "max-age=3600")
        self.end_headers()
        with suppress(ConnectionError):  # the page has gone on
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@contextmanager
def gallery_server(port: int = 0) -> Iterator[str]:
    """Serve the gallery on this machine and return its address."""
    assert (BUILT / "index.html").exists(), "the web side is not built: run `make web` first"
    server = ThreadingHTTPServer(("127.0.0.1", port), _Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
