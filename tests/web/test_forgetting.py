"""Nothing remembers for the player: once a gift is wrapped it is nowhere, in no page, store or request."""

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, CDPSession

from notahat.gifts import catalogue, name
from support.browser_guest import Visitor
from support.server_process import Served, served

_PAGE = "() => document.documentElement.outerHTML + document.title"
_KEPT = (
    "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href, document.cookie])"
)
_DRAWING = "() => document.querySelector('[data-air] svg').innerHTML"
# every plain object alive in the page: the app's stores are somewhere among them
_ALIVE = """function () {
  const named = (one, field) => Object.hasOwn(one, field) && typeof one[field] === "string" ? [one[field]] : [];
  const names = (one) => one === window ? [] : ["gift", "top", "claim"].flatMap((field) => named(one, field));
  return JSON.stringify(this.flatMap(names));
}"""


def test_after_a_gift_is_wrapped_it_is_nowhere_in_the_page_or_the_app(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path, pace=1.5) as server, Visitor(browser, server.url) as ada:  # time to look at an open gift
        ada.new_table("Ada")
        ada.choose("10")  # a gift stays open for ten seconds
        ada.add_bots(3)
        ada.begin(0)
        ada.start()
        page = ada.page
        page.locator("[data-do=draw]").wait_for()
        for gift in catalogue():  # what lies open is in the page, what does not is not
            assert (f'aria-label="{name(gift, "en")}"' in page.evaluate(_PAGE)) == (gift in _lying_open(ada))
        requests = len(ada.requests)
        top = page.locator(".shop [role=img]").get_attribute("aria-label") or ""
        page.locator("[data-do=draw]").click()
        page.locator("[data-air] [role=img]").wait_for()
        assert page.locator("[data-air] [role=img]").get_attribute("aria-label") == top
        drawing = page.evaluate(_DRAWING)
        assert drawing in page.evaluate(_PAGE)
        gift = next(key for key in catalogue() if name(key, "en") == top)
        assert gift in _alive(ada)

        page.locator("[data-do=give]").wait_for()
        page.locator("[data-air] svg.present").wait_for()
        ada.until(lambda: drawing not in page.evaluate(_PAGE))
        html = page.evaluate(_PAGE)
        assert not re.search(rf"\b({re.escape(top)}|{gift})\b", _without_words_of_our_own(html))
        assert gift not in _alive(ada)
        assert not re.search(rf"\b({re.escape(top)}|{gift})\b", page.evaluate(_KEPT))
        told = [request for request in ada.requests[requests:] if "/icon" not in request]  # whose turn it is
        assert told == [], "looking at gifts asks the server for nothing"


def test_a_claim_is_gone_when_it_was_answered_and_a_reload_brings_nothing_back(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url) as ada, Visitor(browser, site.url) as ben:
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
        assert "umbrella" not in _lying_open(ben) | _lying_open(ada), "the luck of this test deals an umbrella"
        for person in (ada, ben):
            person.until(lambda page=person.page: "umbrella" not in page.evaluate(_PAGE))  # type: ignore[misc]
            person.page.reload()
            person.at_table()
            assert "umbrella" not in person.page.evaluate(_PAGE)
            assert "umbrella" not in person.page.evaluate(_KEPT)


def _lying_open(ada: Visitor) -> set[str]:
    labels = [label.get_attribute("aria-label") for label in ada.page.locator(".front[role=img]").all()]
    return {key for key in catalogue() if name(key, "en") in labels}


def _without_words_of_our_own(html: str) -> str:
    """Class names and ids of the page's own; a gift could be called the same."""
    return re.sub(r'(class|id|for|d|src|href)="[^"]*"', "", html)


def _alive(ada: Visitor) -> list[str]:
    """Every gift that some object in the page's memory names as lying somewhere or being claimed."""
    session = ada.page.context.new_cdp_session(ada.page)
    found: list[str] = json.loads(_objects(session))
    session.detach()
    return found


def _objects(session: CDPSession) -> str:
    prototype = session.send("Runtime.evaluate", {"expression": "Object.prototype"})["result"]["objectId"]
    objects = session.send("Runtime.queryObjects", {"prototypeObjectId": prototype})["objects"]["objectId"]
    call = {"functionDeclaration": _ALIVE, "objectId": objects, "returnByValue": True}
    answer: str = session.send("Runtime.callFunctionOn", call)["result"]["value"]
    return answer
