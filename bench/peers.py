"""Measure a table in one browser with seven guests over WebRTC, beside the same table on a server of this machine.

`python bench/peers.py [commands of each guest]` prints tables for docs/benchmarks.md: the time from a command to its
answer, the processor time and memory of the page that holds the table, and those of a guest. Every command is appended
to the log of the host and of its successor, and sent to all guests. All pages share the cores of this machine, so the
server with as many pages is the measure of what the pages themselves cost.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]

from local_server import local_browser  # noqa: E402
from machine import cpu_seconds, describe_run, process_tree, settled_megabytes, thread_seconds  # noqa: E402
from support.browser_guest import PHONE, BrowserGuest  # noqa: E402
from support.scripts import call  # noqa: E402
from support.server_process import running_server  # noqa: E402
from support.static_host import BASE, RENDEZVOUS, RendezvousProcess, plain_host  # noqa: E402

GUESTS = 7
TURNS = 5  # in which the two tables take turns
COMMANDS = 4  # of each guest in a turn
BUBBLE_SECONDS = 4  # until pages have drawn everything about the turn before
MOST_MS = 50.0
WORKER = "DedicatedWorker"  # how Chromium names the thread
_BUSY = "() => { for (const end = performance.now() + 400; performance.now() < end; ); }"
_SUCCESSOR = "(code) => JSON.parse(localStorage.getItem(`notahat.peers.${code}`)).vote.term.successor"
_SELF = "(code) => JSON.parse(localStorage.getItem('notahat.peers'))[code].device"
_ROUND_TRIP = """(id) => new Promise((resolve) => {
  const { channel } = window;
  const began = performance.now();
  const receive = ({ data }) => {
    if (!data.includes(`"ack":"${id}"`)) return;
    channel.removeEventListener("message", receive);
    resolve(performance.now() - began);
  };
  channel.addEventListener("message", receive);
  window.sendFrame(JSON.stringify({ id, do: "emote", emote: "hello" }));
})"""
_RECORD_SOCKET = """window.WebSocket = class extends WebSocket {
  constructor(...options) { super(...options); window.channel = this; window.sendFrame = (frame) => this.send(frame); }
};"""


class Table:
    """A table with seven guests, and what its commands have cost."""

    def __init__(self, host: BrowserGuest, guests: list[BrowserGuest]) -> None:
        self.host = host
        self.guests = guests
        self.times: list[float] = []
        self.medians: list[float] = []

    def send_commands(self, turn: int, commands: int) -> None:
        """Let each guest in turn send commands, one after the other, when nothing else moves any more."""
        time.sleep(BUBBLE_SECONDS)
        times = [
            float(guest.page.evaluate(_ROUND_TRIP, f"{turn}.{seat}.{number}"))
            for number in range(commands)
            for seat, guest in enumerate(self.guests)
        ]
        self.times += times
        self.medians.append(statistics.median(times))

    @property
    def row(self) -> str:
        times = sorted(self.times)
        figures = [statistics.median(times), times[int(len(times) * 0.95)], times[-1]]
        return " | ".join(f"{one:.1f} ms" for one in figures)

    @property
    def p95(self) -> float:
        return sorted(self.times)[int(len(self.times) * 0.95)]


def main() -> int:
    commands = int(sys.argv[1]) if len(sys.argv) > 1 else COMMANDS
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder)) as (site, rendezvous):
        data = Path(folder) / "data"
        data.mkdir()
        with running_server(data, pace=1.0, coverage=False) as server, local_browser() as chromium:
            missed = measure(chromium, (site, rendezvous, server.url), commands)
    print(f"\n{describe_run(peers=False)}")
    return 1 if missed else 0


@contextmanager
def running_site(folder: Path) -> Iterator[tuple[str, str]]:
    """Build the static site and serve it, with a rendezvous."""
    out = ["--base", BASE, "--out", f"{folder}{BASE}", "--rendezvous", RENDEZVOUS]
    subprocess.run([sys.executable, str(ROOT / "tools/site.py"), *out], check=True)  # noqa: S603
    rendezvous = RendezvousProcess()
    try:
        with plain_host(folder, rendezvous.url) as (url, _):
            yield url, rendezvous.url
    finally:
        rendezvous.stop()


def measure(chromium: Browser, urls: tuple[str, str, str], commands: int) -> bool:
    """Print the tables. Return whether commands take too long."""
    site, rendezvous, server = urls
    people = [BrowserGuest(chromium, site, PHONE, also=rendezvous, service_workers="allow") for _ in range(GUESTS + 1)]
    host, guests = people[0], people[1:]
    host.open()
    host_process = process_of(host)
    page_alone = settled_megabytes(host_process)
    host.set_name("Ada")
    host.page.locator("[data-new]").click()
    host.chairs(1)
    link = host.page.url
    table_alone = settled_megabytes(host_process)
    joined = [join(guest, link, f"Guest {number}") for number, guest in enumerate(guests, 1)]
    successor = find_successor(host, guests, link)
    guest = next(one for one in guests if one is not successor)
    roles = {"host": host_process, "successor": process_of(successor), "guest": process_of(guest)}
    peers, remote = Table(host, guests), remote_table(chromium, server)
    remote_guest = process_of(remote.guests[-1])
    used = dict.fromkeys([*roles, "worker", "guest of the server"], 0.0)
    for turn in range(TURNS):
        remote_before = cpu_seconds(remote_guest)
        remote.send_commands(turn, commands)
        used["guest of the server"] += cpu_seconds(remote_guest) - remote_before
        before = {role: cpu_seconds(pid) for role, pid in roles.items()}
        worker_before = thread_seconds(host_process, WORKER)
        peers.send_commands(turn, commands)
        used["worker"] += thread_seconds(host_process, WORKER) - worker_before
        for role, pid in roles.items():
            used[role] += cpu_seconds(pid) - before[role]
    ratio = statistics.median(a / b for a, b in zip(peers.medians, remote.medians, strict=True))
    print("| table | to join, median | command, p50 | p95 | slowest |\n|---|---|---|---|---|")
    print(f"| in the browser of a player, {GUESTS} guests | {statistics.median(joined):.2f} s | {peers.row} |")
    print(f"| on a server of the same machine, {GUESTS} guests | | {remote.row} |")
    print(f"\nratio of the medians of {TURNS} turns: {ratio:.1f}\n")
    count = TURNS * commands * GUESTS
    per = {role: f"{seconds / count * 1000:.1f} ms" for role, seconds in used.items()}
    memory = {role: settled_megabytes(pid) for role, pid in roles.items()}
    print("| page | CPU time per command | memory |\n|---|---|---|")
    print(f"| start page alone | | {page_alone:.0f} MB |")
    print(f"| holder, no guest yet | | {table_alone:.0f} MB |")
    print(f"| holder, {GUESTS} guests | {per['host']}, of it {per['worker']} in the worker | {memory['host']:.0f} MB |")
    print(f"| successor | {per['successor']} | {memory['successor']:.0f} MB |")
    print(f"| guest | {per['guest']} | {memory['guest']:.0f} MB |")
    print(f"| guest of a server | {per['guest of the server']} | |")
    return peers.p95 > MOST_MS


def remote_table(chromium: Browser, url: str) -> Table:
    """Open a table on the server with as many guests."""
    host = BrowserGuest(chromium, url, PHONE, service_workers="allow")
    code = host.new_table("Host")
    guests = [BrowserGuest(chromium, url, PHONE, service_workers="allow") for _ in range(GUESTS)]
    for number, guest in enumerate(guests, 1):
        guest.page.add_init_script(_RECORD_SOCKET)
        guest.join(code, f"Guest {number}")
    return Table(host, guests)


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


def process_of(guest: BrowserGuest) -> int:
    """Return the process of a page: the one that works while the page is kept busy."""
    before = {pid: cpu_seconds(pid) for pid in process_tree(os.getpid())}
    guest.page.evaluate(_BUSY)
    return max(before, key=lambda pid: cpu_seconds(pid) - before[pid])


def find_successor(host: BrowserGuest, guests: list[BrowserGuest], link: str) -> BrowserGuest:
    """Wait until a guest keeps a copy of the log, and return it."""
    code = link.partition("#")[2].partition(".")[0]
    host.until(lambda: host.page.evaluate(_SUCCESSOR, code) is not None)
    successor = host.page.evaluate(_SUCCESSOR, code)
    return next(guest for guest in guests if guest.page.evaluate(_SELF, code) == successor)


if __name__ == "__main__":
    sys.exit(main())
