"""A big screen with phones as controllers, and spectators."""

import re
from contextlib import ExitStack

from playwright.sync_api import Browser, expect

from support import axe, wake_lock
from support.browser_guest import PHONE, BrowserGuest
from support.protocol_players import RefusingPlayer, protocol_players
from support.server_process import ServerProcess

TV = (1920, 1080)
FAMILY = ("Ada", "Ben", "Cleo", "Dora")

_LETTERS = "all => Math.min(...all.map((one) => parseFloat(getComputedStyle(one).fontSize)))"
_CARDS = """all => all.map((card) => card.querySelector("[role=img]").getAttribute("aria-label")).sort()"""


def lie(phone: BrowserGuest, screen: BrowserGuest) -> None:
    """Draw, and claim a gift that is face up on the screen."""
    phone.do("draw")
    phone.give(screen.visible_gift())


def next_round(screen: BrowserGuest, number: int, won: str) -> None:
    """Check the results on the screen and start the next round from it."""
    between = screen.page.locator("[data-over=between]")
    expect(between.get_by_role("heading", level=1)).to_have_text(f"This round goes to {won}.")
    expect(between.locator("[data-come].small img")).to_be_visible()
    between.locator("[data-do=start]").click()
    expect(screen.page.locator("[data-sentence]")).to_contain_text(f"round {number} of 4")


def test_screen_and_phones_play_match_across_reload(browser: Browser, site: ServerProcess) -> None:
    """Ada and Cleo have browsers; Ben always lies, Dora never does, and both are scripted. All arrows point left:
    from Ada to Ben to Cleo to Dora.
    """
    with ExitStack() as stack:
        screen = stack.enter_context(BrowserGuest(browser, site.url, TV, reduced_motion="reduce"))
        ada, cleo = (stack.enter_context(BrowserGuest(browser, site.url, PHONE, reduced_motion="reduce")) for _ in "AC")
        wake_lock.install(screen)
        screen.open()
        screen.open_in_one_room("screen")
        expect(screen.page.locator("[data-come] img")).to_be_visible()
        code = screen.page.locator(".code").inner_text()
        ada.join(code, "Ada")
        stack.enter_context(protocol_players(RefusingPlayer(site.url, code, "Ben")))
        cleo.join(code, "Cleo")
        stack.enter_context(protocol_players(RefusingPlayer(site.url, code, "Dora", honest=True)))
        expect(screen.page.locator("[data-chair]")).to_have_text(["Ada host", *FAMILY[1:]])  # who sat down first
        expect(ada.page.locator(".start")).to_be_visible()
        ada.choose("each")
        ada.choose("black")
        ada.begin(0)
        axe.check_both(screen, "a screen while people arrive")
        screen.page.locator("[data-do=start]").click()  # the screen may, too

        screen.at_table()
        expect(screen.page.locator("[data-seat]")).to_have_count(4)
        assert screen.page.locator("[data-name]").evaluate_all(_LETTERS) >= 36
        wake_lock.screen_stays_on(screen)
        wake_lock.hide_and_show(screen)
        expect(cleo.page.locator("[data-controller]")).to_contain_text("Look at the big screen.")
        expect(cleo.page.locator(".card, [data-actions] button")).to_have_count(0)
        axe.check_both(ada, "a controller")
        for device in (screen, ada):  # the invitation is always one tap away
            device.page.locator("[data-do=code]").click()
            expect(device.page.locator("dialog[open] img")).to_be_visible()
            expect(device.page.locator("dialog[open] .code")).to_have_text(code)
            device.page.keyboard.press("Escape")
        ada.page.locator("[data-do=controller]").click()
        ada.at_table()
        ada.page.locator("[data-do=controller]").click()
        expect(ada.page.locator("[data-seat]")).to_have_count(0)
        for _ in range(3):
            lie(ada, screen)
        next_round(screen, 2, "Ben, Cleo and Dora")

        claim = screen.page.locator("[data-sentence] .spoken")
        turned_over = screen.page.get_by_role("region", name="Ben").locator(".penalty")
        for time in range(3):
            expect(turned_over).to_have_count(time)  # else the sentence might be the claim before
            expect(screen.page.locator("[data-sentence]")).to_contain_text("Ben says to Cleo")
            if time == 1:
                assert claim.evaluate_all(_LETTERS) >= 64
                axe.check_both(screen, "a round on a screen")
                said = claim.inner_text()
                screen.page.reload()
                expect(claim).to_have_text(said)
                expect(screen.page.locator("[data-sentence]")).to_contain_text("Ben says to Cleo")
                expect(cleo.page.locator("[data-controller]")).to_be_visible()  # the screen was away for a moment only
            cleo.do("refuse")
        expect(screen.page.locator("[data-over=between]")).to_be_visible()
        axe.check_both(screen, "a screen between rounds")
        next_round(screen, 3, "Ada, Cleo and Dora")
        for _ in range(3):
            lie(cleo, screen)
        next_round(screen, 4, "Ada, Ben and Dora")
        ada.do("refuse")  # Dora told the truth
        for _ in range(2):
            lie(ada, screen)

        over = screen.page.locator("[data-over=over]")
        expect(over.get_by_role("heading", level=1)).to_have_text("Dora forgot the least.")
        for name, points in zip(FAMILY, (6, 3, 3, 0), strict=True):
            expect(over.locator("li", has_text=name).first).to_contain_text(f"{points} penalty points")
        expect(over.locator("[data-come].small img")).to_be_visible()
        wake_lock.screen_may_sleep(screen)
        axe.check_both(screen, "a screen after a match")
        screen.page.locator("[data-do=sound]").click()  # one touch
        expect(screen.page.locator("[data-do=sound]")).to_have_count(0)
        expect(screen.page.locator("input")).to_have_count(0)  # a screen has no seat
        screen.page.locator("[data-do=again]").click()
        expect(screen.page.locator("[data-chair]")).to_have_count(4)


