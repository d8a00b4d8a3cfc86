"""Measure a table in one browser with seven guests over WebRTC: time to join, and from a command to its answer.

`python bench/peers.py` prints a table for docs/benchmarks.md. Every command is appended to the host's log and sent to
all guests.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]

import browser  # noqa: E402
from support.browser_guest import PHONE, BrowserGuest  # noqa: E402
from support.scripts import call  # noqa: E402
from support.static_host import BASE, RENDEZVOUS, RendezvousProcess, plain_host  # noqa: E402

GUESTS = 7
COMMANDS = 20  # of each guest
MOST_MS = 50.0
_ROUND_TRIP = """(id) => new Promise((resolve) => {
  const began = performance.now();
  const receive = ({ data }) => data.includes(`"ack":"${id}"`) && resolve(performance.now() - began);
  window.channel.addEventListener("message", receive);
  window.channel.send(JSON.stringify({ id, do: "emote", emote: "hello" }));
})"""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        out = ["--base", BASE, "--out", folder + BASE, "--rendezvous", RENDEZVOUS]
        subprocess.run([sys.executable, str(ROOT / "tools/site.py"), *out], check=True)  # noqa: S603
        rendezvous = RendezvousProcess()
        try:
            with plain_host(Path(folder), rendezvous.url) as (url, _):
                return measure(url, rendezvous.url)
        finally:
            rendezvous.stop()


def measure(url: str, rendezvous: str) -> int:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser.chromium(), args=browser.ARGUMENTS)
        people = [BrowserGuest(chromium, url, PHONE, also=rendezvous) for _ in range(GUESTS + 1)]
        host, guests = people[0], people[1:]
        host.open("/")
        host.page.locator("[data-new]").click()
        host.chairs(1)
        joined = [join(guest, host.page.url, f"Guest {number}") for number, guest in enumerate(guests, 1)]
        times = sorted(
            guest.page.evaluate(_ROUND_TRIP, f"{seat}.{number}")
            for number in range(COMMANDS)
            for seat, guest in enumerate(guests)
        )
        chromium.close()
    p50, p95 = statistics.median(times), times[int(len(times) * 0.95)]
    print(
        "| guests | to join, median | command, p50 | p95 | slowest | load of the machine |\n|---|---|---|---|---|---|"
    )
    row = f"| {GUESTS} | {statistics.median(joined):.2f} s | {p50:.1f} ms | {p95:.1f} ms | {times[-1]:.1f} ms |"
    print(f"{row} {os.getloadavg()[0]:.0f} |")
    return 0 if p95 <= MOST_MS else 1


def join(guest: BrowserGuest, link: str, name: str) -> float:
    """Take a seat and return the seconds from the link to the lobby."""
    guest.page.add_init_script(call("recordChannel"))
    began = time.monotonic()
    guest.page.goto(link)
    guest.page.locator("#name").fill(name)
    took = time.monotonic() - began
    guest.page.locator("form .button.act").click()
    guest.page.locator("[data-chair].yours").wait_for()
    return took


if __name__ == "__main__":
    sys.exit(main())
