"""`notahat lab`: two seats, unwritable files, ASCII locales, Ctrl-C."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from notahat_lab import arena
from support.cli import (
    FULL_DISK,
    NOTAHAT,
    Environment,
    notahat,
    process_environment,
    refusal,
    run_in_process,
)
from support.timeouts import TIMEOUT

MANY = ("--games", "100000000")  # more than a test could wait for


def test_r7_2_two_players_have_two_gifts_in_arena(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    game = ("--seats", "casual,goldfish", "--seed", "3", "--games", "12", "--jobs", "2")
    ended = run_in_process("lab", "arena", *game, "--json", out)
    assert ended.returncode == 0, ended.stderr
    both = arena(["casual", "goldfish"], games=12, seed=3, gifts=2, jobs=1)
    assert [seat["win_share"] for seat in json.loads(out.read_text())["seats"]] == [one.win_share for one in both.seats]


def test_unwritable_file_is_refused_before_playing(tmp_path: Path) -> None:
    file = tmp_path / "no" / "out.json"
    missing = f"notahat lab: cannot write {file}: No such file or directory"
    assert refusal("lab", "arena", *MANY, "--json", file) == missing
    assert refusal("lab", "arena", *MANY, "--json", tmp_path) == f"notahat lab: cannot write {tmp_path}: Is a directory"
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "folder"
    message = f"notahat lab: cannot write into {folder}: Not a directory"
    assert refusal("lab", "report", *MANY, "--out", folder) == message


@pytest.mark.skipif(not FULL_DISK.exists(), reason="only Linux has a file that is always full")
def test_results_are_shown_despite_full_disk() -> None:
    games = ("--seats", "casual,goldfish,regular", "--games", "2", "--jobs", "1")
    ended = run_in_process("lab", "arena", *games, "--json", FULL_DISK)
    assert ended.returncode == 2
    assert "win share" in ended.stdout
    assert ended.stderr.splitlines()[-1] == "notahat lab: cannot write /dev/full: No space left on device"


def test_write_check_leaves_no_file(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert refusal("lab", "arena", "--seats", "nobody,casual,casual", "--json", out).startswith(
        "notahat lab: no player"
    )
    assert not out.exists()


LEAVING = """
import os

class Leaver:
    def __init__(self, seat, seed):
        os._exit(1)
"""


def test_killed_worker_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text(LEAVING)
    seats = ("--seats", "leaving:Leaver,casual,casual")
    ended = notahat("lab", "arena", *seats, "--games", "20", "--jobs", "2", env={"PYTHONPATH": str(tmp_path)})
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert ended.stderr.splitlines()[-1] == (
        "notahat lab: a worker process was killed; --jobs 1 plays without worker processes"
    )


FAULTY = """
class Player:
    def __init__(self, seat, seed):
        pass

    def see(self, view, events, now):
        return {}["fault of its own"]
"""


def test_exception_of_custom_player_keeps_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(KeyError) as fault:
        run_in_process("lab", "arena", "--seats", "faulty:Player,casual,casual", "--games", "1", "--jobs", "1")
    assert 'return {}["fault of its own"]' in str(fault.traceback[-1].statement)


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


def test_ctrl_c_in_lab_is_quiet() -> None:
    command = [*NOTAHAT, "lab", "arena", "--games", "100000", "--jobs", "2"]
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
