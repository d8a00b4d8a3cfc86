"""A table that waits for one person: the nudge, what others may do, and matches without absent players."""

from playwright.sync_api import Browser, expect

from support.browser_guest import PHONE, BrowserGuest
from support.scripted_players import ScriptedPlayers
from support.server_process import ServerProcess

TV = (1920, 1080)
_RECORD_VIBRATION = """() => {
  globalThis.shaken = [];
  Object.defineProperty(navigator, "vibrate", { value: (pattern) => globalThis.shaken.push(pattern) });
}"""
_ANIMATION = "frame => getComputedStyle(frame).animationName"


def _help(players: ScriptedPlayers) -> None:
    """Wait until others may help the idle player."""
    players.until(lambda state: bool(state.view.idle and state.view.idle.help))


def test_others_nudge_idle_player_and_let_computer_move(browser: Browser, site: ServerProcess) -> None:
    with (
        BrowserGuest(browser, site.url, (320, 568)) as ada,
        BrowserGuest(browser, site.url, TV) as screen,
        ScriptedPlayers(site.url) as players,
    ):
        code = players.open_table("Ben", "Cem", nudge_seconds=1, starter=1, arrows="black")
        ada.join(code, "Ada")
        players.sit()
        screen.stop_clock().open(f"/t/{code}/screen").chairs(3)
        players.do_as_host("start")
        players.do("Ben", "draw")
        ada.headline("Waiting for Ben")
        screen.seen("sentence", "Waiting for Ben")
        expect(ada.page.locator("[data-nudge]")).to_have_count(0)  # Ada's device has nothing to do
        expect(ada.page.locator("[data-idle] .act")).to_have_text("Nudge")  # the gentle way comes first
        ada.button("Nudge").click()
        expect(ada.button("Nudged")).to_be_disabled()
        expect(ada.page.locator("[data-idle] .act")).to_have_text("Let a computer make this move")
        screen.seen("news", "Ada nudges Ben.")
        players.do("Cem", "emote", emote="laugh")
        screen.seen("bubble", "Ha ha!")
        laugh = screen.page.locator("[data-bubble]")
        assert laugh.evaluate("bubble => parseFloat(getComputedStyle(bubble).fontSize)") >= 32
        ada.seen("bubble", "Ha ha!")
        ada.button("Let a computer make this move").click()
        assert players.phase("answer").giver == 1
        expect(ada.page.locator("[data-idle]")).to_have_count(0)
        assert players.state.view.seats[1].stand_in is not True
        ada.headline("Waiting for Cem")  # the next player is idle, too, and the claim stays
        expect(ada.page.locator("[data-sentence] .spoken.main")).to_be_visible()
        players.do("Cem", "accept")
        ada.page.evaluate(
            "code => localStorage.setItem('notahat', JSON.stringify({ asked: true, controller: { code, on: true } }))",
            players.state.view.code,
        )
        ada.page.reload()
        controller = ada.page.locator("[data-controller]")
        expect(controller).to_contain_text("Waiting for Cem")
        players.disconnect("Cem")
        expect(controller).to_contain_text("Cem is away.")
        expect(controller.get_by_role("button", name="Let a computer play for Cem")).to_be_visible()


def test_idle_player_is_nudged_by_device_and_others(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE) as ada, ScriptedPlayers(site.url) as players:
        ada.page.add_init_script(f"({_RECORD_VIBRATION})()")
        ada.join(players.open_table("Ben", nudge_seconds=1, starter=0), "Ada")
        players.sit()
        players.do_as_host("start")
        ada.do("draw")
        frame = ada.page.locator("[data-nudge]")
        before = int(frame.get_attribute("data-nudge") or 0)
        assert before > 0
        assert frame.evaluate(_ANIMATION) != "none"
        ada.page.emulate_media(reduced_motion="reduce")
        assert frame.evaluate(_ANIMATION) == "none"
        assert [60, 80, 60] in ada.page.evaluate("() => globalThis.shaken")
        expect(ada.page.locator("[data-idle]")).to_have_count(0)
        expect(ada.page.locator("[data-sentence]")).not_to_contain_text("Waiting")
        _help(players)
        players.do("Ben", "nudge", seat=0)
        ada.seen("news", "Ben nudges you.")
        expect(frame).to_have_attribute("data-nudge", str(before + 1))
        ada.do("give")
        ada.page.locator("dialog[open]").wait_for()
        players.do("Ben", "bot_move", seat=0, turn=players.state.view.round.turn)  # type: ignore[union-attr]
        ada.seen("news", "A computer made this move for you.")
        expect(ada.page.locator("[data-nudge], dialog[open]")).to_have_count(0)
        players.do("Ben", "accept")
        players.phase("give")
        players.do("Ben", "give", claim="hat")
        ada.do("accept")  # the seat is still Ada's


def test_next_match_asks_about_absent_players(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE) as ada, ScriptedPlayers(site.url) as players:
        ada.join(players.open_table("Ben", "Cem", "Dora", starter=0), "Ada")
        players.sit()
        players.do_as_host("start")
        ada.at_table()
        players.do_as_host("end_match")
        players.disconnect("Cem")
        ada.page.locator("[data-again]").click()
        players.do("Ben", "again", deal=True)
        players.do("Dora", "again", deal=True)
        expect(ada.button("You’re in")).to_be_visible()
        ada.button("Start without Cem").click()
        ada.at_table()
        expect(ada.page.locator("[data-seat]")).to_have_count(3)

        players.do_as_host("end_match")
        players.do_as_host("hand_over", seat=0)
        without = ada.page.locator("[data-without]")
        ada.page.locator("[data-again]").click()
        ada.button("You’re in").wait_for()
        expect(without).to_have_count(0)  # most people have not answered yet
        players.do("Ben", "again", deal=True)
        expect(without).to_contain_text("Start without Dora")  # the host need not wait for her, though she is there
        players.do("Ben", "again")
        players.disconnect("Dora")
        players.until(lambda state: state.view.seats[2].away)
        start = ada.page.locator("[data-do=start]")
        expect(ada.page.locator("[data-chair]").nth(2)).to_contain_text("away")
        start.click()
        question = ada.page.locator("[data-ask=without]")
        expect(question).to_contain_text("Dora is away. Play without them?")
        question.get_by_role("button", name="With Dora").click()
        ada.at_table()
        expect(ada.page.locator("[data-seat]")).to_have_count(3)
