"""Coming in at any time: the code as a button, knocking, coming back, the menu, and the wait in the lobby."""

from playwright.sync_api import Browser, Locator, expect

from support.browser_guest import PHONE, BrowserGuest
from support.server_process import ServerProcess

SMALL_PHONE = (320, 568)


def groups(guest: BrowserGuest) -> dict[str, list[str]]:
    """Open the menu and return the buttons of each group."""
    guest.button("Menu").click()
    found = guest.page.locator("dialog [data-group]")
    found.first.wait_for()
    return {
        str(group.get_attribute("data-group")): [text.strip() for text in group.get_by_role("button").all_inner_texts()]
        for group in found.all()
    }


def invitation(guest: BrowserGuest) -> Locator:
    """Tap the code and return what it opens."""
    guest.page.locator("[data-do=code]").click()
    return guest.page.locator("dialog[open]")


def test_strangers_come_in_at_any_time(browser: Browser, site: ServerProcess) -> None:
    """Ada hosts and Ben begins, so Ada has time for prompts. Eve knocks from the first page, Zoe at the table's. Then
    Zoe gets the link, and the table is locked for a while.
    """
    with (
        BrowserGuest(browser, site.url, SMALL_PHONE, lang="de-DE") as ada,
        BrowserGuest(browser, site.url, SMALL_PHONE) as ben,
        BrowserGuest(browser, site.url, SMALL_PHONE, allow_errors=True) as eve,
        BrowserGuest(browser, site.url, PHONE, allow_errors=True) as zoe,
    ):
        link = ada.new_table("Ada")
        code = link.partition("-")[0]
        ben.join(code, "Ben")
        _guests_learn_while_they_wait(ada, ben)
        opened = invitation(ada)
        expect(opened.locator(".code")).to_have_text(code)
        expect(opened.locator("svg.qr")).to_be_visible()
        expect(opened.locator(".link")).to_contain_text(link)
        ada.button("Schließen").click()

        eve.open()
        eve.set_name("Eve")
        field = eve.page.locator("#code")
        field.fill("QQQQ")
        field.press("Enter")
        knocking = eve.page.locator("form.knock")  # every code gets the same answer, and no failure
        expect(knocking).to_contain_text("Has the game at QQQQ already started? Knock, and someone there")
        expect(eve.page.get_by_role("alert")).to_have_count(0)
        expect(knocking.locator("[data-do=knock]")).to_be_in_viewport(ratio=1)
        expect(field).to_be_focused()
        expect(field).to_have_value("QQQQ")
        field.fill(code)
        field.press("Enter")
        expect(eve.page.locator("#knock-name")).to_have_count(0)  # her name is known
        eve.page.locator("[data-do=knock]").click()
        eve.page.locator("[data-knocking] [data-do=stop]").click()
        eve.page.locator("[data-do=knock]").click()
        expect(eve.page.locator("[data-knocking]")).to_contain_text("Knocking")
        expect(ada.page.locator("[data-prompt=knock]")).to_contain_text("Eve klopft an.")
        ada.page.locator("[data-prompt=knock] [data-answer=yes]").click()
        expect(ada.page.locator("[data-prompt=knock]")).to_have_count(0)
        expect(eve.page.locator("[data-late]")).to_contain_text("You’re in next round, as Eve.")

        zoe.open(f"/t/{code}")
        zoe.page.locator("#knock-name").fill("Zoe")
        zoe.page.locator("[data-do=knock]").click()
        expect(ben.page.locator("[data-do=code].knocks")).to_be_visible()  # Ben must act, so he is not asked
        invitation(ben).locator("[data-answer=no]").click()
        expect(ada.page.locator("[data-prompt=knock]")).to_have_count(0)
        expect(zoe.page.locator("[data-knocking]")).to_be_visible()  # a refusal looks like a table that does not exist

        zoe.open(f"/t/{link}")
        zoe.button("Join next round").wait_for()
        assert zoe.offers() == set()
        ada.button("Menü").click()
        ada.page.locator("[data-do=lock]").click()
        expect(zoe.page.get_by_text("The host has locked the table. You can watch.")).to_be_visible()
        _locked(invitation(ada))
        ada.button("Schließen").click()
        ada.button("Menü").click()
        ada.page.locator("[data-do=lock]").click()
        zoe.button("Join next round").click()
        zoe.page.get_by_label("Your name").fill("Zoe")
        zoe.button("Sit down").click()
        expect(zoe.page.locator("[data-late]")).to_contain_text("You’re in next round, as Zoe.")
        zoe.button("Just watch instead").click()
        zoe.button("Join next round").click()
        zoe.button("Sit down").click()
        zoe.page.reload()
        expect(zoe.page.locator("[data-late]")).to_contain_text("You’re in next round, as Zoe.")

        ada.end_game("Menü")
        eve.ended()
        expect(eve.page.locator("[data-late]")).to_be_visible()
        expect(eve.page.locator("[data-again]")).to_have_count(0)  # only players vote for another match
        ada.page.locator("[data-lobby]").click()
        ada.page.locator("dialog [data-do=lobby]").click()
        ada.chairs(4)
        ada.button("Menü").click()
        ada.page.locator("[data-do=lock]").click()
        ada.page.locator("main [data-locked]").wait_for()
        expect(ada.page.locator("[data-invite], main .letters:has-text('" + code + "')")).to_have_count(0)
        ada.tap_empty_chair()
        _locked(ada.page.locator("dialog[open]"))


