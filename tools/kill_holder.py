"""Close the page that holds a table while guests send commands, many times (`make test-peers`).

`python tools/kill_holder.py [20]`: every other time the page is opened again at once, and guests wait for it; else it
stays away until its successor goes on, after ten seconds. It fails if an acknowledged command is lost or doubled, or
guests wait 5 s longer than that.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]

from local_server import local_browser  # noqa: E402
from support.browser_guest import PHONE, BrowserGuest  # noqa: E402
from support.friends import code_of, term  # noqa: E402
from support.scripts import call, load  # noqa: E402
from support.static_host import BASE, RENDEZVOUS, RendezvousProcess, plain_host  # noqa: E402

NAMES = ("Ben", "Cem", "Dora")
MOST_SECONDS = 5.0
VANISHED_SECONDS = 10.0
MOST_PAUSE = 40  # ms between the commands and the end of the page
INTRODUCTIONS = 1500  # ms until guests are connected to a new successor
_SEND = """(id) => window.sendFrame(JSON.stringify({ id, do: "emote", emote: "hello" }))"""
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
    with local_browser() as chromium:
        options: dict[str, Any] = {"allow_errors": True, "also": rendezvous, "service_workers": "allow"}
        people = [BrowserGuest(chromium, url, PHONE, **options) for _ in range(4)]
        ada, *guests = people
        ada.page.add_init_script(call("recordChannel"))
        ada.open_lobby()
        link = ada.page.url
        for guest, name in zip(guests, NAMES, strict=True):
            guest.page.add_init_script(call("recordChannel"))
            guest.page.goto(link)
            guest.sit(name)
        took, acknowledged = [], set[str]()
        for number in range(times):
            took.append(kill(people, link, number, acknowledged))
            print(f"{number + 1}: {took[-1]:.1f} s", flush=True)
        lost = count_lost(people, link, acknowledged)
    late = sum(seconds > MOST_SECONDS for seconds in took)
    print(f"{times} times, {lost} acknowledged commands lost or doubled, {late} times longer than {MOST_SECONDS:g} s")
    median, busy = sorted(took)[times // 2], os.getloadavg()[0]
    print(f"guests waited {median:.1f} s (median), at most {max(took):.1f} s; load of the machine {busy:.0f}")
    return 1 if lost or late else 0


def holder(people: list[BrowserGuest], link: str) -> BrowserGuest | None:
    """Return who holds the table, if all are connected and another device could go on."""
    terms = [term(one, code_of(link)) for one in people]
    agreed = len({one["generation"] for one in terms}) == 1 and terms[0]["successor"] and len(terms[0]["voters"]) == 4
    return next(
        (one for one, seen in zip(people, terms, strict=True) if agreed and seen["holder"] == seen["self"]), None
    )


def find_holder(people: list[BrowserGuest], link: str) -> BrowserGuest:
    """Wait until all are connected, and return who holds the table."""
    try:
        people[0].until(lambda: holder(people, link) is not None)
    except AssertionError:
        for one in people:
            print(one.text()[:60].replace("\n", " | "), term(one, code_of(link)))
        raise
    found = holder(people, link)
    assert found is not None
    return found


def kill(people: list[BrowserGuest], link: str, number: int, acknowledged: set[str]) -> float:
    """End the holder's page in the middle of commands. Return how long the slowest guest waits for a new state."""
    one = find_holder(people, link)
    guests = [guest for guest in people if guest is not one]
    one.page.wait_for_timeout(INTRODUCTIONS)
    for guest in guests:
        guest.page.evaluate(_SEND, f"kill{number}.{people.index(guest)}")
    one.page.wait_for_timeout(random.uniform(0, MOST_PAUSE))
    acknowledged.update(one.page.evaluate(_ACKNOWLEDGED))
    one.page.close()
    began = time.monotonic()
    for guest in guests:
        guest.page.evaluate("() => void window.received.push('killed')")
    one.page = one.tab()
    one.page.add_init_script(call("recordChannel"))
    away = number % 2 == 1
    if not away:
        one.page.goto(link)
    for guest in guests:
        guest.until(lambda guest=guest: goes_on(guest, link))  # type: ignore[misc]
    took = time.monotonic() - began
    if away:
        one.page.goto(link)
    one.until(lambda: one.page.locator("[data-chair].yours").count() > 0)  # or it says what the page shows
    for guest in guests:
        acknowledged.update(guest.page.evaluate(_ACKNOWLEDGED))
    return max(0.0, took - VANISHED_SECONDS) if away else took


def goes_on(guest: BrowserGuest, link: str) -> bool:
    """Return whether a guest has a new state of the table, or holds it."""
    seen = term(guest, link)
    if seen["holder"] == seen["self"]:
        return guest.page.locator("[data-chair].yours").count() > 0 and not guest.page.locator(".over").count()
    return bool(guest.page.evaluate("() => window.received.at(-1) !== 'killed'"))


def count_lost(people: list[BrowserGuest], link: str, acknowledged: set[str]) -> int:
    """Compare the commands that guests know to be done with the log of the device that holds the table."""
    one = find_holder(people, link)
    log: list[dict[str, Any]] = one.page.evaluate(load("readLog"), code_of(link))
    stored = [row["command"] for row in log]
    print(f"{len(acknowledged)} commands were acknowledged")
    return sum(sum(command.endswith(id_) for command in stored) != 1 for id_ in acknowledged)


if __name__ == "__main__":
    sys.exit(main())
