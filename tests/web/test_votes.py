"""Votes on claims to other players: private, answered when the gift is revealed, and counted after the round."""

import json
from typing import Any

from msgspec import UNSET
from playwright.sync_api import Browser, expect

from notahat.gifts import catalogue
from scripted_players import ScriptedPlayers
from support.axe import check
from support.browser_guest import PHONE, BrowserGuest
from support.scripts import call, load
from support.server_process import ServerProcess

_KEPT = "() => localStorage.getItem('notahat-thumbs')"


def _right(story: dict[str, Any], turns: dict[str, bool]) -> int:
    """Count the right votes from the story."""
    offers = {
        str(step["view"]["turn"]): event["claim"] == step["gift"]
        for step in story["steps"]
        for event in step["events"]
        if event["event"] == "offered"
    }
    return sum(offers[turn] == up for turn, up in turns.items())


def test_vote_is_private_and_answered_at_the_reveal(browser: Browser, site: ServerProcess) -> None:
    """Ada only watches; Ben and Cem share a device and give each other gifts."""
    with BrowserGuest(browser, site.url, PHONE) as ada, BrowserGuest(browser, site.url) as ben:
        sent: list[str] = []
        ada.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
        code = ada.new_table("Ada")
        ben.join(code, "Ben")
        ben.seat_another("Cem")
        ada.chairs(3)
        ada.choose("white")  # all gifts go in one direction
        ada.choose("0")
        ada.begin(2)
        ada.start()
        thumbs, answer = ada.page.locator("[data-thumbs]"), ada.page.locator("[data-news=answer]")
        ups = 0
        while ups < 3:  # the claim is a gift that is face up, so it is wrong and refused
            ben.do("draw")
            ben.page.locator("[data-do=give]").wait_for()
            ben.give(ben.visible_gift())
            thumbs.wait_for()
            assert ada.offers() == set()
            before = len(sent)
            thumbs.get_by_role("button", name="I would", exact=True).click()
            if ups > 0:  # changes the vote
                thumbs.get_by_role("button", name="I wouldn’t").click()
            ups += 1
            frames = [json.loads(frame) for frame in sent[before:] if '"beat"' not in frame]
            assert {frame["do"] for frame in frames} <= {"vote"}
            assert not any(key not in ("id", "do", "turn", "believe") for frame in frames for key in frame)
            if ups == 1:
                assert ada.page.evaluate(load("votesOverlap")) == 0
                check(ada, "thumbs")
            expect(answer).to_have_count(0)  # nothing before the reveal
            ben.do("refuse")
            expect(answer).to_have_text(["Fooled you.", "You knew!", "You knew! 2 in a row."][ups - 1])
            thumbs.wait_for(state="detached")
            expect(answer).to_have_count(0)
        ada.ended()
        kept = json.loads(ada.page.evaluate(_KEPT))
        assert not any(f'"{gift}"' in json.dumps(kept) for gift in catalogue())
        assert sorted(kept["turns"].values()) == [False, False, True]
        right = _right(ada.page.evaluate(load("fetchStory")), kept["turns"])
        assert right == 2, "the two thumbs down"
        told = ada.page.get_by_text(f"You judged 3 of the others’ gifts and were right about {right}.")
        told.wait_for()


def test_crowd_is_shown_at_reveal_and_all_is_spoken(browser: Browser, unhurried: ServerProcess) -> None:
    """Ada votes on what Ben says to Cem, beside a TV. A reveal shows the votes, an accepted gift does not."""
    with (
        BrowserGuest(browser, unhurried.url, PHONE, take_back=True) as ada,
        BrowserGuest(browser, unhurried.url, (1920, 1080)) as screen,
        ScriptedPlayers(unhurried.url) as players,
    ):
        ada.page.add_init_script(call("fakeVoices"))
        code = players.open_table("Ben", "Cem", starter=1, arrows="black", show_seconds=0)
        ada.join(code, "Ada")
        players.sit()
        screen.open(f"/t/{code}/screen").chairs(3)
        players.do_as_host("start")
        ada.page.locator("[data-ask=offer] [data-answer=no]").click()
        ada.button("Yes, please").click()  # with sound: the voice, too
        for answer in ("refuse", "accept"):
            players.do("Ben", "draw")
            players.phase("give")
            lie = players.state.view.round.seats[0].column[0].gift  # type: ignore[union-attr]
            players.do("Ben", "give", claim=lie)
            ada.page.locator("[data-thumbs]").get_by_role("button", name="I would", exact=True).click()
            players.until(lambda state: state.view.crowd is UNSET)
            players.do("Cem", answer)
            if answer == "refuse":
                for guest in (ada, screen):
                    expect(guest.page.locator("[data-sentence]")).to_contain_text("1 of 1 was fooled.")
                assert players.state.view.crowd.believed == 1  # type: ignore[union-attr]
        assert players.state.view.crowd is UNSET
        expect(ada.page.locator("[data-sentence]")).not_to_contain_text("fooled")
        ada.page.wait_for_function("() => globalThis.heard.some(([text]) => text === 'Thank you!')")
        said = [text for text, _ in ada.page.evaluate("() => globalThis.heard")]
        assert any("Ben keeps this gift" in text for text in said)


def test_vote_can_be_cast_while_the_answer_is_shown(browser: Browser, unhurried: ServerProcess) -> None:
    """Nobody is hurried by the receiver: the vote stays until the gift is revealed, or the next one comes."""
    with BrowserGuest(browser, unhurried.url, PHONE) as ada, ScriptedPlayers(unhurried.url) as players:
        ada.stop_clock().start_clock()
        code = players.open_table("Ben", "Cem", starter=1, arrows="black", show_seconds=0)
        ada.join(code, "Ada")
        players.sit()
        players.do_as_host("start")
        players.do("Ben", "draw")
        players.phase("give")
        players.do("Ben", "give", claim="umbrella")
        thumbs = ada.page.locator("[data-thumbs]")
        ada.until(lambda: thumbs.count() == 1, passing=100)
        turn = str(players.state.view.round.turn)  # type: ignore[union-attr]
        ada.stop_clock()
        players.do("Cem", "accept")
        ada.until(lambda: ada.page.locator("[data-beat=lands]").count() == 1, passing=20)
        thumbs.get_by_role("button", name="I wouldn’t").click()
        assert json.loads(ada.page.evaluate(_KEPT))["turns"] == {turn: False}
        ada.until(lambda: thumbs.count() == 0, passing=50)
        expect(ada.page.locator("[data-news]")).to_have_count(0)  # the server is not asked for what has passed


def test_votes_can_be_switched_off_and_on(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url) as ada, BrowserGuest(browser, site.url) as ben:
        code = ada.new_table("Ada")
        ben.join(code, "Ben")
        ben.seat_another("Cem")
        ada.chairs(3)
        ada.choose("black")
        ada.choose("0")
        ada.begin(1)
        ada.start()
        ben.do("draw")
        ben.page.locator("[data-do=give]").wait_for()
        ben.give("umbrella")
        ada.page.locator("[data-thumbs]").wait_for()
        ada.button("Don’t ask me again").click()
        expect(ada.page.locator("[data-thumbs]")).to_have_count(0)
        ada.page.reload()
        ada.at_table()
        expect(ada.page.locator("[data-thumbs]")).to_have_count(0)
        ada.button("Menu").click()
        ada.page.get_by_role("dialog").locator("summary").click()
        ada.page.get_by_label("When others play, ask whether I’d believe it").check()
        ada.page.keyboard.press("Escape")
        expect(ada.page.locator("[data-thumbs]")).to_have_count(1)
