"""An own deck from the editor to a claim in a round."""

import base64
import json
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from support import axe
from support.browser_guest import PHONE, BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess

PICKED = ("fork", "spoon", "egg", "lemon", "cup", "onion", "pear", "key", "drum")


def make_photo(folder: Path) -> Path:
    """Make a large photo with GPS data, as phones do."""
    exif = Image.Exif()
    exif.get_ifd(0x8825)[2] = (52.0, 30.0, 0.0)
    file = folder / "photo.jpg"
    Image.radial_gradient("L").resize((1600, 1200)).save(file, exif=exif)
    return file


def draw(page: Page) -> None:
    paper = page.locator("dialog canvas")
    paper.hover()  # waits until it does not move any more
    place = paper.bounding_box()
    assert place is not None
    page.mouse.down()
    for x, y in ((0.8, 0.3), (0.5, 0.9), (0.2, 0.2)):
        page.mouse.move(place["x"] + x * place["width"], place["y"] + y * place["height"], steps=4)
    page.mouse.up()


def own_gift(ada: BrowserGuest, name: str, photo: Path | None = None) -> Locator:
    """Return the open form for an own gift, with a picture and a name."""
    ada.page.locator("[data-own]").click()
    sheet = ada.page.locator("dialog[open]")
    if photo is None:
        draw(ada.page)
    else:
        sheet.locator("input[type=file]").set_input_files(photo)
        expect(sheet.locator("img")).to_be_visible()
    sheet.get_by_label("Name, without “a” or “the”").fill(name)
    return sheet


def test_own_deck_from_editor_to_a_round(browser: Browser, site: ServerProcess, tmp_path: Path) -> None:
    with (
        BrowserGuest(browser, site.url, PHONE, allow_errors=True) as ada,
        BrowserGuest(browser, site.url, lang="de-DE") as ben,
    ):
        ada.open("/decks")
        for gift in PICKED[:7]:
            ada.page.get_by_role("button", name=gift, exact=True).click()
        sheet = own_gift(ada, "hourly teacup")
        expect(sheet.locator(".lines")).to_contain_text("That’s not a hourly teacup!")
        sheet.get_by_text("Is a line not quite right?").click()
        sheet.get_by_label("Said aloud, it begins with").select_option("vowel")
        expect(sheet.locator(".lines")).to_contain_text("That’s not an hourly teacup!")
        axe.check(ada)
        sheet.get_by_role("button", name="Done").click()
        _drawing_is_kept(ada)
        sheet = own_gift(ada, "plate", make_photo(tmp_path))
        sheet.get_by_label("Easily mistaken for").select_option(["hourly teacup", "cup"])
        sheet.get_by_label("Name in another language").select_option("de")
        sheet.get_by_label("Name, without “a” or “the”").last.fill("Teller")
        expect(sheet.locator(".lines").last).to_contain_text("choose that too")
        expect(sheet.get_by_role("button", name="Done")).to_be_disabled()
        sheet.get_by_role("combobox", name="Article").last.select_option(label="der")
        expect(sheet.locator(".lines").last).to_contain_text("Ich habe einen schönen Teller für dich.")
        sheet.get_by_role("button", name="Done").click()
        expect(ada.page.locator("[data-cards]")).to_have_text("9 cards.")
        with ada.page.expect_download() as saving:
            ada.page.get_by_role("button", name="Save as a file").click()
        file = tmp_path / "ours.hat"
        saving.value.save_as(file)
        assert json.loads(file.read_text("utf-8"))["own"][1]["look_alikes"] == ["#1", "cup"]
        ada.page.locator("[data-play]").click()
        ada.page.locator("#name").fill("Ada")  # nobody sits down without a name
        ada.page.locator("#name").press("Enter")
        ada.chairs(1)
        _host_changes_decks(ada, file)

        ben.open()
        ben.page.get_by_text("Sprache, Darstellung, Ton").click()
        ben.page.get_by_label("Namen der Geschenke").select_option("fr")
        ben.join(ada.page.url.rpartition("/")[2], "Ben")
        expect(ben.page.locator("[data-deck] .gifts li")).to_have_count(9)
        expect(ben.page.locator("[data-deck] .gifts image")).to_have_count(2)
        expect(ben.page.locator("[data-deck] .gifts")).to_contain_text("fourchette")  # the language he learns
        expect(ben.page.locator("[data-deck] .gifts")).to_contain_text("Teller")  # has no French name, so German
        expect(ben.page.locator("[data-deck] .gifts")).to_contain_text("hourly teacup")  # has neither, so the author's
        ada.chairs(2)
        ada.begin(0)
        ada.start()
        ben.at_table()
        ada.do("draw")
        _browse(ada, "hourly teacup")
        ben.page.locator("[data-sentence]", has_text="Ich habe etwas Schönes für dich: hourly teacup.").wait_for()
        ada.end_game()
        for person in (ada, ben):
            person.ended()
        assert [error for error in ada.errors if "400" not in error] == []  # the two files that were refused
        pictures = [url for url in ben.requests if "/decks/" in url]
        assert len(pictures) == 1, "pictures come all at once and once, before anything is looked at (rule 9.5)"


