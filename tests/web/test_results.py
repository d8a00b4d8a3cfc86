"""Invitation, results, replay, gift of the day, sound and levels."""

import json
import re

from playwright.sync_api import Browser, Locator, expect

from support.axe import check
from support.browser_guest import DESKTOP, PHONE, BrowserGuest
from support.scripted_players import ScriptedPlayers
from support.scripts import call, load
from support.server_process import ServerProcess

SMALL = (320, 568)


def test_invitation_is_above_the_fold_and_leads_to_seat(browser: Browser, site: ServerProcess) -> None:
    """Code, link and QR code are above the fold on all sizes; a link pasted on the first page opens the table."""
    with BrowserGuest(browser, site.url, SMALL) as ada, BrowserGuest(browser, site.url, SMALL) as ben:
        ada.page.add_init_script("navigator.share = async (what) => { globalThis.shared = what; }")  # as on phones
        code = ada.new_table("Ada").partition("-")[0]
        invite = ada.page.locator("[data-invite]")
        for size in (DESKTOP, PHONE, SMALL):
            ada.resize(size)
            box, chair = invite.bounding_box(), ada.page.locator("[data-chair]").first.bounding_box()
            assert box is not None
            assert chair is not None
            beside = chair["x"] + chair["width"] <= box["x"] or box["x"] + box["width"] <= chair["x"]
            assert beside == (size == DESKTOP)
            assert box["y"] + box["height"] <= (size[1] if beside else min(chair["y"], size[1])), size
        expect(invite).to_contain_text(code)
        invite.get_by_role("button", name="Share").click()
        ada.page.wait_for_function(f"() => globalThis.shared?.url.startsWith('{site.url}/t/{code}-')")

        ben.open()
        ben.set_name("Ben")
        ben.page.locator("#code").fill(f" Komm! {ada.page.url.lower()} ")
        ben.button("Join").click()
        expect(ben.page.locator("[data-chair].yours")).to_contain_text("Ben")
        expect(ben.page.locator("[data-played]")).to_have_text("Classic · two gifts each · one round")
        assert ben.page.locator("#name").count() == 0  # the name is not asked again

        ada.seat_another("Cem")
        ada.tap_chair("Cem")
        ada.page.get_by_label("Another name").fill("Cleo")
        ada.button("Rename").click()
        expect(ada.page.locator("[data-chair].yours").nth(1)).to_contain_text("Cleo")
        expect(ben.page.locator("[data-played]")).to_have_text("Classic · one gift each · one round")
        ada.tap_chair("Cleo")
        ada.button("Cleo gets up").click()
        expect(ada.page.locator("[data-chair]")).to_have_count(2)
        ada.tap_chair("Ben")
        ada.button("Make Ben the host").click()
        expect(ben.page.locator(".start")).to_be_visible()


def test_results_offer_replay_and_rematch(browser: Browser, site: ServerProcess) -> None:
    """Ben lies three times and Ada wins. He replays the round, others replay it by link, and both play again."""
    with BrowserGuest(browser, site.url) as ada, BrowserGuest(browser, site.url, PHONE) as ben:
        code = ada.new_table("Ada")
        ben.stop_clock().start_clock().join(code, "Ben")
        ada.chairs(2)
        ada.begin(1)
        ada.start()
        _tell_three_lies(ada, ben)
        ada.ended()
        ben.ended()
        expect(ada.page.get_by_role("heading", level=1)).to_have_text("You win!")
        expect(ben.page.get_by_role("heading", level=1)).to_have_text("Ada forgot the least.")
        expect(ben.page.locator(".also")).to_have_text("You forgot the most. It happens.")
        expect(ada.page.locator(".crowned [data-crown]")).to_have_count(1)
        expect(ada.page.locator("[data-journey]")).to_contain_text("That’s not")
        with ada.page.expect_download() as saved:
            ada.page.locator("[data-picture]").click()
        assert saved.value.path().read_bytes().startswith(b"\x89PNG")
        expect(ada.page.locator("[data-best-move]")).to_contain_text("didn’t fool you")
        ben.stop_clock()
        ada.button("Say something").click()
        ada.button("Hello!").click()
        ben.until(lambda: ben.page.evaluate(load("remarkCoversNobody")), passing=1)
        ben.resize(DESKTOP)
        assert ben.page.evaluate(load("remarkCoversNobody")), "on a desktop"
        ben.resize(PHONE)
        ben.start_clock()
        expect(_remembered_well(ada)).to_have_text(re.compile("Elephant"))
        expect(_remembered_well(ben)).to_have_count(0)  # with three penalties
        ben.button("Watch it back").wait_for()
        stories = [url for url in ben.requests if "/rounds/" in url]
        ben.page.evaluate(load("recordMoved"))
        ada.page.locator("[data-again]").click()
        expect(ben.page.locator("[data-wants]")).to_have_text(re.compile("1 of 2 wants another"))
        assert ben.page.evaluate("() => globalThis.moved") == [], "faces fly once, not at every vote"
        ben.stop_clock()  # the replay would soon be over
        ben.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")  # the replay scrolls
        ben.button("Watch it back").click()
        ben.button("Stop").click()
        assert ben.page.evaluate("() => [scrollY, (document.documentElement.style.fontSize = '')][0]") == 0
        ben.start_clock()
        link = _replay_round(ben)
        assert [url for url in ben.requests if "/rounds/" in url] == stories, "told once, whatever others do meanwhile"
        with BrowserGuest(browser, site.url, PHONE, lang="es") as eve:  # long words on a small screen
            eve.stop_clock().page.goto(link)
            eve.until(lambda: eve.button("Parar").count() == 1, passing=1)
            eve.button("Parar").dispatch_event("click")
            for part in eve.page.locator("[data-actions] .button, [data-actions] select").all():
                expect(part).to_be_in_viewport(ratio=1)
            expect(eve.page.locator("[data-seat]")).to_have_count(2)
        ben.page.locator("[data-again]").click()
        ben.at_table()
        ada.at_table()
        _tell_three_lies(ada, ben)
        ada.ended()
        expect(ada.page.locator("[data-evening]")).to_contain_text("Ada 2")


