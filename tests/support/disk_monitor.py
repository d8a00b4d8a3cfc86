"""A server whose disk is watched: what is written to the log, when it is synced, when an answer is sent.

`python watched_disk.py STORY serve …` runs `notahat serve …` and writes one line to STORY for each command id that
reaches the write-ahead log (`wrote ID`), each finished sync of that file (`synced`) and each acknowledgement that is
about to be sent (`ack ID`). It reaches into the SQLite library that Python itself uses and wraps the functions with
which it writes and syncs files, so no tracer has to be installed. With WATCHED_DISK=careless nothing is ever synced:
a check that finds nothing wrong with that is worth nothing.
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
    """What SQLite does with an open file (sqlite3_io_methods); only two of them are of interest."""

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
    """An open file (sqlite3_file)."""

    _fields_ = (("methods", POINTER(Methods)),)


Open = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(File), c_int, c_void_p)


class Vfs(Structure):
    """How SQLite reaches files (sqlite3_vfs), as far as the function that opens them."""

    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", Open),
    )


class Watch:
    """Wraps the default file system of SQLite."""

    def __init__(self, story: str) -> None:
        self._story = os.open(story, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self._seen: set[bytes] = set()
        self._kept: list[object] = []  # C holds no references
        self._vfs = find_vfs()
        self._open = ctypes.cast(self._vfs.contents.open, Open)
        self._opened = Open(self._watch_open)
        self._vfs.contents.open = self._opened

    def tell(self, line: bytes) -> None:
        os.write(self._story, line + b"\n")

    def _watch_open(self, vfs: int, name: int, file: Any, flags: int, out: int) -> int:
        answer: int = self._open(vfs, name, file, flags, out)
        if answer == 0 and flags & OPEN_WAL:
            self._watch(file)
        return answer

    def _watch(self, file: Any) -> None:
        real = file.contents.methods
        real_write, real_sync = ctypes.cast(real.contents.write, Write), ctypes.cast(real.contents.sync, Sync)

        def write(of: int, data: int, size: int, offset: int) -> int:
            answer: int = real_write(of, data, size, offset)
            for command in COMMAND.findall(ctypes.string_at(data, size)):
                if command not in self._seen:
                    self._seen.add(command)
                    self.tell(b"wrote " + command)
            return answer

        def sync(of: int, flags: int) -> int:
            answer: int = real_sync(of, flags)
            self.tell(b"synced")
            return answer

        watched = Methods.from_buffer_copy(real.contents)
        watched.write, watched.sync = Write(write), Sync(sync)
        self._kept += [watched, watched.write, watched.sync]
        file.contents.methods = ctypes.pointer(watched)


def find_vfs() -> Any:
    """SQLite's default file system, in the very library that Python's own module uses."""
    for library in (getattr(_sqlite3, "__file__", None), None):
        find = getattr(ctypes.CDLL(library), "sqlite3_vfs_find", None)
        if find is not None:
            find.restype = POINTER(Vfs)
            return find(None)
    raise RuntimeError("this Python hides its SQLite library")


def watch_acks(watch: Watch) -> None:
    from notahat.server.sockets import upgrade

    send = upgrade.Connection.send

    def watched(self: upgrade.Connection, message: bytes) -> None:
        for id_ in ACK.findall(message):
            watch.tell(b"ack " + id_)
        send(self, message)

    upgrade.Connection.send = watched  # type: ignore[method-assign]


def be_careless() -> None:
    from notahat.store import sqlite

    connect = sqlite.connect

    def careless(path: str) -> sqlite3.Connection:
        connection = connect(path)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    sqlite.connect = careless


if __name__ == "__main__":
    watch_acks(Watch(sys.argv.pop(1)))
    if os.environ.get("WATCHED_DISK") == "careless":
        be_careless()
    from notahat.cli import main

    sys.exit(main())
