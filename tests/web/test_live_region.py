"""A round from the live region's transcript alone: a player who reads nothing else and uses only keys."""

import re

from playwright.sync_api import Browser, expect

from support.browser_guest import BrowserGuest
from support.server_process import ServerProcess

SEATS = 4


class Listener:
    """Reads what is spoken on a page, and answers by keys."""

    def __init__(self, guest: BrowserGuest) -> None:
        self._guest, self._keys, self._heard = guest, guest.page.keyboard, 0

    def hear(self) -> list[str]:
        """Wait for new texts, and return them."""
        self._guest.until(lambda: len(self._guest.spoken()) > self._heard)
        texts = self._guest.spoken()[self._heard :]
        self._heard += len(texts)
        return texts

    def hear_until(self, wanted: str) -> list[str]:
        texts = self.hear()
        while not any(wanted in text for text in texts):
            texts += self.hear()
        return texts

    def answer(self, text: str) -> None:
        """Do what a text asks for; refuse every offer."""
        if text.startswith("Then “Got it”") or "Draw a gift when" in text or "take a gift from the shop" in text:
            self._keys.press("1")
        elif text.startswith("What do you give"):
            self._keys.press("1")
            self._keys.type("umbrella")
            self._keys.press("Enter")
        elif " to you: " in text:
            while not any(one.startswith("You refuse.") for one in self._guest.spoken()[self._heard :]):
                self._keys.press("2")  # again, if the gift was still on its way


def gifts_of(heard: list[str]) -> list[str]:
    """Return what was last said about each seat and the shop."""
    end = max(at for at, text in enumerate(heard) if text.startswith("Remember these."))
    return heard[end - SEATS - 1 : end]


def test_round_by_live_region_and_keys_alone(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url) as ada:
        ada.play_now()
        listener = Listener(ada)
        heard = listener.hear_until("Remember these.")
        dealt = gifts_of(heard)
        assert [text.partition(": ")[0] for text in dealt][:: len(dealt) - 1] == ["You", "Gift shop"]
        assert heard[: -len(dealt)].count("Round 1 is dealt.") == 1
        ada.page.keyboard.press("0")
        heard = listener.hear_until("Remember these.")
        assert gifts_of(heard) == dealt
        while "The game is over." not in heard:
            for text in heard:
                listener.answer(text)
            heard = listener.hear()
        transcript = ada.spoken()
        assert any(text.startswith("In the middle: a wrapped gift, goes to ") for text in transcript)
        assert transcript.count("Would you believe it?") <= 1, "once a round"
        winner = transcript[transcript.index("The game is over.") + 1]
        assert winner == "You win!" or re.search("forgot the least|share the win|the most presents home", winner)
        expect(ada.page.get_by_role("heading", level=1)).to_have_text(winner)
        expect(ada.button("Play again")).to_be_focused()