def _remembered_well(guest: BrowserGuest) -> Locator:
    """Add a game with many right claims to those of this browser; return what is said about its user's memory."""
    guest.page.evaluate(load("rememberWell"))
    guest.page.get_by_label("Keep this from game to game").check()
    guest.button("All 2 games").click()
    return guest.page.locator("section:has(#memory) .estimate")


def _tell_three_lies(ada: BrowserGuest, ben: BrowserGuest) -> None:
    """Ben draws and claims a gift that is face up; Ada refuses."""
    for _ in range(3):
        ben.do("draw")
        ben.give(ada.visible_gift())
        ada.do("refuse")


def _replay_round(ben: BrowserGuest) -> str:
    """Seek, step, reveal and follow a gift in the replay; return the link to the round."""
    slider, at = ben.page.get_by_role("slider"), ben.page.locator("[data-at]")
    aloud = ben.page.locator("[data-live]").last
    slider.fill("3")
    expect(at).to_have_text("3 / 12")
    expect(aloud).to_contain_text("You to Ada: I have")  # a jump announces the last events
    expect(ben.page.locator("[data-mark]")).to_have_text("Not true!")
    expect(ben.page.locator("[data-inside]")).to_have_count(1)
    ben.page.get_by_label("See inside").uncheck()
    expect(ben.page.locator("[data-inside]")).to_have_count(0)
    ben.page.keyboard.press("ArrowRight")
    expect(at).to_have_text("4 / 12")
    expect(aloud).to_contain_text("A penalty point for you.")
    ben.page.get_by_label("Speed").select_option("4")
    ben.page.locator("[data-at]").click()  # no button has the focus
    ben.page.keyboard.press("Space")
    expect(at).to_have_text("12 / 12")
    ben.button("Where gifts went").click()
    sheet = ben.page.locator("dialog[open]")
    expect(sheet.locator("ol li")).to_have_count(3)
    check(ben)
    ben.page.evaluate("() => { navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }; }")
    sheet.get_by_role("button", name="Copy as text").click()
    expect(sheet.get_by_role("button", name="Copied")).to_be_visible()
    assert ben.page.evaluate("() => globalThis.copied").startswith("seats 2 gifts 2 starter 1\ncards ")
    sheet.get_by_role("button", name="Copy link").click()
    ben.page.wait_for_function("() => globalThis.copied.includes('/rounds/1')")
    link = str(ben.page.evaluate("() => globalThis.copied"))
    ben.button("Close").last.click()
    ben.page.keyboard.press("Escape")
    expect(ben.page.locator("[data-watch]")).to_be_focused()
    return link