def test_r12_spectators_see_what_players_see_and_applaud(browser: Browser, site: ServerProcess) -> None:
    with (
        BrowserGuest(browser, site.url, PHONE, reduced_motion="reduce") as ada,
        BrowserGuest(browser, site.url, PHONE, reduced_motion="reduce") as ben,
        BrowserGuest(browser, site.url, PHONE, reduced_motion="reduce") as eva,
        BrowserGuest(browser, site.url, TV, reduced_motion="reduce") as screen,
    ):
        code = ada.new_table("Ada")
        ben.join(code, "Ben")
        ada.choose("spoken")
        ada.begin(0)
        eva.open(f"/t/{code}")
        expect(ada.page.locator("[data-watchers]")).to_have_text("1 watching")
        screen.open(ada.page.locator("[data-tv]").evaluate("link => link.href").removeprefix(site.url))
        ada.seen("news", "The table is on a big screen now.")
        expect(ada.page.locator("[data-tv]")).to_have_count(0)  # one screen is enough
        for who in (ada, screen):
            expect(who.page.locator("[data-watchers]")).to_have_text("1 watching")  # a screen is no spectator
        ada.start()
        ada.do("draw")
        ada.do("pass")
        ben.do("accept")
        ben.do("pass")
        ada.page.locator("[data-do=refuse]").wait_for()
        for who in (eva, screen):
            who.page.locator("main[data-beat=present]").wait_for()
            expect(who.page.locator("[data-sentence]")).to_contain_text(re.compile(r"Ben .*Ada"))
        cards = [who.page.locator("[data-seat] .card, [data-air]").evaluate_all(_CARDS) for who in (ada, eva, screen)]
        assert len(cards[1]) == 5  # two each (rule 7.2) and one on offer
        assert cards[1] == cards[2]
        assert sorted(label.replace("you", "Ada") for label in cards[0]) == cards[1]
        expect(eva.page.locator("[data-actions] [data-do]:not([data-do=join])")).to_have_count(0)
        expect(ada.page.locator("[data-ask]")).to_have_count(0)  # she must act first
        ben.page.locator("[data-ask=offer] [data-answer=yes]").click()  # also if the table was not opened on a screen
        expect(ben.page.locator("[data-controller]")).to_be_visible()
        ben.page.locator("[data-do=controller]").click()  # one tap back, and again
        ben.at_table()
        ben.page.locator("[data-do=controller]").click()
        eva.button("Say something").click()
        eva.button("Well done!").click()
        for who in (ada, eva, screen):
            who.seen("news", "A spectator: Well done!")
        ada.do("accept")
        ada.do("pass")
        ada.page.locator("[data-ask=offer]").wait_for()
        ada.page.set_viewport_size({"width": 1280, "height": 720})
        expect(ada.page.locator("[data-ask=offer]")).to_have_count(0)  # a laptop is no phone
        ada.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        ada.page.locator("[data-ask=offer] [data-answer=no]").click()
        expect(ada.page.locator("[data-do=controller]")).to_be_visible()  # the answer is remembered
        expect(ada.page.locator("[data-ask]")).to_have_count(0)
        ben.page.locator("[data-actions] [data-do=accept]").wait_for()
        ben.page.keyboard.press("1")  # shortcuts work on a controller, too
        ben.do("pass")
        expect(screen.page.locator("[data-sentence]")).to_contain_text(re.compile(r"Ben .*Ada"))
        expect(ben.page.locator("[data-controller]")).to_be_visible()
        ada.end_game()
        screen.page.locator("[data-over=over] [data-do=deal_again]").click()  # the room decides in front of it
        expect(screen.page.locator("[data-over]")).to_have_count(0)
        expect(screen.page.locator("[data-seat]")).to_have_count(2)
