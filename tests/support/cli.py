"""The command `notahat` as people type it: a real process, and what it says."""

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from unittest.mock import patch

from notahat.cli import main

FULL = Path("/dev/full")  # whatever is written there finds no room
NOTAHAT = (sys.executable, "-m", "notahat")
PATIENCE_SECONDS = 120  # for a machine that has other things to do as well
Environment = Mapping[str, str]
USUAL: Environment = MappingProxyType({})
ASCII = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}


def notahat(
    *arguments: str | Path, given: str = "", env: Environment = USUAL, without: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Run it to its end. `without` are names that the environment shall not have."""
    return subprocess.run(
        [*NOTAHAT, *map(str, arguments)],
        input=given,
        env=surroundings(env, without),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def surroundings(env: Environment = USUAL, without: tuple[str, ...] = ()) -> dict[str, str]:
    usual = {name: value for name, value in os.environ.items() if not name.startswith("NOTAHAT_")}
    return {name: value for name, value in {**usual, **env}.items() if name not in without}


def in_this_process(*arguments: str | Path, env: Environment = USUAL) -> subprocess.CompletedProcess[str]:
    """The same without starting another Python, for what ends before anything is begun."""
    argv = list(map(str, arguments))
    with (
        patch.dict(os.environ, surroundings(env), clear=True),
        redirect_stdout(StringIO()) as said,
        redirect_stderr(StringIO()) as complained,
    ):
        try:
            status = main(argv)
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
    return subprocess.CompletedProcess(argv, status, said.getvalue(), complained.getvalue())


def refusal(*arguments: str | Path, env: Environment = USUAL, without: tuple[str, ...] = ()) -> str:
    """The one line that says what cannot be done; anything else, such as a trace, fails here."""
    if without or "PYTHONPATH" in env:
        ended = notahat(*arguments, env=env, without=without)
    else:
        ended = in_this_process(*arguments, env=env)
    assert ended.returncode == 2, ended
    assert ended.stdout == "", ended
    assert ended.stderr.count("\n") == 1, ended.stderr
    assert ended.stderr.endswith("\n"), ended.stderr
    return ended.stderr.removesuffix("\n")


def nowhere(folder: Path) -> dict[str, str]:
    """An environment in which the user id has no name and no home, as in many containers."""
    (folder / "sitecustomize.py").write_text(NAMELESS)
    return {"PYTHONPATH": str(folder)}


NAMELESS = """
import pwd

def nobody(uid):
    raise KeyError(f"getpwuid(): uid not found: {uid}")

pwd.getpwuid = nobody
"""
WHO = ("HOME", "USER", "LOGNAME", "LNAME", "USERNAME", "XDG_DATA_HOME")
