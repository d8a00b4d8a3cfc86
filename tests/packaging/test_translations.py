"""Translations: words go to a PO file and back without loss."""

import shutil
import subprocess
import sys
from pathlib import Path

import polib
import pytest

import translations

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("lang", ["de", "it"])
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


def test_swedish_is_imported_as_a_draft_only(tmp_path: Path) -> None:
    """What is not translated yet is English in a draft."""
    for folder in ("src/notahat", "web/src/words"):
        ignored = shutil.ignore_patterns("static", "pocket", "*.py", "__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    catalogue = translations.export("sv", tmp_path)
    own = {"app/home.play": "Spela nu", "gifts/hat/name": "hatt", "gifts/hat/gender": "c"}
    for entry in catalogue:
        entry.msgstr = own.get(entry.msgctxt, "")
    catalogue.save(str(tmp_path / "sv.po"))
    command = [sys.executable, str(ROOT / "tools/translations.py"), "import", "sv", str(tmp_path / "sv.po")]
    command += ["--root", str(tmp_path)]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "texts are not translated" in refused.stdout
    assert not list(tmp_path.rglob("sv.toml"))
    subprocess.run([*command, "--draft"], check=True)
    assert '"home.play": "Spela nu"' in (tmp_path / "web/src/words/sv.json").read_text("utf-8")
    draft, english = (translations.read("gifts", lang, tmp_path) for lang in ("sv", "en"))
    assert draft.keys() == english.keys()
    assert draft["hat"]["name"] == "hatt"
    assert draft["kite"]["name"] == english["kite"]["name"]
