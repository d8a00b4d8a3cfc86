"""What an operator can watch, in Prometheus' text format."""

import asyncio
import os
import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import process_time, time

from notahat import __version__

SERVER_ERRORS = 500
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """Counters and one histogram, kept as plainly as they are printed."""

    def __init__(self) -> None:
        self.commands: Counter[str] = Counter()  # by outcome: done, repeated, or the reason of the refusal
        self.house: Counter[str] = Counter()  # moves of timers and computer players, by outcome
        self.messages = 0
        self.http: Counter[str] = Counter()
        self._began = time()
        self._latencies = [0] * (len(BOUNDS) + 1)
        self._seconds = 0.0

    def took(self, seconds: float) -> None:
        """A command was answered so many seconds after it came."""
        self._latencies[bisect_left(BOUNDS, seconds)] += 1
        self._seconds += seconds

    def answered(self, path: str, status: int) -> None:
        """An HTTP request was answered. What it was, where a code was asked for, would tell right codes from wrong."""
        hidden = "{code}" in path and status < SERVER_ERRORS
        self.http["table" if hidden else str(status)] += 1

    def text(self, tables: int, sockets: int, well: bool) -> str:
        return "\n".join(self._lines(tables, sockets, well)) + "\n"

    def _lines(self, tables: int, sockets: int, well: bool) -> Iterator[str]:
        yield from _gauge("notahat_info", "What runs here.", 1, f'{{version="{__version__}"}}')
        yield from _gauge("notahat_started_seconds", "When it started, in seconds of the epoch.", int(self._began))
        yield from _gauge("notahat_well", "1 when the store can be read and written, as /healthz says.", int(well))
        yield from _gauge("notahat_tables", "Tables with somebody connected here.", tables)
        yield from _gauge("notahat_sockets", "Connected sockets.", sockets)
        yield from _gauge("notahat_tasks", "Tasks under way.", len(asyncio.all_tasks()))
        yield from _gauge("notahat_threads", "Threads.", threading.active_count())
        yield from _process()
        yield from _counters("notahat_commands_total", "Commands of guests by outcome.", "outcome", self.commands)
        yield from _counters("notahat_house_commands_total", "Commands of the house by outcome.", "outcome", self.house)
        yield from _counters(
            "notahat_http_responses_total", "HTTP answers by status; `table` is any about a code.", "status", self.http
        )
        yield "# HELP notahat_messages_total Messages sent to sockets."
        yield "# TYPE notahat_messages_total counter"
        yield f"notahat_messages_total {self.messages}"
        yield "# HELP notahat_command_seconds Time from a command's arrival to its answer."
        yield "# TYPE notahat_command_seconds histogram"
        total = 0
        for bound, count in zip((*BOUNDS, "+Inf"), self._latencies, strict=True):
            total += count
            yield f'notahat_command_seconds_bucket{{le="{bound}"}} {total}'
        yield f"notahat_command_seconds_sum {self._seconds:.6f}"
        yield f"notahat_command_seconds_count {total}"
        yield "# HELP notahat_cpu_seconds_total Processor time used."
        yield "# TYPE notahat_cpu_seconds_total counter"
        yield f"notahat_cpu_seconds_total {process_time():.3f}"


def _process() -> Iterator[str]:
    """What the system says of this process, where it says that in files."""
    with suppress(OSError):
        resident = int(Path("/proc/self/statm").read_text().split()[1]) * PAGE
        yield from _gauge("notahat_resident_bytes", "Memory in use.", resident)
        files = sum(1 for _ in Path("/proc/self/fd").iterdir())
        yield from _gauge("notahat_open_files", "Open files and sockets.", files)


def _gauge(name: str, told: str, value: int, labels: str = "") -> Iterator[str]:
    yield f"# HELP {name} {told}"
    yield f"# TYPE {name} gauge"
    yield f"{name}{labels} {value}"


def _counters(name: str, told: str, label: str, counts: Counter[str]) -> Iterator[str]:
    yield f"# HELP {name} {told}"
    yield f"# TYPE {name} counter"
    for value in sorted(counts):
        yield f'{name}{{{label}="{value}"}} {counts[value]}'
