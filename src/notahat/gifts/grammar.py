"""The two spoken lines of the game in seven languages, and the articles they need: one function for each language."""

import unicodedata
from typing import NamedTuple

from notahat.gifts.word import Sound, Word

_VOWELS = "aeiou"
_IMPURE = ("gn", "pn", "ps", "x", "y", "z")  # Italian uno, bello, begli
_NARROW_SPACE = "\u202f"  # French sets one before an exclamation mark


class Lines(NamedTuple):
    """The indefinite article of a word, and the lines of giver and doubting receiver."""

    article: str
    offer: str
    denial: str


def lines(word: Word, lang: str) -> Lines:
    """Return article and lines of a word."""
    return _LANGUAGES[lang](word)


def typeset(line: str) -> str:
    """Return a text with typographic apostrophes, for display.

    The library itself uses the apostrophe of keyboards, because programs compare its lines.
    """
    return line.replace("'", "’")


def display_texts(word: Word, lang: str) -> tuple[str, str, str, str]:
    """Return a word's name, its name with the article, and the two lines, for display."""
    spoken = lines(word, lang)
    thing = f"{spoken.article}{word.name}" if spoken.article.endswith("'") else f"{spoken.article} {word.name}".lstrip()
    return typeset(word.name), typeset(thing), typeset(spoken.offer), typeset(spoken.denial)


def _english(word: Word) -> Lines:
    name = word.name
    if word.plural:
        return Lines("", f"I have some nice {name} for you.", f"Those aren't {name}!")
    article = "an" if _sound(word) == "vowel" else "a"
    return Lines(article, f"I have a nice {name} for you.", f"That's not {article} {name}!")


def _german(word: Word) -> Lines:
    name, given = word.name, word.accusative or word.name
    if word.plural:
        return Lines("", f"Ich habe schöne {given} für dich.", f"Das sind keine {name}!")
    article, nice, no = {
        "m": ("ein", "einen schönen", "kein"),
        "f": ("eine", "eine schöne", "keine"),
        "n": ("ein", "ein schönes", "kein"),
    }[_gender(word)]
    return Lines(article, f"Ich habe {nice} {given} für dich.", f"Das ist {no} {name}!")


def _french(word: Word) -> Lines:
    name, feminine = word.name, word.gender == "f"
    if word.plural:
        nice = "belles" if feminine else "beaux"
        return Lines("des", f"J'ai de {nice} {name} pour toi.", f"Ce ne sont pas des {name}{_NARROW_SPACE}!")
    article = "une" if feminine else "un"
    nice = "belle" if feminine else "bel" if _sound(word, silent_h=True) == "vowel" else "beau"
    return Lines(article, f"J'ai {article} {nice} {name} pour toi.", f"Ce n'est pas {article} {name}{_NARROW_SPACE}!")


def _italian(word: Word) -> Lines:
    name, feminine, sound = word.name, word.gender == "f", _italian_sound(word)
    if word.plural:
        article = "delle" if feminine else "dei" if sound == "consonant" else "degli"
        nice = "delle belle" if feminine else "dei bei" if sound == "consonant" else "dei begli"
        these = "Queste" if feminine else "Questi"
        return Lines(article, f"Ho {nice} {name} per te.", f"{these} non sono {name}!")
    if feminine:
        article, nice = ("un'", "una bell'") if sound == "vowel" else ("una ", "una bella ")
    else:
        article, nice = {
            "vowel": ("un ", "un bell'"),
            "consonant": ("un ", "un bel "),
            "impure": ("uno ", "un bello "),
        }[sound]
    this = "Questa" if feminine else "Questo"
    return Lines(article.strip(), f"Ho {nice}{name} per te.", f"{this} non è {article}{name}!")


def _spanish(word: Word) -> Lines:
    name, feminine = word.name, word.gender == "f"
    if word.plural:
        article, nice = ("unas", "bonitas") if feminine else ("unos", "bonitos")
        return Lines(article, f"Tengo {article} {nice} {name} para ti.", f"¡Eso no son {name}!")
    nice = "una bonita" if feminine else "un bonito"
    article = "una" if feminine and word.sound != "tonic_a" else "un"
    return Lines(article, f"Tengo {nice} {name} para ti.", f"¡Eso no es {article} {name}!")


def _portuguese(word: Word) -> Lines:
    name, feminine = word.name, word.gender == "f"
    if word.plural:
        article, nice = ("umas", "bonitas") if feminine else ("uns", "bonitos")
        return Lines(article, f"Tenho {article} {nice} {name} para ti.", f"Isso não são {name}!")
    article, nice = ("uma", "bonita") if feminine else ("um", "bonito")
    return Lines(article, f"Tenho {article} {nice} {name} para ti.", f"Isso não é {article} {name}!")


def _dutch(word: Word) -> Lines:
    name = word.name
    if word.plural:
        return Lines("", f"Ik heb mooie {name} voor je.", f"Dat zijn geen {name}!")
    nice = "mooi" if word.gender == "n" else "mooie"
    return Lines("een", f"Ik heb een {nice} {name} voor je.", f"Dat is geen {name}!")


def _gender(word: Word) -> str:
    if word.gender is None:
        raise ValueError(f"{word.name!r} has no gender")
    return word.gender


def _sound(word: Word, *, silent_h: bool = False) -> Sound:
    """Return the sound at the start of a word: as it is spelt, unless the word says otherwise."""
    if word.sound is not None:
        return word.sound
    first = unicodedata.normalize("NFD", word.name)[0].lower()
    return "vowel" if first in _VOWELS or (silent_h and first == "h") else "consonant"


def _italian_sound(word: Word) -> Sound:
    if word.sound is not None:
        return word.sound
    name = word.name.lower()
    s_and_consonant = name[0] == "s" and name[1] not in _VOWELS
    i_and_vowel = name[0] == "i" and name[1] in _VOWELS
    if s_and_consonant or i_and_vowel or name.startswith(_IMPURE):
        return "impure"
    return _sound(word, silent_h=True)


_LANGUAGES = {
    "en": _english,
    "de": _german,
    "fr": _french,
    "it": _italian,
    "es": _spanish,
    "pt": _portuguese,
    "nl": _dutch,
}
