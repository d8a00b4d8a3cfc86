"""The game in a terminal, played to its end in real processes."""

import os
import pty
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from notahat.gifts import LANGUAGES, name
from support.cli import refusal

NOTAHAT = [sys.executable, "-m", "notahat"]
WORDS = Path(__file__).parents[3] / "src" / "notahat" / "clients" / "terminal" / "words"


def texts(lang: str) -> dict[str, str]:
    return tomllib.loads((WORDS / f"{lang}.toml").read_text("utf-8"))


def answers(lang: str) -> str:
    """Enough lines to get through any game: at each prompt one of every four makes sense."""
    accept = texts(lang)["answer"][0]
    return "\n" + "\n".join(["1", name("hat", lang), accept, "n"] * 2000) + "\n"


def play(*options: str, lang: str = "en") -> subprocess.CompletedProcess[str]:
    command = [*NOTAHAT, "play", "--pace", "0", "--seed", "7", "--name", "Kim", "--lang", lang, *options]
    return subprocess.run(command, input=answers(lang), capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--players", "2"],
        ["--players", "3", "--gifts", "2", "--rounds", "each"],
        ["--players", "8", "--edition", "special"],
        ["--edition", "special", "--no-special-cards", "--arrows", "white", "--level", "elephant"],
        ["--arrows", "black", "--level", "goldfish"],
    ],
    ids=" ".join,
)
def test_every_variant_can_be_played_to_the_end(options: list[str]) -> None:
    played = play(*options)
    assert played.returncode == 0, played.stderr
    assert "Everything is unwrapped" in played.stdout
    assert "win" in played.stdout
    assert played.stdout.endswith("Goodbye. That was not a hat.\n")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_can_be_played_to_the_end(lang: str) -> None:
    played = play(lang=lang)
    assert played.returncode == 0, played.stderr
    assert texts(lang)["round_over"] in played.stdout
    assert played.stdout.endswith(texts(lang)["goodbye"] + "\n")


def test_all_languages_say_the_same_things() -> None:
    for lang in LANGUAGES:
        assert texts(lang).keys() == texts("en").keys()
        for key, text in texts("en").items():
            assert fields(texts(lang)[key]) == fields(text), (lang, key)


def fields(text: str | dict[str, str]) -> set[str]:
    return {word for word in ("{number}", "{of}", "{who}", "{to}", "{denial}") if word in str(text)}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--players", "9"], "9 is too many: the game is for 2 to 8"),
        (["--players", "1"], "1 is too few: the game is for 2 to 8"),
        (["--players", "2", "--gifts", "1"], "two players always start with two gifts each"),
        (["--pace=-1"], "the pace must be a number from 0 on: --pace 1 is as people play"),
        (["--pace=nan"], "the pace must be a number from 0 on: --pace 1 is as people play"),
        (["--pace=inf"], "the pace must be a number from 0 on: --pace 1 is as people play"),
    ],
)
def test_an_impossible_table_is_refused_with_its_reason(options: list[str], reason: str) -> None:
    assert refusal("play", *options) == f"notahat: {reason}"


def opening(*options: str, typed: str = "", lang: str = "en") -> str:
    """What is shown until the input is closed."""
    command = [*NOTAHAT, "play", "--pace", "0", "--seed", "7", "--name", "Kim", "--lang", lang, *options]
    shown = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=60, check=True)
    return " ".join(shown.stdout.split())


def test_r3_3_the_player_can_name_who_begins() -> None:
    company = ["--tempers", "berta", "edgar", "--players", "3"]
    assert "ready to draw" in opening("--starter", "1", *company)
    assert "and Berta draws." in opening("--starter", "2", *company)
    assert "and Edgar draws." in opening("--starter", "3", *company)
    assert "nobody sits on place 4: there are 3" in refusal("play", "--starter", "4", *company)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_r13_a_question_mark_shows_rules_and_tips_and_comes_back_to_the_table(lang: str) -> None:
    shown = opening("--starter", "1", typed="?\n\n", lang=lang)
    look = " ".join(texts(lang)["look"].split())
    assert shown.count(look) == 2
    before, after = shown.split(look, 1)[1].rsplit(look, 1)
    assert texts(lang)["help"].split()[-1] in before + after
    for line in (*texts(lang)["rules"], *texts(lang)["tips"]):
        assert " ".join(line.split()) in before


def test_a_closed_input_ends_the_game_politely() -> None:
    command = [*NOTAHAT, "play", "--pace", "0", "--seed", "7"]
    ended = subprocess.run(command, input="", capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0
    assert ended.stdout.endswith("Goodbye. That was not a hat.\n")


def test_a_real_terminal_gets_its_own_screen_so_that_nothing_can_be_scrolled_back_to() -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    command = [*NOTAHAT, "play", "--pace", "0", "--seed", "7", "--name", "Kim"]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    os.write(ours, b"\x04")
    shown = read_all(ours)
    assert process.wait(timeout=60) == 0
    enter, leave = shown.index(b"\x1b[?1049h"), shown.index(b"\x1b[?1049l")
    assert enter < shown.index(b"Kim") < leave
    assert b"Kim" not in shown[leave:]


def read_all(terminal: int) -> bytes:
    shown = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the other side has closed
            part = b""
        if not part:
            os.close(terminal)
            return shown
        shown += part
