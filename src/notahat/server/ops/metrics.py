"""Health check and Prometheus metrics of one node."""

import asyncio
import logging
import os
import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from shutil import disk_usage
from time import monotonic, process_time, time

from msgspec import Struct
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from notahat import __version__
from notahat.server.limits.accounts import Accounts
from notahat.server.ops.resources import memory_limit, open_files, resident_bytes
from notahat.store import Store, Unavailable

SERVER_ERRORS = 500
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class Metrics:
    """Plain counters and a Prometheus collector: a counter of the client library is eight times slower per message."""

    def __init__(self) -> None:
        self.commands: Counter[str] = Counter()  # by outcome: done, repeated, or the reason of the refusal
        self.house: Counter[str] = Counter()  # moves of timers and computer players, by outcome
        self.messages = 0
        self.http: Counter[str] = Counter()
        self.tables = self.sockets = 0
        self.healthy = True
        self.accounts: Accounts | None = None
        self.folder: Path | None = None  # of the SQLite file
        self._started = int(time())
        self._latencies = [0] * (len(BUCKETS) + 1)
        self._seconds = 0.0

    def observe_command(self, seconds: float) -> None:
        """Count a command that was answered `seconds` after it arrived."""
        self._latencies[bisect_left(BUCKETS, seconds)] += 1
        self._seconds += seconds

    def count_response(self, path: str, status: int) -> None:
        """Count an HTTP response. Requests with a code are not counted by status: that would tell which codes exist."""
        hidden = "{code}" in path and status < SERVER_ERRORS
        self.http["table" if hidden else str(status)] += 1

    def collect(self) -> Iterator[Metric]:
        """Return all metrics, for `prometheus_client.generate_latest`."""
        info = GaugeMetricFamily("notahat_info", "What runs here.", labels=["version"])
        info.add_metric([__version__], 1)
        yield info
        yield _gauge("started_seconds", "When it started, in seconds of the epoch.", self._started)
        yield _gauge("well", "1 when the store can be read and written, as /healthz says.", self.healthy)
        yield _gauge("tables", "Tables with somebody connected here.", self.tables)
        yield _gauge("sockets", "Connected sockets.", self.sockets)
        yield _gauge("tasks", "Tasks under way.", len(asyncio.all_tasks()))
        yield _gauge("threads", "Threads.", threading.active_count())
        yield from _process()
        if self.folder is not None:
            with suppress(OSError):
                yield _gauge("disk_free_bytes", "Free space on the disk of the store.", disk_usage(self.folder).free)
        yield _counter("commands_total", "Commands of guests by outcome.", "outcome", self.commands)
        yield _counter("house_commands_total", "Commands of the house by outcome.", "outcome", self.house)
        answers = "HTTP answers by status; `table` is any about a code."
        yield _counter("http_responses_total", answers, "status", self.http)
        if self.accounts is not None:
            held = GaugeMetricFamily("notahat_held", "What clients hold, by resource.", labels=["resource"])
            for pool in self.accounts.pools():
                held.add_metric([pool.name], pool.total)
            yield held
            shed = "Clients, requests and messages shed by reason."
            yield _counter("shed_total", shed, "reason", self.accounts.shed_log.counts)
        yield CounterMetricFamily("notahat_messages_total", "Messages sent to sockets.", self.messages)
        counts = [*zip((*map(str, BUCKETS), "+Inf"), accumulate(self._latencies), strict=True)]
        yield HistogramMetricFamily(
            "notahat_command_seconds", "Time from a command's arrival to its answer.", counts, self._seconds
        )
        yield CounterMetricFamily("notahat_cpu_seconds_total", "Processor time used.", process_time())


def _process() -> Iterator[Metric]:
    """Return what /proc says of this process, where there is one."""
    if not resident_bytes():
        return
    with suppress(OSError):
        yield _gauge("resident_bytes", "Memory in use.", resident_bytes())
        physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        yield _gauge("memory_limit_bytes", "Memory that may be used.", memory_limit() or physical)
        yield _gauge("open_files", "Open files and sockets.", open_files())


def _gauge(name: str, documentation: str, value: int) -> Metric:
    return GaugeMetricFamily(f"notahat_{name}", documentation, value)


def _counter(name: str, documentation: str, label: str, counts: Counter[str]) -> Metric:
    family = CounterMetricFamily(f"notahat_{name}", documentation, labels=[label])
    for value in sorted(counts):
        family.add_metric([value], counts[value])
    return family


TIMEOUT_SECONDS = 1.8  # a load balancer gives up after two
FRESH_SECONDS = 1.0

log = logging.getLogger("notahat")


class ObservedRequest(Struct):
    """A request as the server sees it: the client's address and the `Host` header."""

    address: str = ""
    host: str = ""


class HealthResponse(Struct):
    """The body of /healthz."""

    ok: bool = False
    way: ObservedRequest | None = None


class Health:
    """Checks the store at most once per `FRESH_SECONDS`, however many requests come."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._check: asyncio.Task[bool] | None = None
        self._checked_at = float("-inf")
        self._healthy = True

    async def is_healthy(self) -> bool:
        if self._check is None or (self._check.done() and monotonic() - self._checked_at > FRESH_SECONDS):
            self._check = asyncio.get_running_loop().create_task(self._run_check())
        return await asyncio.shield(self._check)

    async def _run_check(self) -> bool:
        error = await self._store_error()
        self._checked_at = monotonic()
        if (error is None) != self._healthy:
            self._healthy = error is None
            if self._healthy:
                log.info("store is healthy again")
            else:
                log.warning("store is unhealthy", extra={"error": error})
        return self._healthy

    async def _store_error(self) -> str | None:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._store.check_health()
        except TimeoutError:
            return f"no answer within {TIMEOUT_SECONDS} s"
        except Unavailable as error:
            return str(error)
        except Exception as error:  # a store in a strange state is not healthy
            return repr(error)
        return None
