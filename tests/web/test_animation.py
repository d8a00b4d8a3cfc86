"""The animation of a round in a real browser, whose clock stands still until the test advances it.

Beats and their durations are laws of web/test/game/sceneLaws.test.ts. This is what a browser adds: it plays them in
their time, can be interrupted, and draws paths without motion.
"""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from notahat.live.pace import SPEED
from support.browser_guest import PHONE, BrowserGuest
from support.scripted_players import ScriptedPlayers
from support.scripts import load
from support.server_process import ServerProcess

PEOPLE = ("Ben", "Casimir", "Dora")
BRISK = SPEED["brisk"]
_FRESH = "() => document.querySelector('[data-fresh]') !== null"
_SETTLED = f"() => ({_FRESH})() ? -1 : Number(document.querySelector('[data-settled]')?.dataset.settled ?? -1)"


class Stage:
    """Ada with a browser whose clock stands still, and scripted players without one."""

    def __init__(self, ada: BrowserGuest, players: ScriptedPlayers) -> None:
        self.ada = ada
        self.page = ada.page
        self.players = players
        self._mark = 0

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

    def lie(self) -> None:
        """Draw a gift and call it one that lies open as a penalty: its giver gets the next penalty."""
        self.draw()
        seats = self.players.state.view.round.seats  # type: ignore[union-attr]
        (penalty,) = {gift for seat in seats for gift in seat.penalties[:1]}
        self.give(penalty)

    def at_rest(self) -> None:
        """Wait until nothing moves, the newest state is shown and its buttons take presses."""
        self.ada.until(lambda: self.page.evaluate(_SETTLED) == self.players.state.v, passing=250)

    def watch(self) -> None:
        """Begin to look at beats when the page has come to rest."""
        self.at_rest()
        self._mark = len(self.ada.record)

    def beat(self, beat: str) -> None:
        """Advance the clock until this beat is shown, and let it stand still."""
        self.ada.until(lambda: self.page.locator(f"[data-beat={beat}]").count() == 1, passing=20)

    def diary(self, *last: str) -> list[dict[str, Any]]:
        """Return the record at the beginning of each beat since `watch`, once the last beats are these."""
        self.ada.until(lambda: [entry["beat"] for entry in self._beats()][-len(last) :] == [*last], passing=100)
        return self._beats()

    def _beats(self) -> list[dict[str, Any]]:
        before_and_now = pairwise(self.ada.record[self._mark - 1 :])
        return [now for before, now in before_and_now if now["beat"] != before["beat"]]


def _duration_of(diary: list[dict[str, Any]], beat: str) -> float:
    """Return how long a beat was on screen, in milliseconds at normal pace."""
    at = next(n for n, entry in enumerate(diary) if entry["beat"] == beat)
    return float(diary[at + 1]["at"] - diary[at]["at"]) * BRISK


def test_round_is_animated_beat_by_beat(browser: Browser, unhurried: ServerProcess) -> None:
    with BrowserGuest(browser, unhurried.url, PHONE) as ada, ScriptedPlayers(unhurried.url) as players:
        options = {"show_seconds": 0, "patience_seconds": 0, "starter": 1, "pace": "brisk"}
        ada.stop_clock().join(players.open_table(*PEOPLE, **options), "Ada")
        players.sit()
        players.do_as_host("start")
        ada.at_table()
        stage = Stage(ada, players)
        _arrow_is_shown_before_claim(stage)
        _remark_leaves_claim_in_live_region(stage)
        _phone_names_receiver_of_own_gift(stage)
        _tap_skips_to_the_present(stage)
        _reduced_motion_draws_path_across_table(stage)
        _r8_1_third_penalty_reveals_all_gifts(stage)
        _replay_counter_matches_picture(stage)


def _arrow_is_shown_before_claim(stage: Stage) -> None:
    stage.watch()
    stage.draw()
    stage.give("kite")
    stage.beat("travels")
    flight = "card => card.getAnimations()[0].effect.getTiming().duration"
    assert stage.page.locator(".flyer").evaluate(flight) == pytest.approx(520 / BRISK)
    diary = stage.diary("travels", "present")
    for beat, ms in (("rises", 520), ("arrow", 700), ("travels", 520)):
        assert _duration_of(diary, beat) == pytest.approx(ms, abs=5), beat
    claims = ["kite" in entry["sentence"] for entry in diary]
    assert claims == [False] * (len(diary) - 2) + [True, True]


