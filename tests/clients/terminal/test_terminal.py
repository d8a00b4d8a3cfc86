"""`notahat play` in real processes, played to the end."""

import os
import pty
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from notahat.bots import CHARACTERS
from notahat.gifts import LANGUAGES, name
from support.cli import refusal

NOTAHAT = [sys.executable, "-m", "notahat"]
WORDS = Path(__file__).parents[3] / "src" / "notahat" / "clients" / "terminal" / "words"


def texts(lang: str) -> dict[str, str]:
    return tomllib.loads((WORDS / f"{lang}.toml").read_text("utf-8"))


def answers(lang: str) -> str:
    """Return enough input for any game: at each prompt one of every four lines is valid."""
    accept = texts(lang)["answer"][0]
    return "\n" + "\n".join(["1", name("hat", lang), accept, "n"] * 2000) + "\n"


def play(*options: str, lang: str = "en", seed: int = 7) -> subprocess.CompletedProcess[str]:
    command = [*NOTAHAT, "play", "--pace", "0", "--seed", str(seed), "--name", "Kim", "--lang", lang, *options]
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
def test_variant_can_be_played_to_the_end(options: list[str]) -> None:
    played = play(*options)
    assert played.returncode == 0, played.stderr
    assert "Everything is unwrapped" in played.stdout
    assert "win" in played.stdout
    assert played.stdout.endswith("Goodbye. That was not a hat.\n")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_language_can_be_played_to_the_end(lang: str) -> None:
    played = play(lang=lang)
    assert played.returncode == 0, played.stderr
    assert texts(lang)["round_over"] in played.stdout
    assert played.stdout.endswith(texts(lang)["goodbye"] + "\n")


def test_all_languages_have_the_same_keys_and_fields() -> None:
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
        (["--pace=-1"], "--pace must be a finite number, 0 or more"),
        (["--pace=nan"], "--pace must be a finite number, 0 or more"),
        (["--pace=inf"], "--pace must be a finite number, 0 or more"),
    ],
)
def test_impossible_options_are_refused_with_a_reason(options: list[str], reason: str) -> None:
    assert refusal("play", *options) == f"notahat: {reason}"


def opening(*options: str, typed: str = "", lang: str = "en") -> str:
    """Return what is shown until the input is closed."""
    command = [*NOTAHAT, "play", "--pace", "0", "--seed", "7", "--name", "Kim", "--lang", lang, *options]
    shown = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=60, check=True)
    return " ".join(shown.stdout.split())


def test_r3_3_starter_option_chooses_who_begins() -> None:
    bots = ["--tempers", "berta", "edgar", "--players", "3"]
    assert "ready to draw" in opening("--starter", "1", *bots)
    assert "and Berta draws." in opening("--starter", "2", *bots)
    assert "and Edgar draws." in opening("--starter", "3", *bots)
    assert "--starter must be 1 to 3, not 4" in refusal("play", "--starter", "4", *bots)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_r13_question_mark_shows_rules_then_the_table(lang: str) -> None:
    shown = opening("--starter", "1", typed="?\n\n", lang=lang)
    look = " ".join(texts(lang)["look"].split())
    assert shown.count(look) == 2
    before, after = shown.split(look, 1)[1].rsplit(look, 1)
    assert texts(lang)["help"].split()[-1] in before + after
    for line in (*texts(lang)["rules"], *texts(lang)["tips"]):
        assert " ".join(line.split()) in before


def test_end_of_input_ends_the_game() -> None:
    command = [*NOTAHAT, "play", "--pace", "0", "--seed", "7"]
    ended = subprocess.run(command, input="", capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0
    assert ended.stdout.endswith("Goodbye. That was not a hat.\n")


def test_terminal_uses_the_alternate_screen() -> None:
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
        except OSError:  # the process has closed its side
            part = b""
        if not part:
            os.close(terminal)
            return shown
        shown += part


def shown_in_game(*options: str) -> str:
    played = play(*options, seed=3)
    assert played.returncode == 0, played.stderr
    return played.stdout


def test_chosen_characters_play_and_make_remarks() -> None:
    shown = shown_in_game("--tempers", "berta", "ilya", "gustav", "--rounds", "each")
    names = [CHARACTERS[key].name for key in ("berta", "ilya", "gustav")]
    assert all(name in shown for name in names)
    assert any(f"{name}: " in shown for name in names)


def test_default_characters_are_all_different() -> None:
    shown = shown_in_game("--players", "8")
    assert sum(character.name in shown for character in CHARACTERS.values()) == 7


def test_same_seed_gives_the_same_game() -> None:
    assert shown_in_game() == shown_in_game()
