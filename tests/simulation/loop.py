"""An event loop with virtual time: many processes in one thread, in an order that follows from a seed.

Each process runs its own callbacks in their order, like any event loop; which process runs next is random. Time
advances when nothing is left to do. What belongs to a process is known from its context variables, so a process can be
killed or suspended between any two callbacks, that is at every `await`.
"""

import asyncio
import gc
import os
import random
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import Context, ContextVar, copy_context
from functools import partial
from hashlib import sha256
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any
from unittest.mock import patch

from notahat.store import writer

START = 1_700_000_000.0  # wall-clock time at the beginning
MAX_STEPS_PER_INSTANT = 100_000
TRACE_TAIL = 60

_EventLoop: Any = asyncio.AbstractEventLoop  # sockets and signals are left out

current: ContextVar["Process"] = ContextVar("current")


class Violation(Exception):  # noqa: N818
    """A law was broken."""


class Blocked(BaseException):
    """A virtual thread waits for its queue."""


class Process:
    """A process: a queue of callbacks, clocks of its own, and the time until which faults excuse its delays."""

    def __init__(self, loop: "VirtualLoop", name: str) -> None:
        self.name = name
        self.loop = loop
        self.alive = True
        self.suspended_until = 0.0
        self.unreachable_until = 0.0  # for the database
        self.hop_seconds = 0.0  # to the database, and back
        self.excused_until = 0.0
        self.steps = 0
        self.stop_at = 0  # call `on_stop` after so many steps
        self.on_stop: Callable[[], None] = lambda: None
        self.wall_offset = 0.0
        self.monotonic_offset = loop.random.uniform(0, 1e5)
        self.queue: deque[asyncio.Handle] = deque()
        self.context = copy_context()
        self.context.run(current.set, self)

    def kill(self) -> None:
        """Never run anything of this process again."""
        self.alive = False
        self.queue.clear()

    def suspend(self, seconds: float) -> None:
        self.suspended_until = self.loop.now + seconds
        self.excuse(seconds)

    def excuse(self, seconds: float) -> None:
        """Note that a fault delays this process for so long."""
        self.excused_until = max(self.excused_until, self.loop.now + seconds)

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> None:
        self.loop.call_later(delay, callback, *args, context=self.context)

    def spawn(self, work: Any) -> "asyncio.Task[Any]":
        """Run a task of this process; its failure breaks a law."""
        task = self.loop.create_task(work, context=self.context)
        task.add_done_callback(self.loop.check_task)
        return task


