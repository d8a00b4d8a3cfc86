"""Close the page that holds a table while guests send commands, and open it again, many times (`make test-peers`).

`python tools/kill_host.py [20]` fails if an acknowledged command is lost or doubled, or guests wait longer than 5 s.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]

import browser  # noqa: E402
from support.browser_guest import PHONE, BrowserGuest  # noqa: E402
from support.scripts import call, load  # noqa: E402
from support.static_host import BASE, RENDEZVOUS, RendezvousProcess, plain_host  # noqa: E402

NAMES = ("Ben", "Cem", "Dora")
MOST_SECONDS = 5.0
MOST_PAUSE = 40  # ms between the commands and the end of the page
_SEND = """(id) => window.channel.send(JSON.stringify({ id, do: "emote", emote: "hello" }))"""
_ACKNOWLEDGED = (
    """() => window.received.flatMap((data) => [...data.matchAll(/"ack":"(kill[^"]*)"/g)].map(([, id]) => id))"""
)


def main() -> int:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with tempfile.TemporaryDirectory() as folder:
        out = ["--base", BASE, "--out", folder + BASE, "--rendezvous", RENDEZVOUS]
        subprocess.run([sys.executable, str(ROOT / "tools/site.py"), *out], check=True)
        rendezvous = RendezvousProcess()
        try:
            with plain_host(Path(folder), rendezvous.url) as (url, _):
                return run_series(url, rendezvous.url, times)
        finally:
            rendezvous.stop()


def run_series(url: str, rendezvous: str, times: int) -> int:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser.chromium(), args=browser.ARGUMENTS)
        ada, *guests = (BrowserGuest(chromium, url, PHONE, allow_errors=True, also=rendezvous) for _ in range(4))
        ada.open("/")
        ada.page.locator("[data-new]").click()
        ada.chairs(1)
        link = ada.page.url
        for guest, name in zip(guests, NAMES, strict=True):
            guest.page.add_init_script(call("recordChannel"))
            guest.page.goto(link)
            guest.page.locator("#name").fill(name)
            guest.page.locator("form .button.act").click()
            guest.page.locator("[data-chair].yours").wait_for()
        took = [kill(ada, guests, link, number) for number in range(times)]
        lost = count_lost(ada.page, guests, link)
        chromium.close()
    late = sum(seconds > MOST_SECONDS for seconds in took)
    print(f"{times} times, {lost} acknowledged commands lost or doubled, {late} times longer than {MOST_SECONDS:g} s")
    median, busy = sorted(took)[times // 2], os.getloadavg()[0]
    print(f"guests waited {median:.1f} s (median), at most {max(took):.1f} s; load of the machine {busy:.0f}")
    return 1 if lost or late else 0


def kill(ada: BrowserGuest, guests: list[BrowserGuest], link: str, number: int) -> float:
    """End the host's page in the middle of commands. Return how long the slowest guest waits for a new state."""
    for guest in guests:
        guest.page.evaluate(_SEND, f"kill{number}.{guests.index(guest)}")
    ada.page.wait_for_timeout(random.uniform(0, MOST_PAUSE))
    ada.page.close()
    began = time.monotonic()
    counts = [guest.page.evaluate("() => window.received.length") for guest in guests]
    ada.page = ada.tab()
    ada.page.goto(link)
    for guest, count in zip(guests, counts, strict=True):
        guest.page.wait_for_function("count => window.received.length > count", arg=count)
    return time.monotonic() - began


def count_lost(page: Page, guests: list[BrowserGuest], link: str) -> int:
    """Compare the commands that guests know to be done with the log."""
    log: list[dict[str, Any]] = page.evaluate(load("readLog"), link.partition("#")[2].partition(".")[0])
    stored = [row["command"] for row in log]
    acknowledged = {id_ for guest in guests for id_ in guest.page.evaluate(_ACKNOWLEDGED)}
    print(f"{len(acknowledged)} commands were acknowledged")
    return sum(sum(command.endswith(id_) for command in stored) != 1 for id_ in acknowledged)


if __name__ == "__main__":
    sys.exit(main())