def test_daily_gift_is_played_once_and_shared(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE) as ada:
        ada.open()
        ada.set_name("Ada")
        ada.open()  # again: the first visit has no gift of the day
        ada.page.locator("[data-day]").click()
        ada.tap("[data-unwrap]")
        ada.at_table()
        expect(ada.page.locator("[data-seat]")).to_have_count(4)
        while not ada.over:
            ada.until(lambda: ada.over or bool(ada.offers()))
            ada.act()
        ada.ended()
        result = ada.page.locator("[data-result]")
        result.wait_for()
        expect(ada.page.locator("[data-again], [data-lobby]")).to_have_count(0)
        expect(ada.page.locator("[data-next]")).to_have_text("Keep playing: Casual")
        ada.page.get_by_label("Keep this from game to game").check()
        expect(ada.button("1 game")).to_be_visible()
        with ada.page.expect_download() as kept:
            ada.button("Save as a file").click()
        (game,) = json.loads(kept.value.path().read_text())
        assert game
        ada.button("Delete it").click()
        expect(ada.button("1 game")).to_have_count(0)
        with ada.page.expect_download() as saved:
            result.get_by_role("button", name="As a picture").click()
        assert saved.value.suggested_filename.endswith(".png")
        ada.open()
        ada.page.locator("[data-day]", has_text="unwrapped").click()
        expect(result).to_be_visible()
        check(ada)


def test_ending_the_daily_gift_is_todays_try(browser: Browser, site: ServerProcess) -> None:
    """The question says so before, and the first page afterwards."""
    with BrowserGuest(browser, site.url, PHONE) as ada:
        ada.open()
        ada.set_name("Ada")
        ada.open()
        ada.page.locator("[data-day]").click()
        ada.tap("[data-unwrap]")
        ada.at_table()
        ada.button("Menu").click()
        expect(ada.page.locator("dialog [data-pace]")).to_have_value("normal")  # as in every game alone
        ada.page.locator("[data-do=end_match]").click()
        question = ada.page.get_by_role("dialog", name="End the game?")
        expect(question).to_contain_text("your one try for today")
        question.locator("[data-do=end_match]").click()
        ada.page.get_by_text("The next gift of the day comes in ").wait_for()
        ada.open()
        ada.page.locator("[data-day]").click()
        expect(ada.page.get_by_role("dialog")).to_contain_text("The next gift of the day comes in ")


def test_sound_is_asked_once_and_audio_unlocked(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE) as ada, ScriptedPlayers(site.url) as players:
        ada.page.add_init_script(call("recordAudioContexts"))
        ada.open()
        ada.page.evaluate("() => localStorage.setItem('notahat', JSON.stringify({ takeBack: false, asked: false }))")
        ada.stop_clock().join(players.open_table("Ben", starter=1), "Ada")
        players.sit()
        players.do_as_host("start")
        asked = ada.page.locator("[data-prompt=sound] [data-ask=sound]")
        ada.until(lambda: asked.count() == 1)  # while Ben must act
        asked.get_by_role("button", name="Yes, please").click()
        expect(asked).to_have_count(0)
        ada.start_clock()
        ada.page.wait_for_function("() => globalThis.audioContexts[0]?.state === 'running'")  # unlocked by the touch
        ada.play_now()  # a new page with one touch
        ada.page.wait_for_function("() => globalThis.audioContexts[0]?.state === 'running'")
        assert ada.page.evaluate("() => globalThis.before") == "suspended"
        expect(ada.page.locator("[data-seat] svg[data-mood]")).to_have_count(4)


def test_solo_opponents_vary_speak_and_get_harder(browser: Browser, site: ServerProcess) -> None:
    """After two wins the next level is offered, even if this game is lost."""
    with BrowserGuest(browser, site.url, PHONE) as ada:
        ada.page.add_init_script(call("fakeVoices"))
        ada.open()
        ada.page.evaluate("() => localStorage.setItem('notahat', JSON.stringify({ voice: true, wins: { casual: 2 } }))")
        ada.page.locator("[data-how] summary").click()
        expect(ada.page.get_by_role("radio")).to_have_count(4)
        expect(ada.page.get_by_text("Elephant")).to_be_in_viewport(ratio=1)
        ada.play_now()
        others = ada.page.locator("[data-seat]:not(.you) .name")
        first = others.all_inner_texts()
        while not ada.over:
            ada.until(lambda: ada.over or bool(ada.offers()))
            ada.act()
        ada.ended()
        voices = {voice for text, voice in ada.page.evaluate("() => globalThis.heard") if text}
        assert len(voices) > 1, "everybody has a voice of their own"
        assert voices <= {"Alba", "Cora", "Dan"}, "and speaks the listener's language"
        higher = ada.page.locator("[data-higher]")
        expect(higher).to_contain_text("Regular")
        expect(ada.page.locator("[data-again]")).to_be_focused()
        expect(ada.page.locator("[data-again]")).to_have_attribute("aria-keyshortcuts", "1")
        expect(higher).to_have_attribute("aria-keyshortcuts", "2")
        expect(ada.page.locator("main .go .act")).to_have_count(1)
        ada.page.wait_for_function("() => !JSON.parse(localStorage.notahat).table")  # a finished game is not resumed
        ada.page.wait_for_function(load("countedWins"))
        higher.click()
        expect(others).to_have_count(3)
        assert not {*first} & {*others.all_inner_texts()}
