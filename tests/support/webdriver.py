"""Browsers of other engines: WebKitGTK, driven by WebDriver, and Firefox, driven by WebDriver BiDi.

Selenium would not replace this: it drives Firefox only through geckodriver, which Debian does not package.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Protocol

from support import process_guard
from support.raw_http import RawSocket
from support.scripts import call
from support.timeouts import TIMEOUT

Actions = list[dict[str, Any]]  # input sources, the same in both protocols


class Engine(Protocol):
    """A browser with one page."""

    def resize(self, width: int, height: int) -> None: ...
    def open(self, url: str) -> None: ...
    def run(self, script: str) -> Any:
        """Run a function body in the page and return its result."""
        ...

    def act(self, actions: Actions) -> None:
        """Perform pointer and key actions."""
        ...

    def errors(self) -> list[str]:
        """Return the console errors and warnings since the page was opened."""
        ...

    def close(self) -> None: ...


class WebKit:
    """WebKitGTK's MiniBrowser on a virtual display."""

    def __init__(self, browser: str, home: Path) -> None:
        _shrink_toolbar(home)
        self._display = subprocess.Popen(
            [_find("Xvfb"), "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        process_guard.end_at_exit(self._display)
        assert self._display.stdout is not None
        display = f":{self._display.stdout.readline().strip()}"
        port = _free_port()
        folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "CACHE", "DATA")}
        settings = {"DISPLAY": display, "NO_AT_BRIDGE": "1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        self._driver = subprocess.Popen(
            [_find("WebKitWebDriver"), f"--port={port}"],
            env={**os.environ, **folders, **settings},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        process_guard.end_at_exit(self._driver)
        self._address = f"http://127.0.0.1:{port}"
        self._wait_until_ready()
        options = {"webkitgtk:browserOptions": {"binary": browser, "args": ["--automation"]}}
        session = self._request("POST", "/session", {"capabilities": {"alwaysMatch": options}})
        self._address += f"/session/{session['sessionId']}"

    def resize(self, width: int, height: int) -> None:
        self._request("POST", "/window/rect", {"x": 0, "y": 0, "width": width, "height": height})
        frame = height - int(self.run("return innerHeight"))
        self._request("POST", "/window/rect", {"x": 0, "y": 0, "width": width, "height": height + frame})

    def open(self, url: str) -> None:
        self._request("POST", "/url", {"url": url})
        self.run(call("recordErrors"))

    def run(self, script: str) -> Any:
        return self._request("POST", "/execute/sync", {"script": script, "args": []})

    def act(self, actions: Actions) -> None:
        self._request("POST", "/actions", {"actions": actions})

    def errors(self) -> list[str]:
        errors: list[str] = self.run("return window.__errors")
        return errors

    def close(self) -> None:
        try:
            self._request("DELETE", "")
        finally:
            _end(self._driver)
            _end(self._display)

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                self._request("GET", "/status")
                return
            except OSError:
                assert self._driver.poll() is None, "WebKitWebDriver does not start"
                assert time.monotonic() < deadline
                time.sleep(0.05)

    def _request(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310
            self._address + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()[:600]}") from error


class Firefox:
    """Firefox without a window."""

    _DISABLED = (
        "app.update.enabled app.normandy.enabled datareporting.policy.dataSubmissionEnabled "
        "network.captive-portal-service.enabled browser.shell.checkDefaultBrowser "
        "network.connectivity-service.enabled services.settings.enabled"
    )

    def __init__(self, browser: str, home: Path) -> None:
        settings = [f'user_pref("{name}", false);' for name in self._DISABLED.split()]
        settings.append('user_pref("intl.accept_languages", "en-GB");')
        settings.append('user_pref("dom.w3c_touch_events.enabled", 1);')
        (home / "user.js").write_text("\n".join(settings))
        self._browser = subprocess.Popen(
            [browser, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", str(home)],
            env={**os.environ, "HOME": str(home)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        process_guard.end_at_exit(self._browser)
        self._errors: list[str] = []
        self._calls = 0
        self._socket = RawSocket(self._read_address(), "/session")
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded"])
        self._page = self._call("browsingContext.create", type="tab")["context"]  # the first tab lacks the focus

    def resize(self, width: int, height: int) -> None:
        self._call("browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height})

    def open(self, url: str) -> None:
        self._errors.clear()
        self._call("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def run(self, script: str) -> Any:
        body = f"JSON.stringify((() => {{ {script} }})() ?? null)"
        answer = self._call("script.evaluate", expression=body, target={"context": self._page}, awaitPromise=False)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def act(self, actions: Actions) -> None:
        self._call("input.performActions", context=self._page, actions=actions)

    def errors(self) -> list[str]:
        self.run("")  # a round trip: reads the log events that came before its response
        return list(self._errors)

    def close(self) -> None:
        self._socket.close()
        _end(self._browser)

    def _read_address(self) -> str:
        assert self._browser.stderr is not None
        for line in self._browser.stderr:
            found = re.search(r"WebDriver BiDi listening on (ws://\S+)", line)
            if found:
                return found[1]
        raise AssertionError("Firefox does not start")

    def _call(self, method: str, **parameters: Any) -> Any:
        """Send a BiDi command and return its result; record the log events that arrive before it."""
        self._calls += 1
        self._socket.send(json.dumps({"id": self._calls, "method": method, "params": parameters}).encode())
        while True:
            message: dict[str, Any] = self._socket.message()
            if message.get("id") == self._calls:
                assert message["type"] == "success", f"{method}: {message}"
                return message["result"]
            if message.get("method") == "log.entryAdded" and message["params"]["level"] in ("error", "warn"):
                self._errors.append(message["params"]["text"])


def _shrink_toolbar(home: Path) -> None:
    """Let the window be as narrow as a phone: MiniBrowser's toolbar has a minimum width."""
    style = home / "config" / "gtk-3.0" / "gtk.css"
    style.parent.mkdir(parents=True)
    none = "min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px;"
    style.write_text(f"toolbar, toolbar *, headerbar, headerbar *, entry, button {{ {none} }}\n")


def _find(program: str) -> str:
    path = shutil.which(program)
    assert path is not None, program
    return path


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _end(process: "subprocess.Popen[Any]") -> None:
    process.terminate()
    process.wait(timeout=TIMEOUT)
    process_guard.forget(process)
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
