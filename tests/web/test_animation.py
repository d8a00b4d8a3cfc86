"""The animation of a round in a real browser: beats, positions, sizes and texts, at phone and desktop size.

The page has a fake clock that the tests advance, so that measured times do not depend on the machine.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from notahat.live.pace import SPEED
from notahat.rules.view import DrawView
from notahat.wire.messages import State
from scripted_players import ScriptedPlayers
from support.browser_guest import DESKTOP, PHONE, BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess, running_server

PEOPLE = ("Ben", "Casimir", "Dora", "Emil", "Frieda", "Gül", "Wolfgang-Maximilian")
BOTH = pytest.mark.parametrize("size", [PHONE, DESKTOP])
_FRESH = "() => document.querySelector('[data-fresh]') !== null"
_SETTLED = f"() => ({_FRESH})() ? -1 : Number(document.querySelector('[data-settled]')?.dataset.settled ?? -1)"


class Stage:
    """Ada with a browser and scripted players without one, and a fake clock in Ada's page."""

    def __init__(self, ada: BrowserGuest, players: ScriptedPlayers) -> None:
        self.ada = ada
        self.page = ada.page
        self.players = players

    def name(self, seat: int) -> str:
        return ("Ada", *PEOPLE)[seat]

    def draw(self) -> None:
        giver = self.players.phase("draw").giver
        if giver == 0:
            self.at_rest()
            self.ada.do("draw")
        else:
            self.players.do(self.name(giver), "draw")
        self.players.phase("give")

    def give(self, claim: str = "umbrella") -> None:
        phase = self.players.phase("give")
        if phase.giver == 0:
            self.at_rest()
            self.ada.give(claim)
        else:
            to = {"to": phase.receivers[0]} if len(phase.receivers) > 1 else {}
            self.players.do(self.name(phase.giver), "give", claim=claim, **to)
        self.players.phase("answer")

    def answer(self, what: str) -> None:
        receiver = self.players.phase("answer").receiver
        if receiver == 0:
            self.at_rest()
            self.ada.do(what)
        else:
            self.players.do(self.name(receiver), what)

    def offered_to_ada(self, claim: str) -> None:
        """Pass the gift on until it is offered to Ada and shown to her."""
        while self.players.phase("answer").receiver != 0:
            self.answer("accept")
            self.give(claim)
        self.at_rest()

    def until(self, wanted: Callable[[], bool]) -> None:
        """Advance the page's clock until the condition holds."""
        self.ada.until(wanted, passing=250)

    def at_rest(self) -> None:
        """Wait until nothing moves, the newest state is shown and its buttons take presses."""
        self.until(lambda: bool(self.page.evaluate(_SETTLED) == self.players.state.v))

    def watch(self) -> None:
        self.at_rest()
        self.page.evaluate(load("recordBeats"))

    def diary(self, *last: str) -> list[dict[str, Any]]:
        """Return the recorded beats once the last ones are these."""
        ended = "(last) => window.beats.map(({ beat }) => beat).join().endsWith(last.join())"
        self.until(lambda: bool(self.page.evaluate(ended, list(last))))
        found: list[dict[str, Any]] = self.page.evaluate("() => window.beats")
        return found

    def resize(self, size: tuple[int, int]) -> None:
        self.ada.resize(size)
        self.ada.step(100)


@contextmanager
def _stage(
    browser: Browser, site: ServerProcess, size: tuple[int, int], others: int = 3, lang: str = "en-GB", **more: Any
) -> Iterator[Stage]:
    context = {key: more.pop(key) for key in ("reduced_motion",) if key in more}
    with BrowserGuest(browser, site.url, size, lang, **context) as ada, ScriptedPlayers(site.url) as players:
        ada.stop_clock().start_clock()
        code = players.open_table(*PEOPLE[:others], **{"show_seconds": 0, "patience_seconds": 0, "starter": 0, **more})
        ada.join(code, "Ada")
        players.sit()
        players.do_as_host("start")
        ada.at_table()
        ada.stop_clock()
        yield Stage(ada, players)


def _is_draw_or_over(now: State) -> bool:
    return now.view.stage != "play" or (now.view.round is not None and isinstance(now.view.round.phase, DrawView))


def _duration_of(diary: list[dict[str, Any]], beat: str) -> float:
    """Return how long a beat was on screen, in milliseconds."""
    at = next(n for n, entry in enumerate(diary) if entry["beat"] == beat)
    return float(diary[at + 1]["at"] - diary[at]["at"])


