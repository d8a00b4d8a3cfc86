"""A big screen with phones as controllers, and spectators."""

from playwright.sync_api import Browser, expect

from support import wake_lock
from support.browser_guest import PHONE, BrowserGuest
from support.scripted_players import ScriptedPlayers
from support.server_process import ServerProcess

TV = (1920, 1080)

_CARDS = """all => all.map((card) => card.querySelector("[role=img]").getAttribute("aria-label")).sort()"""


def lie(ada: BrowserGuest, screen: BrowserGuest, players: ScriptedPlayers) -> None:
    """Draw, claim a gift that is face up on the screen, and let Ben refuse it."""
    ada.do("draw")
    ada.give(screen.visible_gift())
    players.phase("answer")
    players.do("Ben", "refuse")


def offer(players: ScriptedPlayers, honestly: bool = False) -> None:
    """Let Ben draw and give to Ada."""
    players.phase("draw")
    drawn = players.top_gift()
    players.do("Ben", "draw")
    players.phase("give")
    players.do("Ben", "give", claim=drawn if honestly else players.face_up_gift())


def test_screen_and_phone_play_match_across_reload(browser: Browser, site: ServerProcess) -> None:
    """Ada lies three times in the first round. In the second one Ben lies twice and then tells the truth."""
    with (
        BrowserGuest(browser, site.url, TV, reduced_motion="reduce") as screen,
        BrowserGuest(browser, site.url, PHONE, reduced_motion="reduce") as ada,
        ScriptedPlayers(site.url) as players,
    ):
        wake_lock.install(screen)
        screen.open()
        screen.open_in_one_room("screen")
        expect(screen.page.locator("[data-come] svg.qr")).to_be_visible()
        code = screen.page.locator(".code").inner_text()
        ada.open(f"/t/{code}")
        expect(ada.page.get_by_text("The first person to sit down is the host.")).to_be_visible()
        ada.join(code, "Ada")
        players.join(code, "Ben")
        expect(screen.page.locator("[data-chair]")).to_have_text(["Ada host", "Ben"])  # who sat down first
        expect(screen.page.locator("[data-chair] [data-face]")).to_have_count(2)
        expect(ada.page.locator(".start")).to_be_visible()
        ada.choose("each")
        ada.begin(0)
        screen.page.locator("[data-do=start]").click()  # the screen may, too

        expect(screen.page.locator("[data-seat]")).to_have_count(2)
        wake_lock.screen_stays_on(screen)
        wake_lock.hide_and_show(screen)
        for device in (screen, ada):  # the invitation is always one tap away
            device.page.locator("[data-do=code]").click()
            expect(device.page.locator("dialog[open] svg.qr")).to_be_visible()
            expect(device.page.locator("dialog[open] .code")).to_have_text(code)
            device.page.keyboard.press("Escape")
        for _ in range(3):
            lie(ada, screen, players)
        between = screen.page.locator("[data-over=between]")
        expect(between.get_by_role("heading", level=1)).to_have_text("This round goes to Ben.")
        expect(between.locator("[data-come].small svg.qr")).to_be_visible()
        between.locator("[data-do=start]").click()

        claim = screen.page.locator("[data-sentence] .spoken")
        penalties = screen.page.get_by_role("region", name="Ben").locator(".penalty")
        expect(screen.page.locator("[data-where]")).to_contain_text("round 2 of 2")
        expect(ada.page.locator("[data-controller]")).to_contain_text("Look at the big screen.")
        expect(ada.page.locator(".card, [data-actions] button")).to_have_count(0)
        for count in range(2):
            expect(penalties).to_have_count(count)  # else the sentence might be the claim before
            offer(players)
            if count == 1:
                said = claim.inner_text()
                screen.page.reload()
                expect(claim).to_have_text(said)
                expect(ada.page.locator("[data-controller]")).to_be_visible()  # the screen was away for a moment only
            ada.do("refuse")
        offer(players, honestly=True)
        ada.do("refuse")
        for _ in range(2):
            lie(ada, screen, players)

        over = screen.page.locator("[data-over=over]")
        expect(over.get_by_role("heading", level=1)).to_have_text("Ben forgot the least.")
        for name, points in (("Ada", 6), ("Ben", 2)):
            expect(over.locator("[data-standing]", has_text=name)).to_contain_text(f"{points} penalty points")
        wake_lock.screen_may_sleep(screen)
        screen.page.locator("[data-do=sound]").click()  # one touch
        expect(screen.page.locator("[data-do=sound]")).to_have_count(0)
        expect(screen.page.locator("input")).to_have_count(0)  # a screen has no seat
        screen.page.locator("[data-lobby]").click()
        screen.page.locator("dialog [data-do=lobby]").click()
        expect(screen.page.locator("[data-chair]")).to_have_count(2)


