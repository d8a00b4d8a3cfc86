"""The command `notahat` itself: version, help, output errors and Ctrl-C."""

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from support.cli import (
    FULL_DISK,
    NOTAHAT,
    UNCHANGED,
    Environment,
    notahat,
    process_environment,
    refusal,
)
from support.timeouts import TIMEOUT


@pytest.mark.skipif(not FULL_DISK.exists(), reason="only Linux has a file that is always full")
def test_full_disk_on_stdout_is_one_line(tmp_path: Path) -> None:
    with FULL_DISK.open("w") as full:
        ended = run_with_stdout("serve --no-browser --port 0", full, {"NOTAHAT_DATA": str(tmp_path)})
    assert ended.returncode == 2, ended.stderr
    last = "notahat: cannot write the output: No space left on device"
    assert ended.stderr.splitlines()[-1] == last
    assert "Traceback" not in ended.stderr


def test_closed_pipe_is_quiet(tmp_path: Path) -> None:
    """As with `notahat … | head`."""
    read, write = os.pipe()
    os.close(read)
    with open(write, "w") as closed:
        ended = run_with_stdout(f"doctor --data {tmp_path} --port 0", closed)
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


def test_server_install_names_what_a_terminal_needs(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['rich'] = None\n")
    without = {"PYTHONPATH": str(tmp_path)}
    assert "this command needs rich: " in refusal("play", env=without)
    assert "serve" in notahat("--help", env=without).stdout, "the other commands work"


def test_lab_without_its_package_names_what_to_install() -> None:
    line = refusal("lab", "arena")
    assert line.startswith(f"notahat: this command needs notahat-lab: {sys.executable} -m pip install notahat-lab")
    imported = subprocess.run([sys.executable, "-c", "import notahat.lab"], capture_output=True, text=True, check=False)
    assert "ImportError: notahat.lab is now notahat_lab" in imported.stderr.splitlines()[-1]
    assert "pip install notahat-lab" in imported.stderr
