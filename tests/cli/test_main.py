"""The command `notahat` itself: version, help, output errors and Ctrl-C."""

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
from support.cli import (
    ASCII,
    FULL_DISK,
    NOTAHAT,
    UNCHANGED,
    Environment,
    notahat,
    process_environment,
    refusal,
    run_in_process,
)
from support.timeouts import TIMEOUT


def test_version_option_prints_package_version() -> None:
    ended = notahat("--version")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"notahat {package.__version__}\n", "")
    assert version("notahat") == package.__version__


@pytest.mark.parametrize(
    "command",
    ["", "serve", "play", "backup", "doctor", "forget", "lab", "lab arena", "lab report", "lab watch"],
)
def test_help_is_readable(command: str) -> None:
    ended = run_in_process(*command.split(), "--help", encoding="ascii")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "usage: notahat" in ended.stdout
    assert "%%" not in ended.stdout  # argparse formats help texts, but not descriptions


def test_help_works_in_ascii_locale() -> None:
    ended = notahat("play", "--help", env=ASCII)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.isascii()


@pytest.mark.skipif(not FULL_DISK.exists(), reason="only Linux has a file that is always full")
@pytest.mark.parametrize(
    "command", ["serve --no-browser --port 0", "lab arena --seats casual,casual --games 1 --jobs 1"]
)
def test_full_disk_on_stdout_is_one_line(command: str, tmp_path: Path) -> None:
    with FULL_DISK.open("w") as full:
        ended = run_with_stdout(command, full, {"NOTAHAT_DATA": str(tmp_path)})
    assert ended.returncode == 2, ended.stderr
    last = "notahat: cannot write the output: No space left on device"
    assert ended.stderr.splitlines()[-1] == last
    assert "Traceback" not in ended.stderr


def test_closed_pipe_is_quiet(tmp_path: Path) -> None:
    """As with `notahat … | head`."""
    read, write = os.pipe()
    os.close(read)
    with open(write, "w") as closed:
        ended = run_with_stdout(
            f"lab export --seats casual,casual --games 1 --jobs 1 --out {tmp_path}/rows.csv", closed
        )
    assert (ended.returncode, ended.stderr) == (1, "")


def run_with_stdout(command: str, out: IO[str], env: Environment = UNCHANGED) -> "subprocess.CompletedProcess[str]":
    asked, nothing = [*NOTAHAT, *command.split()], subprocess.DEVNULL
    return subprocess.run(
        asked,
        stdin=nothing,
        stdout=out,
        stderr=subprocess.PIPE,
        env=process_environment(env),
        text=True,
        timeout=TIMEOUT,
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


def test_ctrl_c_during_import_is_quiet(tmp_path: Path) -> None:
    """The signal comes at a known moment: when a module of the package first imports another package."""
    loading = tmp_path / "loading.py"
    loading.write_text(LOADING)
    command = [sys.executable, str(loading)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_ctrl_c_during_fork_is_not_lost(tmp_path: Path) -> None:
    """Python itself swallows an interrupt raised right after a fork."""
    (tmp_path / "sitecustomize.py").write_text(FORKING)
    command = [*NOTAHAT, "lab", "arena", "--games", "100000", "--jobs", "2"]
    with process_group(command, {"PYTHONPATH": str(tmp_path)}) as process:
        output, errors = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, output) == (130, b"")
    assert b"Traceback" not in errors


FORKING = """
import os, signal
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT))
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_in_lab_is_quiet(jobs: str) -> None:
    command = [*NOTAHAT, "lab", "arena", "--games", "100000", "--jobs", jobs]
    with process_group(command, {"FORCE_COLOR": "1", "TERM": "xterm"}) as process:
        assert process.stderr is not None
        shown = b""
        while b"10/100000" not in shown:  # the first batch of games is played
            more = os.read(process.stderr.fileno(), 4096)
            assert more, shown
            shown += more
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all foreground processes
        output, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130, errors
    assert output == b""
    assert b"Traceback" not in shown + errors
    assert b"Interrupt" not in shown + errors


@contextmanager
def process_group(command: list[str], env: Environment) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a process in its own group, and kill the group at the end."""
    process = subprocess.Popen(
        command, env=process_environment(env), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.parametrize("command", ["play", "lab arena"])
def test_server_install_names_what_a_terminal_needs(tmp_path: Path, command: str) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['rich'] = None\n")
    without = {"PYTHONPATH": str(tmp_path)}
    assert "this command needs rich: " in refusal(*command.split(), env=without)
    assert "serve" in notahat("--help", env=without).stdout, "the other commands work"
