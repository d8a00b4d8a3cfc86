"""Every page without a table in every language. In one of them axe finds nothing, in light and in dark mode (WCAG 2.2
AA); it also looks at states of the gallery (tests/gallery/law.py).
"""

import re

from playwright.sync_api import Browser, expect

from notahat.gifts import LANGUAGES, denial, name, offer, typeset
from support import axe
from support.browser_guest import BrowserGuest
from support.scripts import load
from support.server_process import ServerProcess

SMALL = (320, 568)
PAGES = ("/rules", "/learn", "/privacy", "/credits", "/")
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


def test_every_language_has_all_texts_on_every_page(browser: Browser, site: ServerProcess) -> None:
    """The texts fit on the smallest phone, and the chosen language is kept."""
    with BrowserGuest(browser, site.url, SMALL, reduced_motion="reduce") as ada:
        ada.open()
        for lang in LANGUAGES:
            ada.page.locator("footer summary").click()
            ada.page.locator("footer select").first.select_option(lang)
            expect(ada.page.locator("html")).to_have_attribute("lang", lang)
            manifest = f"/manifest{'' if lang == 'en' else f'-{lang}'}.webmanifest"
            expect(ada.page.locator("link[rel=manifest]")).to_have_attribute("href", re.compile(f"{manifest}$"))
            for path in ("/decks", "/print", *PAGES) if lang == "en" else PAGES:
                ada.page.evaluate(load("goTo"), site.url + path)
                _check_text(ada, lang)
                if lang == "en":
                    axe.check(ada)
                if path == "/rules":
                    _rules_answer_common_questions(ada, lang)
        ada.open()
        _check_text(ada, lang)


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


def _check_text(ada: BrowserGuest, lang: str) -> None:
    assert ada.page.locator("html").get_attribute("lang") == lang
    text = ada.text()
    assert not re.search(r"\{\w+\}|\bundefined\b|\bNaN\b|\[object", text), text
    assert ada.page.evaluate("() => document.documentElement.scrollWidth") <= SMALL[0]
