"""Input on a page in any engine: touch, or the keyboard alone."""

import json
import time
from collections.abc import Callable
from typing import Any, Protocol

from support.timeouts import TIMEOUT
from support.webdriver import Engine

_KEYS = {"Enter": "\ue006", "Tab": "\ue004", "Escape": "\ue00c", "Shift": "\ue008"}
_TAP_POINT = """const element = document.querySelector(%s);
if (!element || element.disabled) return null;
element.scrollIntoView({ block: "center", inline: "center" });
const { x, y, width, height } = element.getBoundingClientRect();
const top = document.elementFromPoint(x + width / 2, y + height / 2);
return element.contains(top) ? [x + width / 2, y + height / 2] : null;"""

# Tab past the end of the page would focus the browser's own buttons, so choose the direction
_NEXT_KEY = """const target = document.querySelector(%s), focused = document.activeElement;
if (!target) return "gone";
if (focused === target) return "focused";
return focused !== document.body && target.compareDocumentPosition(focused) & 4 ? "Shift+Tab" : "Tab";"""


class Input(Protocol):
    """One way to use a page. Elements are given by CSS selectors."""

    def press(self, selector: str) -> None: ...
    def write(self, selector: str, text: str) -> None: ...


class Touch:
    """Taps, as on a phone."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def press(self, selector: str) -> None:
        script = _TAP_POINT % json.dumps(selector)
        point: list[float] = until(lambda: self._engine.run(script), f"nothing to tap: {selector}")
        x, y = (int(number) for number in point)
        down = [{"type": "pointerMove", "x": x, "y": y, "duration": 0}, {"type": "pointerDown", "button": 0}]
        moves = [*down, {"type": "pointerUp", "button": 0}]
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": moves}
        self._engine.act([finger])

    def write(self, selector: str, text: str) -> None:
        self.press(selector)
        type_in(self._engine, text)


class Keyboard:
    """Tab, Enter and letters."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def press(self, selector: str) -> None:
        self._tab_to(selector)
        type_in(self._engine, "Enter")

    def write(self, selector: str, text: str) -> None:
        self._tab_to(selector)
        type_in(self._engine, text)

    def _tab_to(self, selector: str) -> None:
        quoted = json.dumps(selector)
        until(lambda: self._engine.run(f"return document.querySelector({quoted}) !== null"), f"not found: {selector}")
        for _ in range(80):
            key = self._engine.run(_NEXT_KEY % quoted)
            assert key != "gone", f"{selector} disappeared"
            if key == "focused":
                return
            type_in(self._engine, key)
        raise AssertionError(f"{selector} cannot be reached by keyboard")


def type_in(engine: Engine, text: str) -> None:
    """Type a text letter by letter, or press one key by its name."""
    held, _, key = text.rpartition("+")
    strokes = [_KEYS[key]] if key in _KEYS else list(text)
    moves = [{"type": kind, "value": key} for key in strokes for kind in ("keyDown", "keyUp")]
    if held:
        moves = [{"type": "keyDown", "value": _KEYS[held]}, *moves, {"type": "keyUp", "value": _KEYS[held]}]
    engine.act([{"type": "key", "id": "keys", "actions": moves}])


def until(wanted: Callable[[], Any], error: str) -> Any:
    """Wait for a true value and return it."""
    deadline = time.monotonic() + TIMEOUT
    while not (found := wanted()):
        assert time.monotonic() < deadline, error
        time.sleep(0.03)
    return found
