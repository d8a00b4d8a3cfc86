"""`notahat play` in a pseudo-terminal: whole games, a narrow window, Ctrl-C, end of input, ASCII."""

import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from select import select

import pexpect
import pytest
from rich.cells import cell_len

from notahat.clients.terminal.render import signal_socket
from support.timeouts import TIMEOUT

MOST_GAMES = 12
# colours, a border or a line break may separate two words
_GAP = r"(?:\s|[│|]|\x1b\[[0-9;?]*[A-Za-z])+"
_HOME = "\x1b[H"
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def words(text: str) -> str:
    return _GAP.join(map(re.escape, text.split()))


READY, WHAT, WHICH, ANSWER, AGAIN = "ready", "what", "which", "answer", "again"
PROMPTS = {
    READY: words("Press Enter"),
    WHAT: words("Type a gift:"),
    WHICH: words("Which one do you mean?") + r"[^>]*> ",
    ANSWER: words("T Thank you!") + r"[^>]*> ",
    AGAIN: words("Another game?"),
}
ANSWERS = {READY: "", WHAT: "umbrella", WHICH: "1", ANSWER: "n", AGAIN: "y"}
GOODBYE = "Goodbye. That was not a hat."


@contextmanager
def terminal(*options: str, size: tuple[int, int] = (30, 100)) -> Iterator[pexpect.spawn]:
    """Start a game of Kim and one computer player with a fixed seed."""
    common = ["-m", "notahat", "play", "--players", "2", "--pace", "0", "--seed", "7", "--name", "Kim"]
    outside = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    child = pexpect.spawn(
        sys.executable,
        [*common, *options],
        env={**outside, "TERM": "xterm-256color"},
        dimensions=size,
        encoding="utf-8",
        timeout=TIMEOUT,
    )
    child.delaybeforesend = None
    try:
        yield child
    finally:
        child.close(force=True)


def next_prompt(child: pexpect.spawn) -> str:
    number: int = child.expect(list(PROMPTS.values()))
    return list(PROMPTS)[number]


def play_a_game(child: pexpect.spawn) -> tuple[Counter[str], str]:
    """Refuse every claim and claim only umbrellas, which ends the round soon; return the prompts and the output."""
    asked: Counter[str] = Counter()
    shown = ""
    while (prompt := next_prompt(child)) != AGAIN:
        shown += child.before + child.after
        asked[prompt] += 1
        child.sendline(ANSWERS[prompt])
    return asked, shown + child.before


def assert_clean_exit(child: pexpect.spawn) -> None:
    """The process exits with 0 on the normal screen, which shows nothing of the game."""
    child.expect(pexpect.EOF)
    _, left, after = child.before.rpartition("\x1b[?1049l")
    assert left, "the terminal's own screen comes back"
    assert GOODBYE in after
    assert "Traceback" not in child.before
    assert "Kim" not in after
    child.close()
    assert (child.exitstatus, child.signalstatus) == (0, None)


def seen(shown: str, text: str) -> int:
    return len(re.findall(words(text), shown))


def test_whole_games_reach_every_prompt() -> None:
    with terminal() as child:
        asked: Counter[str] = Counter()
        for _ in range(MOST_GAMES):
            new, shown = play_a_game(child)
            asked += new
            assert seen(shown, "gets a penalty.") >= 3
            assert seen(shown, "The round is over. Everything is unwrapped:") == 1
            assert seen(shown, "wins.") == 1, "one of two has three penalty points, the other fewer"
            if asked[WHAT] and asked[ANSWER]:
                break
            child.sendline("y")
        assert asked[READY]
        assert asked[WHAT]
        assert asked[ANSWER]
        child.sendline("n")
        assert_clean_exit(child)


def test_game_fits_a_narrow_window() -> None:
    columns = 32
    with terminal("--players", "3", size=(24, columns)) as child:
        _, shown = play_a_game(child)
        assert seen(shown, "The round is over.") == 1
        for line in _ANSI.sub("", shown.replace(_HOME, "\n")).splitlines():
            if "Type a gift:" not in line:  # the typed text after it wraps
                assert cell_len(line.rstrip()) <= columns, line
        child.sendline("n")
        assert_clean_exit(child)


def test_pace_0_shows_all_events_since_the_last_input() -> None:
    """Each screen replaces the one before, so the last one must show what the computer players did."""
    with terminal("--players", "4", "--starter", "3", size=(60, 100)) as child:
        assert next_prompt(child) == READY
        child.sendline("")
        assert next_prompt(child) in (WHAT, ANSWER)
        screen = child.before.rpartition(_HOME)[2]
        assert seen(screen, "takes a new gift from the shop") == 1
        passes = seen(screen, "accepts it.")
        assert passes >= 1
        assert seen(screen, "I have a") == passes + 1


@pytest.mark.parametrize(("how", "at"), [("Ctrl-C", ANSWER), ("end of input", WHAT)])
def test_player_can_quit_at_any_prompt(how: str, at: str) -> None:
    with terminal() as child:
        while (prompt := next_prompt(child)) != at:
            child.sendline(ANSWERS[prompt])
        if how == "Ctrl-C":
            child.sendintr()
        else:
            child.sendeof()
        assert_clean_exit(child)


def test_signal_before_a_read_makes_the_socket_readable() -> None:
    with signal_socket() as reader:
        assert select([reader], [], [], 0)[0] == []
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert select([reader], [], [], 0)[0] == [reader]


def test_ctrl_c_while_bots_think_ends_the_game() -> None:
    with terminal("--pace", "0.05") as child:
        assert next_prompt(child) == READY
        child.sendline("")
        child.expect(words("takes a new gift"))
        child.sendintr()
        assert_clean_exit(child)
