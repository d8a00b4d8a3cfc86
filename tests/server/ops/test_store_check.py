"""An older release with the data of a newer one says so in one line, with both ways out."""

import sqlite3
from contextlib import closing
from pathlib import Path

from notahat.store.sql_store import migrations
from support.cli import refusal

WAYS_OUT = "use a newer release, or restore the backup from before the upgrade: notahat restore FILE"


def test_older_release_refuses_newer_file_in_one_line(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "notahat.db")) as db:
        db.execute("PRAGMA user_version = 99")
    known = migrations("sqlite")[-1].number
    message = f"notahat: the data has schema 99, this release knows {known}: {WAYS_OUT}"
    assert refusal("serve", "--no-browser", "--port", "0", "--data", tmp_path) == message