def _remark_leaves_claim_in_live_region(stage: Stage) -> None:
    while stage.players.phase("answer").receiver != 0:
        stage.answer("accept")
        stage.give("kite")
    stage.at_rest()
    stage.players.do("Casimir", "emote", emote="laugh")
    stage.at_rest()
    live = stage.page.locator("[data-live]")
    expect(live.locator("[data-aside]")).to_contain_text("Casimir: Ha ha!")
    expect(live).to_contain_text("to you: I have a nice kite for you.")


def _phone_names_receiver_of_own_gift(stage: Stage) -> None:
    _thanks_stay_in_their_place(stage)
    stage.give("kite")
    stage.at_rest()
    expect(stage.page.locator("[data-meant]")).to_have_text("Dora →")


def _thanks_stay_in_their_place(stage: Stage) -> None:
    """On a small phone the bubble does not jump over the gift when that begins to move."""
    stage.at_rest()
    stage.ada.resize((320, 568))
    stage.answer("accept")
    places = []
    for beat in ("thanks", "lands", "both"):
        stage.beat(beat)
        thanks = stage.page.locator("[data-bubble]", has_text="Thank you").locator("xpath=..")
        places.append(thanks.get_attribute("style"))
    assert len(set(places)) == 1, places
    stage.ada.resize(PHONE)


def _tap_skips_to_the_present(stage: Stage) -> None:
    stage.watch()
    stage.answer("refuse")
    go_on = stage.page.locator("[data-do=go_on]:not([data-fresh])")
    stage.ada.until(lambda: go_on.count() == 1)
    go_on.click()
    assert [entry["beat"] for entry in stage.diary("stamp", "present")][-2:] == ["stamp", "present"]


def _reduced_motion_draws_path_across_table(stage: Stage) -> None:
    stage.page.emulate_media(reduced_motion="reduce")
    stage.lie()
    path = stage.page.locator("svg.path path")
    stage.ada.until(lambda: path.count() == 1, passing=20)
    length, inside = path.evaluate(load("drawnPath"))
    assert length > 25
    assert inside
    stage.page.emulate_media(reduced_motion="no-preference")
    stage.answer("refuse")


def _r8_1_third_penalty_reveals_all_gifts(stage: Stage) -> None:
    told: list[str] = []
    stage.page.on("requestfinished", lambda request: told.append(request.url))
    stage.lie()
    stage.watch()
    stage.answer("refuse")
    boxes = []
    for beat in ("close", "turns", "breath"):
        stage.beat(beat)
        boxes.append(stage.page.locator("[data-close-up] .duel").bounding_box())
    assert boxes[0] == boxes[1] == boxes[2]  # the card turns in its place
    stage.ada.until(lambda: any("/rounds/" in url for url in told), passing=20)  # until the page has the story
    stage.beat("opened")
    expect(stage.page.locator("[data-crown]")).to_have_count(3)
    assert [entry["sentence"] for entry in stage.diary("opened") if entry["beat"] == "opens"]
    again = stage.page.get_by_role("button", name="Play again", exact=True)
    stage.ada.until(lambda: again.count() == 1, passing=10)
    for key in ("1", "Enter", " ", "1", "Enter"):  # mashed, as to skip what came before
        stage.page.keyboard.press(key)
        stage.ada.step(60)
    expect(again).to_be_focused()
    assert stage.page.locator("[data-wants]").count() == 0
    stage.ada.step(300)
    expect(again).not_to_have_attribute("data-fresh", "")  # pressing on does not prolong it; other buttons may be newer


def _replay_counter_matches_picture(stage: Stage) -> None:
    stage.ada.tap(stage.ada.button("Watch it back"))  # it may be newer than *Play again*
    counter, beat = stage.page.locator("[data-at]"), stage.page.locator("[data-beat]")
    onward, back = stage.ada.button(re.compile("^Next$")), stage.ada.button(re.compile("^Back$"))
    stage.page.get_by_role("slider").fill("0")  # back to the start
    stage.ada.until(lambda: not stage.page.evaluate(_FRESH))
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
    stage.beat("opens")
    stage.page.get_by_role("slider").fill(str(last - 1))  # the ending can be interrupted
    expect(beat).to_have_attribute("data-beat", "present")
