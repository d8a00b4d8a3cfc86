"""A wrapped gift is in no page, storage, memory or request of the browser (rule 9.5)."""

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, CDPSession

from notahat.gifts import catalogue, name
from support.browser_guest import BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess, running_server

_PAGE = "() => document.documentElement.outerHTML + document.title"
_DRAWING = "() => document.querySelector('[data-air] svg').innerHTML"


def test_wrapped_gift_is_nowhere_in_page_or_memory(browser: Browser, tmp_path: Path) -> None:
    with (
        running_server(tmp_path, pace=1.5) as server,
        BrowserGuest(browser, server.url) as ada,
    ):  # slow enough to see an open gift
        ada.new_table("Ada")
        ada.choose("10")  # a gift stays open for ten seconds
        ada.add_bots(3)
        ada.begin(0)
        ada.start()
        page = ada.page
        page.locator("[data-do=draw]").wait_for()
        for gift in catalogue():  # the page contains exactly the gifts that are face up
            assert (f'aria-label="{name(gift, "en")}"' in page.evaluate(_PAGE)) == (gift in _face_up_gifts(ada))
        requests = len(ada.requests)
        top = page.locator(".shop [role=img]").get_attribute("aria-label") or ""
        page.locator("[data-do=draw]").click()
        page.locator("[data-air] [role=img]").wait_for()
        assert page.locator("[data-air] [role=img]").get_attribute("aria-label") == top
        drawing = page.evaluate(_DRAWING)
        assert drawing in page.evaluate(_PAGE)
        gift = next(key for key in catalogue() if name(key, "en") == top)
        assert gift in _gifts_in_memory(ada)

        page.locator("[data-do=give]").wait_for()
        page.locator("[data-air] svg.present").wait_for()
        ada.until(lambda: drawing not in page.evaluate(_PAGE))
        html = page.evaluate(_PAGE)
        assert not re.search(rf"\b({re.escape(top)}|{gift})\b", _without_attributes(html))
        assert gift not in _gifts_in_memory(ada)
        assert not re.search(rf"\b({re.escape(top)}|{gift})\b", page.evaluate(load("storedData")))
        told = [request for request in ada.requests[requests:] if "/icon" not in request]  # whose turn it is
        assert told == [], "looking at gifts asks the server for nothing"


def test_answered_claim_is_gone_even_after_reload(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url) as ada, BrowserGuest(browser, site.url) as ben:
        code = ada.new_table("Ada")
        ben.join(code, "Ben")
        ada.chairs(2)
        ada.begin(0)
        ada.start()
        ada.page.locator("[data-do=draw]").click()
        ada.page.locator("[data-do=give]").wait_for()
        ada.give("umbrella")
        ben.page.locator("[data-do=accept]").wait_for()
        assert "umbrella" in ben.page.evaluate(_PAGE)
        ben.page.locator("[data-do=accept]").click()
        ben.page.locator("[data-do=give]").wait_for()
        assert "umbrella" not in _face_up_gifts(ben) | _face_up_gifts(ada), "the luck of this test deals an umbrella"
        for person in (ada, ben):
            person.until(lambda page=person.page: "umbrella" not in page.evaluate(_PAGE))  # type: ignore[misc]
            person.page.reload()
            person.at_table()
            assert "umbrella" not in person.page.evaluate(_PAGE)
            assert "umbrella" not in person.page.evaluate(load("storedData"))


def _face_up_gifts(ada: BrowserGuest) -> set[str]:
    labels = [label.get_attribute("aria-label") for label in ada.page.locator(".front[role=img]").all()]
    return {key for key in catalogue() if name(key, "en") in labels}


def _without_attributes(html: str) -> str:
    """Remove attributes that may contain the same words as a gift's name."""
    return re.sub(r'(class|id|for|d|src|href)="[^"]*"', "", html)


def _gifts_in_memory(ada: BrowserGuest) -> list[str]:
    """Return every gift that an object in the page's memory names."""
    session = ada.page.context.new_cdp_session(ada.page)
    found: list[str] = json.loads(_objects(session))
    session.detach()
    return found


def _objects(session: CDPSession) -> str:
    prototype = session.send("Runtime.evaluate", {"expression": "Object.prototype"})["result"]["objectId"]
    objects = session.send("Runtime.queryObjects", {"prototypeObjectId": prototype})["objects"]["objectId"]
    call = {"functionDeclaration": load("namedGifts"), "objectId": objects, "returnByValue": True}
    answer: str = session.send("Runtime.callFunctionOn", call)["result"]["value"]
    return answer
