"""The pocket in each engine that is here: how long it takes to take it along and to start from the cache, for
the first time and later; how long a move takes with five computer players at the table, and how much memory that is.

`python bench/pocket.py [Chromium] [Firefox] [WebKit]` prints a table. A busy machine is a slow one.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]

import browser  # noqa: E402
import engines  # noqa: E402
from support.input import until  # noqa: E402
from support.server_process import served  # noqa: E402
from support.webdriver import Firefox, WebKit  # noqa: E402

STARTS = 4
MOVES = 100
PATIENCE = 120.0
FASTER = 2000  # nobody is waited for
TARGETS = {"Chromium": 3.5, "Firefox": 3.5, "WebKit": 7.0}
MOST_MS, MOST_MB = 50.0, 200.0
KB_OF_A_MB = 1000
SHORTEST_REST, LONGEST_REST = 4, 20  # seconds
A_LITTLE = 3.0  # MB

_TAKE = "document.querySelector('[data-along=offered]')?.click();"
_OFFERED = "return document.querySelector('[data-along=offered]') !== null"
_TAKEN = "return document.querySelector('[data-along=here]') !== null"
# starts the worker that the page itself would start, and plays a round against five computer players through it
_PLAY = """window.__done = null;
(async () => {
  const kept = await caches.open("notahat / pocket");
  const { packs } = await (await kept.match("/pocket/taken.json")).json();
  const [python, game] = packs.map(({ file }) => `${location.origin}/pocket/${file.replace(".pack", "")}/`);
  const began = performance.now();
  const worker = new Worker("%(worker)s", { type: "module" });
  const post = (message) => worker.postMessage(message);
  const asked = new Map(), took = [];
  let started = 0, count = 0, turn = -1;
  const order = (command) => {
    const id = `o${count++}`;
    asked.set(id, performance.now());
    post({ to: "frame", line: "me", frame: JSON.stringify({ id, ...command }) });
  };
  const bots = Array.from({ length: 5 }, () => ({ do: "add_bot", level: "regular" }));
  const plan = [{ do: "sit", name: "Ada" }, ...bots, { do: "start" }];
  let view, may;
  worker.onmessage = ({ data }) => {
    if (data.from === "ready") {
      started = performance.now() - began;
      const options = JSON.stringify({ patience_seconds: 0, show_seconds: 0 });
      if (%(play)s) post({ to: "ask", id: 1, ask: { what: "open", options, day: "" } });
      else finish();
    } else if (data.from === "broken") window.__done = { broken: data.why };
    else if (data.from === "answer") post({ to: "line", line: "me", code: JSON.parse(data.body).code });
    else if (data.from === "frame") heard(JSON.parse(data.frame));
  };
  function heard(said) {
    if (said.ack) took.push([performance.now() - asked.get(said.ack), view?.round ? "move" : "seat"]);
    const round = said.changed?.round ?? (view?.round && { ...view.round, ...said.round });
    view = said.view ?? { ...view, ...said.changed, round };
    may = said.may ?? may;
    if (view.stage === "over") return again();
    if (plan.length && (said.ack || count === 0)) return order(plan.shift());
    const next = may.find(({ do: what }) => what === "draw" || what === "give" || what === "accept");
    if (!next || !view.round || view.round.turn === turn) return;
    turn = view.round.turn;
    const refuses = next.do === "accept" && turn > 60;
    const words = next.do === "give" ? { claim: "umbrella", to: next.to[0] } : {};
    order({ do: refuses ? "refuse" : next.do, turn, ...words });
  }
  function again() {
    if (took.length >= %(moves)d) return finish();
    if (turn >= 0) order({ do: "again", deal: true });
    turn = -1;
  }
  function finish() {
    window.__worker = worker;
    window.__done = { started, took: took.filter(([, kind]) => kind === "move").map(([ms]) => ms) };
  }
  post({ to: "start", python, game, pace: %(pace)d });
})().catch((error) => { window.__done = { broken: String(error) }; });"""
_END = "window.__worker.terminate();"


class Chromium:
    """A page of Playwright's, as the other engines have theirs."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def open(self, url: str) -> None:
        self._page.goto(url)

    def run(self, script: str) -> Any:
        return self._page.evaluate(f"() => {{ {script} }}")