@BOTH
def test_round_is_animated_beat_by_beat(browser: Browser, unhurried: ServerProcess, size: tuple[int, int]) -> None:
    with _stage(browser, unhurried, size, starter=1) as stage:
        _arrow_is_shown_before_claim(stage)
        _r5_acceptance_shows_all_beats(stage)
        _live_region_keeps_claim_beside_remark(stage)
        _tap_skips_to_the_present(stage)
        _r6_refusal_names_who_keeps_the_gift(stage)
        _r8_1_third_penalty_reveals_all_gifts(stage)
        _replay_counter_matches_picture(stage)


def _arrow_is_shown_before_claim(stage: Stage) -> None:
    stage.watch()
    stage.draw()
    stage.give("kite")
    diary = stage.diary("travels", "present")
    arrow = next(entry for entry in diary if entry["beat"] == "arrow")
    claimed = next(entry for entry in diary if "kite" in entry["sentence"])
    assert claimed["beat"] == "present"
    assert claimed["at"] - arrow["at"] >= 700
    assert _duration_of(diary, "arrow") >= 700


def _r5_acceptance_shows_all_beats(stage: Stage) -> None:
    receiver = stage.players.phase("answer").receiver
    stage.watch()
    stage.answer("accept")
    diary = stage.diary("turns", "leaves", "closes", "present")
    beats = [entry["beat"] for entry in diary if entry["beat"] != "present"]
    assert beats == ["thanks", "lands", "both", "turns", "leaves", "closes"]
    assert "Thank you!" in diary[0]["bubbles"]
    assert _duration_of(diary, "thanks") >= 400
    assert _duration_of(diary, "both") >= 400
    old, new = diary[2]["seats"][receiver]
    assert new[1] < old[1], "the new one lies above"
    assert new[0] >= old[0] + old[2] - 1 or new[1] + new[3] <= old[1] + 1, "and covers nothing"
    assert [entry["roles"][receiver] for entry in diary[:3]] == ["giver"] * 3
    assert not any("shop" in entry["sentence"].lower() for entry in diary), "nobody goes to the shop"
    assert len(diary[-1]["seats"][receiver]) == 1


def _live_region_keeps_claim_beside_remark(stage: Stage) -> None:
    stage.give("kite")
    stage.offered_to_ada("kite")
    giver = stage.name(stage.players.phase("answer").giver)
    live = stage.page.locator("[data-live]")
    expect(live).to_contain_text(f"{giver} to you: I have a nice kite for you.")
    stage.players.do("Casimir", "emote", emote="laugh")
    stage.at_rest()
    expect(live.locator("[data-aside]")).to_contain_text("Casimir: Ha ha!")
    expect(live).to_contain_text(f"{giver} to you: I have a nice kite for you.")
    stage.page.reload()
    stage.at_rest()
    stage.page.locator("[data-do=accept]").wait_for()
    expect(live).to_contain_text(f"{giver} to you: I have a nice kite for you.")


def _tap_skips_to_the_present(stage: Stage) -> None:
    stage.watch()
    stage.answer("refuse")
    go_on = stage.page.locator("[data-do=go_on]:not([data-fresh])")
    stage.until(lambda: go_on.count() == 1)
    go_on.click()
    assert [entry["beat"] for entry in stage.diary("stamp", "present")][-2:] == ["stamp", "present"]


def _r6_refusal_names_who_keeps_the_gift(stage: Stage) -> None:
    stage.draw()
    stage.give("umbrella")
    stage.watch()
    stage.answer("refuse")
    diary = stage.diary("keeps", "present")
    assert [entry["beat"] for entry in diary] == ["still", "turns", "breath", "stamp", "keeps", "present"]
    assert _duration_of(diary, "still") >= 400
    assert "keep this gift" in diary[3]["sentence"] or "keeps this gift" in diary[3]["sentence"]
    assert diary[3]["sentence"] == diary[4]["sentence"]
    assert "umbrella!" in diary[0]["sentence"]