def _drawing_is_kept(ada: BrowserGuest) -> None:
    """A gift stays through a ready-made deck, which can be undone, the first page, and a reload in the middle of it."""
    page, gifts = ada.page, ada.page.locator(".own li")
    page.get_by_role("button", name="Kitchen").click()
    expect(page.locator("[data-cards]")).not_to_have_text("8 cards.")
    page.locator("[data-undo]").click()
    expect(page.locator("[data-cards]")).to_have_text("8 cards.")
    page.locator("[data-own]").click()
    for _ in range(2):
        draw(page)
    page.reload()
    expect(gifts).to_have_count(2)
    page.get_by_role("link", name="Home").click()
    page.get_by_role("link", name="Your deck").click()
    gifts.nth(1).get_by_role("button", name="Change").click()
    page.locator("[data-undo-stroke]").click()
    expect(page.locator("[data-undo-stroke]")).to_be_enabled()  # the first stroke is still there
    page.locator("dialog").get_by_role("button", name="Close").click()
    gifts.nth(1).get_by_role("button", name="Remove").click()
    expect(page.locator("[data-cards]")).to_have_text("8 cards.")


def _browse(person: BrowserGuest, gift: str) -> None:
    """Choose an own gift in the picker, which begins with the gifts of this deck."""
    person.do("give")
    picker = person.page.locator("dialog[open]")
    expect(picker.locator("[data-all] button")).to_have_count(9)
    picker.locator("[data-all]").get_by_role("button", name=gift).click()
    picker.wait_for(state="detached")


def _host_changes_decks(ada: BrowserGuest, file: Path) -> None:
    """Choose decks by example, invalid files, links of another and of this server, by file and by drop."""
    deck = ada.page.locator("[data-deck]")
    chosen = deck.locator("input[type=file]")
    expect(deck.locator("summary")).to_contain_text("Our deck, 9 cards")
    ada.page.locator("[data-shelf]").get_by_role("button", name="Look-alikes").click()
    expect(deck.locator("summary")).to_contain_text("Look-alikes, 36 cards")
    deck.get_by_role("button", name="Play without it").click()
    expect(deck.locator("summary")).to_contain_text("The cards of the edition")
    bad = file.with_name("bad.hat")
    bad.write_text("<svg onload=alert(1)>", "utf-8")
    chosen.set_input_files(bad)
    expect(deck.get_by_role("alert")).to_contain_text("That’s not a deck!")
    small = file.with_name("small.hat")
    small.write_text(json.dumps({"hat": 1, "name": "Small", "balanced": ["hat", "cup"]}), "utf-8")
    chosen.set_input_files(small)
    expect(deck.get_by_role("alert")).to_contain_text("7 more cards are needed")
    of_ours = base64.urlsafe_b64encode(json.dumps({"hat": 1, "name": "Linked", "balanced": PICKED}).encode()).decode()
    link, here = deck.get_by_label("A link to a deck"), ada.page.url.partition("/t/")[0]
    link.fill(f"https://elsewhere.example/decks#{of_ours}")
    link.press("Enter")
    expect(deck.get_by_role("alert")).to_contain_text("That’s not a deck!")
    link.fill(f"{here}/decks#{of_ours}")
    link.press("Enter")
    expect(deck.locator("summary")).to_contain_text("Linked, 9 cards")
    expect(deck.get_by_role("alert")).to_have_count(0)
    expect(chosen).to_be_enabled()  # guests may see a deck before the answer to whoever sent it
    chosen.set_input_files(file)
    expect(deck.locator("summary")).to_contain_text("Our deck, 9 cards")
    deck.get_by_role("button", name="Play without it").click()
    expect(deck.locator("summary")).to_contain_text("The cards of the edition")
    expect(chosen).to_be_enabled()
    dropped = ada.page.evaluate_handle(load("dataTransfer"), file.read_text("utf-8"))
    deck.get_by_role("group", name="Choose a deck").dispatch_event("drop", {"dataTransfer": dropped})
    expect(deck.locator("summary")).to_contain_text("Our deck, 9 cards")
