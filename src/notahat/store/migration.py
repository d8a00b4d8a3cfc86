"""Numbered steps from an empty database to today's schema. A released step is never edited: add the next one."""

from importlib.resources import files

from msgspec import Struct

from notahat.store.store import TooNew


class Migration(Struct, frozen=True):
    """One step: its number, and the SQL that takes it (no semicolon but at the end of a statement)."""

    number: int
    sql: str

    @property
    def statements(self) -> list[str]:
        return [statement for statement in self.sql.split(";") if statement.strip()]


def migrations(kind: str) -> list[Migration]:
    """All steps for `sqlite` or `postgres`, in order."""
    folder = files("notahat.store") / "schema" / kind
    scripts = sorted(
        (entry.name, entry.read_text("utf-8")) for entry in folder.iterdir() if entry.name.endswith(".sql")
    )
    return [Migration(int(name.partition("_")[0]), sql) for name, sql in scripts]


def missing(kind: str, reached: int) -> list[Migration]:
    """The steps that a database at step `reached` still needs."""
    steps = migrations(kind)
    if reached > steps[-1].number:
        raise TooNew(f"this data has schema {reached}, this release knows only {steps[-1].number}: use a newer release")
    return [step for step in steps if step.number > reached]