def _r8_1_third_penalty_reveals_all_gifts(stage: Stage) -> None:
    told: list[str] = []
    stage.page.on("requestfinished", lambda request: told.append(request.url))
    while stage.players.state.view.stage == "play":
        stage.draw()
        stage.give()
        stage.watch()
        stage.answer("refuse")
        stage.players.until(_is_draw_or_over)
    stage.ada.until(lambda: any("/rounds/" in url for url in told), passing=0)  # until the page has the story
    opened = "() => window.beats.some(({ beat }) => beat === 'opened')"
    stage.until(lambda: bool(stage.page.evaluate(opened)))
    diary = stage.page.evaluate("() => window.beats")
    assert [entry["beat"] for entry in diary[:5]] == ["still", "turns", "breath", "stamp", "keeps"]
    opens = [entry["sentence"] for entry in diary if entry["beat"] == "opens"]
    assert opens
    assert all("last called" in said or "what it was called" in said for said in opens), opens
    winners = stage.players.state.view.round.winners  # type: ignore[union-attr]
    assert [entry["crowns"] for entry in diary if entry["beat"] == "opened"] == [len(winners)]
    again = stage.page.get_by_role("button", name="Play again", exact=True)
    stage.ada.until(lambda: again.count() == 1, passing=10)
    for key in ("1", "Enter", " ", "1", "Enter"):  # mashed, as to skip what came before
        stage.page.keyboard.press(key)
        stage.ada.step(300)
    expect(again).to_be_focused()
    assert stage.page.locator("[data-wants]").count() == 0
    stage.until(lambda: not stage.page.evaluate(_FRESH))


def _replay_counter_matches_picture(stage: Stage) -> None:
    stage.ada.button("Watch it back").click()
    counter, beat = stage.page.locator("[data-at]"), stage.page.locator("[data-beat]")
    onward, back = stage.ada.button(re.compile("^Next$")), stage.ada.button(re.compile("^Back$"))
    stage.page.get_by_role("slider").fill("0")  # back to the start
    stage.until(lambda: not stage.page.evaluate(_FRESH))
    for step in (1, 2, 3):  # each interrupts the one before
        onward.click()
        expect(counter).to_contain_text(f"{step} / ")
        expect(beat).not_to_have_attribute("data-beat", "present")
    back.click()
    expect(counter).to_contain_text("2 / ")
    expect(beat).to_have_attribute("data-beat", "present")
    last = int(counter.inner_text().rpartition(" ")[2])
    stage.page.get_by_role("slider").fill(str(last - 1))
    onward.click()
    stage.until(lambda: beat.get_attribute("data-beat") == "opens")
    stage.page.keyboard.press("Escape")  # the ending can be interrupted
    expect(beat).to_have_attribute("data-beat", "present")


def test_gift_on_offer_is_the_largest_card(browser: Browser, unhurried: ServerProcess) -> None:
    with _stage(browser, unhurried, PHONE, others=5, pace="brisk") as stage:
        _brisk_table_is_faster(stage)
        for size in ((320, 568), PHONE, (844, 390), DESKTOP, (1920, 1080)):
            stage.resize(size)
            wide = "all => all.map((one) => one.getBoundingClientRect().width)"
            (offered,) = stage.page.locator("[data-air]").evaluate_all(wide)
            others = stage.page.locator("[data-seat] .card, .shop .pile").evaluate_all(wide)
            assert offered >= 1.1 * max(others), size


def _brisk_table_is_faster(stage: Stage) -> None:
    """Display, movement and server run at the same speed: the arrow is shown for 700 ms / 1.7."""
    stage.watch()
    stage.draw()
    stage.give()
    diary = stage.diary("travels", "present")
    assert stage.players.state.view.speed == SPEED["brisk"]
    (travels,) = (entry for entry in diary if entry["beat"] == "travels")
    assert travels["flight"] == pytest.approx(520 / SPEED["brisk"])
    for beat, normal in (("rises", 520), ("arrow", 700), ("travels", 520)):
        assert _duration_of(diary, beat) == pytest.approx(normal / SPEED["brisk"], abs=5), beat


def test_reduced_motion_draws_path_across_table(browser: Browser, unhurried: ServerProcess) -> None:
    with _stage(browser, unhurried, PHONE, reduced_motion="reduce") as stage:
        stage.draw()
        for size in (PHONE, DESKTOP):
            stage.resize(size)
            stage.at_rest()
            stage.page.evaluate(load("recordPath"))
            stage.give()
            stage.at_rest()
            length, inside = stage.page.evaluate("() => window.path")
            assert length > 40
            assert inside
            stage.answer("accept")


def _all_applaud(stage: Stage) -> None:
    for person in PEOPLE[:-1]:
        stage.players.do(person, "emote", emote="clap")
    stage.at_rest()


