"""Memory and processor time of the processes of a browser, from `/proc`."""

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

KB_PER_MB = 1000
SHORTEST_REST, LONGEST_REST = 4, 20  # seconds
TOLERANCE = 3.0  # MB
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_NANOSECONDS = 1e9


def megabytes(pids: Iterable[int]) -> float:
    """Return the memory of processes (proportional set size)."""
    return sum(_share(pid) for pid in pids) / KB_PER_MB


def settled_megabytes(pids: Callable[[], Iterable[int]]) -> float:
    """Wait until memory no longer shrinks, and return it."""
    samples = [megabytes(pids())]
    while len(samples) < LONGEST_REST and (
        len(samples) < SHORTEST_REST or samples[-1] < samples[-SHORTEST_REST] - TOLERANCE
    ):
        time.sleep(1)
        samples.append(megabytes(pids()))
    return samples[-1]


def cpu_seconds(pids: Iterable[int]) -> float:
    """Return the processor time of processes, which depends less on other load than time does."""
    return sum(_ticks(pid) for pid in pids) / _TICKS_PER_SECOND


def thread_seconds(pid: int, name: str = "") -> float:
    """Return the processor time of the living threads of a process whose names begin with `name`."""
    return sum(_thread_time(task) for task in Path(f"/proc/{pid}/task").glob("*") if _name(task).startswith(name))


def processes(home: Path | None = None) -> set[int]:
    """Return the PIDs of this process's descendants, and of processes whose environment names `home`."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    ours = {os.getpid(), *(pid for pid in parents if home is not None and _belongs_to(pid, home))}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return ours - {os.getpid()}


def _belongs_to(pid: int, home: Path) -> bool:
    try:
        return bytes(home) in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False


def _ticks(pid: int) -> int:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return sum(int(ticks) for ticks in stat.rpartition(")")[2].split()[11:13])


def _name(task: Path) -> str:
    try:
        return (task / "comm").read_text().strip()
    except OSError:
        return ""


def _thread_time(task: Path) -> float:
    """Return the time that the scheduler has counted, which is finer than ticks of 10 ms."""
    try:
        return int((task / "schedstat").read_text().split()[0]) / _NANOSECONDS
    except OSError:
        return 0.0


def _share(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
