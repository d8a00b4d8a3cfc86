"""Run the command `notahat` in a process of its own, or, faster, in this one."""

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from types import MappingProxyType
from unittest.mock import patch

from notahat.cli import main
from support.timeouts import TIMEOUT

FULL_DISK = Path("/dev/full")  # every write fails
NOTAHAT = (sys.executable, "-m", "notahat")
Environment = Mapping[str, str]
UNCHANGED: Environment = MappingProxyType({})
ASCII = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
USER_VARIABLES = ("HOME", "USER", "LOGNAME", "LNAME", "USERNAME", "XDG_DATA_HOME")


def notahat(
    *arguments: str | Path, stdin: str = "", env: Environment = UNCHANGED, unset: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Run the command in a process until it ends."""
    return subprocess.run(
        [*NOTAHAT, *map(str, arguments)],
        input=stdin,
        env=process_environment(env, unset),
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


def process_environment(env: Environment = UNCHANGED, unset: tuple[str, ...] = ()) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("NOTAHAT_")}
    return {name: value for name, value in {**inherited, **env}.items() if name not in unset}


def run_in_process(
    *arguments: str | Path, stdin: str = "", env: Environment = UNCHANGED, encoding: str = "utf-8"
) -> subprocess.CompletedProcess[str]:
    """Run the command without starting another Python."""
    argv = list(map(str, arguments))
    output, errors = (TextIOWrapper(BytesIO(), encoding=encoding, newline="") for _ in range(2))
    with (
        patch.dict(os.environ, process_environment(env), clear=True),
        patch("sys.stdin", StringIO(stdin)),
        redirect_stdout(output),
        redirect_stderr(errors),
    ):
        try:
            status = main(argv)
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
    return subprocess.CompletedProcess(argv, status, *map(_content, (output, errors)))


def _content(stream: TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def refusal(*arguments: str | Path, env: Environment = UNCHANGED, unset: tuple[str, ...] = ()) -> str:
    """Return the single error line of a command that exits with 2; fail on any other output."""
    if unset or "PYTHONPATH" in env:
        ended = notahat(*arguments, env=env, unset=unset)
    else:
        ended = run_in_process(*arguments, env=env)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended
    assert ended.stderr.endswith("\n"), ended.stderr
    return ended.stderr.removesuffix("\n")


def environment_without_user(folder: Path) -> dict[str, str]:
    """Return an environment in which the user id has no name and no home, as in many containers."""
    (folder / "sitecustomize.py").write_text(_NO_USER_NAME)
    return {"PYTHONPATH": str(folder)}


_NO_USER_NAME = """
import pwd

def no_name(uid):
    raise KeyError(f"getpwuid(): uid not found: {uid}")

pwd.getpwuid = no_name
"""
