"""`notahat print`: what it writes, and what it says before any work is done."""

import sys
from pathlib import Path

import pytest

from notahat import cli
from support.here import notahat, refusal


def test_a_deck_is_written(tmp_path: Path) -> None:
    file = tmp_path / "hat.pdf"
    order = ("--deck", "special", "--no-special-cards", "--arrows", "black", "--language", "de", "--paper", "Letter")
    ended = notahat("print", *order, "--flip", "short", "--size", "64x40", "--ink-saving", "-o", file)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == f"40 cards, the rules and a score sheet are in {file}\n"
    assert file.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (("--size", "100x60"), "a card is between 40x25 and 88x55 mm, not 100x60"),
        (("--size", "large"), "no size of a card: 'large'; such as 88x55, in millimetres"),
        (("-o", "no/such/folder/hat.pdf"), "there is no folder no/such/folder"),
        (("-o", "."), ". is a folder; name a file to write"),
    ],
)
def test_what_cannot_be_printed_is_told_in_one_line(wrong: tuple[str, str], reason: str) -> None:
    assert refusal("print", *wrong) == f"notahat: {reason}"


@pytest.mark.parametrize(
    ("wrong", "choices"),
    [
        (("--paper", "a5"), "'a4', 'letter'"),
        (("--language", "tlh"), "'en', 'de', 'fr', 'it', 'es', 'pt', 'nl'"),
        (("--deck", "tarot"), "'classic', 'special'"),
        (("--flip", "over"), "'long', 'short'"),
    ],
)
def test_a_wrong_choice_is_told_with_the_right_ones(
    wrong: tuple[str, str], choices: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["print", *wrong])
    said = capsys.readouterr().err
    assert (ended.value.code, wrong[0] in said) == (2, True)
    assert choices in said


@pytest.mark.parametrize("missing", ["fpdf", "brotli"])
def test_without_the_extra_the_command_that_installs_it_is_told(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    for module in ("book", "font"):
        monkeypatch.delitem(sys.modules, f"notahat.paper.{module}", raising=False)
        monkeypatch.delattr(f"notahat.paper.{module}", raising=False)
    told = refusal("print", "-o", tmp_path / "hat.pdf")
    assert told.startswith(f"notahat: printing needs {missing}: {sys.executable} -m pip install ")
    assert "fpdf2" in told
    assert not (tmp_path / "hat.pdf").exists()
