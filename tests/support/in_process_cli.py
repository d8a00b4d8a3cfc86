"""The command `notahat` within this process: much quicker than one of its own, where nothing else matters."""

import io
import os
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from notahat import cli
from support.cli import USUAL, surroundings


def notahat(*arguments: str | Path, env: Mapping[str, str] = USUAL) -> CompletedProcess[str]:
    """Run it to its end."""
    out, err, words = io.StringIO(), io.StringIO(), list(map(str, arguments))
    with patch.dict(os.environ, surroundings(env), clear=True), redirect_stdout(out), redirect_stderr(err):
        status = cli.main(words)
    return CompletedProcess(words, status, out.getvalue(), err.getvalue())


def refusal(*arguments: str | Path, env: Mapping[str, str] = USUAL) -> str:
    """The one line that says what cannot be done."""
    ended = notahat(*arguments, env=env)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1), ended
    return str(ended.stderr.removesuffix("\n"))
