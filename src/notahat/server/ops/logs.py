"""Structured logs: one JSON object per line."""

import logging
import sys
from time import monotonic
from typing import Any

import msgspec

from notahat.live.limits import LruCache

REPEAT_SECONDS = 60.0
MAX_SUBJECTS = 1000
DISK_FULL = ("disk is full", "No space left")  # as SQLite and PostgreSQL say it

_STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonLines(logging.Formatter):
    """Formats time, level, logger, message and all extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in _STANDARD_FIELDS}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


class RareWarning:
    """A warning that clients can cause at will: at most once a minute for each subject, such as a table."""

    def __init__(self, message: str) -> None:
        self._message = message
        self._logged: LruCache[str, float] = LruCache(MAX_SUBJECTS)

    def is_due(self, subject: str) -> bool:
        """Return whether the subject was not logged within the last minute."""
        return monotonic() - self._logged.get(subject, float("-inf")) >= REPEAT_SECONDS

    def log(self, subject: str, **details: object) -> None:
        if self.is_due(subject):
            self._logged[subject] = monotonic()
            logging.getLogger("notahat").warning(self._message, extra=details)


class StoreWarning:
    """Says why the store cannot be used: once a minute for each problem, however many commands fail."""

    def __init__(self) -> None:
        self._unavailable = RareWarning("store unavailable")
        self._disk_full = RareWarning("the disk is full: tables cannot be written")

    def log(self, error: Exception) -> None:
        warning = self._disk_full if any(text in str(error) for text in DISK_FULL) else self._unavailable
        warning.log(str(error), error=str(error))


def set_up_logs(level: str = "info") -> None:
    """Write logs to the standard error; `level` is that of our own loggers."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("notahat").setLevel(level.upper())
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
