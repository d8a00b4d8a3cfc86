"""Listening sockets, opened before the server starts: if that fails, one line says what to do."""

import errno
import os
import socket

from notahat.server.settings import MAX_PORT, Settings

FIRST_UNPRIVILEGED_PORT = 1024


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens on the port; raise `ValueError` with advice if that fails."""
    try:
        return _listen(settings.host, settings.port)
    except OSError as error:
        advice = port_advice(settings, error)
        raise ValueError(f"cannot listen on {settings.host}:{settings.port}: {advice}") from None


def listen_for_metrics(settings: Settings) -> socket.socket | None:
    """Return a socket for metrics, if they have a port of their own; raise `ValueError` if that fails."""
    address = settings.metrics_address
    if address is None:
        return None
    try:
        return _listen(*address)
    except OSError as error:
        message = f"cannot serve metrics at {settings.metrics}: {error.strerror}"
        raise ValueError(f"{message}; choose another address with --metrics") from None


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # on Windows this option would share a port that is in use
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # fails where another process has bound the port without listening yet
    except OSError:
        listener.close()
        raise
    return listener


def port_advice(settings: Settings, error: OSError) -> str:
    """Return what to do if the port cannot be used."""
    match error.errno:
        case errno.EADDRINUSE:
            near = settings.port + 1 if settings.port < MAX_PORT else settings.port - 1
            return f"the port is in use; choose another with --port {near} (or NOTAHAT_PORT), or any with --port 0"
        case errno.EACCES:
            return f"ports below {FIRST_UNPRIVILEGED_PORT} need administrator rights; choose another with --port"
        case _:
            return f"{error.strerror}; choose another address with --host"
