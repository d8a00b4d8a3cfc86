"""`notahat play` in an ASCII locale, and without a player name."""

from pathlib import Path

import pytest

from notahat.gifts import LANGUAGES
from support.cli import ASCII, USER_VARIABLES, environment_without_user, notahat, refusal, run_in_process

ENOUGH = "\n" + "1\nhat\na\nn\n" * 12
PLAY = ("play", "--pace", "0", "--seed", "7")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_ascii_output_shows_every_language(lang: str) -> None:
    played = run_in_process(*PLAY, "--name", "Kim", "--language", lang, stdin=ENOUGH, encoding="ascii")
    assert (played.returncode, played.stderr) == (0, "")
    assert " < " in played.stdout
    assert " > " in played.stdout, "arrows differ"


def test_accents_are_accepted_in_ascii_locale() -> None:
    played = notahat(*PLAY, "--lang", "es", stdin="\n" + "1\nbrócoli\n" * 20, env=ASCII)
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.isascii()


def test_player_without_name_is_you(tmp_path: Path) -> None:
    played = notahat(*PLAY, unset=USER_VARIABLES, env=environment_without_user(tmp_path))
    assert (played.returncode, played.stderr) == (0, "")
    assert "You" in played.stdout


@pytest.mark.parametrize("name", ["\u200b", "   ", "n" * 21])
def test_invalid_player_name_is_refused(name: str) -> None:
    assert refusal("play", "--pace", "0", "--name", name) == "notahat: a name has 1 to 20 visible characters"


def test_os_login_is_not_used_as_player_name() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 6
    assert "You" in run_in_process(*PLAY, env={"LOGNAME": "n" * 40}).stdout
    assert family in run_in_process(*PLAY, "--name", family).stdout
