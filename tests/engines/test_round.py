"""Whole rounds in the engines that people have besides Chromium, from the door to the ending."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.browser_guest import DESKTOP, PHONE
from support.input import Fingers, Hands, Keys, type_in, until
from support.server_process import Served, served
from support.webdriver import Engine

STARTS = 120.0  # Python's first start on a machine that has much else to do

# a table for people on this one device, who need no waiting for
_OPEN = """const post = (path, body) => fetch(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
post("/api/guests").then(() => post("/api/tables", { options: %s }))
  .then((answer) => answer.json()).then(({ code }) => { window.__code = code; });"""
_OFFERED = """const bar = document.querySelector("[data-actions]");
if (!bar) return document.querySelector("main .go") ? "over" : "";
if (document.querySelector("dialog[open]")) return "name";
for (const what of ["say_now", "draw", "pass", "give", "refuse"])
  if (bar.querySelector(`[data-do=${what}]`)) return what;
if (bar.querySelector("[data-judge]")) return "judge";
return bar.querySelector("[data-pick]") ? "whom" : "";"""
_TILES = """return [...document.querySelectorAll("dialog .tiles svg")].map((drawing) => {
  const { width, height } = drawing.getBoundingClientRect();
  return [width, height, drawing.childElementCount];
});"""
# what the page asks of the engine besides: a screen that stays on, and sounds
_WITNESS = """window.__asked = { locks: 0, sounds: 0 };
if ("WakeLock" in window) {
  const ask = WakeLock.prototype.request;
  WakeLock.prototype.request = function (kind) { window.__asked.locks += 1; return ask.call(this, kind); };
}
window.AudioContext = class extends AudioContext {
  constructor(...how) { super(...how); window.__audio = this; }
};
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...when) {
  window.__asked.sounds += 1;
  return start.apply(this, when);
};"""
_INSTALLS = """const drawn = (src) => new Promise((yes, no) => {
  const image = Object.assign(new Image(), { src, onload: () => yes(image.naturalWidth), onerror: no });
});
const worker = "serviceWorker" in navigator ? navigator.serviceWorker.ready.then(({ active }) => active.state) : "none";
const touch = document.querySelector("link[rel=apple-touch-icon]").href;
fetch(document.querySelector("link[rel=manifest]").href).then((answer) => answer.json()).then(async (manifest) => {
  const sizes = await Promise.all([touch, ...manifest.icons.map(({ src }) => src)].map(drawn));
  window.__installs = { name: manifest.name, display: manifest.display, sizes, worker: await worker };
});"""
_IN_A_HURRY = (
    """document.head.append(Object.assign(document.createElement("meta"), { name: "pace", content: "50" }));"""
)
_TAKEN = "return document.querySelector('[data-along=here]') !== null"
_CUT = "return document.documentElement.scrollWidth > innerWidth"


@pytest.mark.parametrize(
    ("size", "hands", "people", "options"),
    [
        pytest.param(PHONE, Fingers, ("Ada", "Ben", "Cem"), {"edition": "special"}, id="phone touch special cards"),
        pytest.param(DESKTOP, Keys, ("Ada", "Ben", "Cem"), {"edition": "special"}, id="desktop keys special cards"),
        pytest.param(PHONE, Fingers, ("Ada", "Ben"), {"claims": "spoken"}, id="phone touch spoken"),
        pytest.param(DESKTOP, Keys, ("Ada", "Ben"), {"claims": "spoken"}, id="desktop keys spoken"),
    ],
)
def test_a_whole_round(
    engine: Engine,
    site: Served,
    size: tuple[int, int],
    hands: type[Fingers] | type[Keys],
    people: tuple[str, ...],
    options: dict[str, Any],
) -> None:
    engine.resize(*size)
    engine.open(f"{site.url}/icon.svg")  # where nothing is under way that could be cut off
    engine.run("localStorage.setItem('notahat', JSON.stringify({ sound: true }))")
    engine.open(site.url)
    until(lambda: engine.run("return document.querySelector('#code') !== null"), "no door")
    engine.run(_WITNESS)
    assert abs(engine.run("return innerWidth") - size[0]) <= 1
    person = hands(engine)
    _to_the_table(engine, person, people, {"patience_seconds": 0, "starter": 0, **options})
    done = _round(engine, person)
    assert {"draw", "refuse"} <= set(done)
    if "edition" in options:
        assert {"give", "whom", "name", "say_now", "accept"} <= set(done), done
    else:
        assert {"pass", "judge"} <= set(done), done
    if engine.run("return 'WakeLock' in window"):
        assert engine.run("return window.__asked.locks") > 0, "the screen stays on"
    state, sounds = engine.run("return [window.__audio?.state ?? null, window.__asked.sounds]")
    assert state is not None, "it asks to be heard when it is touched"
    assert (sounds > 0) == (state == "running"), (
        "and is, unless the machine has no loudspeaker: then Firefox waits for one"
    )
    assert engine.errors() == []


def test_it_can_be_installed(engine: Engine, site: Served) -> None:
    engine.open(site.url)
    until(lambda: engine.run("return document.querySelector('#code') !== null"), "no door")
    engine.run(_INSTALLS)
    found = until(lambda: engine.run("return window.__installs ?? null"), "nothing to install")
    assert (found["name"], found["display"]) == ("Not a Hat", "standalone")
    assert found["sizes"][:4] == [192, 192, 512, 512]
    assert found["worker"] in ("activating", "activated", "none")
    assert engine.errors() == []


def test_a_round_in_the_pocket_when_the_server_is_gone(engine: Engine, tmp_path: Path) -> None:
    """Python runs in this engine, too: taken along, started, and a round played to its end against computer players."""
    engine.resize(*PHONE)
    person = Fingers(engine)
    with served(tmp_path, measured=False) as server:
        engine.open(server.url)
        until(lambda: engine.run("return document.querySelector('[data-along=offered]') !== null"), "no offer")
        engine.run(_IN_A_HURRY)  # Python is started for the first time while it is taken along
        person.press("[data-along=offered]")
        until(lambda: engine.run(_TAKEN), "not taken along", STARTS)
    person.press(".now")
    until(
        lambda: engine.run("return document.querySelectorAll('[data-seat]').length === 4"), "nothing is dealt", STARTS
    )
    assert engine.run("return location.pathname") == "/t/POCKET-1"
    _round(engine, person)


def _to_the_table(engine: Engine, person: Hands, people: tuple[str, ...], options: dict[str, Any]) -> None:
    engine.run(_OPEN % json.dumps(options))
    code = until(lambda: engine.run("return window.__code ?? null"), "no table")
    person.write("#code", code)
    person.press("form:has(#code) .button")
    first, *others = people
    until(lambda: engine.run("return document.querySelector('#name') !== null"), "no lobby")
    engine.run("document.querySelector('#name').value = ''")
    person.write("#name", first)
    person.press("form:has(#name) .button")
    for number, name in enumerate(others, 2):
        person.press("[data-empty]")
        person.write("#another", name)
        person.press("form:has(#another) .button")
        until(lambda: engine.run(f"return document.querySelectorAll('[data-chair]').length === {number}"), name)  # noqa: B023
    person.press(".start")
    until(lambda: engine.run("return document.querySelector('[data-seat]') !== null"), "nothing is dealt")


def _round(engine: Engine, person: Hands) -> list[str]:
    """Say thank you once and refuse ever after: the giver was wrong, and soon has three penalties (6.3)."""
    done: list[str] = []
    while True:
        offered: str = until(lambda: engine.run(_OFFERED), "nobody may do anything")
        if offered == "over":
            return done
        if offered == "refuse" and "accept" not in done and "give" in done:  # a spoken round needs no thanks
            offered = "accept"
        _do(engine, person, offered)
        done.append(offered)
        assert not engine.run(_CUT), offered
        assert len(done) < 80, done


def _do(engine: Engine, person: Hands, what: str) -> None:
    match what:
        case "name":
            _name_a_gift(engine, person)
        case "say_now" if isinstance(person, Keys):
            type_in(engine, "1")
        case "judge":
            person.press("[data-judge]")
        case "whom":
            person.press("[data-actions] [data-pick]")
        case _:
            person.press(f"[data-do={what}]")
    # what is offered until the table has heard it
    still = {"say_now": {"say_now", "give"}, "accept": {"refuse"}}.get(what, {what})
    until(lambda: engine.run(_OFFERED) not in still, f"{what} did nothing")


def _name_a_gift(engine: Engine, person: Hands) -> None:
    tiles: list[list[float]] = until(lambda: engine.run(_TILES), "no gifts to choose from")
    assert len(tiles) > 180
    assert all(width > 40 and height > 40 and lines > 0 for width, height, lines in tiles)
    if isinstance(person, Keys):
        type_in(engine, "umbr")
        until(lambda: engine.run("return document.querySelectorAll('#found [role=option]').length === 1"), "not found")
        type_in(engine, "Enter")
    else:
        person.press(".kinds .button:nth-child(3)")
        person.press("dialog .tiles button:nth-child(2)")
