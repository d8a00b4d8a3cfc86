"""A leash: what a test run starts does not outlive the run, however that ends.

Beside each process that runs tests a small one waits at the other end of a pipe. When the pipe ends, because the run
is over or was stopped or killed, it ends every process still on the leash and removes every folder.
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

MERCY_SECONDS = 5.0


def hold(process: "subprocess.Popen[Any]", how: int = signal.SIGTERM) -> None:
    """From now on this process ends with the test run, asked by this signal first."""
    _tell(f"hold {process.pid} {int(how)}")


def let_go(process: "subprocess.Popen[Any]") -> None:
    """It is about to be ended by whoever started it: from then on its number may be somebody else's."""
    _tell(f"free {process.pid}")


def hold_folder(folder: Path) -> None:
    """This folder is removed at the end of the test run."""
    _tell(f"folder {folder}")


def _tell(order: str) -> None:
    pipe = _watch().stdin
    assert pipe is not None
    pipe.write(f"{order}\n")
    pipe.flush()


@cache
def _watch() -> "subprocess.Popen[str]":
    """In a session of its own, so that Ctrl-C reaches the tests alone."""
    command = [sys.executable, "-I", "-S", __file__]
    watch = subprocess.Popen(command, stdin=subprocess.PIPE, text=True, start_new_session=True, cwd="/")
    atexit.register(watch.communicate)  # an ordinary end: close the pipe, and see it through
    return watch


def keep_watch(orders: Iterable[str]) -> None:
    held: dict[int, int] = {}
    folders: list[str] = []
    for order in orders:
        match order.rstrip("\n").split(" ", 1):
            case ["hold", which]:
                number, _, by = which.partition(" ")
                held[int(number)] = int(by)
            case ["free", which]:
                held.pop(int(which), None)
            case ["folder", path]:
                folders.append(path)
    for pid, how in held.items():
        _signal(pid, how)
    patience = time.monotonic() + MERCY_SECONDS
    while any(map(_lives, held)) and time.monotonic() < patience:
        time.sleep(0.05)
    for pid in filter(_lives, held):
        _signal(pid, signal.SIGKILL)
    for path in folders:
        shutil.rmtree(path, ignore_errors=True)


def _lives(pid: int) -> bool:
    """Whether it still does anything: the dead whom nobody asks after keep their number."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return _signal(pid, 0)


def _signal(pid: int, how: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, how)
        return True
    return False


if __name__ == "__main__":
    keep_watch(sys.stdin)
