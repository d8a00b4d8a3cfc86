"""The command itself: its version, its help, and how it stops."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import IO

import pytest

import notahat as package
from support.cli import ASCII, FULL, NOTAHAT, PATIENCE_SECONDS, USUAL, Environment, notahat, surroundings


def test_its_version() -> None:
    told = notahat("--version")
    assert (told.returncode, told.stdout, told.stderr) == (0, f"notahat {package.__version__}\n", "")
    assert version("notahat") == package.__version__


@pytest.mark.parametrize(
    "command", ["", "serve", "play", "backup", "doctor", "print", "lab", "lab arena", "lab report", "lab watch"]
)
def test_help_in_any_locale(command: str) -> None:
    told = notahat(*command.split(), "--help", env=ASCII)
    assert (told.returncode, told.stderr) == (0, "")
    assert "usage: notahat" in told.stdout
    assert "%%" not in told.stdout  # argparse fills in what helps, and not what describes


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a file that is always full")
@pytest.mark.parametrize(
    "command", ["serve --no-browser --port 0", "lab arena --seats casual,casual --games 1 --jobs 1"]
)
def test_what_cannot_be_said_is_told_in_one_line(command: str, tmp_path: Path) -> None:
    with FULL.open("w") as full:
        ended = unheard(command, full, {"NOTAHAT_DATA": str(tmp_path)})
    assert ended.returncode == 2, ended.stderr
    last = "notahat: what there is to say cannot be written: No space left on device"
    assert ended.stderr.splitlines()[-1] == last
    assert "Traceback" not in ended.stderr


def test_whoever_reads_no_further_is_not_complained_at(tmp_path: Path) -> None:
    """As in `notahat … | head`."""
    read, write = os.pipe()
    os.close(read)
    with open(write, "w") as closed:
        ended = unheard(f"lab export --seats casual,casual --games 1 --jobs 1 --out {tmp_path}/rows.csv", closed)
    assert (ended.returncode, ended.stderr) == (1, "")


def unheard(command: str, out: IO[str], env: Environment = USUAL) -> "subprocess.CompletedProcess[str]":
    asked, nothing = [*NOTAHAT, *command.split()], subprocess.DEVNULL
    return subprocess.run(
        asked,
        stdin=nothing,
        stdout=out,
        stderr=subprocess.PIPE,
        env=surroundings(env),
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


LOADING = """
import os, signal, sys

class CtrlC:
    def find_spec(self, name, path=None, target=None):
        if name == "msgspec":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, CtrlC())
from notahat.cli import main
sys.exit(main(["serve"]))
"""


def test_ctrl_c_while_it_is_still_loading(tmp_path: Path) -> None:
    """The signal comes at a known moment: when the first of our modules asks for another package."""
    loading = tmp_path / "loading.py"
    loading.write_text(LOADING)
    command = [sys.executable, str(loading)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_ctrl_c_while_processes_are_forked_is_not_lost(tmp_path: Path) -> None:
    """Python itself swallows an interrupt that is raised right after a fork."""
    (tmp_path / "sitecustomize.py").write_text(FORKING)
    command = [*NOTAHAT, "lab", "arena", "--games", "100000", "--jobs", "2"]
    with alone(command, {"PYTHONPATH": str(tmp_path)}) as process:
        said, complained = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, said) == (130, b"")
    assert b"Traceback" not in complained


FORKING = """
import os, signal
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT))
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_in_the_laboratory_is_quiet(jobs: str) -> None:
    command = [*NOTAHAT, "lab", "arena", "--games", "100000", "--jobs", jobs]
    with alone(command, {"FORCE_COLOR": "1", "TERM": "xterm"}) as process:
        assert process.stderr is not None
        shown = b""
        while b"10/100000" not in shown:  # the first bunch of games is played
            more = os.read(process.stderr.fileno(), 4096)
            assert more, shown
            shown += more
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: to all processes in front
        said, complained = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 130, complained
    assert said == b""
    assert b"Traceback" not in shown + complained
    assert b"Interrupt" not in shown + complained


@contextmanager
def alone(command: list[str], env: Environment) -> Iterator["subprocess.Popen[bytes]"]:
    """A process in a group of its own, of which nothing is left behind."""
    process = subprocess.Popen(
        command, env=surroundings(env), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
