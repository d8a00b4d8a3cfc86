"""Whole rounds in WebKit and Firefox, from the start page to the results."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from support.browser_guest import DESKTOP, PHONE
from support.engine_player import do_action, offered_action
from support.input import Input, Keyboard, Touch, until
from support.server_process import ServerProcess, running_server
from support.webdriver import Engine

_OPEN = """const post = (path, body) => fetch(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
post("/api/guests").then(() => post("/api/tables", { options: %s }))
  .then((answer) => answer.json()).then(({ code }) => { window.__code = code; });"""
# count wake lock requests and sounds
_COUNT_CALLS = """window.__calls = { locks: 0, sounds: 0 };
if ("WakeLock" in window) {
  const request = WakeLock.prototype.request;
  WakeLock.prototype.request = function (kind) { window.__calls.locks += 1; return request.call(this, kind); };
}
window.AudioContext = class extends AudioContext {
  constructor(...how) { super(...how); window.__audio = this; }
};
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...when) {
  window.__calls.sounds += 1;
  return start.apply(this, when);
};"""
_READ_MANIFEST = """const loadedWidth = (src) => new Promise((resolve, reject) => {
  const image = Object.assign(new Image(), { src, onload: () => resolve(image.naturalWidth), onerror: reject });
});
const worker = "serviceWorker" in navigator ? navigator.serviceWorker.ready.then(({ active }) => active.state) : "none";
const touch = document.querySelector("link[rel=apple-touch-icon]").href;
fetch(document.querySelector("link[rel=manifest]").href).then((answer) => answer.json()).then(async (manifest) => {
  const sizes = await Promise.all([touch, ...manifest.icons.map(({ src }) => src)].map(loadedWidth));
  window.__manifest = { name: manifest.name, display: manifest.display, sizes, worker: await worker };
});"""
_FAST_PACE = """document.head.append(Object.assign(document.createElement("meta"), { name: "pace", content: "50" }));"""
_INSTALLED = "return document.querySelector('[data-along=here]') !== null"
_OVERFLOWS = "return document.documentElement.scrollWidth > innerWidth"


@pytest.mark.parametrize(
    ("size", "input_kind", "people", "options"),
    [
        pytest.param(
            PHONE,
            Touch,
            ("Ada", "Ben", "Cem"),
            {"edition": "special", "special_cards": True},
            id="phone touch special cards",
        ),
        pytest.param(DESKTOP, Keyboard, ("Ada", "Ben"), {"claims": "spoken"}, id="desktop keys spoken"),
    ],
)
def test_whole_round_can_be_played(
    engine: Engine,
    site: ServerProcess,
    size: tuple[int, int],
    input_kind: type[Touch] | type[Keyboard],
    people: tuple[str, ...],
    options: dict[str, Any],
) -> None:
    engine.resize(*size)
    engine.open(f"{site.url}/icon.svg")  # a page without requests that a navigation could cancel
    engine.run("localStorage.setItem('notahat', JSON.stringify({ sound: true }))")
    engine.open(site.url)
    until(lambda: engine.run("return document.querySelector('#code') !== null"), "no start page")
    engine.run(_COUNT_CALLS)
    assert abs(engine.run("return innerWidth") - size[0]) <= 1
    player = input_kind(engine)
    _start_match(engine, player, people, {"patience_seconds": 0, "starter": 0, **options})
    done = _play_round(engine, player)
    assert {"draw", "refuse"} <= set(done)
    if "edition" in options:
        assert {"give", "whom", "name", "say_now", "accept"} <= set(done), done
    else:
        assert {"pass", "judge"} <= set(done), done
    if engine.run("return 'WakeLock' in window"):
        assert engine.run("return window.__calls.locks") > 0, "no wake lock was requested"
    state, sounds = engine.run("return [window.__audio?.state ?? null, window.__calls.sounds]")
    assert state is not None, "no audio context after the first input"
    assert (sounds > 0) == (state == "running"), "sounds play unless the machine has no audio device"
    assert engine.errors() == []


def test_web_app_can_be_installed(engine: Engine, site: ServerProcess) -> None:
    engine.open(site.url)
    until(lambda: engine.run("return document.querySelector('#code') !== null"), "no start page")
    engine.run(_READ_MANIFEST)
    found = until(lambda: engine.run("return window.__manifest ?? null"), "no manifest")
    assert (found["name"], found["display"]) == ("Not a Hat", "standalone")
    assert found["sizes"][:4] == [192, 192, 512, 512]
    assert found["worker"] in ("activating", "activated", "none")
    assert engine.errors() == []


def test_pocket_round_without_a_server(engine: Engine, tmp_path: Path) -> None:
    """Install the pocket edition, stop the server, and play a round against computer players."""
    engine.resize(*PHONE)
    player = Touch(engine)
    with running_server(tmp_path, coverage=False) as server:
        engine.open(server.url)
        until(lambda: engine.run("return document.querySelector('[data-along=offered]') !== null"), "no offer")
        engine.run(_FAST_PACE)  # before the installation, which starts Python for the first time
        player.press("[data-along=offered]")
        until(lambda: engine.run(_INSTALLED), "not installed")
    player.press(".now")
    until(lambda: engine.run("return document.querySelectorAll('[data-seat]').length === 4"), "nothing is dealt")
    assert engine.run("return location.pathname") == "/t/POCKET-1"
    _play_round(engine, player)


def _start_match(engine: Engine, player: Input, people: tuple[str, ...], options: dict[str, Any]) -> None:
    engine.run(_OPEN % json.dumps(options))
    code = until(lambda: engine.run("return window.__code ?? null"), "no table")
    player.write("#code", code)
    player.press("form:has(#code) .button")
    first, *others = people
    until(lambda: engine.run("return document.querySelector('#name') !== null"), "no lobby")
    engine.run("document.querySelector('#name').value = ''")
    player.write("#name", first)
    player.press("form:has(#name) .button")
    until(lambda: engine.run("return document.querySelector('[data-chair].yours') !== null"), "not seated")
    for number, name in enumerate(others, 2):
        player.press("[data-empty]")
        player.write("#another", name)
        player.press("form:has(#another) .button")
        seated = f"return document.querySelectorAll('[data-chair]').length === {number}"
        until(partial(engine.run, seated), name)
    player.press(".start")
    until(lambda: engine.run("return document.querySelector('[data-seat]') !== null"), "nothing is dealt")


def _play_round(engine: Engine, player: Input) -> list[str]:
    """Accept once and refuse from then on: the giver is wrong and soon has three penalties (6.3)."""
    done: list[str] = []
    while True:
        offered: str = until(lambda: offered_action(engine), "nothing is offered")
        if offered == "over":
            return done
        if offered == "refuse" and "accept" not in done and "give" in done:  # a spoken round needs no accept
            offered = "accept"
        do_action(engine, player, offered)
        done.append(offered)
        assert not engine.run(_OVERFLOWS), offered
        assert len(done) < 80, done
