"""The app below a path of its host and in a frame; `make test-below-path` runs all browser tests below a path."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser

from support.browser_guest import DESKTOP, PHONE, BrowserGuest
from support.server_process import ServerProcess, running_server
from support.stripping_proxy import PREFIX, StrippingProxy
from support.timeouts import TIMEOUT


def test_story_below_a_path_that_a_proxy_strips(browser: Browser, site: ServerProcess) -> None:
    """No request leaves the path (`BrowserGuest` checks it): pages, sockets, QR code, cookie, manifest, offline."""
    with (
        StrippingProxy(site.port) as proxy,
        BrowserGuest(browser, proxy.url, DESKTOP) as ada,
        BrowserGuest(browser, proxy.url, PHONE, service_workers="allow") as ben,
    ):
        code = ada.new_table()
        (cookie,) = ada.page.context.cookies()
        assert cookie.get("path") == f"{PREFIX}/"
        ada.page.locator("svg.qr").wait_for()
        ben.join(code, "Ben")
        ada.add_bots(1)
        ada.start()
        ben.at_table()
        ben.page.reload()
        ben.at_table()
        ben.page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")
        ben.page.goto(f"{proxy.url}/rules")
        ben.offline(True)
        ben.page.goto(f"{proxy.url}/t/{code}/rounds/1")
        ben.page.locator("#app > *").first.wait_for()
        ben.offline(False)
        ben._forgiving = True


@contextmanager
def dashboard() -> Iterator[tuple[int, list[bytes]]]:
    """Serve one page on loopback; yield its port and its content."""
    content: list[bytes] = [b""]

    class Dashboard(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(content[0])

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Dashboard) as server:
        server.daemon_threads = False  # closing waits for them
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port, content
        server.shutdown()


def test_listed_sites_frame_the_app_without_cookies(browser: Browser, tmp_path: Path) -> None:
    """For cookies, localhost is another site than 127.0.0.1."""
    with (
        dashboard() as (port, content),
        running_server(tmp_path, coverage=False, NOTAHAT_FRAME_ANCESTORS=f"http://localhost:{port}") as server,
        closing(browser.new_context(reduced_motion="reduce")) as context,
    ):
        content[0] = f'<title>Dashboard</title><iframe src="{server.url}/" width="380" height="700"></iframe>'.encode()
        page = context.new_page()
        page.set_default_timeout(TIMEOUT * 1000)
        page.goto(f"http://localhost:{port}/")
        frame = page.frame_locator("iframe")
        frame.locator(".now").click()
        frame.locator("[data-seat]").first.wait_for()
        page.reload()
        frame.locator("[data-back]").wait_for()  # the page knows its guest again
        assert context.cookies() == []
        with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
            page.goto(f"http://127.0.0.1:{port}/")
