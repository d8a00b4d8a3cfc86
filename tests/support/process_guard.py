"""End the processes and remove the folders of a test run when the run ends, even if it is killed.

Each process that runs tests starts a small guard process at the other end of a pipe. When the pipe closes, the guard
ends every registered process and removes every registered folder.
"""

import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

GRACE_SECONDS = 5.0  # between the registered signal and SIGKILL


def end_at_exit(process: "subprocess.Popen[Any]", signal_number: int = signal.SIGTERM) -> None:
    """Register a process that ends with the test run, by this signal first."""
    _send(f"end {process.pid} {int(signal_number)}")


def forget(process: "subprocess.Popen[Any]") -> None:
    """Unregister a process before its owner ends it, because its PID may be reused afterwards."""
    _send(f"forget {process.pid}")


def remove_folder_at_exit(folder: Path) -> None:
    _send(f"folder {folder}")


def _send(line: str) -> None:
    pipe = _guard().stdin
    assert pipe is not None
    pipe.write(f"{line}\n")
    pipe.flush()


@cache
def _guard() -> "subprocess.Popen[str]":
    """Start the guard in a session of its own, so that Ctrl-C reaches only the tests."""
    command = [sys.executable, "-I", "-S", __file__]
    guard = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, start_new_session=True, cwd="/")
    atexit.register(guard.communicate)  # closes the pipe and waits for the guard
    return guard


def run_guard(lines: Iterable[str]) -> None:
    processes: dict[int, int] = {}
    folders: list[str] = []
    for line in lines:
        match line.rstrip("\n").split(" ", 1):
            case ["end", registered]:
                pid, _, signal_number = registered.partition(" ")
                processes[int(pid)] = int(signal_number)
            case ["forget", pid]:
                processes.pop(int(pid), None)
            case ["folder", path]:
                folders.append(path)
    for process, number in processes.items():
        _signal(process, number)
    deadline = time.monotonic() + GRACE_SECONDS
    while any(map(_is_running, processes)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for process in filter(_is_running, processes):
        _signal(process, signal.SIGKILL)
    for path in folders:
        shutil.rmtree(path, ignore_errors=True)


def _is_running(pid: int) -> bool:
    """Return False for zombies, which keep their PID."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return _signal(pid, 0)


def _signal(pid: int, number: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False


if __name__ == "__main__":
    run_guard(sys.stdin)
