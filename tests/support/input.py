"""Hands on a page in any engine: fingers that tap, or keys alone."""

import json
import time
from collections.abc import Callable
from typing import Any, Protocol

from support.webdriver import Engine

PATIENCE = 30.0
_KEYS = {"Enter": "\ue006", "Tab": "\ue004", "Escape": "\ue00c", "Shift": "\ue008"}
_SIGHT = """const there = document.querySelector(%s);
if (!there || there.disabled) return null;
there.scrollIntoView({ block: "center", inline: "center" });
const { x, y, width, height } = there.getBoundingClientRect();
const top = document.elementFromPoint(x + width / 2, y + height / 2);
return there.contains(top) ? [x + width / 2, y + height / 2] : null;"""

# who tabs past the end of a page leaves it for the browser's own buttons, so one turns back in time
_WAY = """const there = document.querySelector(%s), here = document.activeElement;
if (!there) return "gone";
if (here === there) return "there";
return here !== document.body && there.compareDocumentPosition(here) & 4 ? "Shift+Tab" : "Tab";"""


class Hands(Protocol):
    """Somebody's way to use a page."""

    def press(self, what: str) -> None:
        """Press what a CSS selector finds."""
        ...

    def write(self, where: str, text: str) -> None: ...


class Fingers:
    """A phone's way."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def press(self, what: str) -> None:
        place: list[float] = until(lambda: self._engine.run(_SIGHT % json.dumps(what)), f"nothing to tap: {what}")
        x, y = (int(number) for number in place)
        down = [{"type": "pointerMove", "x": x, "y": y, "duration": 0}, {"type": "pointerDown", "button": 0}]
        moves = [*down, {"type": "pointerUp", "button": 0}]
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": moves}
        self._engine.act([finger])

    def write(self, where: str, text: str) -> None:
        self.press(where)
        type_in(self._engine, text)


class Keys:
    """Without a pointer."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def press(self, what: str) -> None:
        self._tab_to(what)
        type_in(self._engine, "Enter")

    def write(self, where: str, text: str) -> None:
        self._tab_to(where)
        type_in(self._engine, text)

    def _tab_to(self, what: str) -> None:
        sought = json.dumps(what)
        until(lambda: self._engine.run(f"return document.querySelector({sought}) !== null"), f"not there: {what}")
        for _ in range(80):
            way = self._engine.run(_WAY % sought)
            assert way != "gone", f"{what} went away"
            if way == "there":
                return
            type_in(self._engine, way)
        raise AssertionError(f"no way to {what} by keyboard")


def type_in(engine: Engine, text: str) -> None:
    """A text letter by letter, or one key by its name."""
    held, _, key = text.rpartition("+")
    strokes = [_KEYS[key]] if key in _KEYS else list(text)
    moves = [{"type": kind, "value": key} for key in strokes for kind in ("keyDown", "keyUp")]
    if held:
        moves = [{"type": "keyDown", "value": _KEYS[held]}, *moves, {"type": "keyUp", "value": _KEYS[held]}]
    engine.act([{"type": "key", "id": "keys", "actions": moves}])


def until(wanted: Callable[[], Any], why: str, seconds: float = PATIENCE) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := wanted()):
        assert time.monotonic() < deadline, why
        time.sleep(0.03)
    return found
