"""Measure the pocket edition in each installed engine: installation, starts, moves with five computer players, memory.

`python bench/pocket.py [Chromium] [Firefox] [WebKit]` prints a table.
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
from processes import cpu_seconds, megabytes, processes, settled_megabytes  # noqa: E402
from support.input import until  # noqa: E402
from support.server_process import running_server  # noqa: E402
from support.webdriver import Firefox, WebKit  # noqa: E402

STARTS = 4
MOVES = 100
TIMEOUT = 120.0
PACE = 2000  # no pauses
TARGETS = {"Chromium": 3.5, "Firefox": 3.5, "WebKit": 7.0}
MOST_MS, MOST_MB = 50.0, 200.0

_INSTALL = "document.querySelector('[data-along=offered]')?.click();"
_OFFERED = "return document.querySelector('[data-along=offered]') !== null"
_INSTALLED = "return document.querySelector('[data-along=here]') !== null"
# start the page's worker and play rounds against five computer players through it
_PLAY = """window.__done = null;
(async () => {
  const cache = await caches.open("notahat / pocket");
  const { packs } = await (await cache.match("/pocket/taken.json")).json();
  const [python, game] = packs.map(({ file }) => `${location.origin}/pocket/${file.replace(".pack", "")}/`);
  const began = performance.now();
  const worker = new Worker("%(worker)s", { type: "module" });
  const post = (message) => worker.postMessage(message);
  const sentAt = new Map(), took = [];
  let started = 0, count = 0, turn = -1;
  const send = (command) => {
    const id = `o${count++}`;
    sentAt.set(id, performance.now());
    post({ to: "frame", connection: "me", frame: JSON.stringify({ id, ...command }) });
  };
  const bots = Array.from({ length: 5 }, () => ({ do: "add_bot", level: "regular" }));
  const plan = [{ do: "sit", name: "Ada" }, ...bots, { do: "start" }];
  let view, may;
  worker.onmessage = ({ data }) => {
    if (data.from === "ready") {
      started = performance.now() - began;
      const options = JSON.stringify({ patience_seconds: 0, show_seconds: 0 });
      if (%(play)s) post({ to: "request", id: 1, request: { what: "open", options, day: "" } });
      else finish();
    } else if (data.from === "failed") window.__done = { error: data.error };
    else if (data.from === "response") post({ to: "connect", connection: "me", code: JSON.parse(data.body).code });
    else if (data.from === "frames") for (const { frame } of data.frames) receive(JSON.parse(frame));
  };
  function receive(message) {
    if (message.ack) took.push([performance.now() - sentAt.get(message.ack), view?.round ? "move" : "seat"]);
    const round = message.changed?.round ?? (view?.round && { ...view.round, ...message.round });
    view = message.view ?? { ...view, ...message.changed, round };
    may = message.may ?? may;
    if (view.stage === "over") return playAgain();
    if (plan.length && (message.ack || count === 0)) return send(plan.shift());
    const unready = may.find(({ do: what }) => what === "ready");
    if (unready && message.happened) return send({ do: "ready", seat: unready.seat });
    const next = may.find(({ do: what }) => what === "draw" || what === "give" || what === "accept");
    if (!next || !view.round || view.round.turn === turn) return;
    turn = view.round.turn;
    const refuses = next.do === "accept" && turn > 60;
    const words = next.do === "give" ? { claim: "umbrella", to: next.to[0] } : {};
    send({ do: refuses ? "refuse" : next.do, turn, ...words });
  }
  function playAgain() {
    if (took.length >= %(moves)d) return finish();
    if (turn >= 0) send({ do: "again", deal: true });
    turn = -1;
  }
  function finish() {
    window.__worker = worker;
    window.__done = { started, took: took.filter(([, kind]) => kind === "move").map(([ms]) => ms) };
  }
  post({ to: "start", python, game, pace: %(pace)d });
})().catch((error) => { window.__done = { error: String(error) }; });"""
_END = "window.__worker.terminate();"


class Chromium:
    """A Playwright page with the interface of the other engines."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def open(self, url: str) -> None:
        self._page.goto(url)

    def run(self, script: str) -> Any:
        return self._page.evaluate(f"() => {{ {script} }}")


@contextmanager
def running_engine(name: str, home: Path) -> Iterator[Any]:
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


def measure(name: str, url: str, home: Path) -> dict[str, float]:
    (worker,) = (ROOT / "src/notahat/server/static/assets").glob("worker-*.js")
    starts: list[float] = []
    work: list[float] = []
    grown: list[float] = []
    took: list[float] = []
    with running_engine(name, home) as engine:
        engine.open(url)
        until(lambda: engine.run(_OFFERED), "no offer", TIMEOUT)
        began = time.monotonic()
        engine.run(_INSTALL)
        until(lambda: engine.run(_INSTALLED), "not installed", TIMEOUT)
        installation = time.monotonic() - began
        engine.open(url)  # a reload ends the page's own worker, which has started Python
        for number in range(STARTS):
            until(lambda: engine.run(_INSTALLED), "not installed", TIMEOUT)
            before, cpu_before = settled_megabytes(lambda: processes(home)), cpu_seconds(processes(home))
            play = json.dumps(number == 1)
            engine.run(_PLAY % {"worker": f"/assets/{worker.name}", "play": play, "pace": PACE, "moves": MOVES})
            done = until(lambda: engine.run("return window.__done"), "no result", TIMEOUT)
            assert "error" not in done, done
            starts.append(done["started"] / 1000)
            work.append(cpu_seconds(processes(home)) - cpu_before)
            grown.append(megabytes(processes(home)) - before)
            took += done["took"]
            engine.run(_END)
            engine.open(url)
    took.sort()
    return {
        "installation": installation,
        "first start": starts[0],
        "start": statistics.median(starts[1:]),
        "slowest": max(starts[1:]),
        "CPU s": statistics.median(work[2:]),  # without the start that plays
        "moves": len(took),
        "p95 ms": took[int(0.95 * (len(took) - 1))],
        "first MB": grown[0],
        "MB": grown[1],
    }


def main() -> int:
    wanted = sys.argv[1:] or ["Chromium", *engines.installed()]
    missed = 0
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder), coverage=False) as site:
        for name in wanted:
            measured = measure(name, site.url, Path(folder) / name)
            slowest = max(measured["first start"], measured["start"])
            good = slowest <= TARGETS[name] and measured["p95 ms"] <= MOST_MS and measured["MB"] <= MOST_MB
            missed += not good
            figures = " · ".join(f"{what} {value:.2f}" for what, value in measured.items())
            print(f"{name:9} {figures}{'' if good else '  (missed)'}", flush=True)
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
