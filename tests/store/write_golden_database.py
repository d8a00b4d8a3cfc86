"""Write a file of this release as SQL: `PYTHONPATH=tests python tests/store/write_golden_database.py`.

Two tables with golden logs take turns, and the file is read before the store is closed, as if the server was killed.
The files of earlier releases stay unchanged.
"""

import asyncio
import hashlib
import sqlite3
import sys
import tempfile
from contextlib import closing
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from uuid import UUID

from notahat.store import open_store
from support.tables import guest

HERE = Path(__file__).parent
TABLES = {
    "K7QX": (UUID(int=7), "tally_survives_matches_and_renaming"),
    "M3PA": (UUID(int=3), "spoken_match_ends_when_last_person_leaves"),
}


async def write(release: str) -> None:
    logs = [
        (HERE.parent / f"table/logs/{release}/{name}.jsonl").read_bytes().splitlines() for _, name in TABLES.values()
    ]
    with tempfile.TemporaryDirectory() as data:
        store = await open_store(f"sqlite:///{data}/tables.db")
        for name in ("Ada", "Ben"):
            await store.add_guest(hashlib.sha256(f"token-of-{name}".encode()).digest(), guest(name))
        for code, (table, _) in TABLES.items():
            await store.create_alias(code, table)
        for number, entries in enumerate(zip_longest(*logs)):
            for (table, _), entry in zip(TABLES.values(), entries, strict=True):
                if entry is not None:
                    await store.append(table, number, entry, f"k{number}")
        with closing(sqlite3.connect(f"{data}/tables.db")) as db:
            (schema,) = db.execute("PRAGMA user_version").fetchone()
            text = "\n".join(db.iterdump())
        await store.close()
    (HERE / f"releases/{release}.sql").write_text(f"{text}\nPRAGMA user_version = {schema};\n")


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1] if sys.argv[1:] else version("notahat")))
