"""A server that records the order of writes, syncs and acknowledgements.

`python disk_monitor.py TRACE serve …` runs `notahat serve …` and writes one line to TRACE for each command id that
reaches the write-ahead log (`wrote ID`), each finished sync of that file (`synced`) and each acknowledgement before it
is sent (`ack ID`). It wraps the file functions of the SQLite library that Python uses, so no tracer is necessary. With
WATCHED_DISK=careless nothing is synced, to prove that the check detects it.
"""

import _sqlite3
import ctypes
import os
import re
import sqlite3
import sys
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from typing import Any

OPEN_WAL = 0x80000
COMMAND = re.compile(rb"[0-9a-f]{32}:([0-9a-f]{12})(?![0-9a-f])")
ACK = re.compile(rb'"ack":"([0-9a-f]{12})"')

Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
Sync = CFUNCTYPE(c_int, c_void_p, c_int)


class Methods(Structure):
    """sqlite3_io_methods, of which two are wrapped."""

    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", Write),
        ("truncate", c_void_p),
        ("sync", Sync),
        ("others", c_void_p * 13),
    )


class File(Structure):
    """sqlite3_file: an open file."""

    _fields_ = (("methods", POINTER(Methods)),)


Open = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(File), c_int, c_void_p)


class Vfs(Structure):
    """sqlite3_vfs, up to the function that opens files."""

    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", Open),
    )


class DiskMonitor:
    """Wraps the default file system of SQLite."""

    def __init__(self, trace: str) -> None:
        self._trace = os.open(trace, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._seen: set[bytes] = set()
        self._references: list[object] = []  # C holds none
        self._vfs = find_vfs()
        self._open = ctypes.cast(self._vfs.contents.open, Open)
        self._opened = Open(self._open_file)
        self._vfs.contents.open = self._opened

    def record(self, line: bytes) -> None:
        os.write(self._trace, line + b"\n")

    def _open_file(self, vfs: int, name: int, file: Any, flags: int, out: int) -> int:
        status: int = self._open(vfs, name, file, flags, out)
        if status == 0 and flags & OPEN_WAL:
            self._wrap(file)
        return status

    def _wrap(self, file: Any) -> None:
        real = file.contents.methods
        real_write, real_sync = ctypes.cast(real.contents.write, Write), ctypes.cast(real.contents.sync, Sync)

        def write(of: int, data: int, size: int, offset: int) -> int:
            answer: int = real_write(of, data, size, offset)
            for command in COMMAND.findall(ctypes.string_at(data, size)):
                if command not in self._seen:
                    self._seen.add(command)
                    self.record(b"wrote " + command)
            return answer

        def sync(of: int, flags: int) -> int:
            answer: int = real_sync(of, flags)
            self.record(b"synced")
            return answer

        wrapped = Methods.from_buffer_copy(real.contents)
        wrapped.write, wrapped.sync = Write(write), Sync(sync)
        self._references += [wrapped, wrapped.write, wrapped.sync]
        file.contents.methods = ctypes.pointer(wrapped)


def find_vfs() -> Any:
    """Return SQLite's default file system in the library that Python's module uses."""
    for library in (getattr(_sqlite3, "__file__", None), None):
        find = getattr(ctypes.CDLL(library), "sqlite3_vfs_find", None)
        if find is not None:
            find.restype = POINTER(Vfs)
            return find(None)
    raise RuntimeError("the SQLite library of this Python cannot be found")


def record_acks(monitor: DiskMonitor) -> None:
    from notahat.server.sockets import upgrade

    send = upgrade.Connection.send

    def recording_send(self: upgrade.Connection, message: bytes) -> None:
        for id_ in ACK.findall(message):
            monitor.record(b"ack " + id_)
        send(self, message)

    upgrade.Connection.send = recording_send  # type: ignore[method-assign]


def disable_sync() -> None:
    from notahat.store import sqlite

    connect = sqlite.connect

    def connect_without_sync(path: str) -> sqlite3.Connection:
        connection = connect(path)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    sqlite.connect = connect_without_sync


if __name__ == "__main__":
    record_acks(DiskMonitor(sys.argv.pop(1)))
    if os.environ.get("WATCHED_DISK") == "careless":
        disable_sync()
    from notahat.cli import main

    sys.exit(main())
