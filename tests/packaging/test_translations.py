"""Translations: words go to a PO file and back without loss; docs/translate.md tells how to add a language."""

import shutil
import subprocess
import sys
from pathlib import Path

import polib
import pytest

import translations
from notahat.gifts import LANGUAGES

ROOT = Path(__file__).parents[2]
SWEDISH = {
    "hat": ("hatt", "c"),
    "key": ("nyckel", "c"),
    "book": ("bok", "c"),
    "egg": ("ägg", "n"),
    "star": ("stjärna", "c"),
    "kite": ("drake", "c"),
    "fork": ("gaffel", "c"),
    "spoon": ("sked", "c"),
    "apple": ("äpple", "n"),
    "piano": ("piano", "n"),
}
WORDS = {"app/home.play": "Spela nu", "narration/terminal/shop": "Presentaffär", "narration/accept": "ta emot"}
GRAMMAR = """
def _swedish(word: Word) -> Lines:
    article, nice, no = {"c": ("en", "fin", "ingen"), "n": ("ett", "fint", "inget")}[word.gender or "c"]
    return Lines(article, f"Jag har {article} {nice} {word.name} till dig.", f"Det är {no} {word.name}!")


_LANGUAGES["sv"] = _swedish
"""
USE = """
from notahat.gifts import denial, name, offer
from notahat.gifts.word import words
assert len(words("sv")) == len(words("en"))
assert [name("hat", "sv"), offer("egg", "sv"), denial("hat", "sv")] == [
    "hatt", "Jag har ett fint ägg till dig.", "Det är ingen hatt!"]
assert name("accordion", "sv") == name("accordion", "en")  # not translated yet
"""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_go_to_po_and_back_without_loss(lang: str, tmp_path: Path) -> None:
    catalogue = translations.export(lang, ROOT)
    assert translations.missing(catalogue) == []
    catalogue.save(str(tmp_path / "words.po"))
    again = polib.pofile(str(tmp_path / "words.po"))
    for part, pattern in translations.FOLDERS.items():
        data = translations.tree(again, part, translations.read(part, "en", ROOT))
        assert data == translations.read(part, lang, ROOT)
        file = tmp_path / pattern.format(lang)
        file.parent.mkdir(parents=True)
        translations.write(data, file)
        assert translations.read(part, lang, tmp_path) == data


def test_swedish_is_added_as_a_draft_but_does_not_ship(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("static", "pocket", "__pycache__")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    shutil.copytree(ROOT / "web/src/words", tmp_path / "web/src/words")
    catalogue = translations.export("sv", tmp_path)
    own = {f"gifts/{key}/name": word for key, (word, _) in SWEDISH.items()}
    own |= {f"gifts/{key}/gender": gender for key, (_, gender) in SWEDISH.items()} | WORDS
    for entry in catalogue:
        entry.msgstr = own.pop(entry.msgctxt, "")
    assert own == {}
    catalogue.save(str(tmp_path / "sv.po"))
    command = [sys.executable, str(ROOT / "tools/translations.py"), "import", "sv", str(tmp_path / "sv.po")]
    command += ["--root", str(tmp_path)]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "texts are not translated" in refused.stdout
    assert not list(tmp_path.rglob("sv.toml"))
    subprocess.run([*command, "--draft"], check=True)
    assert '"home.play": "Spela nu"' in (tmp_path / "web/src/words/sv.json").read_text("utf-8")
    gifts = tmp_path / "src/notahat/gifts"
    word, grammar = gifts / "word.py", gifts / "grammar.py"
    word.write_text(word.read_text("utf-8").replace('"pt", "nl"]', '"pt", "nl", "sv"]', 1), "utf-8")
    grammar.write_text(grammar.read_text("utf-8") + GRAMMAR, "utf-8")
    subprocess.run([sys.executable, "-c", USE], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "src")}, check=True)
    assert "sv" not in LANGUAGES
