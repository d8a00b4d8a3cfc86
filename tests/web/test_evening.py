"""A whole evening: invited, at the table, at its end, and again."""

from playwright.sync_api import Browser, expect

from support.serving import Served
from support.visitor import Visitor

SMALL = (320, 568)
# as over plain http, where browsers have no clipboard for pages
_PLAIN = "() => Object.defineProperty(navigator, 'clipboard', { value: undefined })"
_PAPER = """() => {
  const paper = document.createElement("textarea");
  paper.id = "paper";
  document.body.append(paper);
  paper.focus();
}"""


def test_an_invitation_comes_first_and_leads_to_a_chair(browser: Browser, site: Served) -> None:
    """Code, link and QR code are above the fold of the smallest phone; a link pasted at the door is enough."""
    with Visitor(browser, site.url, SMALL) as ada, Visitor(browser, site.url, SMALL) as ben:
        code = ada.new_table("Ada").partition("-")[0]
        invite = ada.page.locator("[data-invite]")
        box, chair = invite.bounding_box(), ada.page.locator("[data-chair]").first.bounding_box()
        assert box is not None
        assert chair is not None
        assert box["y"] + box["height"] <= min(chair["y"], SMALL[1])
        expect(invite).to_contain_text(code)
        ada.page.evaluate(_PLAIN)
        invite.get_by_role("button", name="Copy link").click()
        expect(invite.get_by_role("button", name="Copied")).to_be_visible()

        ben.open()
        ben.call_oneself("Ben")
        ada.page.evaluate(_PAPER)
        ada.page.keyboard.press("ControlOrMeta+V")
        link = ada.page.locator("#paper").input_value()
        assert link.startswith(f"{site.url}/t/{code}-")
        ben.page.locator("#code").fill(f" Komm! {link.lower()} ")
        ben.button("Join").click()
        expect(ben.page.locator("[data-chair].yours")).to_contain_text("Ben")
        expect(ben.page.locator("[data-played]")).to_have_text("Classic · two gifts each · one round")
        assert ben.page.locator("#name").count() == 0  # the name was asked once

        ada.seat_here("Cem")
        ada.tap_chair("Cem")
        ada.page.get_by_label("Another name").fill("Cleo")
        ada.button("Rename").click()
        expect(ada.page.locator("[data-chair].yours").nth(1)).to_contain_text("Cleo")
        expect(ben.page.locator("[data-played]")).to_have_text("Classic · one gift each · one round")
        ada.tap_chair("Cleo")
        ada.button("Cleo gets up").click()
        expect(ada.page.locator("[data-chair]")).to_have_count(2)
        ada.tap_chair("Ben")
        ada.button("Make Ben the host").click()
        expect(ben.page.locator(".start")).to_be_visible()
