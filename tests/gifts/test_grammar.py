"""The two spoken lines, compared with handwritten ones in every language."""

from pathlib import Path

import pytest

from notahat.gifts import LANGUAGES, catalogue, denial, offer

SAY = {"offer": offer, "denial": denial}


def written(lang: str) -> list[tuple[str, str, str]]:
    text = (Path(__file__).parent / "lines" / f"{lang}.txt").read_text("utf-8")
    found = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            head, expected = line.split(": ", 1)
            kind, key = head.split()
            found.append((kind, key, expected))
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lines_match_handwritten_ones(lang: str) -> None:
    for kind, key, expected in written(lang):
        assert SAY[kind](key, lang) == expected


@pytest.mark.parametrize("lang", LANGUAGES)
def test_handwritten_lines_cover_all_word_shapes(lang: str) -> None:
    lines = written(lang)
    assert len({(kind, key) for kind, key, _ in lines}) >= 60
    for kind in SAY:
        keys = [key for spoken, key, _ in lines if spoken == kind]
        assert shapes(keys, lang) == shapes(list(catalogue()), lang)


def shapes(keys: list[str], lang: str) -> set[tuple[str | None, bool, str | None]]:
    """Which combinations of gender, number and misleading sound occur."""
    found = (catalogue()[key].words[lang] for key in keys)
    return {(word.gender, word.plural, word.sound) for word in found}


R11 = {
    "hat": "hat Hut chapeau cappello sombrero chapéu hoed",
    "guitar": "guitar Gitarre guitare chitarra guitarra guitarra gitaar",
    "piano": "piano Klavier piano pianoforte piano piano piano",
    "muffin": "muffin Muffin muffin muffin madalena queque muffin",
    "book": "book Buch livre libro libro livro boek",
    "broccoli": "broccoli Brokkoli brocoli broccolo brócoli brócolos broccoli",
}


@pytest.mark.parametrize("key", R11)
def test_r11_names_match_printed_edition(key: str) -> None:
    assert [catalogue()[key].words[lang].name for lang in LANGUAGES] == R11[key].split()
