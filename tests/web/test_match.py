"""A match of four players with four browsers, with every kind of move."""

from collections import Counter
from contextlib import ExitStack

from playwright.sync_api import Browser, expect

from support.browser_guest import PHONE, BrowserGuest
from support.server_process import ServerProcess

LANGS = ("en-GB", "de-DE", "fr-FR", "it-IT")
UMBRELLA = ("umbrella", "Regenschirm", "parapluie", "ombrello")
MOVES = ("draw", "give", "give to one of several", "accept", "refuse")


def test_four_players_in_four_languages_play_a_match(browser: Browser, site: ServerProcess) -> None:
    """They accept everything until a special card was given and accepted, and then refuse everything."""
    with ExitStack() as stack:
        sizes = [PHONE if n % 2 else (1280, 720) for n in range(4)]
        people = [
            stack.enter_context(BrowserGuest(browser, site.url, size, lang))
            for size, lang in zip(sizes, LANGS, strict=True)
        ]
        ada, ben, cem, dora = people
        code = ada.new_table("Ada")
        for person, name in zip((ben, cem, dora), ("Ben", "Cem", "Dora"), strict=True):
            person.join(code, name)
        ada.chairs(4)
        ada.choose("special")
        ada.page.locator('label:has(b:text-is("Special cards")) select').select_option("true")
        ada.start()
        for person in (ben, cem, dora):
            person.at_table()
        words = dict(zip(people, UMBRELLA, strict=True))
        done: Counter[str] = Counter()
        while not ada.over:
            person = _player_to_act(people)
            did = person.act(lambda: done["give to one of several"] > 0 and done["accept"] > 0, words[person])
            done[str(did)] += 1
            if did == "give" and done["give"] == 1:
                _claim_is_translated_for_all(people)
        assert all(done[move] > 0 for move in MOVES), done
        for person in people:
            person.ended()
        assert ada.page.locator("[data-crown]").count() >= 1
        assert "3 penalty points" in ada.text()
        assert "3 Minuspunkte" in ben.text()
        expect(ada.page.locator("[data-journey]")).to_be_visible()
        expect(ada.page.locator(".opened li")).to_have_count(4)
        ben.page.locator(".opened li").last.scroll_into_view_if_needed()
        assert ben.page.evaluate("() => scrollY") > 0
        cem.page.locator("[data-lobby]").click()
        cem.page.locator("dialog [data-do=lobby]").click()  # everybody goes with him
        for person in (ada, ben):
            person.chairs(4)
            expect(person.page.locator("h1")).to_be_in_viewport(ratio=1)  # the lobby begins at its top
        assert ada.page.url.endswith(f"/t/{code}")


def _player_to_act(people: list[BrowserGuest]) -> BrowserGuest:
    """Return the player who can act; at the end, the host."""
    host = people[0]
    host.until(lambda: host.over or any(person.offers() for person in people))
    return next((person for person in people if person.offers()), host)


def _claim_is_translated_for_all(people: list[BrowserGuest]) -> None:
    """Every player reads the claim in their own language."""
    for person, word in zip(people, UMBRELLA, strict=True):
        person.page.locator("[data-sentence]", has_text=word).wait_for()
