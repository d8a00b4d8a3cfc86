"""The arrow of a wrapped gift in pixels: at every moment it is drawn toward its receiver.

Computed styles can be right while Chromium draws something else, so this law looks at screenshots.
"""

import io
import re
from cmath import phase, rect
from math import atan2, degrees

from PIL import Image
from playwright.sync_api import Browser, FloatRect

from support.browser_guest import PHONE, BrowserGuest
from support.scripted_players import ScriptedPlayers
from support.scripts import call, load
from support.server_process import ServerProcess

PEOPLE = ("Ben", "Casimir", "Dora")
GIVER = 3  # on the right of a phone: an arrow that is drawn unrotated, to the right, is far off
PARTS = {"turns": (1.0,), "arrow": (0.3,), "travels": (0.0, 0.5)}  # of the time of each beat
SLACK = 15.0  # degrees; the arrow swings by 8
INSIDE = 0.85  # of the tag's radius: without its edge
SCALE = 2  # pixels of a screenshot for each of the page
DARK, LIGHT = 90, 190  # of an arrow's colour
_SETTLED = "() => Number(document.querySelector('[data-settled]')?.dataset.settled ?? -1)"


def test_drawn_arrow_points_to_receiver(browser: Browser, unhurried: ServerProcess) -> None:
    with (
        BrowserGuest(browser, unhurried.url, PHONE, device_scale_factor=SCALE) as ada,
        ScriptedPlayers(unhurried.url) as players,
    ):
        ada.page.add_init_script(call("slowAnimations"))
        ada.stop_clock().open()
        for beat in ("turns", "travels"):
            _look(ada, "demo", beat)
        options = {"show_seconds": 0, "patience_seconds": 0, "starter": GIVER, "special_cards": False}
        ada.join(players.open_table(*PEOPLE, **options), "Ada")
        players.sit()
        players.do_as_host("start")
        ada.at_table()
        ada.until(lambda: ada.page.evaluate(_SETTLED) == players.state.v, passing=250)
        _wrap_and_give(ada, players)
        players.do_as_host("end_match")
        _open_replay(ada)
        for beats in ((), ("turns",), ("travels",)):  # drawn, wrapped, offered
            ada.step(1000)
            ada.button(re.compile("^Next$")).dispatch_event("click")
            for beat in beats:
                _look(ada, "beat", beat)


def _open_replay(ada: BrowserGuest) -> None:
    """Open the replay of the round at its start, with wrapped gifts."""
    slider = ada.page.get_by_role("slider")

    def is_open() -> bool:
        ada.go_on()
        for button in ada.button("Watch it back").all():
            button.dispatch_event("click")
        return slider.count() == 1

    ada.until(is_open, "no replay", passing=250)
    slider.fill("0")
    ada.page.get_by_label("See inside").dispatch_event("click")  # the gift inside would cover the arrow


def _wrap_and_give(ada: BrowserGuest, players: ScriptedPlayers) -> None:
    """Let the giver draw and give."""
    players.do("Dora", "draw")
    for beat in ("turns", "arrow"):
        _look(ada, "beat", beat)
    players.phase("give")
    players.do("Dora", "give", claim=players.face_up_gift())
    _look(ada, "beat", "travels")


def _look(ada: BrowserGuest, kind: str, beat: str) -> None:
    """Advance the clock to a beat and compare directions on screenshots."""
    ada.until(lambda: ada.page.locator(f"[data-{kind}={beat}]").count() == 1, f"no {beat}", passing=20)
    for part in PARTS[beat]:
        (x, y, radius), (to_x, to_y) = ada.page.evaluate(load("arrowAt"), part)
        around = FloatRect(x=x - radius, y=y - radius, width=2 * radius, height=2 * radius)
        drawn = _direction(ada.page.screenshot(animations="allow", clip=around))
        off = (drawn - degrees(atan2(to_y - y, to_x - x)) + 180) % 360 - 180
        assert abs(off) < SLACK, f"{kind} {beat}: {off:.0f}° beside the receiver after {part:.0%}"


def _direction(picture: bytes) -> float:
    """Return the direction of a black or white arrow in a round tag: its long axis, toward the head with more ink."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    middle, radius = complex(image.width, image.height) / 2, INSIDE * image.width / 2
    colours = zip(*(band.tobytes() for band in image.split()), strict=True)
    inked = [at for at, rgb in enumerate(colours) if max(rgb) < DARK or min(rgb) > LIGHT]
    points = [complex(at % image.width + 0.5, at // image.width + 0.5) - middle for at in inked]
    arrow = [point for point in points if abs(point) < radius]
    mean = sum(arrow) / len(arrow)
    axis = phase(sum((point - mean) ** 2 for point in arrow)) / 2
    head = (mean * rect(1, -axis)).real
    return degrees(axis) if head > 0 else degrees(axis) + 180
