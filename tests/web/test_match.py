"""Four people with four browsers play a whole match, with every kind of move there is on a screen."""

from playwright.sync_api import Browser

from support.serving import Served
from support.visitor import PHONE, Visitor

LANGS = ("en-GB", "de-DE", "fr-FR", "it-IT")
UMBRELLA = ("umbrella", "Regenschirm", "parapluie", "ombrello")
WANTED = {"draw", "give", "give to one of several", "accept", "refuse", "on"}


def test_four_people_in_four_languages_play_a_whole_match(browser: Browser, site: Served) -> None:
    people = [Visitor(browser, site.url, PHONE if n % 2 else (1280, 720), lang) for n, lang in enumerate(LANGS)]
    ada, ben, cem, dora = people
    code = ada.new_table("Ada")
    for person, name in zip((ben, cem, dora), ("Ben", "Cem", "Dora"), strict=True):
        person.join(code, name)
    ada.chairs(4)
    ada.choose("special")
    ada.start()
    for person in (ben, cem, dora):
        person.at_table()
    done: dict[str, int] = {}
    while not all(person.over for person in people):
        doubtful = "give to one of several" in done and "accept" in done
        for person, umbrella in zip(people, UMBRELLA, strict=True):
            did = person.act(lambda doubtful=doubtful: doubtful, umbrella)  # type: ignore[misc]
            if did:
                done[did] = done.get(did, 0) + 1
            if did == "give" and "read" not in done:
                done["read"] = 1
                _all_read_the_same_claim(people)
        ada.page.wait_for_timeout(30)
    assert set(done) >= WANTED
    assert ada.page.locator("main li.winner").count() >= 1
    assert "penalty point" in ada.text()
    assert "Minuspunkt" in ben.text()
    assert ada.page.locator("#awards").is_visible()
    assert ada.page.locator(".opened li").count() == 4
    cem.page.locator(".go .button.act").click()
    ada.chairs(4)
    assert ada.page.url.endswith(f"/t/{code}")
    for person in people:
        person.__exit__(None, None, None)


def _all_read_the_same_claim(people: list[Visitor]) -> None:
    """What one typed in one language, each reads in their own."""
    for person, word in zip(people, UMBRELLA, strict=True):
        person.until(lambda person=person, word=word: word in person.page.locator("[data-sentence]").inner_text())  # type: ignore[misc]
