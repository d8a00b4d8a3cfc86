"""A program started for one game, with lines on its standard input and output. Nothing that it does can block."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from queue import Empty, Queue, SimpleQueue

from notahat_lab.errors import LabError

MAX_LINE_BYTES = 8 * 1024  # as a frame of the protocol
MAX_UNREAD_LINES = 100
CLOSING_SECONDS = 5.0


class ProgramProcess:
    """A running program. Its errors go to the terminal."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own program
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | environment,
                start_new_session=True,
            )
        except OSError as problem:
            raise LabError(f"cannot start {command[0]}: {problem.strerror}") from None
        self._to_write: SimpleQueue[bytes | None] = SimpleQueue()
        self._lines: Queue[bytes] = Queue(MAX_UNREAD_LINES)
        self._ended = threading.Event()
        for work in (self._write_lines, self._read_lines):
            threading.Thread(target=work, daemon=True).start()

    def write(self, line: bytes) -> None:
        """Write a line, now or when the program reads."""
        self._to_write.put(line + b"\n")

    def read(self, deadline: float) -> bytes | None:
        """Return the next line, or None if there is none until the deadline or the program has ended."""
        while (left := deadline - time.monotonic()) > 0:
            ended = self._ended.is_set()  # before the last look at the lines
            try:
                return self._lines.get(timeout=0.001 if ended else min(left, 0.05))
            except Empty:
                if ended:
                    return None
        return None

    def close(self, seconds: float = CLOSING_SECONDS) -> None:
        """Close the program's input, and end it if it does not end by itself soon."""
        self._to_write.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        self._kill()
        self._process.wait()

    def _kill(self) -> None:
        """End the program and all that it started."""
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def _write_lines(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError), self._process.stdin as stdin:  # a program may stop reading
            while (line := self._to_write.get()) is not None:
                stdin.write(line)
                stdin.flush()

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError), self._process.stdout as stdout:
            while line := stdout.readline(MAX_LINE_BYTES):
                self._lines.put(line)
        self._ended.set()
