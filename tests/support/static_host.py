"""The static site, built once for its sources and served by a plain file server; and a rendezvous beside it."""

import fcntl
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from build_page import PAGE
from build_pocket import POCKET
from build_stamp import BuiltFolder
from support import process_guard

ROOT = Path(__file__).parents[2]
BASE = "/games/hat"
RENDEZVOUS = "http://127.0.0.1:1"  # replaced by the address of a running one
SITE = BuiltFolder(
    ROOT / "build" / "test-site",
    (
        *PAGE.sources,
        *POCKET.sources,
        "tools/site.py",
        "src/notahat/server/http/pages.py",
        "tests/support/static_host.py",
    ),
    PAGE.excluded,
)


class Quiet(SimpleHTTPRequestHandler):
    """A static file server without log output."""

    def log_message(self, *_: object) -> None: ...


def built_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the output of `make site BASE=/games/hat RENDEZVOUS=…`, at a fast pace; runs and workers share it."""
    SITE.folder.parent.mkdir(exist_ok=True)
    with SITE.folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not SITE.is_current():
            source_hash = SITE.source_hash()
            made = tmp_path_factory.mktemp("site")
            out = ["--base", BASE, "--out", str(made / BASE[1:]), "--pace", "25"]
            command = [sys.executable, str(ROOT / "tools/site.py"), *out, "--rendezvous", RENDEZVOUS]
            subprocess.run(command, check=True, capture_output=True)
            shutil.rmtree(SITE.folder, ignore_errors=True)
            shutil.move(made, SITE.folder)
            SITE.write_stamp(source_hash)
    return SITE.folder


@contextmanager
def plain_host(folder: Path, rendezvous: str = RENDEZVOUS) -> Iterator[tuple[str, ThreadingHTTPServer]]:
    """Serve the site. Its page names the given rendezvous."""

    class Host(Quiet):
        def do_GET(self) -> None:
            if not self.path.endswith("/"):
                return super().do_GET()
            page = (folder / self.path[1:] / "index.html").read_bytes()
            page = page.replace(RENDEZVOUS.encode(), rendezvous.encode())
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)
            return None

    host = ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(folder)))
    thread = threading.Thread(target=host.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{host.server_port}{BASE}", host
    finally:
        host.shutdown()
        host.server_close()
        thread.join()


class RendezvousProcess:
    """`notahat rendezvous`, which can be killed and started again on the same port."""

    def __init__(self) -> None:
        self._port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "notahat", "rendezvous", "--port", str(self._port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        process_guard.end_at_exit(self._process)
        assert self._process.stdout is not None
        self._port = int(self._process.stdout.readline().rpartition(":")[2])

    def stop(self, signal_number: int = signal.SIGTERM) -> int:
        process_guard.forget(self._process)
        self._process.send_signal(signal_number)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return self._process.wait()
