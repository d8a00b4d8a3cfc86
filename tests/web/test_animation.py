"""The animation of a round in a real browser: what is shown, in which order and for how long.

The page's clock stands still until a test advances it. Layouts are checked by the layout law over the gallery.
"""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from notahat.live.pace import SPEED
from notahat.rules.view import DrawView
from notahat.wire.messages import State
from scripted_players import ScriptedPlayers
from support.browser_guest import DESKTOP, PHONE, BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess

PEOPLE = ("Ben", "Casimir", "Dora")
BRISK = SPEED["brisk"]
_FRESH = "() => document.querySelector('[data-fresh]') !== null"
_SETTLED = f"() => ({_FRESH})() ? -1 : Number(document.querySelector('[data-settled]')?.dataset.settled ?? -1)"
_BOXES = (
    "cards => cards.map((card) => card.getBoundingClientRect()).map(({ x, y, width, height }) => [x, y, width, height])"
)


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

    def offered_to_ada(self, claim: str) -> None:
        """Pass the gift on until it is offered to Ada and shown to her."""
        while self.players.phase("answer").receiver != 0:
            self.answer("accept")
            self.give(claim)
        self.at_rest()

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


def _is_draw_or_over(now: State) -> bool:
    return now.view.stage != "play" or (now.view.round is not None and isinstance(now.view.round.phase, DrawView))


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
        _r5_acceptance_shows_all_beats(stage)
        _live_region_keeps_claim_beside_remark(stage)
        _phone_names_receiver_of_own_gift(stage)
        _tap_skips_to_the_present(stage)
        _reduced_motion_draws_path_across_table(stage)
        _r6_refusal_names_who_gets_the_penalty(stage)
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
    assert not any("kite" in entry["sentence"] for entry in diary[:-1])
    assert "kite" in diary[-1]["sentence"]


def _r5_acceptance_shows_all_beats(stage: Stage) -> None:
    receiver = stage.players.phase("answer").receiver
    stage.watch()
    stage.answer("accept")
    stage.beat("both")
    seat = stage.page.locator("[data-seat]").nth(receiver)
    expect(seat).to_have_class(re.compile("giver"))
    for size in (DESKTOP, PHONE):
        stage.ada.resize(size)
        stage.ada.step(50)
        old, new = seat.locator(".card").evaluate_all(_BOXES)
        assert new[1] < old[1], "the new one lies above"
        assert new[0] >= old[0] + old[2] - 1 or new[1] + new[3] <= old[1] + 1, "and covers nothing"
    diary = stage.diary("turns", "leaves", "closes", "present")
    beats = [entry["beat"] for entry in diary if entry["beat"] != "present"]
    assert beats == ["thanks", "lands", "both", "turns", "leaves", "closes"]
    assert "Thank you!" in diary[0]["bubble"]
    assert _duration_of(diary, "thanks") >= 400
    assert not any("shop" in entry["sentence"].lower() for entry in diary), "nobody goes to the shop"
    expect(seat.locator(".card")).to_have_count(1)


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


def _phone_names_receiver_of_own_gift(stage: Stage) -> None:
    stage.answer("accept")
    stage.give("kite")
    stage.at_rest()
    expect(stage.page.locator("[data-meant]")).to_have_text("Dora →")


def _tap_skips_to_the_present(stage: Stage) -> None:
    stage.watch()
    stage.answer("refuse")
    go_on = stage.page.locator("[data-do=go_on]:not([data-fresh])")
    stage.ada.until(lambda: go_on.count() == 1)
    go_on.click()
    assert [entry["beat"] for entry in stage.diary("stamp", "present")][-2:] == ["stamp", "present"]


def _reduced_motion_draws_path_across_table(stage: Stage) -> None:
    stage.page.emulate_media(reduced_motion="reduce")
    stage.draw()
    stage.at_rest()
    stage.give("umbrella")
    path = stage.page.locator("svg.path path")
    stage.ada.until(lambda: path.count() == 1, passing=20)
    for size in (DESKTOP, PHONE):
        stage.ada.resize(size)
        length, inside = path.evaluate(load("drawnPath"))
        assert length > 25
        assert inside
    stage.page.emulate_media(reduced_motion="no-preference")


def _r6_refusal_names_who_gets_the_penalty(stage: Stage) -> None:
    stage.watch()
    stage.answer("refuse")
    diary = stage.diary("keeps", "present")
    assert [entry["beat"] for entry in diary] == ["still", "close", "turns", "breath", "stamp", "keeps", "present"]
    assert _duration_of(diary, "still") >= 400
    assert "A penalty point for" in diary[5]["sentence"]
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
    winners = stage.players.state.view.round.winners  # type: ignore[union-attr]
    stage.beat("opened")
    expect(stage.page.locator("[data-crown]")).to_have_count(len(winners))
    diary = stage.diary("opened")
    assert [entry["beat"] for entry in diary[:6]] == ["still", "close", "turns", "breath", "stamp", "keeps"]
    opens = [entry["sentence"] for entry in diary if entry["beat"] == "opens"]
    assert opens
    assert all("last called" in said or "what it was called" in said for said in opens), opens
    again = stage.page.get_by_role("button", name="Play again", exact=True)
    stage.ada.until(lambda: again.count() == 1, passing=10)
    for key in ("1", "Enter", " ", "1", "Enter"):  # mashed, as to skip what came before
        stage.page.keyboard.press(key)
        stage.ada.step(300)
    expect(again).to_be_focused()
    assert stage.page.locator("[data-wants]").count() == 0
    stage.ada.until(lambda: not stage.page.evaluate(_FRESH))


def _replay_counter_matches_picture(stage: Stage) -> None:
    stage.ada.button("Watch it back").click()
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
    stage.page.keyboard.press("Escape")  # the ending can be interrupted
    expect(beat).to_have_attribute("data-beat", "present")
