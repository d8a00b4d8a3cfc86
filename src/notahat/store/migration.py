"""Numbered schema migrations. A released step is never edited: add the next one."""

from importlib.resources import files

from msgspec import Struct

from notahat.store.store import SchemaTooNew


class Migration(Struct, frozen=True):
    """One step. Its SQL has semicolons only at the end of statements."""

    number: int
    sql: str

    @property
    def statements(self) -> list[str]:
        return [statement for statement in self.sql.split(";") if statement.strip()]


def migrations(kind: str) -> list[Migration]:
    """Return all steps for `sqlite` or `postgres`, in order."""
    folder = files("notahat.store") / "schema" / kind
    scripts = sorted(
        (entry.name, entry.read_text("utf-8")) for entry in folder.iterdir() if entry.name.endswith(".sql")
    )
    return [Migration(int(name.partition("_")[0]), sql) for name, sql in scripts]


def missing(kind: str, reached: int) -> list[Migration]:
    """Return the steps after `reached`. Raise `SchemaTooNew` if this release does not know that step."""
    steps = migrations(kind)
    if reached > steps[-1].number:
        raise SchemaTooNew(f"the data has schema {reached}, this release knows {steps[-1].number}: use a newer release")
    return [step for step in steps if step.number > reached]