@contextmanager
def opened(name: str, home: Path) -> Iterator[Any]:
    if name == "Chromium":
        with sync_playwright() as playwright:
            one = playwright.chromium.launch(executable_path=browser.chromium(), args=browser.ARGUMENTS)
            yield Chromium(one.new_page())
            one.close()
        return
    home.mkdir()
    path = engines.webkit() if name == "WebKit" else engines.firefox()
    assert path is not None
    engine = WebKit(path, home) if name == "WebKit" else Firefox(path, home)
    yield engine
    engine.close()


def megabytes(home: Path) -> float:
    """What the engine holds, each of its processes its share of what they have in common."""
    return sum(_share(pid) for pid in processes(home)) / KB_OF_A_MB


def settled(home: Path) -> float:
    """What it holds once it gives nothing back any more of what a page before had."""
    held = [megabytes(home)]
    while len(held) < LONGEST_REST and (len(held) < SHORTEST_REST or held[-1] < held[-SHORTEST_REST] - A_LITTLE):
        time.sleep(1)
        held.append(megabytes(home))
    return held[-1]


def worked(home: Path) -> float:
    """Seconds that the engine's processes have worked: these depend less on what else the machine does."""
    return sum(_ticks(pid) for pid in processes(home)) / os.sysconf("SC_CLK_TCK")


def processes(home: Path) -> set[int]:
    """All that were started here or live there."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    ours = {os.getpid(), *(pid for pid in parents if _lives(pid, home))}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return ours - {os.getpid()}


def _lives(pid: int, home: Path) -> bool:
    try:
        return bytes(home) in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False


def _ticks(pid: int) -> int:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return sum(int(ticks) for ticks in stat.rpartition(")")[2].split()[11:13])


def _share(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def measured(name: str, url: str, home: Path) -> dict[str, float]:
    (worker,) = (ROOT / "src/notahat/server/static/assets").glob("worker-*.js")
    starts: list[float] = []
    work: list[float] = []
    grown: list[float] = []
    took: list[float] = []
    with opened(name, home) as engine:
        engine.open(url)
        until(lambda: engine.run(_OFFERED), "no offer", PATIENCE)
        began = time.monotonic()
        engine.run(_TAKE)
        until(lambda: engine.run(_TAKEN), "not in the pocket", PATIENCE)
        taking = time.monotonic() - began
        engine.open(url)  # and with the page its own worker ends, which made Python's memory
        for number in range(STARTS):
            until(lambda: engine.run(_TAKEN), "not in the pocket", PATIENCE)
            before, rested = settled(home), worked(home)
            play = json.dumps(number == 1)
            engine.run(_PLAY % {"worker": f"/assets/{worker.name}", "play": play, "pace": FASTER, "moves": MOVES})
            done = until(lambda: engine.run("return window.__done"), "it does not end", PATIENCE)
            assert "broken" not in done, done
            starts.append(done["started"] / 1000)
            work.append(worked(home) - rested)
            grown.append(megabytes(home) - before)
            took += done["took"]
            engine.run(_END)
            engine.open(url)
    took.sort()
    return {
        "taking along": taking,
        "first start": starts[0],
        "start": statistics.median(starts[1:]),
        "slowest": max(starts[1:]),
        "worked s": statistics.median(work[2:]),  # the second one is played with
        "moves": len(took),
        "p95 ms": took[int(0.95 * (len(took) - 1))],
        "first MB": grown[0],
        "MB": grown[1],
    }


def main() -> int:
    wanted = sys.argv[1:] or ["Chromium", *engines.here()]
    missed = 0
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), measured=False) as site:
        for name in wanted:
            got = measured(name, site.url, Path(folder) / name)
            slowest = max(got["first start"], got["start"])
            good = slowest <= TARGETS[name] and got["p95 ms"] <= MOST_MS and got["MB"] <= MOST_MB
            missed += not good
            figures = " · ".join(f"{what} {value:.2f}" for what, value in got.items())
            print(f"{name:9} {figures}{'' if good else '  (missed)'}", flush=True)
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
