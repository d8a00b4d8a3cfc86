"""One tablet for all players: each seat faces its edge and acts there."""

from typing import Any

from playwright.sync_api import Browser, Route, expect

from support import wake_lock
from support.browser_guest import BrowserGuest
from support.server_process import ServerProcess
from support.throttled_socket import ThrottledSocket

TABLET = (1024, 768)
FAMILY = ("Mum", "Dad", "Zoe", "Wolfgang-Maximilian")
SIX = (*FAMILY, "Emil", "Frieda")
LEADS_BACK = "table => (JSON.parse(localStorage.getItem('notahat')).table ?? null) === table"
EDGES = {"bottom": 0, "left": 90, "top": 180, "right": -90}
LEAST_NAME = 13  # pixels
_LETTERS = "names => names.map(name => parseFloat(getComputedStyle(name).fontSize))"
_LETTER = "text => parseFloat(getComputedStyle(text).fontSize)"
_HOLD = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { animation-play-state: paused !important }");
  document.adoptedStyleSheets = [sheet];
}"""
_TURNS = """stage => stage.getAnimations().map(animation => {
  const { duration } = animation.effect.getTiming();
  const angle = at => (animation.currentTime = duration * at, parseFloat(getComputedStyle(stage).rotate) || 0);
  return [duration, ...[0, 0.19, 0.27, 0.46, 0.54, 0.73, 0.81, 0.9999].map(at => Math.round(angle(at)))];
})"""


def sit_at_tablet(visitor: BrowserGuest, *names: str, claims: str = "spoken") -> None:
    """Open a tablet table and seat players."""
    visitor.open()
    visitor.open_in_one_room("around")
    for number, name in enumerate(names):
        visitor.page.locator("#name").fill(name)
        visitor.page.locator("#name").press("Enter")
        visitor.page.locator("[data-chair]").nth(number).wait_for()
    claimed = visitor.page.locator(f"input[value={claims}]")
    claimed.click()
    expect(claimed).to_be_checked()  # when the table confirms it


def acting_at_edge(visitor: BrowserGuest, what: str) -> str:
    """Return the name of the player who acts; assert that the button is at their edge and turned to them."""
    button = visitor.page.locator(f"[data-actions] [data-do={what}]")
    button.wait_for()
    seat = visitor.page.locator("[data-seat]", has=button)
    edge = seat.get_attribute("data-edge") or ""
    box, (width, height) = button.bounding_box(), TABLET
    assert box is not None
    room = {
        "bottom": height - box["y"] - box["height"],
        "left": box["x"],
        "top": box["y"],
        "right": width - box["x"] - box["width"],
    }
    assert room[edge] == min(room.values()) < 12
    assert seat.evaluate("place => getComputedStyle(place).rotate") in (f"{EDGES[edge]}deg", "none")
    return seat.get_attribute("aria-label") or ""


def pass_gifts_around(visitor: BrowserGuest) -> None:
    """Draw a gift, then pass and accept gifts until a player at each edge has acted."""
    acting_at_edge(visitor, "draw")
    visitor.do("draw")
    acted: set[str] = set()
    for _ in range(24):
        for what in ("pass", "accept"):
            player = acting_at_edge(visitor, what)
            acted.add(visitor.page.locator(f"[data-seat][aria-label={player}]").get_attribute("data-edge") or "")
            visitor.do(what)
        if acted == set(EDGES):
            return
    raise AssertionError(f"only at {acted}")


def nudge_soon(route: Route) -> None:
    """Open the table with a patience of one second."""
    asked: dict[str, Any] = route.request.post_data_json or {}
    asked["options"]["nudge_seconds"] = 1
    route.continue_(post_data=asked)


def let_computer_move(table: BrowserGuest, giver: str) -> None:
    """Wait until the tablet offers help at the next seat, and take it."""
    helper = table.page.locator("[data-idle] .button")
    expect(helper).to_have_count(1)
    expect(table.page.get_by_text(f"Waiting for {giver}")).to_have_count(1)
    expect(table.page.locator("[data-nudge]")).to_have_count(1)  # a frame pulses
    acting_at_edge(table, "give")  # it is still asked
    helper.click()


def test_r12_tablet_players_act_at_their_own_edge(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, TABLET) as table:
        wake_lock.install(table)
        sit_at_tablet(table, *SIX)
        table.page.locator(".start").click()
        wake_lock.screen_stays_on(table)
        assert min(table.page.locator("[data-seat] .name").evaluate_all(_LETTERS)) >= LEAST_NAME
        pass_gifts_around(table)
        giver = acting_at_edge(table, "pass")
        expect(table.page.locator("[data-sentence]")).to_contain_text(f"{giver}, tell ")
        for number in range(3):
            if number:
                table.do("draw")
            giver = acting_at_edge(table, "pass")
            table.do("pass")
            table.do("refuse")
            table.button(f"{giver} was wrong").click()
        table.ended()
        table.button("No: the receiver was wrong").click()  # corrects the verdict that ended the round
        table.button("No: the giver was wrong").click()
        table.ended()
        assert "(you)" not in table.text()
        assert not any("has decided" in text for text in table.spoken())  # anybody may have
        assert "opens" not in table.shown("beat")
        table.button("Keep the verdict").click()
        table.seen("beat", "opens", "opened")
        table.ended()
        table.button("Play again").click()
        table.at_table()


def test_tablet_close_up_can_be_read_at_each_edge(browser: Browser, unhurried: ServerProcess) -> None:
    with BrowserGuest(browser, unhurried.url, TABLET) as table:
        table.stop_clock().start_clock()
        sit_at_tablet(table, *FAMILY)
        table.page.evaluate(_HOLD)
        table.page.locator(".start").click()
        table.stop_clock()
        for what in ("draw", "pass", "refuse"):
            table.do(what)
        table.tap(table.page.locator("[data-do=judge]").first)
        stage = table.page.locator("[data-close-up] > .stage")
        table.until(lambda: table.page.locator("[data-beat=stamp]").count() == 1, passing=20)
        began = table.record[-1]["at"]
        [[duration, *angles]] = stage.evaluate(_TURNS)
        assert angles == [0, 0, 90, 90, 180, 180, 270, 270]
        assert duration * 0.19 >= 800
        table.until(lambda: stage.count() == 0, passing=20)
        assert abs(table.record[-1]["at"] - began - duration) <= 20


def test_tablet_picker_faces_giver_and_idle_gets_help(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, TABLET, take_back=True) as table:
        line = ThrottledSocket(table.page)
        table.page.route("**/api/tables", nudge_soon)
        sit_at_tablet(table, *FAMILY, claims="entered")
        table.page.locator(".start").click()
        table.do("draw")
        let_computer_move(table, acting_at_edge(table, "give"))
        table.do("refuse")
        for _ in range(2):
            table.do("draw")
            giver = acting_at_edge(table, "give")
            table.do("give")
            sheet = table.page.locator("dialog[open]")
            place = table.page.locator(f"[data-seat][aria-label={giver}]")
            turned = place.evaluate("place => getComputedStyle(place).rotate")
            assert sheet.evaluate("sheet => getComputedStyle(sheet).rotate") == turned
            field = sheet.get_by_role("combobox")
            field.fill(table.visible_gift())
            line.hold()
            field.press("Enter")
            sheet.wait_for(state="detached")
            table.page.keyboard.press("1")  # sends the claim, which cannot be taken back then
            expect(table.page.locator("[data-do=take_back]")).to_have_count(0)
            line.release()
            acting_at_edge(table, "refuse")
            assert table.page.locator("[data-sentence] [data-bubble]").evaluate(_LETTER) >= 26
            table.do("refuse")
        table.ended()


def test_tablet_moves_are_taken_back_and_seats_changed(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, TABLET, take_back=True) as table:
        table.stop_clock().start_clock()  # a move can be taken back for a moment only, so the clock is stopped below
        sit_at_tablet(table, "Dad", "Mum", "Zoe")
        table.page.locator("[data-do=code]").click()
        expect(table.page.locator("dialog svg.qr")).to_be_visible()
        table.button("Close").click()
        table.page.locator("[data-empty]").click()
        expect(table.page.locator("#name")).to_be_focused()
        expect(table.page.locator("[data-chair]")).to_have_text(["Dad", "Mum", "Zoe"])
        table.tap_chair("Mum")
        table.button("Move Mum one seat back").click()
        expect(table.page.locator("[data-chair]")).to_have_text(["Mum", "Dad", "Zoe"])
        table.page.locator(".start").click()
        table.page.locator("[data-do=draw]").wait_for()
        table.do("draw")
        table.do("pass")
        table.page.locator("[data-do=refuse]").wait_for()
        table.stop_clock()
        table.tap("[data-do=refuse]")
        expect(table.page.locator("[data-bubble]")).to_have_text("That’s not it!")  # at once
        table.page.locator("[data-do=take_back]").click()
        expect(table.page.locator("[data-bubble]")).to_have_count(0)
        table.start_clock()
        table.page.locator("[data-do=menu]").click()
        table.page.locator("dialog [data-do=code]").click()
        expect(table.page.locator("dialog dialog svg.qr")).to_be_visible()
        table.page.keyboard.press("Escape")
        expect(table.page.locator("dialog dialog")).to_have_count(0)
        table.page.get_by_label("Name of seat 2").fill("Daddy")
        table.page.get_by_label("Name of seat 2").press("Enter")
        daddy = table.page.locator("[data-seat][aria-label=Daddy]")
        expect(daddy).to_have_attribute("data-edge", "left")
        table.button("Zoe leaves").click()
        table.button("Zoe is back").click()
        table.button("Zoe leaves").wait_for()
        table.button("Turn the table").click()
        table.button("Close").click()
        expect(daddy).to_have_attribute("data-edge", "bottom")
        code = table.page.url.split("/t/")[1]
        table.page.wait_for_function(LEADS_BACK, arg=code)
        table.page.locator("[data-do=menu]").click()
        for name in ("Mum", "Daddy", "Zoe"):
            table.button(f"{name} leaves").click()
        table.page.wait_for_function(LEADS_BACK, arg=None)
