"""`notahat play` to the end, in an ASCII locale, without a name. test_pseudo_terminal.py has a real terminal."""

import pytest

from notahat.bots import CHARACTERS
from notahat.gifts import LANGUAGES, name
from notahat.narration.narrator import terminal_texts as texts
from support.cli import ASCII, notahat, refusal, run_in_process

PLAY = ("play", "--pace", "0", "--seed", "7")


def answers(lang: str) -> str:
    """Return enough input for any game: at each prompt one of every four lines is valid."""
    accept = texts(lang)["answer"][0]
    return "\n" + "\n".join(["1", name("hat", lang), accept, "n"] * 2000) + "\n"


def play(*options: str, lang: str = "en", seed: int = 7) -> str:
    """Play a game to its end; return what was shown."""
    command = ("play", "--pace", "0", "--seed", str(seed), "--name", "Kim", "--lang", lang, *options)
    played = run_in_process(*command, stdin=answers(lang))
    assert (played.returncode, played.stderr) == (0, "")
    return played.stdout


@pytest.mark.parametrize(
    "options",
    [
        ["--players", "3", "--gifts", "2", "--rounds", "each"],
        ["--players", "8", "--edition", "special"],
        ["--edition", "special", "--no-special-cards", "--arrows", "white", "--level", "elephant"],
    ],
    ids=" ".join,
)
def test_variant_can_be_played_to_the_end(options: list[str]) -> None:
    shown = play(*options)
    assert "Everything is unwrapped" in shown
    assert "win" in shown
    assert shown.endswith("Goodbye. That was not a hat.\n")


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
        (["--name", "\u200b"], "a name has 1 to 20 visible characters"),
        (["--pace=nan"], "--pace must be a finite number, 0 or more"),
        (["--pace=inf"], "--pace must be a finite number, 0 or more"),
    ],
)
def test_impossible_options_are_refused_with_a_reason(options: list[str], reason: str) -> None:
    assert refusal("play", *options) == f"notahat: {reason}"


def opening(*options: str, typed: str = "", lang: str = "en") -> str:
    """Return what is shown until the input is closed."""
    return " ".join(run_in_process(*PLAY, "--name", "Kim", "--lang", lang, *options, stdin=typed).stdout.split())


def test_r3_3_starter_option_chooses_who_begins() -> None:
    bots = ["--tempers", "berta", "edgar", "--players", "3"]
    assert "ready to draw" in opening("--starter", "1", *bots)
    assert "and Berta draws." in opening("--starter", "2", *bots)
    assert "and Edgar draws." in opening("--starter", "3", *bots)
    assert "--starter must be 1 to 3, not 4" in refusal("play", "--starter", "4", *bots)


def test_unknown_gift_is_asked_for_again() -> None:
    shown = opening("--starter", "1", typed="\nxyzzyxyzzy\numbrela\n")
    again, taken = shown.split("There’s no such gift. Try another word.")
    assert ("nice umbrella" in again, "nice umbrella" in taken) == (False, True)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_r13_question_mark_shows_rules_then_the_table(lang: str) -> None:
    shown = opening("--starter", "1", typed="?\n\n", lang=lang)
    look = " ".join(texts(lang)["look"].split())
    assert shown.count(look) == 2
    before, after = shown.split(look, 1)[1].rsplit(look, 1)
    assert texts(lang)["help"].split()[-1] in before + after
    for line in (*texts(lang)["rules"], *texts(lang)["tips"]):
        assert " ".join(line.split()) in before


def test_chosen_characters_play_and_make_remarks() -> None:
    shown = play("--tempers", "berta", "ilya", "gustav", "--rounds", "each", seed=3)
    names = [CHARACTERS[key].name for key in ("berta", "ilya", "gustav")]
    assert all(name in shown for name in names)
    assert any(f"{name}: " in shown for name in names)


def test_accents_are_accepted_in_ascii_locale() -> None:
    typed = "\n" + f"1\nbrócoli\n{texts('es')['answer'][0]}\nn\n" * 12
    played = notahat(*PLAY, "--lang", "es", stdin=typed, env=ASCII)
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.isascii()
    assert " < " in played.stdout
    assert " > " in played.stdout, "arrows differ"


def test_os_login_is_not_used_as_player_name(monkeypatch: pytest.MonkeyPatch) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 6
    assert "You" in run_in_process(*PLAY, env={"LOGNAME": "n" * 40}).stdout
    assert family in run_in_process(*PLAY, "--name", family).stdout
    monkeypatch.setattr("getpass.getuser", {}.popitem)  # raises KeyError, as in a container without users
    assert "You" in run_in_process(*PLAY).stdout
