"""The print page: the sheets, the rules and the score sheet, as browsers print them."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import release
from notahat import gifts
from sbom import release_time
from support.axe import check
from support.browser_guest import PHONE, BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess

EXAMPLES = Path(gifts.__file__).parent / "examples"
MADE = Path(__file__).parents[2] / "web/src/made"
CHOSEN = {
    "deck": "special",
    "special_cards": "false",
    "arrows": "black",
    "language": "de",
    "paper": "letter",
    "flip": "short",
    "size": "56x35",
    "backs": "saving",
}
A4, LETTER = (595, 842), (612, 792)  # in points


def pages(pdf: bytes) -> list[tuple[int, int]]:
    """Return the size of every page."""
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    return [(round(float(width)), round(float(height))) for width, height in boxes]


def choose(page: Page, **options: str) -> None:
    for option, chosen in options.items():
        page.locator(f"[data-choice={option}]").select_option(chosen)


def test_every_back_is_printed_behind_its_front(browser: Browser, site: ServerProcess) -> None:
    cards = json.loads((MADE / "print.json").read_text("utf-8"))["decks"]["special"]
    drawings = json.loads((MADE / "drawings.json").read_text("utf-8"))
    with BrowserGuest(browser, site.url) as ada:
        ada.open("/print")
        for flip, mirrored in (("long", 0), ("short", 1)):
            ada.page.emulate_media(media="screen")
            choose(ada.page, deck="special", flip=flip)
            expect(ada.page.locator("[data-sheets]")).to_have_text("13 sheets of paper")
            ada.page.emulate_media(media="print")
            printed = ada.page.evaluate(load("printedCards"), drawings)
            assert [(card["gift"], card["back"]) for card in printed] == [(gift, back) for gift, back in cards]
            for card in printed:
                front, back = card["front_middle"], card["back_middle"]
                back[mirrored] = 1 - back[mirrored]
                assert back == pytest.approx(front, abs=0.002)
                assert card["upside_down"] == (flip == "short")


def test_print_page_prints_chosen_sheets(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE, color_scheme="dark") as ada:
        ada.page.add_init_script("window.print = () => { window.printed = true }")
        ada.open("/")
        ada.page.get_by_role("link", name="Print and play").click()
        expect(ada.page.locator("[data-sheets]")).to_have_text("13 sheets of paper")
        choose(ada.page, **CHOSEN)
        expect(ada.page.locator("[data-sheets]")).to_have_text("4 sheets of paper")
        expect(ada.page.locator("[data-rules] h1")).to_have_text("Regeln")  # in the page, but hidden on screens
        ada.button("Print").click()
        ada.page.wait_for_function("() => window.printed")
        assert pages(ada.page.pdf(prefer_css_page_size=True)) == [LETTER] * 7
        ada.page.emulate_media(media="print")
        expect(ada.page.get_by_role("main")).to_be_hidden()  # the options are not printed
        assert "".join(ada.page.locator("[data-side]").all_text_contents()).strip() == ""  # cards have no names
        assert "Drei Ratschläge" in ada.page.inner_text("[data-rules]")
        assert ada.page.inner_text("[data-scores]").startswith("Punktezettel")


def test_release_prints_a4_with_two_pages_of_rules_in_every_language(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url) as ada:
        ada.open("/print")
        choose(ada.page, size="56x35")  # fewer sheets
        for language in gifts.LANGUAGES:
            pdf = release.printed_deck(ada.page, "special", language)
            assert pages(pdf) == [A4] * (2 * 6 + 2 + 1), language
            assert release_time().strftime("/CreationDate (D:%Y%m%d000000").encode() in pdf
        choose(ada.page, paper="letter")
        assert pages(ada.page.pdf(prefer_css_page_size=True)) == [LETTER] * (2 * 6 + 2 + 1)  # the shorter paper


def test_own_deck_is_printed(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url) as ada:
        ada.open("/print")
        special = ada.page.locator("[data-choice=special_cards]")
        choose(ada.page, deck="special", special_cards="false")
        choose(ada.page, deck="own")
        expect(special).to_have_value("false")  # own decks can have special cards, too (rule 7.1)
        expect(ada.button("Print")).to_be_disabled()
        file = ada.page.get_by_label("Its .hat file")
        file.set_input_files({"name": "x.hat", "mimeType": "image/svg+xml", "buffer": b"<svg onload='alert(1)'/>"})
        expect(ada.page.get_by_role("alert")).to_have_text("There is no deck in this file that can be printed.")
        file.set_input_files(EXAMPLES / "kitchen.hat")
        expect(ada.page.locator("[data-sheets]")).to_have_text("5 sheets of paper")
        expect(ada.page.get_by_role("alert")).to_have_count(0)
        check(ada)