class VirtualLoop(_EventLoop):  # type: ignore[misc]
    """The loop of all processes. `after_step(process)` is called after every callback."""

    def __init__(self, seed: str) -> None:
        self.random = Random(f"loop {seed}")
        self.now = 0.0
        self.failure: Violation | None = None
        self.after_step: Callable[[Process], None] = lambda _: None
        self.digest = sha256()
        self.tail: deque[str] = deque(maxlen=TRACE_TAIL)
        self.print_line: Callable[[str], None] | None = None
        self.thread_seconds: float | None = None  # how long the virtual thread that runs now has been running
        self._processes: list[Process] = []
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._number = count()
        self._tasks: list[asyncio.Task[Any]] = []  # tasks of killed processes must not be closed by the collector
        self._lanes: dict[object, deque[Callable[[], None]]] = {}
        self.main = self.process("world")

    def process(self, name: str) -> Process:
        process = Process(self, name)
        self._processes.append(process)
        return process

    def trace(self, text: str) -> None:
        """Record what happened; the same seed gives the same trace."""
        process = current.get(self.main).name
        line = f"{self.now:.6f} {process} {text}"
        self.digest.update(line.encode() + b"\n")
        self.tail.append(line)
        if self.print_line is not None:
            self.print_line(line)

    def fail(self, law: str, detail: str) -> None:
        """Record a broken law; the run ends after this step."""
        self.trace(f"BROKEN {law}: {detail}")
        self.failure = self.failure or Violation(f"{law}: {detail}")

    def check_task(self, task: "asyncio.Task[Any]") -> None:
        if not task.cancelled() and task.exception() is not None:
            self.fail("no errors", repr(task.exception()))

    def run(self, main: Any) -> Any:
        """Run a coroutine to its end; raise `Violation` if a law is broken on the way."""
        asyncio._set_running_loop(self)
        try:
            task = self.main.spawn(main)
            at, steps = self.now, 0
            while not task.done():
                steps = steps + 1 if at == self.now else 0
                at = self.now
                if steps > MAX_STEPS_PER_INSTANT:
                    self.fail("progress", "the processes are busy for ever at one instant")
                self._step()
                if self.failure is not None:
                    raise self.failure
            return task.result()
        finally:
            asyncio._set_running_loop(None)
            self._abandon_tasks()

    def _abandon_tasks(self) -> None:
        """Close what killed processes left, as it is collected in no fixed order otherwise."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # some never began
            for task in self._tasks:
                if not task.done():
                    task._log_destroy_pending = False  # type: ignore[attr-defined]
                    coroutine: Any = task.get_coro()  # typed differently from Python 3.12 on
                    with suppress(RuntimeError):  # it awaits something at its end
                        coroutine.close()

    def _step(self) -> None:
        while self._timers and self._timers[0][0] <= self.now:
            self._make_ready(heappop(self._timers)[2])
        ready = [one for one in self._processes if one.queue and one.suspended_until <= self.now]
        if not ready:
            return self._advance()
        process = ready[self.random.randrange(len(ready))] if len(ready) > 1 else ready[0]
        handle = process.queue.popleft()
        if handle.cancelled():
            return None
        process.steps += 1
        handle._run()
        if process.steps == process.stop_at:
            process.on_stop()
        return self.after_step(process)

    def _advance(self) -> None:
        times = [one.suspended_until for one in self._processes if one.queue]
        if self._timers:
            times.append(self._timers[0][0])
        if times:
            self.now = max(self.now, min(times))
        else:
            self.fail("progress", "every process waits for another one")

    def _make_ready(self, handle: asyncio.Handle) -> None:
        process: Process = handle._context.get(current, self.main)  # type: ignore[attr-defined]
        if process.alive:
            process.queue.append(handle)

    # the part of the interface of an event loop that asyncio and the server use

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._make_ready(handle)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        return self.call_later(self.thread_seconds or 0.0, callback, *args, context=context)

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.now + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        heappush(self._timers, (when, next(self._number), handle))
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Cancelled timers are skipped when they are due."""

    def time(self) -> float:
        return self.now

    def create_future(self) -> "asyncio.Future[Any]":
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, *, name: str | None = None, context: Context | None = None) -> "asyncio.Task[Any]":
        task = asyncio.Task(coro, loop=self, name=name or "task", context=context)
        self._tasks.append(task)
        return task

    def run_in_executor(self, executor: object, func: Callable[..., Any], *args: Any) -> "asyncio.Future[Any]":
        """Run a function as a thread would: the jobs of one executor wait for each other."""
        future = self.create_future()
        lane = self._lanes.setdefault(executor or object(), deque())
        lane.append(partial(self._run_job, lane, future, partial(func, *args)))
        if len(lane) == 1:
            self.call_soon(lane[0])
        return future

    def _run_job(
        self, lane: deque[Callable[[], None]], future: "asyncio.Future[Any]", job: Callable[[], object]
    ) -> None:
        result: object
        with self.thread():
            try:
                result = job()
            except Exception as error:
                result = error
            seconds = self.thread_seconds or 0.0
        self.call_later(seconds, self._finish_job, lane, future, result)

    def _finish_job(self, lane: deque[Callable[[], None]], future: "asyncio.Future[Any]", result: object) -> None:
        lane.popleft()
        if lane:
            self.call_soon(lane[0])
        writer.settle(future, result)

    @contextmanager
    def thread(self) -> Iterator[None]:
        """Run the code of a thread: it takes the seconds that it sleeps."""
        self.thread_seconds = 0.0
        try:
            yield
        finally:
            self.thread_seconds = None

    def sleep(self, seconds: float) -> None:
        """Let the thread that runs now sleep."""
        assert self.thread_seconds is not None, "nothing may block the event loop"
        self.thread_seconds += seconds

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.fail("no errors", f"{context.get('message')}: {context.get('exception')!r}")

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def wall_clock(self) -> float:
        return START + self.now + (self.thread_seconds or 0.0) + current.get(self.main).wall_offset

    def monotonic(self) -> float:
        return self.now + (self.thread_seconds or 0.0) + current.get(self.main).monotonic_offset

    @contextmanager
    def patched(self) -> Iterator[None]:
        """Replace clocks, randomness and threads of the process by those of the simulation."""
        own_thread, randbytes = threading.get_ident(), Random(f"bytes {self.random.random()}").randbytes

        def here(virtual: Callable[..., Any], real: Callable[..., Any]) -> Callable[..., Any]:
            """Other threads of the test run keep what is real."""
            return lambda *args: (virtual if threading.get_ident() == own_thread else real)(*args)

        clocks = {time.time: here(self.wall_clock, time.time), time.monotonic: here(self.monotonic, time.monotonic)}
        modules = [module for name, module in tuple(sys.modules.items()) if name.startswith("notahat.")]
        with ExitStack() as stack:
            stack.callback(gc.enable)
            gc.disable()  # it would run destructors at moments that depend on what ran before
            for place, name, value in (
                *((time, real.__name__, clock) for real, clock in clocks.items()),
                *(
                    (module, name, clocks[real])
                    for module in modules
                    for name, real in tuple(vars(module).items())
                    if real in (time.time, time.monotonic)
                ),
                (time, "clock_gettime", here(lambda _: self.monotonic(), time.clock_gettime)),
                (time, "sleep", here(self.sleep, time.sleep)),
                (os, "urandom", here(randbytes, os.urandom)),
                (random, "_urandom", here(randbytes, os.urandom)),
                (writer, "threading", VirtualThreads),
                (writer, "SimpleQueue", VirtualQueue),
            ):
                stack.enter_context(patch.object(place, name, value))
            yield


class VirtualQueue:
    """A queue that a virtual thread reads."""

    def __init__(self) -> None:
        self._items: deque[object] = deque()
        self._reader: VirtualThread | None = None

    def put(self, item: object) -> None:
        self._items.append(item)
        if self._reader is not None:
            self._reader.start()

    def get(self) -> object:
        if self._items:
            return self._items.popleft()
        self._reader = VirtualThread.running
        raise Blocked


class VirtualThread:
    """A thread that reads one queue and keeps no local variables: it ends when the queue is empty, and starts again."""

    running: "VirtualThread | None" = None

    def __init__(self, target: Callable[[], None], name: str = "", daemon: bool = True) -> None:  # noqa: ARG002
        self._target = target
        self._context = copy_context()
        self._loop = current.get().loop

    def start(self) -> None:
        self._loop.call_soon(self._run, context=self._context)

    def _run(self) -> None:
        VirtualThread.running = self
        with self._loop.thread():
            try:
                self._target()
            except Blocked:
                pass
            finally:
                VirtualThread.running = None

    def join(self) -> None:
        """The thread never runs at the same time as other code."""


class VirtualThreads:
    """What the writer uses of the module `threading`."""

    Thread = VirtualThread
