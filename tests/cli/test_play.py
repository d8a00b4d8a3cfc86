"""`notahat play` in an ASCII locale, and without a player name."""

from pathlib import Path

import pytest

from notahat.gifts import LANGUAGES
from support.cli import ASCII, USER_VARIABLES, environment_without_user, notahat, refusal

ENOUGH = "\n" + "1\nhat\na\nn\n" * 50


@pytest.mark.parametrize("lang", LANGUAGES)
def test_play_works_in_ascii_locale(lang: str) -> None:
    played = notahat("play", "--pace", "0", "--seed", "7", "--name", "Kim", "--language", lang, stdin=ENOUGH, env=ASCII)
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.isascii()


def test_arrows_differ_in_ascii_locale() -> None:
    played = notahat("play", "--pace", "0", "--seed", "7", "--name", "Kim", stdin=ENOUGH, env=ASCII)
    assert " < " in played.stdout
    assert " > " in played.stdout


def test_accents_are_accepted_in_ascii_locale() -> None:
    played = notahat("play", "--pace", "0", "--seed", "7", "--lang", "es", stdin="\n" + "1\nbrócoli\n" * 20, env=ASCII)
    assert (played.returncode, played.stderr) == (0, "")


def test_player_without_name_is_you(tmp_path: Path) -> None:
    played = notahat("play", "--pace", "0", "--seed", "7", unset=USER_VARIABLES, env=environment_without_user(tmp_path))
    assert (played.returncode, played.stderr) == (0, "")
    assert "You" in played.stdout


@pytest.mark.parametrize("name", ["\u200b", "   ", "n" * 21])
def test_invalid_player_name_is_refused(name: str) -> None:
    assert refusal("play", "--pace", "0", "--name", name) == "notahat: a name has 1 to 20 visible characters"


def test_os_login_is_not_used_as_player_name() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 6
    played = notahat("play", "--pace", "0", "--seed", "7", env={"LOGNAME": "n" * 40})
    assert (played.returncode, played.stderr) == (0, "")
    assert "You" in played.stdout
    played = notahat("play", "--pace", "0", "--seed", "7", "--name", family)
    assert (played.returncode, played.stderr) == (0, "")
    assert family in played.stdout
