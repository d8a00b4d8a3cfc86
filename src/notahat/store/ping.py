"""A quick check that PostgreSQL can be reached, before a connection pool is opened."""

from notahat.store.store import Unavailable

TIMEOUT_SECONDS = 5


async def ping_postgres(url: str) -> None:
    """Open one plain connection, because a pool would wait longer. Raise `Unavailable` if that fails."""
    from psycopg import AsyncConnection, Error

    try:
        connection = await AsyncConnection.connect(url, connect_timeout=TIMEOUT_SECONDS)
    except Error as problem:
        raise Unavailable(f"PostgreSQL does not answer: {' '.join(str(problem).split())}") from problem
    await connection.close()
