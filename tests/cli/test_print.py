"""`notahat print`: the PDF and the error messages."""

import io
import sys
from pathlib import Path

import msgspec
import pytest
from PIL import Image

from notahat import cli, gifts
from notahat.gifts.hat_file import OwnGift, read_hat
from notahat.gifts.word import Word
from support.cli import refusal, run_in_process
from support.pictures import GIFTS, hat, own, picture


def test_print_writes_pdf(tmp_path: Path) -> None:
    file = tmp_path / "hat.pdf"
    order = ("--deck", "special", "--no-special-cards", "--arrows", "black", "--language", "de", "--paper", "Letter")
    ended = run_in_process("print", *order, "--flip", "short", "--size", "64x40", "--ink-saving", "-o", file)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == f"40 cards, the rules and a score sheet are in {file}\n"
    assert file.read_bytes().startswith(b"%PDF-")


def test_own_deck_is_printed_with_pictures(tmp_path: Path) -> None:
    file, out = tmp_path / "party.hat", tmp_path / "party.pdf"
    words = {"en": Word("Grandma's plate", ())}
    kitchen = read_hat((Path(gifts.__file__).parent / "examples/kitchen.hat").read_bytes())
    own = msgspec.structs.replace(kitchen, own=(OwnGift(a_picture(), words),), any=("#1",))
    file.write_bytes(msgspec.json.encode(own))
    assert (
        run_in_process("print", "--deck", file, "-o", out).stdout
        == f"25 cards, the rules and a score sheet are in {out}\n"
    )
    assert out.read_bytes().count(b"/Subtype /Image") == 1
    file.write_bytes(b"<svg/>")
    assert refusal("print", "--deck", file, "-o", out).startswith(f"notahat: {file}: this is no .hat file")


def test_undrawable_picture_is_named(tmp_path: Path) -> None:
    """Reading a deck decodes no pixels, so broken pixels are found here."""
    file, out = tmp_path / "party.hat", tmp_path / "party.pdf"
    whole = picture("WEBP", lossless=True)
    broken = whole[:25] + b"\xff" * (len(whole) - 26) + whole[-1:]  # the last byte may be padding
    file.write_bytes(hat(balanced=[*GIFTS, "#1", "#2"], own=[own(), own("Uncle Bob's boat", broken)]))
    assert refusal("print", "--deck", file, "-o", out) == f"notahat: {file}: own gift 2: its picture cannot be drawn"
    assert not out.exists()


def a_picture() -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(made, "PNG")
    return made.getvalue()


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (("--size", "100x60"), "a card is between 40x25 and 88x55 mm, not 100x60"),
        (("--size", "large"), "'large' is not a card size: write it in millimetres, such as 88x55"),
        (("--deck", "tarot"), "no deck 'tarot'; there are classic, special, and your own as a .hat file"),
        (("--deck", "no-such.hat"), "cannot read no-such.hat: No such file or directory"),
        (("-o", "no/such/folder/hat.pdf"), "there is no folder no/such/folder"),
        (("-o", "."), ". is a folder; name a file to write"),
    ],
)
def test_invalid_print_option_is_refused(wrong: tuple[str, str], reason: str) -> None:
    assert refusal("print", *wrong) == f"notahat: {reason}"


@pytest.mark.parametrize(
    ("wrong", "choices"),
    [
        (("--paper", "a5"), "'a4', 'letter'"),
        (("--language", "tlh"), "'en', 'de', 'fr', 'it', 'es', 'pt', 'nl'"),
        (("--flip", "over"), "'long', 'short'"),
    ],
)
def test_invalid_choice_lists_valid_ones(
    wrong: tuple[str, str], choices: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["print", *wrong])
    error = capsys.readouterr().err
    assert (ended.value.code, wrong[0] in error) == (2, True)
    assert choices in error


@pytest.mark.parametrize("missing", ["fpdf", "brotli"])
def test_print_without_extra_names_install_command(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    for module in ("pdf", "font"):
        monkeypatch.delitem(sys.modules, f"notahat.paper.{module}", raising=False)
        monkeypatch.delattr(f"notahat.paper.{module}", raising=False)
    line = refusal("print", "-o", tmp_path / "hat.pdf")
    assert line.startswith(f"notahat: printing needs {missing}: {sys.executable} -m pip install ")
    assert "fpdf2" in line
    assert not (tmp_path / "hat.pdf").exists()
