"""The truth in motion, seen in a real browser: beats, places, sizes and words, at phone and desktop size."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from company import Company
from notahat.rules.view import DrawView
from notahat.wire.messages import State
from support.serving import Served, served
from support.visitor import DESKTOP, PHONE, Visitor

PEOPLE = ("Ben", "Casimir", "Dora", "Emil", "Frieda", "Gül", "Wolfgang-Maximilian")
BOTH = pytest.mark.parametrize("size", [PHONE, DESKTOP])
# a diary of the table: each beat with its time, its sentence, and where the cards of each seat lie
_WATCH = """() => {
  const room = document.querySelector("[data-beat]");
  const box = (one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height]; };
  const seats = () => [...document.querySelectorAll("[data-seat]")];
  window.diary = [];
  const write = () => window.diary.push({
    beat: room.dataset.beat,
    at: performance.now(),
    sentence: document.querySelector("[data-sentence]").innerText,
    seats: seats().map((seat) => [...seat.querySelectorAll(".card")].map(box)),
    roles: seats().map((seat) => seat.className.match(/giver|receiver/)?.[0] ?? ""),
    bubbles: [...document.querySelectorAll("[data-bubble]")].map((one) => one.innerText),
  });
  window.watcher?.disconnect();
  window.watcher = new MutationObserver(() => queueMicrotask(write));
  window.watcher.observe(room, { attributes: true, attributeFilter: ["data-beat"] });
}"""
_OVER = """([what, others]) => {
  const box = (one) => one.getBoundingClientRect();
  const beside = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1;
  const apart = (a, b) => beside(a, b) || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
  return [...document.querySelectorAll(what)].flatMap((one) => [...document.querySelectorAll(others)]
    .filter((other) => !one.contains(other) && !other.contains(one) && !apart(box(one), box(other)))
    .map((other) => `${one.textContent.trim()} over ${other.className} ${other.textContent.trim().slice(0, 30)}`));
}"""
_IN_SIGHT = """(one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  return inside && (one.contains(hit) || hit?.contains(one));
}"""


@pytest.fixture(scope="module")
def site(unhurried: Served) -> Served:
    return unhurried


class Stage:
    """Ada with a browser, others without; everybody does what the test says."""

    def __init__(self, ada: Visitor, company: Company) -> None:
        self.ada = ada
        self.page = ada.page
        self.company = company

    def name(self, seat: int) -> str:
        return ("Ada", *PEOPLE)[seat]

    def draw(self) -> None:
        giver = self.company.phase("draw").giver
        if giver == 0:
            self.ada.do("draw")
        else:
            self.company.do(self.name(giver), "draw")

    def give(self, claim: str = "umbrella") -> None:
        phase = self.company.phase("give")
        if phase.giver == 0:
            self.ada.give(claim)
        else:
            to = {"to": phase.receivers[0]} if len(phase.receivers) > 1 else {}
            self.company.do(self.name(phase.giver), "give", claim=claim, **to)
        self.company.phase("answer")

    def answer(self, what: str) -> None:
        receiver = self.company.phase("answer").receiver
        if receiver == 0:
            self.ada.do(what)
        else:
            self.company.do(self.name(receiver), what)

    def at_rest(self) -> None:
        """Until nothing moves and everything that happened has been shown."""
        self.page.locator(f'[data-settled="{self.company.state.v}"]').wait_for()

    def watch(self) -> None:
        self.at_rest()
        self.page.evaluate(_WATCH)

    def diary(self, *last: str) -> list[dict[str, Any]]:
        """What was seen, once these beats have ended it."""
        wanted = list(last)
        self.page.wait_for_function(
            "(last) => window.diary.map(({ beat }) => beat).join().endsWith(last.join())", arg=wanted
        )
        found: list[dict[str, Any]] = self.page.evaluate("() => window.diary")
        return found


@contextmanager
def _stage(
    browser: Browser, site: Served, size: tuple[int, int], others: int = 3, lang: str = "en-GB", **more: Any
) -> Iterator[Stage]:
    context = {key: more.pop(key) for key in ("reduced_motion",) if key in more}
    with Visitor(browser, site.url, size, lang, **context) as ada, Company(site.url) as company:
        code = company.open_table(*PEOPLE[:others], **{"show_seconds": 1, "starter": 0, **more})
        ada.join(code, "Ada")
        company.sit()
        company.host_does("start")
        ada.at_table()
        yield Stage(ada, company)


def _drawing_or_over(now: State) -> bool:
    return now.view.stage != "play" or (now.view.round is not None and isinstance(now.view.round.phase, DrawView))


def _lasted(diary: list[dict[str, Any]], beat: str) -> float:
    """How long a beat was on screen, in milliseconds."""
    at = next(n for n, entry in enumerate(diary) if entry["beat"] == beat)
    return float(diary[at + 1]["at"] - diary[at]["at"])


@BOTH
def test_r5_accepting_has_its_beats_and_the_old_gift_goes(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with _stage(browser, site, size) as stage:
        stage.draw()
        stage.give()
        receiver = stage.company.phase("answer").receiver
        stage.watch()
        stage.answer("accept")
        diary = stage.diary("turns", "leaves", "closes", "present")
        beats = [entry["beat"] for entry in diary if entry["beat"] != "present"]
        assert beats == ["thanks", "lands", "both", "turns", "leaves", "closes"]
        assert "Thank you!" in diary[0]["bubbles"]
        assert _lasted(diary, "thanks") >= 370  # the diary is written a moment after the beat began
        assert _lasted(diary, "both") >= 400
        old, new = diary[2]["seats"][receiver]
        assert new[1] < old[1], "the new one lies above"
        assert new[0] >= old[0] + old[2] - 1 or new[1] + new[3] <= old[1] + 1, "and covers nothing"
        assert [entry["roles"][receiver] for entry in diary[:3]] == ["giver"] * 3
        assert not any("shop" in entry["sentence"].lower() for entry in diary), "nobody goes to the shop"
        assert len(diary[-1]["seats"][receiver]) == 1


@BOTH
def test_the_arrow_stands_alone_before_the_claim(browser: Browser, site: Served, size: tuple[int, int]) -> None:
    with _stage(browser, site, size, starter=1) as stage:
        stage.watch()
        stage.draw()
        stage.give("kite")
        diary = stage.diary("travels", "present")
        arrow = next(entry for entry in diary if entry["beat"] == "arrow")
        claimed = next(entry for entry in diary if "kite" in entry["sentence"])
        assert claimed["beat"] == "present"
        assert claimed["at"] - arrow["at"] >= 700
        assert [entry["beat"] for entry in diary[-3:]] != ["arrow", "present", "present"]


@BOTH
def test_r6_a_refusal_says_who_keeps_it_until_it_lies_there(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with _stage(browser, site, size) as stage:
        stage.draw()
        stage.give("umbrella")
        stage.watch()
        stage.answer("refuse")
        diary = stage.diary("keeps", "present")
        assert [entry["beat"] for entry in diary] == ["still", "turns", "breath", "stamp", "keeps", "present"]
        assert _lasted(diary, "still") >= 370
        assert "keep this gift" in diary[3]["sentence"] or "keeps this gift" in diary[3]["sentence"]
        assert diary[3]["sentence"] == diary[4]["sentence"]
        assert "umbrella!" in diary[0]["sentence"]


@BOTH
def test_a_tap_jumps_to_the_present(browser: Browser, site: Served, size: tuple[int, int]) -> None:
    with _stage(browser, site, size) as stage:
        stage.draw()
        stage.give()
        stage.watch()
        stage.answer("refuse")
        stage.page.locator("[data-do=go_on]").click()
        assert [entry["beat"] for entry in stage.diary("stamp", "present")][-2:] == ["stamp", "present"]


@pytest.mark.parametrize("size", [(320, 568), PHONE, (844, 390), DESKTOP, (1920, 1080)])
def test_the_gift_on_offer_is_the_largest_thing(browser: Browser, site: Served, size: tuple[int, int]) -> None:
    with _stage(browser, site, size, others=5) as stage:
        stage.draw()
        stage.give()
        stage.at_rest()
        wide = "one => one.getBoundingClientRect().width"
        offered = stage.page.locator("[data-air]").evaluate(wide)
        others = [one.evaluate(wide) for one in stage.page.locator("[data-seat] .card, .shop .pile").all()]
        assert offered >= 1.1 * max(others)


@BOTH
def test_without_motion_the_way_is_drawn_across_the_table(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with _stage(browser, site, size, reduced_motion="reduce") as stage:
        stage.draw()
        stage.company.phase("give")
        stage.at_rest()
        with stage.page.expect_console_message(lambda message: message.text.startswith("way ")) as seen:
            stage.page.evaluate(
                """() => new MutationObserver(() => {
                  const way = document.querySelector("svg.way path");
                  if (!way) return;
                  const { width, height, left, top, right, bottom } = way.getBoundingClientRect();
                  const drawn = way.ownerSVGElement.getBoundingClientRect();
                  const across = left >= drawn.left && right <= drawn.right;
                  const inside = across && top >= drawn.top && bottom <= drawn.bottom && drawn.height > 100;
                  console.log(`way ${Math.hypot(width, height)} ${inside}`);
                }).observe(document.querySelector("main"), { childList: true, subtree: true })"""
            )
            stage.give()
        length, inside = seen.value.text.split()[1:]
        assert float(length) > 40
        assert inside == "true"


@pytest.mark.parametrize("size", [(320, 568), PHONE, DESKTOP])
def test_words_lie_beside_names_and_over_nothing(browser: Browser, site: Served, size: tuple[int, int]) -> None:
    with _stage(browser, site, size, others=7, lang="de-DE", starter=1) as stage:
        stage.draw()
        stage.give()
        stage.at_rest()
        for person in PEOPLE:
            stage.company.do(person, "emote", emote="clap")
        stage.page.locator("[data-bubble], [data-talk] q").first.wait_for()
        lies = ".name, [data-penalties], .card, .shop, [data-air], [data-actions] .button"
        assert stage.page.evaluate(_OVER, ["[data-bubble], [data-talk]", lies]) == []
        assert (
            stage.page.locator(".name").evaluate_all(
                "all => all.filter((one) => one.scrollWidth > one.clientWidth + 2).map((one) => one.textContent)"
            )
            == []
        )


@pytest.mark.parametrize("others", [6, 7])
def test_r4_3_everybody_can_be_tapped_to_get_a_special_card(browser: Browser, tmp_path: Path, others: int) -> None:
    with (
        served(tmp_path, pace=25.0, NOTAHAT_LUCK="3") as site,  # then the first of the shop is a special card
        _stage(browser, site, (320, 568), others=others, edition="special", special_cards=True) as stage,
    ):
        stage.draw()
        stage.page.locator("[data-do=give]").click()
        picks = stage.page.locator("[data-seat] [data-pick]")
        expect(picks).to_have_count(others)
        for pick in picks.all():
            assert pick.evaluate(_IN_SIGHT)
            box = pick.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44
        picks.last.click()
        stage.page.locator("dialog[open]").wait_for()


@BOTH
def test_at_200_percent_claim_and_both_buttons_are_in_sight(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with _stage(browser, site, size, others=4, lang="de-DE", starter=1) as stage:
        stage.page.evaluate("document.documentElement.style.fontSize = '200%'")
        stage.page.evaluate("dispatchEvent(new Event('resize'))")
        stage.draw()
        stage.give("alarm_clock")
        while stage.company.phase("answer").receiver != 0:
            stage.answer("accept")
            stage.give("alarm_clock")
        for what in ("[data-sentence] .spoken", "[data-do=accept]", "[data-do=refuse]"):
            stage.page.locator(what).wait_for()
            assert stage.page.locator(what).evaluate(_IN_SIGHT), what


@BOTH
def test_a_screen_reader_hears_the_giver_and_a_remark_pushes_nothing_away(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with _stage(browser, site, size, starter=1) as stage:
        stage.draw()
        stage.give("kite")
        while stage.company.phase("answer").receiver != 0:
            stage.answer("accept")
            stage.give("kite")
        giver = stage.name(stage.company.phase("answer").giver)
        stage.page.locator("[data-do=accept]").wait_for()
        live = stage.page.locator("[data-live]")
        expect(live).to_contain_text(f"{giver} to you: I have a nice kite for you.")
        stage.company.do("Casimir", "emote", emote="laugh")
        expect(live.locator("[data-aside]")).to_contain_text("Casimir: Ha ha!")
        expect(live).to_contain_text(f"{giver} to you: I have a nice kite for you.")
        stage.page.reload()
        stage.page.locator("[data-do=accept]").wait_for()
        expect(live).to_contain_text(f"{giver} to you: I have a nice kite for you.")


@BOTH
def test_r8_1_after_the_third_penalty_every_gift_is_opened(
    browser: Browser, site: Served, size: tuple[int, int]
) -> None:
    with _stage(browser, site, size) as stage:
        stage.draw()
        stage.give()
        stage.answer("accept")  # so that something is wrapped
        stage.give()
        while True:
            stage.at_rest()
            stage.watch()
            stage.answer("refuse")
            stage.company.until(_drawing_or_over)
            if stage.company.state.view.stage != "play":
                break
            stage.draw()
            stage.give()
        seen = stage.page.wait_for_function(
            "() => window.diary.some(({ beat }) => beat === 'opened') && window.diary.map(({ beat }) => beat)"
        ).json_value()
        assert seen[:5] == ["still", "turns", "breath", "stamp", "keeps"]
        assert "opens" in seen
        stage.page.locator("main .go").wait_for()


def test_the_first_look_has_a_countdown_when_a_computer_begins(browser: Browser, site: Served) -> None:
    with Visitor(browser, site.url, PHONE) as ada, Company(site.url) as company:
        code = company.open_table("Ben", starter=2, pace="relaxed")
        ada.join(code, "Ada")
        company.sit()
        company.host_does("add_bot", level="regular")
        company.host_does("start")
        figures = ada.page.locator("[data-first-look]")
        figures.wait_for()
        assert re.fullmatch(r"\d+", figures.inner_text())
