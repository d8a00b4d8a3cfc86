"""URLs of stores."""

import psycopg
import pytest

from notahat.store import Unavailable, open_store
from support.postgres import Postgres


@pytest.mark.anyio
async def test_database_without_rights_is_unavailable(postgres: Postgres) -> None:
    """So that the server can report it in one line, without a traceback."""
    with psycopg.connect(postgres.empty_database(), autocommit=True) as administrator:
        administrator.execute("CREATE ROLE nobody_much LOGIN")
        try:
            with pytest.raises(Unavailable, match="permission denied"):
                await open_store(postgres.address.replace("postgres:@", "nobody_much:@"))
        finally:
            administrator.execute("DROP ROLE nobody_much")
