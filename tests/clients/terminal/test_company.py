"""Computer players in the terminal are somebody: they have names and tempers, and something slips out now and then."""

import subprocess
import sys

from notahat.bots import CHARACTERS

COMMAND = [sys.executable, "-m", "notahat", "play", "--pace", "0", "--seed", "3", "--name", "Kim"]


def played(*options: str) -> str:
    lines = "\n" + "\n".join(["1", "hat", "t", "n"] * 2000) + "\n"
    done = subprocess.run([*COMMAND, *options], input=lines, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_tempers_are_chosen_and_remarks_are_made() -> None:
    shown = played("--tempers", "berta", "ilya", "gustav", "--rounds", "each")
    names = [CHARACTERS[key].name for key in ("berta", "ilya", "gustav")]
    assert all(name in shown for name in names)
    assert any(f"{name}: " in shown for name in names)


def test_without_a_choice_they_are_different_people() -> None:
    shown = played("--players", "8")
    assert sum(character.name in shown for character in CHARACTERS.values()) == 7


def test_the_same_seed_is_the_same_game() -> None:
    assert played() == played()
