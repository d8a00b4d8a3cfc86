"""Before the doors open: is there a place to listen, and can tables be kept? If not, one line says what to do."""

import errno
import os
import socket
import sqlite3

from notahat.optional_dependencies import how_to_add
from notahat.server.settings import HIGHEST_PORT, Settings
from notahat.store import POSTGRES, TooNew, Unavailable, open_store
from notahat.store.ping import must_answer

FIRST_FREE_FOR_ALL = 1024


def listen(settings: Settings) -> socket.socket:
    """Take the port; raises `ValueError` that says how to choose another where it cannot be had."""
    try:
        return _listen(settings.host, settings.port)
    except OSError as problem:
        raise ValueError(f"cannot listen on {settings.host}:{settings.port}: {way_out(settings, problem)}") from None


def listen_for_metrics(settings: Settings) -> socket.socket | None:
    """Take the port for figures, if they have one of their own."""
    place = settings.metrics_place
    if place is None:
        return None
    try:
        return _listen(*place)
    except OSError as problem:
        told = f"cannot tell figures at {settings.metrics}: {problem.strerror}; choose another place with --metrics"
        raise ValueError(told) from None


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere it would share the port with whoever has it
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        # whoever was first may have bound it and not listen yet
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening


def way_out(settings: Settings, problem: OSError) -> str:
    """What to do where the port cannot be had."""
    match problem.errno:
        case errno.EADDRINUSE:
            near = settings.port + 1 if settings.port < HIGHEST_PORT else settings.port - 1
            other = f"--port {near} (or NOTAHAT_PORT)"
            return f"something else listens there already; choose another port with {other}, or any with --port 0"
        case errno.EACCES:
            return f"ports below {FIRST_FREE_FOR_ALL} are for administrators; choose another with --port"
        case _:
            return f"{problem.strerror}; choose another address with --host"


async def try_store(settings: Settings) -> None:
    """Open the store once and close it again; raises `ValueError` that says what to do where that fails."""
    try:
        if settings.store_url.startswith(POSTGRES):
            await _ask_postgres(settings.store_url)
        store = await open_store(settings.store_url)
    except ImportError as missing:
        raise ValueError(f"PostgreSQL needs {missing.name or 'psycopg'}: {how_to_add('postgres')}") from None
    except (OSError, sqlite3.Error) as problem:
        raise ValueError(_no_file(settings, problem)) from None
    except (TooNew, Unavailable) as problem:
        raise ValueError(f"{_line(problem)}; another store can be named with --store") from None
    await store.close()


async def _ask_postgres(url: str) -> None:
    try:
        await must_answer(url)
    except Unavailable as problem:
        hint = "start it, or name another with --store postgresql://USER@HOST/DATABASE (or NOTAHAT_STORE)"
        raise ValueError(f"{problem}; {hint}") from None


def _no_file(settings: Settings, problem: OSError | sqlite3.Error) -> str:
    why = getattr(problem, "strerror", None) or _line(problem)
    if settings.store:
        return f"cannot keep tables in {settings.store}: {why}; name a file that can be written: --store sqlite:///FILE"
    return f"cannot keep tables in {settings.folder}: {why}; name a folder that can be written: --data DIR"


def _line(problem: Exception) -> str:
    """What a problem says, on one line."""
    return " ".join(str(problem).split())
