"""Browsers of other engines, driven as their makers meant it: WebKit by WebDriver, Firefox by WebDriver BiDi."""

import asyncio
import base64
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Protocol, TypeVar

from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from support import process_guard

PATIENCE = 60.0
Answer = TypeVar("Answer")
Actions = list[dict[str, Any]]  # input sources as both protocols know them

# the console and what goes wrong unheard; the page moves on by itself, so this stays for a whole game
_LISTEN = """window.__said = [];
for (const level of ["error", "warn"]) {
  const say = console[level];
  console[level] = (...words) => { window.__said.push(words.join(" ")); say.apply(console, words); };
}
addEventListener("error", ({ message }) => window.__said.push(message));
addEventListener("unhandledrejection", ({ reason }) => window.__said.push(String(reason)));
addEventListener("securitypolicyviolation", ({ violatedDirective }) => window.__said.push(violatedDirective));"""


class Engine(Protocol):
    """A browser with one page."""

    def resize(self, width: int, height: int) -> None: ...
    def open(self, url: str) -> None: ...
    def run(self, script: str) -> Any:
        """What the body of a function returns in the page."""
        ...

    def act(self, actions: Actions) -> None:
        """Fingers and keys."""
        ...

    def errors(self) -> list[str]:
        """What the console has complained of since the page was opened."""
        ...

    def picture(self, file: Path) -> None: ...
    def close(self) -> None: ...


class WebKit:
    """WebKitGTK's MiniBrowser on a screen of its own, which nobody sees."""

    def __init__(self, browser: str, home: Path) -> None:
        _slim(home)
        self._screen = subprocess.Popen(
            [_found("Xvfb"), "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._screen.stdout is not None
        display = f":{self._screen.stdout.readline().strip()}"
        port = _free_port()
        folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "CACHE", "DATA")}
        alone = {"DISPLAY": display, "NO_AT_BRIDGE": "1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        self._driver = subprocess.Popen(
            [_found("WebKitWebDriver"), f"--port={port}"],
            env={**os.environ, **folders, **alone},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        process_guard.hold(self._screen)
        process_guard.hold(self._driver)
        self._address = f"http://127.0.0.1:{port}"
        self._until_ready()
        wanted = {"webkitgtk:browserOptions": {"binary": browser, "args": ["--automation"]}}
        session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._address += f"/session/{session['sessionId']}"

    def resize(self, width: int, height: int) -> None:
        self._ask("POST", "/window/rect", {"x": 0, "y": 0, "width": width, "height": height})
        frame = height - int(self.run("return innerHeight"))
        self._ask("POST", "/window/rect", {"x": 0, "y": 0, "width": width, "height": height + frame})

    def open(self, url: str) -> None:
        self._ask("POST", "/url", {"url": url})
        self.run(_LISTEN)

    def run(self, script: str) -> Any:
        return self._ask("POST", "/execute/sync", {"script": script, "args": []})

    def act(self, actions: Actions) -> None:
        self._ask("POST", "/actions", {"actions": actions})

    def errors(self) -> list[str]:
        said: list[str] = self.run("return window.__said")
        return said

    def picture(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self._ask("GET", "/screenshot")))

    def close(self) -> None:
        try:
            self._ask("DELETE", "")
        finally:
            for process in (self._driver, self._screen):
                process.terminate()
                process.wait(timeout=20)
                process_guard.let_go(process)
            assert self._screen.stdout is not None
            self._screen.stdout.close()

    def _until_ready(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self._ask("GET", "/status")
                return
            except OSError:
                assert self._driver.poll() is None, "WebKitWebDriver does not start"
                assert time.monotonic() < deadline
                time.sleep(0.05)

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310
            self._address + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {error.read().decode()[:600]}") from error


def _slim(home: Path) -> None:
    """MiniBrowser's own buttons would not let a window be as narrow as a phone."""
    style = home / "config" / "gtk-3.0" / "gtk.css"
    style.parent.mkdir(parents=True)
    none = "min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px;"
    style.write_text(f"toolbar, toolbar *, headerbar, headerbar *, entry, button {{ {none} }}\n")


def _found(program: str) -> str:
    path = shutil.which(program)
    assert path is not None, program
    return path


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Firefox:
    """Firefox without a window. Its protocol is asynchronous, so it has a thread to itself."""

    _QUIET = (
        "app.update.enabled app.normandy.enabled datareporting.policy.dataSubmissionEnabled "
        "network.captive-portal-service.enabled browser.shell.checkDefaultBrowser "
        "network.connectivity-service.enabled services.settings.enabled"
    )

    def __init__(self, browser: str, home: Path) -> None:
        settings = [f'user_pref("{name}", false);' for name in self._QUIET.split()]
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
        process_guard.hold(self._browser)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._line: _Line = self._wait(_connected(self._heard_address()))
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._page = self._ask("browsingContext.create", type="tab")["context"]  # the first tab lacks the focus

    def resize(self, width: int, height: int) -> None:
        self._ask("browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height})

    def open(self, url: str) -> None:
        self._line.complaints.clear()
        self._ask("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def run(self, script: str) -> Any:
        body = f"JSON.stringify((() => {{ {script} }})() ?? null)"
        answer = self._ask("script.evaluate", expression=body, target={"context": self._page}, awaitPromise=False)
        assert answer["type"] == "success", answer
        return json.loads(answer["result"]["value"])

    def act(self, actions: Actions) -> None:
        self._ask("input.performActions", context=self._page, actions=actions)

    def errors(self) -> list[str]:
        return list(self._line.complaints)

    def picture(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self._ask("browsingContext.captureScreenshot", context=self._page)["data"]))

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._line.transport.disconnect)
        self._browser.terminate()
        self._browser.wait(timeout=30)
        process_guard.let_go(self._browser)
        assert self._browser.stderr is not None
        self._browser.stderr.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=20)
        self._loop.close()

    def _heard_address(self) -> str:
        assert self._browser.stderr is not None
        for line in self._browser.stderr:
            found = re.search(r"WebDriver BiDi listening on (ws://\S+)", line)
            if found:
                return found[1] + "/session"
        raise AssertionError("Firefox does not start")

    def _ask(self, method: str, **parameters: Any) -> Any:
        return self._wait(self._line.ask(method, parameters))

    def _wait(self, asked: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run_coroutine_threadsafe(asked, self._loop).result(PATIENCE)


class _Line(WSListener):
    """One socket: numbered questions and their answers, and in between what the console says."""

    def __init__(self) -> None:
        self.complaints: list[str] = []
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._asked = 0
        self._part = b""

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, _transport: WSTransport, frame: WSFrame) -> None:
        self._part += frame.get_payload_as_bytes()
        if not frame.fin:
            return
        message, self._part = json.loads(self._part), b""
        if message.get("id") in self._waiting:
            self._waiting.pop(message["id"]).set_result(message)
        elif message.get("method") == "log.entryAdded" and message["params"]["level"] in ("error", "warn"):
            self.complaints.append(message["params"]["text"])

    async def ask(self, method: str, parameters: dict[str, Any]) -> Any:
        self._asked += 1
        answer = self._waiting[self._asked] = asyncio.get_running_loop().create_future()
        message = {"id": self._asked, "method": method, "params": parameters}
        self.transport.send(WSMsgType.TEXT, json.dumps(message).encode())
        told = await answer
        if told["type"] == "error":
            raise RuntimeError(f"{method}: {told['error']}: {told['message'][:600]}")
        return told["result"]


async def _connected(address: str) -> _Line:
    _, line = await ws_connect(_Line, address)
    assert isinstance(line, _Line)
    return line
