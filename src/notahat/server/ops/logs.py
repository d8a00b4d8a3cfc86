"""Structured logs: one JSON object for each line, for people and for programs."""

import logging
import sys
from typing import Any

import msgspec

_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonLines(logging.Formatter):
    """Time, level, who, what, and whatever else was given along."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in _PLAIN}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def set_up_logs() -> None:
    out = logging.StreamHandler(sys.stderr)
    out.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[out], force=True)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
