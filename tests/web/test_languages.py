"""Every language: first page, rules, lobby, table, and a claim."""

import re
from contextlib import ExitStack
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, expect

from notahat.gifts import LANGUAGES, denial, name, offer, typeset
from support.browser_guest import PHONE, BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess

SMALL = (320, 568)
# number of players, who begins, editions, no special card to oneself, and what a refusal does not have to say
ASKED = {
    "en": ("Three to eight people", "last given a present begins", "two editions", "to herself", "don’t have to say"),
    "de": ("drei bis acht", "wer zuletzt beschenkt wurde", "zwei Ausgaben", "Sich selbst", "muss nicht sagen"),
    "fr": ("de trois à huit", "La dernière personne à avoir reçu", "deux éditions", "soi-même", "n’a pas à dire"),
    "it": ("da tre a otto", "ha ricevuto un regalo per ultimo", "due edizioni", "sé stess", "non deve per forza"),
    "es": ("de tres a ocho", "Empieza quien recibió", "dos ediciones", "a sí misma no puede", "no tiene que decir"),
    "pt": ("de três a oito", "Começa quem recebeu", "duas edições", "a si própria não pode", "não precisa de dizer"),
    "nl": ("drie tot acht", "Wie het laatst een cadeau kreeg", "twee edities", "Aan zichzelf", "hoeft niet te zeggen"),
}


def test_seven_players_in_seven_languages_at_one_table(browser: Browser, site: ServerProcess) -> None:
    """All arrows point left, so that a gift goes round: three players give and accept, each in their language."""
    with ExitStack() as stack:
        people = {
            lang: stack.enter_context(BrowserGuest(browser, site.url, PHONE, lang=lang, reduced_motion="reduce"))
            for lang in LANGUAGES
        }
        host = people["en"]
        code = host.new_table("en")
        for lang, person in people.items():
            person.open("/rules")
            _rules_answer_common_questions(person, lang)
            _check_text(person, lang)
            if person is host:
                host.open(f"/t/{code}")
            else:
                person.join(code, lang)
            person.chairs(1)
            _check_text(person, lang)
        host.chairs(7)
        host.choose("black")
        host.begin(0)
        host.start()
        host.do("draw")
        for (lang, giver), (other, receiver) in pairwise(tuple(people.items())[:4]):
            giver.give(name("violin", lang))
            _claim_is_translated(people)
            assert receiver.page.locator("[data-do=refuse]").inner_text() == typeset(denial("violin", other))
            receiver.do("accept")
        for lang, person in people.items():
            _check_text(person, lang)


def _rules_answer_common_questions(person: BrowserGuest, lang: str) -> None:
    """Rules 3.1 players, 3.3 who begins, 2 editions, 4.3 not to oneself, 4.4 a refusal names nothing; and three
    pictures: a wrong refusal, a special card, a column of two (7.2) with a third card.
    """
    text = person.text()
    for said in (offer("piano", lang), denial("piano", lang), *ASKED[lang]):
        assert typeset(said) in text, said
    assert [one in text for one in ("110", "80", "30")] == [True] * 3
    wrong, special, column = person.page.locator("figure").all()
    expect(wrong.locator("svg.present.left")).to_have_count(1)
    expect(wrong.get_by_role("img", name=name("piano", lang))).to_be_visible()
    expect(special.locator("svg.present.any")).to_be_visible()
    expect(column.locator("svg.present, .front")).to_have_count(3)
    expect(column.locator(".goes").get_by_role("img", name=name("muffin", lang))).to_be_visible()


def _claim_is_translated(people: dict[str, BrowserGuest]) -> None:
    """Every player reads the claim in their own language."""
    for lang, person in people.items():
        person.page.locator("[data-sentence]", has_text=typeset(offer("violin", lang))).wait_for()
        _check_text(person, lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_has_all_texts_and_fits(browser: Browser, site: ServerProcess, lang: str) -> None:
    """The texts fit on the smallest phone."""
    with BrowserGuest(browser, site.url, SMALL, lang=lang) as ada:
        for path in ("/", "/learn", "/privacy", "/credits"):
            ada.open(path)
            _check_text(ada, lang)
            assert ada.page.evaluate("() => document.documentElement.scrollWidth") <= SMALL[0], path


def _check_text(ada: BrowserGuest, lang: str) -> None:
    assert ada.page.locator("html").get_attribute("lang") == lang
    text = ada.text()
    assert not re.search(r"\{\w+\}|\bundefined\b|\bNaN\b|\[object", text), text
    assert ada.page.evaluate(load("namelessElements")) == []


def test_chosen_language_is_kept(browser: Browser, site: ServerProcess) -> None:
    with BrowserGuest(browser, site.url) as ada:
        ada.open()
        ada.page.locator("footer summary").click()
        ada.page.locator("footer select").first.select_option("nl")
        ada.page.get_by_text("Nu spelen").wait_for()
        ada.page.reload()
        ada.page.get_by_text("Nu spelen").wait_for()