def _locked(dialog: Locator) -> None:
    """A sign, and nothing to invite with."""
    expect(dialog.locator("[data-locked]")).to_be_visible()
    expect(dialog.locator("[data-invite], a, .qr, .code, .link")).to_have_count(0)


def _guests_learn_while_they_wait(ada: BrowserGuest, ben: BrowserGuest) -> None:
    """The start of the game ends the lesson."""
    expect(ada.page.locator("[data-while]")).to_have_count(0)  # the host has other things to do
    expect(ben.page.locator("[data-while] li")).to_have_count(3)
    ben.page.locator("[data-do=learn]").click()
    lesson = ben.page.locator("dialog[open]")
    expect(lesson.locator("[data-seat]").first).to_be_visible()
    lesson.get_by_role("button", name="Stop").click()
    expect(ben.page.locator("[data-do=learn]")).to_be_focused()
    ben.page.locator("[data-do=learn]").click()
    expect(lesson.locator("[data-seat]").first).to_be_visible()
    ada.begin(1)
    ada.start()
    expect(lesson).to_have_count(0)
    ben.at_table()


def test_menu_is_grouped_and_asks_before_leaving(browser: Browser, site: ServerProcess) -> None:
    """Alone there is no lock and no controller. Leaving asks, and the first page leads back to the seat."""
    with BrowserGuest(browser, site.url, SMALL_PHONE) as ada:
        ada.open()
        ada.set_name("Ada")
        ada.page.locator(".now").click()
        ada.at_table()
        alone = groups(ada)
        assert list(alone) == ["me", "table", "leave"]
        assert alone["leave"] == ["Leave the table", "End the game now"]
        assert not {"Lock the table", "Use this phone only as a controller", "Pause"} & {
            text for all_ in alone.values() for text in all_
        }
        ada.page.locator("[data-pace]").select_option("relaxed")
        expect(ada.page.locator("[data-pace]")).to_have_value("relaxed")
        ada.seen("said", "Pace: Relaxed")
        assert "The house rules have changed." not in ada.spoken()
        ada.page.locator("[data-do=leave]").click()
        ada.page.locator("[data-do=stay]").click()
        ada.page.locator("[data-do=leave]").click()
        ada.page.locator("dialog dialog [data-do=leave]").click()
        expect(ada.page.locator("[data-how] summary")).to_contain_text("Relaxed")  # also for the next game
        ada.page.locator("[data-back]").click()
        ada.page.locator("[data-do=take_seat]").click()
        expect(ada.page.locator("[data-do=take_seat]")).to_have_count(0)
        ada.button("Menu").click()
        expect(ada.page.locator("[data-pace]")).to_have_value("relaxed")
        ada.button("Close").click()
        ada.end_game()
        ada.ended()
