"""The print page: the server's PDF and the browser's print are the same sheets."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from notahat import gifts
from support.axe import check
from support.browser_guest import PHONE, BrowserGuest
from support.pdf_pages import pages, seen_backs, texts
from support.server_process import ServerProcess

EXAMPLES = Path(gifts.__file__).parent / "examples"
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


def test_server_and_browser_print_the_same_sheets(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, PHONE, color_scheme="dark") as ada:
        ada.open("/")
        ada.page.get_by_role("link", name="Print and play").click()
        fetched = ada.page.get_by_role("link", name="Get the PDF")
        expect(fetched).to_be_visible()
        expect(ada.page.locator("[data-sheets]")).to_have_text("13 sheets of paper")
        check(ada, "print")
        for what, value in CHOSEN.items():
            ada.page.locator(f"[data-choice={what}]").select_option(value)
        expect(ada.page.locator("[data-sheets]")).to_have_text("4 sheets of paper")
        expect(ada.page.locator("[data-rules] h1")).to_have_text("Regeln")  # in the page, but hidden on screens
        with ada.page.expect_download() as download:
            fetched.click()
        served, printed = download.value.path().read_bytes(), ada.page.pdf(prefer_css_page_size=True)
        assert download.value.suggested_filename == "not-a-hat-special-de.pdf"
        for of in zip(pages(served)[1:4:2], pages(printed)[1:4:2], strict=True):
            ours, theirs = map(seen_backs, of)
            assert len(ours) == len(theirs)
            assert all(one == pytest.approx(other, abs=0.6) for one, other in zip(ours, theirs, strict=True))
        for text in (texts(served), texts(printed)):
            assert len(text) == 7
            assert text[:4] == [""] * 4  # cards have no names
            assert "DreiRatschläge" in text[4] + text[5]
            assert text[6].startswith("Punkte")


def test_browser_prints_when_server_makes_no_pdf(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url, allow_errors=True) as ada:
        ada.page.add_init_script("window.print = () => { window.printed = true }")
        ada.page.route("**/api/print.pdf*", lambda route: route.abort())
        with ada.page.expect_event("requestfailed"):
            ada.open("/print")
        ada.button("Print").click()
        ada.page.wait_for_function("() => window.printed")
        expect(ada.page.get_by_role("link", name="Get the PDF")).to_have_count(0)
        special = ada.page.locator("[data-choice=special_cards]")
        ada.page.locator("[data-choice=deck]").select_option("special")
        special.select_option("false")
        ada.page.locator("[data-choice=deck]").select_option("own")
        expect(special).to_have_value("false")  # own decks can have special cards, too (rule 7.1)
        expect(ada.button("Print")).to_be_disabled()
        file = ada.page.get_by_label("Its .hat file")
        file.set_input_files({"name": "x.hat", "mimeType": "image/svg+xml", "buffer": b"<svg onload='alert(1)'/>"})
        expect(ada.page.get_by_role("alert")).to_have_text("There is no deck in this file that can be printed.")
        file.set_input_files(EXAMPLES / "kitchen.hat")
        expect(ada.page.locator("[data-sheets]")).to_have_text("5 sheets of paper")
        expect(ada.page.get_by_role("alert")).to_have_count(0)
        check(ada, "print, with a deck of one's own")
