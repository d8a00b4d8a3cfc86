"""Votes on claims to other players: private, answered when the gift is revealed, and counted after the round."""

import json
from typing import Any

from msgspec import UNSET
from playwright.sync_api import Browser, WebSocket, expect

from notahat.gifts import catalogue
from support.browser_guest import PHONE, BrowserGuest
from support.scripted_players import ScriptedPlayers
from support.scripts import load
from support.server_process import ServerProcess

OPTIONS = {"starter": 1, "arrows": "black", "show_seconds": 0, "patience_seconds": 0}
ANSWERS = ("Fooled you.", "You knew!", "You knew! 2 in a row.")
THUMBS = "[data-prompt=vote] [role=group]"
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


class Frames:
    """The commands that a page sends, and which of them were answered."""

    def __init__(self, guest: BrowserGuest) -> None:
        self._guest = guest
        self.commands: list[dict[str, Any]] = []
        self._answered: set[str] = set()
        guest.page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self.commands.extend(one for one in [json.loads(frame)] if "do" in one))
        socket.on("framereceived", lambda frame: self._answered.add(json.loads(frame).get("ack")))

    def answered(self) -> None:
        """Wait until the server has answered everything."""
        self._guest.until(lambda: {one["id"] for one in self.commands} <= self._answered)


def _lie(players: ScriptedPlayers, giver: str) -> str:
    """Offer a gift as Ada's, which is face up. Return the turn."""
    players.phase("give")
    players.do(giver, "give", claim=players.state.view.round.seats[0].column[0].gift)  # type: ignore[union-attr]
    return str(players.state.view.round.turn)  # type: ignore[union-attr]


def test_vote_is_private_and_answered_at_the_reveal(browser: Browser, site: ServerProcess) -> None:
    """Ada only watches, beside a TV: Ben gives Cem a gift, and Cem tells Dora three lies."""
    with (
        BrowserGuest(browser, site.url, PHONE) as ada,
        BrowserGuest(browser, site.url, (1920, 1080)) as screen,
        ScriptedPlayers(site.url) as players,
    ):
        frames = Frames(ada)
        code = players.open_table("Ben", "Cem", "Dora", **OPTIONS)
        ada.stop_clock().join(code, "Ada")
        players.sit()
        screen.open(f"/t/{code}/screen").chairs(4)
        players.do_as_host("start")
        ada.tap("[data-ask=controller] [data-answer=no]")
        players.do("Ben", "draw")
        first = _lie(players, "Ben")
        _question_is_switched_off_and_on(ada)
        players.do("Cem", "accept")
        _vote_can_be_cast_while_the_answer_is_shown(ada, first)
        assert not any(one["do"] == "vote" for one in frames.commands), "the server is not asked for what has passed"
        for lie, answer in enumerate(ANSWERS):
            if lie > 0:
                players.do("Cem", "draw")
            _lie(players, "Cem")
            ada.until(lambda: ada.page.locator(THUMBS).count() == 1)
            assert ada.offers() == set()
            frames.commands.clear()
            ada.button("I would").first.click()
            if lie > 0:
                ada.button("I wouldn’t").click()  # changes the vote
            frames.answered()
            assert {one["do"] for one in frames.commands} == {"vote"}
            assert {key for one in frames.commands for key in one} == {"id", "do", "turn", "believe"}
            assert players.state.view.crowd is UNSET, "nobody sees it before the reveal"
            players.do("Dora", "refuse")
            assert not {*ANSWERS[lie:]} & {*ada.shown("news")}, "nothing before the reveal"
            ada.seen("news", answer)
            if lie == 0:
                for guest in (ada, screen):
                    guest.seen("sentence", "1 of 1 was fooled.")
        ada.ended()
        kept = json.loads(ada.page.evaluate(_KEPT))
        assert not any(f'"{gift}"' in json.dumps(kept) for gift in catalogue())
        assert [*kept["turns"].values()] == [False, True, False, False]
        assert _right(ada.page.evaluate(load("fetchStory")), kept["turns"]) == 3, "the thumbs down"
        judged = ada.page.locator("li", has_text="Guessed about others")
        expect(judged).to_contain_text("4 times, right 3 times.")


def _question_is_switched_off_and_on(ada: BrowserGuest) -> None:
    thumbs = ada.page.locator(THUMBS)
    ada.until(lambda: thumbs.count() == 1)
    ada.page.locator("[data-prompt=vote]").get_by_role("button", name="Close").click()  # until the next claim
    expect(thumbs).to_have_count(0)
    ada.page.reload()
    expect(thumbs).to_have_count(1)
    for count in (0, 1):
        ada.button("Menu").click()
        ada.page.get_by_role("dialog").locator("summary").click()
        ada.page.get_by_label("When others play, ask whether I’d believe it").set_checked(count == 1)
        ada.page.keyboard.press("Escape")
        expect(thumbs).to_have_count(count)


def _vote_can_be_cast_while_the_answer_is_shown(ada: BrowserGuest, turn: str) -> None:
    """Nobody is hurried by the receiver: the vote stays until the gift is revealed, or the next one comes."""
    ada.until(lambda: ada.page.locator("[data-beat=lands]").count() == 1, passing=1)
    ada.button("I wouldn’t").click()
    assert json.loads(ada.page.evaluate(_KEPT))["turns"] == {turn: False}
    ada.until(lambda: ada.page.locator(THUMBS).count() == 0)
