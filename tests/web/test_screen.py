"""A big screen and phones: it never sits, shows everybody the same, and phones beside it are controllers."""

import re
from contextlib import ExitStack

from playwright.sync_api import Browser, expect

from support import axe
from support.serving import Served
from support.visitor import PHONE, Visitor

TV = (1920, 1080)
FAMILY = ("Ada", "Ben", "Cleo", "Dora")

_LETTERS = "all => Math.min(...all.map((one) => parseFloat(getComputedStyle(one).fontSize)))"
_CARDS = """all => all.map((card) => card.querySelector("[role=img]").getAttribute("aria-label")).sort()"""


def who_may(phones: list[Visitor], what: str) -> Visitor:
    """Whoever's phone offers it, as soon as one does."""
    phones[0].until(lambda: any(what in phone.offers() for phone in phones))
    return next(phone for phone in phones if what in phone.offers())


def test_a_screen_and_four_phones_play_a_match_and_the_screen_reloads_in_the_middle(
    browser: Browser, site: Served
) -> None:
    with ExitStack() as stack:
        screen = stack.enter_context(Visitor(browser, site.url, TV, reduced_motion="reduce"))
        phones = [stack.enter_context(Visitor(browser, site.url, PHONE, reduced_motion="reduce")) for _ in FAMILY]
        ada = phones[0]
        screen.open()
        screen.page.locator("[data-open=screen]").click()
        expect(screen.page.locator("[data-come] img")).to_be_visible()
        code = screen.page.locator(".code").inner_text()
        for phone, name in zip(phones, FAMILY, strict=True):
            phone.join(code, name)
        expect(screen.page.locator("[data-chair]")).to_have_text(["Ada host", *FAMILY[1:]])  # who sat down first
        expect(ada.page.locator(".start")).to_be_visible()
        ada.begin(0)
        axe.check(screen, "a screen while people arrive")
        screen.page.locator("[data-do=start]").click()  # the screen may, too
        screen.at_table()
        expect(screen.page.locator("[data-seat]")).to_have_count(4)
        assert screen.page.locator("[data-name]").evaluate_all(_LETTERS) >= 36
        axe.check(screen, "a round on a screen")
        for phone in phones[1:]:  # nothing to stare at while others act
            expect(phone.page.locator("[data-controller]")).to_contain_text("Look at the big screen.")
            expect(phone.page.locator(".card, [data-actions] button")).to_have_count(0)
        axe.check(ada, "a controller")
        ada.page.locator("[data-do=controller]").click()  # one tap, and back
        ada.at_table()
        ada.page.locator("[data-do=controller]").click()
        expect(ada.page.locator("[data-seat]")).to_have_count(0)
        for time in range(3):
            ada.do("draw")
            ada.give(screen.lying_open())
            expect(screen.page.locator("[data-sentence]")).to_contain_text("Ada says to")
            claim = screen.page.locator("[data-sentence] .spoken")
            assert claim.evaluate_all(_LETTERS) >= 64
            if time == 1:
                said = claim.inner_text()
                screen.page.reload()
                expect(claim).to_have_text(said)
                expect(screen.page.locator("[data-sentence]")).to_contain_text("Ada says to")
                for phone in phones:  # it was away too short a time to matter
                    expect(phone.page.locator("[data-controller]")).to_be_visible()
            who_may(phones, "answer").do("refuse")
        over = screen.page.locator("[data-over=over]")
        expect(over.get_by_role("heading", level=1)).to_have_text("Ben, Cleo and Dora forgot the least.")
        expect(over.locator("li", has_text="Ada")).to_contain_text("3 penalty points")
        expect(over.locator("[data-come].small img")).to_be_visible()
        axe.check(screen, "a screen after a match")
        screen.page.locator("[data-do=sound]").click()  # one touch
        expect(screen.page.locator("[data-do=sound]")).to_have_count(0)
        expect(screen.page.locator("input")).to_have_count(0)  # it never sits
        screen.page.locator("[data-do=again]").click()
        expect(screen.page.locator("[data-chair]")).to_have_count(4)


def test_r12_those_who_watch_see_what_players_see_and_may_clap(browser: Browser, site: Served) -> None:
    with (
        Visitor(browser, site.url, reduced_motion="reduce") as ada,
        Visitor(browser, site.url, PHONE, reduced_motion="reduce") as ben,
        Visitor(browser, site.url, PHONE, reduced_motion="reduce") as eva,
        Visitor(browser, site.url, TV, reduced_motion="reduce") as screen,
    ):
        code = ada.new_table("Ada")
        ben.join(code, "Ben")
        ada.choose("spoken")
        ada.begin(0)
        eva.open(f"/t/{code}")
        expect(ada.page.locator("[data-watchers]")).to_have_text("1 watching")
        screen.open(ada.page.locator("[data-tv]").get_attribute("href") or "")
        expect(screen.page.locator("[data-watchers]")).to_have_text("1 watching")  # a screen does not count itself
        ada.start()
        ben.at_table()
        ben.button("Menu").click()
        ben.button("This phone is a controller").click()  # also where a table was not opened on a screen
        ada.do("draw")
        ada.do("pass")
        ben.do("accept")
        ben.do("pass")
        ada.page.locator("[data-do=refuse]").wait_for()
        for who in (eva, screen):
            who.page.locator("main[data-beat=present]").wait_for()
            expect(who.page.locator("[data-sentence]")).to_contain_text(re.compile(r"Ben .*Ada"))
        cards = [who.page.locator("[data-seat] .card, [data-air]").evaluate_all(_CARDS) for who in (ada, eva, screen)]
        assert len(cards[1]) == 5  # rule 7.2: two each, and one in the air
        assert cards[1] == cards[2]
        assert sorted(label.replace("you", "Ada") for label in cards[0]) == cards[1]
        expect(eva.page.locator("[data-actions] [data-do]:not([data-do=join])")).to_have_count(0)
        eva.button("Say something").click()
        eva.button("Well done!").click()
        for who in (ada, eva, screen):
            expect(who.page.locator("[data-news]")).to_have_text("Somebody watching: Well done!")