def test_r12_spectators_see_what_players_see_and_applaud(browser: Browser, site: ServerProcess) -> None:
    """A screen comes later, and Ada is asked whether her phone is only a controller."""
    with (
        BrowserGuest(browser, site.url, PHONE, reduced_motion="reduce") as ada,
        BrowserGuest(browser, site.url, PHONE, reduced_motion="reduce") as eva,
        BrowserGuest(browser, site.url, TV, reduced_motion="reduce") as screen,
        ScriptedPlayers(site.url) as players,
    ):
        code = ada.new_table("Ada")
        players.join(code, "Ben")
        ada.begin(1)
        eva.open(f"/t/{code}")
        expect(ada.page.locator("[data-watchers]")).to_have_text("1 watching")
        screen.open(ada.page.locator("[data-tv]").evaluate("link => link.href").removeprefix(site.url))
        ada.seen("news", "The table is on a big screen now.")
        expect(ada.page.locator("[data-tv]")).to_have_count(0)  # one screen is enough
        for who in (ada, screen):
            expect(who.page.locator("[data-watchers]")).to_have_text("1 watching")  # a screen is no spectator
        ada.page.locator(".start").click()
        offer(players)
        ada.page.locator("[data-do=refuse]").wait_for()
        for who in (eva, screen):
            who.page.locator("[data-sentence] .spoken").wait_for()
        for who in (ada, eva, screen):
            who.still()
        cards = [who.page.locator("[data-seat] .card, [data-air]").evaluate_all(_CARDS) for who in (ada, eva, screen)]
        assert len(cards[1]) == 5  # two each (rule 7.2) and one on offer
        assert cards[1] == cards[2]
        assert sorted(label.replace("you", "Ada") for label in cards[0]) == cards[1]
        expect(eva.page.locator("[data-actions] [data-do]:not([data-do=join])")).to_have_count(0)
        eva.button("Say something").click()
        eva.button("Well done!").click()
        for who in (ada, eva, screen):
            who.seen("news", "A spectator: Well done!")
        expect(ada.page.locator("[data-ask]")).to_have_count(0)  # she must act first
        ada.do("accept")
        ada.give("umb")
        question = ada.page.locator("[data-ask=controller]")
        question.wait_for()
        ada.resize(TV)
        expect(question).to_have_count(0)  # a laptop is no phone
        ada.resize(PHONE)
        question.locator("[data-answer=yes]").click()
        expect(ada.page.locator("[data-controller]")).to_be_visible()
        expect(ada.page.locator("[data-seat]")).to_have_count(0)
        players.phase("answer")
        players.do("Ben", "accept")
        players.phase("give")
        players.do("Ben", "give", claim=players.face_up_gift())
        ada.page.locator("[data-actions] [data-do=accept]:not([data-fresh])").wait_for()
        ada.page.keyboard.press("1")  # shortcuts work on a controller, too
        players.phase("give")
        ada.page.locator("[data-do=controller]").click()  # one tap back
        ada.at_table()
        expect(question).to_have_count(0)  # the answer is remembered
        ada.end_game()
        screen.page.locator("[data-over=over] [data-do=deal_again]").click()  # the room decides in front of it
        expect(screen.page.locator("[data-over]")).to_have_count(0)
