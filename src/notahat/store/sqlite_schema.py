"""Inspection of a SQLite file that may come from elsewhere: its schema, and the logs of its tables."""

import sqlite3
from contextlib import closing

from notahat.store.migration import migrations

LOG_SCHEMA = 3  # the first schema whose rows form chains

Name = tuple[str, str]  # type and name, such as ("table", "log")

# rows of existing tables that do not lead to the row of the version before; and tables whose newest row is missing
DAMAGED_TABLES = """
SELECT log.table_id FROM log JOIN tables ON id = log.table_id AND touched >= 0
    LEFT JOIN log AS earlier ON earlier.place = log.before AND earlier.place < log.place
        AND earlier.table_id = log.table_id AND earlier.version = log.version - 1
    WHERE log.version > 1 AND earlier.place IS NULL
UNION
SELECT id FROM tables LEFT JOIN log ON place = newest AND table_id = id
    WHERE touched >= 0 AND newest <> 0 AND place IS NULL
"""


def foreign_objects(db: sqlite3.Connection) -> list[Name]:
    """Return the triggers, views, tables and indexes that are not part of the store's schema."""
    return sorted(_objects(db).keys() - _expected(db).keys())


def changed_objects(db: sqlite3.Connection) -> list[Name]:
    """Return the tables and indexes that are missing or defined in another way."""
    found = _objects(db)
    return sorted(name for name, sql in _expected(db).items() if found.get(name) != sql)


def drop_foreign_objects(db: sqlite3.Connection) -> list[Name]:
    """Delete what is not part of the store's schema; return what that was. Triggers go first, so none runs."""
    foreign = foreign_objects(db)
    for kind in ("trigger", "view", "index", "table"):
        for name in (name for found, name in foreign if found == kind):
            quoted = name.replace('"', '""')
            db.execute(f'DROP {kind.upper()} IF EXISTS "{quoted}"')
    return foreign


def damaged_tables(db: sqlite3.Connection) -> int:
    """Return how many tables have a log that cannot be read to its beginning."""
    if _reached(db) < LOG_SCHEMA:
        return 0
    return len(db.execute(DAMAGED_TABLES).fetchall())


def _reached(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _expected(db: sqlite3.Connection) -> dict[Name, str]:
    """Return the objects of a new file of the same schema version."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        for step in migrations("sqlite"):
            for statement in step.statements if step.number <= _reached(db) else ():
                new.execute(statement)
        return _objects(new)


def _objects(db: sqlite3.Connection) -> dict[Name, str]:
    """Return the definitions in a file. Indexes without one belong to a table's definition."""
    found = db.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL OR type <> 'index'").fetchall()
    return {(kind, name): _normalised(sql or "") for kind, name, sql in found}


def _normalised(sql: str) -> str:
    """Return a definition without spaces, and without a constraint that the guests of an early release had."""
    return "".join(sql.split()).replace("idBLOBNOTNULLUNIQUE", "idBLOBNOTNULL")