def test_bubbles_cover_nothing_with_long_names(browser: Browser, unhurried: ServerProcess) -> None:
    """Eight players with long names in German, one of them with a stand-in; all speak at once."""
    with _stage(browser, unhurried, PHONE, others=7, lang="de-DE", starter=1) as stage:
        stage.draw()
        stage.give()
        stage.players.do("Wolfgang-Maximilian", "leave")
        lies = ".name, [data-penalties], .card, .shop, [data-air], [data-actions] .button, [data-news]"
        for size in ((320, 568), PHONE, (844, 390), DESKTOP):
            stage.resize(size)
            stage.players.do_as_host("lock", locked=size[0] in (320, 844))
            _all_applaud(stage)
            told = "gesperrt" if size[0] in (320, 844) else "offen"  # news survive the remarks
            stage.until(lambda: told in "".join(stage.page.locator("[data-news]").all_inner_texts()))  # noqa: B023
            _all_applaud(stage)
            said = stage.page.locator("[data-bubble], [data-talk] q")
            said.first.wait_for()
            expect(stage.page.locator("[data-seat] [data-bubble]").first).to_be_visible()  # emotes are at their seats
            assert (
                stage.page.evaluate(load("overlaps"), ["[data-bubble], [data-talk] span, [data-news]", lies]) == []
            ), size
            assert stage.page.evaluate(load("cutTexts")) == [], size
            expect(stage.page.get_by_text("vom Computer vertreten")).to_have_count(1)
            stage.ada.step(5000)  # all bubbles expire


@pytest.fixture(scope="module")
def special(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """With this seed the first card of the shop is special, for seven and for eight players."""
    with running_server(tmp_path_factory.mktemp("special"), pace=25.0, seed=3) as server:
        yield server


@pytest.mark.parametrize("others", [6, 7])
def test_r4_3_every_receiver_of_special_card_can_be_tapped(
    browser: Browser, special: ServerProcess, others: int
) -> None:
    with _stage(browser, special, (320, 568), others=others, edition="special", special_cards=True) as stage:
        stage.draw()
        stage.at_rest()
        stage.page.locator("[data-do=give]").click()
        picks = stage.page.locator("[data-seat] [data-pick]")
        expect(picks).to_have_count(others)
        for size in (DESKTOP, PHONE, (320, 568)):
            stage.resize(size)
            for pick in picks.all():
                assert pick.evaluate(load("isVisible")), size
                box = pick.bounding_box()
                assert box is not None
                assert min(box["width"], box["height"]) >= 44, size
        picks.last.click()
        close = stage.page.locator("dialog[open] header .button")
        close.wait_for()
        assert close.evaluate(load("isVisible"))


def test_phone_names_receivers_of_own_cards(browser: Browser, site: ServerProcess) -> None:
    """Two gifts each, all to the right: from Ada to Dora. One of Ada's is wrapped, then both."""
    with _stage(browser, site, PHONE, gifts_each=2, starter=1, arrows="white") as stage:
        stage.draw()
        stage.give()
        meant = stage.page.locator("[data-meant]")
        for wrapped in (1, 2):
            stage.offered_to_ada("umbrella")
            stage.answer("accept")
            stage.give("umbrella")
            stage.at_rest()
            for size in (PHONE, (320, 568)):
                stage.resize(size)
                expect(meant).to_have_text(["Dora →"] * wrapped)
                assert (
                    stage.page.evaluate(load("overlaps"), ["[data-meant]", ".card, .name, [data-penalties]"]) == []
                ), size


def test_claim_and_buttons_are_visible_at_200_percent(browser: Browser, unhurried: ServerProcess) -> None:
    with _stage(browser, unhurried, PHONE, others=4, lang="de-DE", starter=1, arrows="white") as stage:
        stage.draw()
        stage.give("alarm_clock")
        stage.offered_to_ada("alarm_clock")
        stage.page.evaluate("document.documentElement.style.fontSize = '200%'")
        for size in (PHONE, DESKTOP):
            stage.resize(size)
            stage.page.evaluate("dispatchEvent(new Event('resize'))")
            for what in ("[data-sentence] .spoken", "[data-do=accept]", "[data-do=refuse]"):
                stage.page.locator(what).wait_for()
                assert stage.page.locator(what).evaluate(load("isVisible")), (what, size)
