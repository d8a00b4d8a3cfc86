"""A wrapped gift and an answered claim are in no page, storage, memory or request of the browser (rule 9.5)."""

import json
import re

from playwright.sync_api import Browser, expect

from notahat.gifts import catalogue, name
from support.browser_guest import BrowserGuest
from support.scripted_players import ScriptedPlayers
from support.scripts import load
from support.server_process import ServerProcess
from support.throttled_socket import ThrottledSocket

_PAGE = "() => document.documentElement.outerHTML + document.title"
_DRAWING = "() => document.querySelector('[data-air] svg').innerHTML"
CLAIM = "umbrella"


def test_wrapped_gift_is_nowhere_in_page_or_memory(browser: Browser, site: ServerProcess) -> None:
    """The messages after the drawn gift are held back, so that it stays open while the page is searched."""
    with BrowserGuest(browser, site.url) as ada, ScriptedPlayers(site.url) as players:
        line, page = ThrottledSocket(ada.page), ada.page
        ada.join(players.open_table("Ben", starter=0), "Ada")
        players.sit()
        players.do_as_host("start")
        page.locator("[data-do=draw]").wait_for()
        face_up = _face_up_gifts(ada)
        html = page.evaluate(_PAGE)
        assert {gift for gift in catalogue() if f'aria-label="{name(gift, "en")}"' in html} == face_up
        assert CLAIM not in face_up
        requests = len(ada.requests)
        top = page.locator(".shop [role=img]").get_attribute("aria-label") or ""
        gift = next(key for key in catalogue() if name(key, "en") == top)
        line.hold_after("drawn")
        page.locator("[data-do=draw]").click()
        expect(page.locator("[data-air] [role=img]")).to_have_attribute("aria-label", top)
        drawing = page.evaluate(_DRAWING)
        assert drawing in page.evaluate(_PAGE)
        assert gift in _gifts_in_memory(ada)

        line.release()
        page.locator("[data-do=give]").wait_for()
        ada.still()
        html = page.evaluate(_PAGE)
        assert drawing not in html
        named = rf"\b({re.escape(top)}|{gift})\b"
        assert not re.search(named, _without_attributes(html))
        ada.until(lambda: gift not in _gifts_in_memory(ada))  # once the last frame with it has been let go
        assert not re.search(named, page.evaluate(load("storedData")))
        told = [url for url in ada.requests[requests:] if "/icon" not in url and not url.endswith((".js", ".css"))]
        assert told == [], "looking at gifts asks the server for nothing"

        ada.give(CLAIM)
        expect(page.locator("[data-sentence]")).to_contain_text(CLAIM)
        players.phase("answer")
        players.do("Ben", "accept")
        page.wait_for_function("claim => !document.documentElement.outerHTML.includes(claim)", arg=CLAIM)
        page.reload()
        ada.at_table()
        assert CLAIM not in page.evaluate(_PAGE)
        assert CLAIM not in page.evaluate(load("storedData"))


def _face_up_gifts(ada: BrowserGuest) -> set[str]:
    labels = [label.get_attribute("aria-label") for label in ada.page.locator(".front[role=img]").all()]
    return {key for key in catalogue() if name(key, "en") in labels}


def _without_attributes(html: str) -> str:
    """Remove attributes that may contain the same words as a gift's name."""
    return re.sub(r'(class|id|for|d|src|href)="[^"]*"', "", html)


def _gifts_in_memory(ada: BrowserGuest) -> list[str]:
    """Return every gift that an object in the page's memory names."""
    session = ada.page.context.new_cdp_session(ada.page)
    prototype = session.send("Runtime.evaluate", {"expression": "Object.prototype"})["result"]["objectId"]
    objects = session.send("Runtime.queryObjects", {"prototypeObjectId": prototype})["objects"]["objectId"]
    call = {"functionDeclaration": load("namedGifts"), "objectId": objects, "returnByValue": True}
    answer = session.send("Runtime.callFunctionOn", call)
    assert "exceptionDetails" not in answer, answer["exceptionDetails"]
    found: list[str] = json.loads(answer["result"]["value"])
    session.detach()
    return found
