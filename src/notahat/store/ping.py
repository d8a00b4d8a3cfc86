"""Whether a database answers at all, asked before anything is opened that waits and hopes."""

from notahat.store.store import Unavailable

ANSWER_SECONDS = 5


async def must_answer(url: str) -> None:
    """Raises `Unavailable` where nobody does: one plain connection, because a pool would wait for much longer."""
    from psycopg import AsyncConnection, Error

    try:
        connection = await AsyncConnection.connect(url, connect_timeout=ANSWER_SECONDS)
    except Error as problem:
        raise Unavailable(f"PostgreSQL does not answer: {' '.join(str(problem).split())}") from problem
    await connection.close()
