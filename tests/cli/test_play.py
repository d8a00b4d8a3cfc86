"""`notahat play` where letters are few and people have no name."""

from pathlib import Path

import pytest

from notahat.gifts import LANGUAGES
from support.cli import ASCII, WHO, notahat, nowhere, refusal

ENOUGH = "\n" + "1\nhat\na\nn\n" * 50


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_plays_in_an_ascii_locale(lang: str) -> None:
    played = notahat("play", "--pace", "0", "--seed", "7", "--name", "Kim", "--language", lang, given=ENOUGH, env=ASCII)
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.isascii()


def test_arrows_can_be_told_apart_in_an_ascii_locale() -> None:
    played = notahat("play", "--pace", "0", "--seed", "7", "--name", "Kim", given=ENOUGH, env=ASCII)
    assert " < " in played.stdout
    assert " > " in played.stdout


def test_accents_typed_where_nobody_knows_them_do_no_harm() -> None:
    played = notahat("play", "--pace", "0", "--seed", "7", "--lang", "es", given="\n" + "1\nbrócoli\n" * 20, env=ASCII)
    assert (played.returncode, played.stderr) == (0, "")


def test_somebody_without_a_name_is_you(tmp_path: Path) -> None:
    played = notahat("play", "--pace", "0", "--seed", "7", without=WHO, env=nowhere(tmp_path))
    assert (played.returncode, played.stderr) == (0, "")
    assert "You" in played.stdout


@pytest.mark.parametrize("name", ["\u200b", "   ", "n" * 21])
def test_a_name_for_nobody_is_one_line(name: str) -> None:
    assert refusal("play", "--pace", "0", "--name", name) == "notahat: a name has 1 to 20 visible characters"


def test_a_login_that_is_no_name_for_a_table_is_you_and_a_family_is_not_cut_apart() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 6
    played = notahat("play", "--pace", "0", "--seed", "7", env={"LOGNAME": "n" * 40})
    assert (played.returncode, played.stderr) == (0, "")
    assert "You" in played.stdout
    played = notahat("play", "--pace", "0", "--seed", "7", "--name", family)
    assert (played.returncode, played.stderr) == (0, "")
    assert family in played.stdout
