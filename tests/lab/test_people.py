"""People's decisions leave a server only where everybody agreed, and without their names."""

import asyncio
import csv
import socket
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from notahat.cli import main
from notahat.lab.export import Decision
from notahat.lab.server_export import Exported, from_server
from notahat.store import open_store
from notahat.table import commands as do
from notahat.table.events import encode
from support.cli import refusal
from support.tables import Sitting, guest
from table.golden import next_move

PEOPLE = ("Ada", "Ben", "Cem")


def evening(study: bool = True) -> Sitting:
    """Two rounds; everyone agrees to both."""
    sitting = Sitting(study=study, rounds="each").seated(*PEOPLE)
    if study:
        for name in PEOPLE:
            sitting.does(name, do.Study(agree=True))
    sitting.started().play_round()
    sitting.does("Ada", do.Start())
    sitting.play_round()
    return sitting


def kept(file: Path, *sittings: Sitting) -> str:
    """A server's store with these tables in it."""

    async def keep() -> None:
        store = await open_store(f"sqlite:///{file}")
        for sitting in sittings:
            id_ = uuid4()
            for version, entry in enumerate(sitting.log):
                await store.append(id_, version, encode(entry))
        await store.close()

    asyncio.run(keep())
    return str(file)


def exported(file: Path, *sittings: Sitting) -> Exported:
    return from_server(kept(file, *sittings))


def test_every_claim_and_answer_of_people_who_agreed_is_a_row(tmp_path: Path) -> None:
    sitting = evening()
    found = exported(tmp_path / "a.db", sitting)
    assert (found.rounds, found.kept_back) == (2, 0)
    gives = [row for row in found.decisions if row.kind == "give"]
    answers = [row for row in found.decisions if row.kind == "answer"]
    assert len(gives) == len(answers) >= 2 * 3
    for give, answer in zip(gives, answers, strict=True):
        assert (give.claim, give.truth, give.outcome) == (answer.claim, answer.truth, "giver_wrong")
        assert give.passes_since_seen == answer.passes_since_seen == 0
        assert (give.seconds, answer.seconds) == (0.0, 0.1)  # a second each, of which 1.0 and 0.9 went by to see it
        assert 0 < give.seconds_since_seen < answer.seconds_since_seen
        assert give.believed is None
        assert give.player != answer.player
    assert {row.game.partition("/")[2] for row in found.decisions} == {"1", "2"}
    assert len({row.player for row in found.decisions}) == len(PEOPLE)


def test_no_row_without_everybodys_agreement_when_it_is_exported(tmp_path: Path) -> None:
    """One after another says no: what was agreed to before does not count any more."""
    for who in PEOPLE:
        sitting = evening()
        sitting.does(who, do.Study(agree=False))
        found = exported(tmp_path / f"{who}.db", sitting, evening(study=False))
        assert (found.decisions, found.rounds, found.kept_back) == ([], 0, 4)


def test_nothing_in_the_file_names_anybody_or_leads_to_them(tmp_path: Path) -> None:
    store, sitting = tmp_path / "a.db", evening()
    kept(store, sitting)
    texts = []
    for number in range(2):
        out = tmp_path / f"{number}.csv"
        assert main(["lab", "export", "--from-server", f"sqlite:///{store}", "--out", str(out)]) == 0
        texts.append(out.read_text("utf-8"))
    for text in texts:
        assert not [word for word in (*PEOPLE, "K7QX", *(guest(name).hex for name in PEOPLE)) if word in text]
    first, second = ([row["player"] for row in csv.DictReader(text.splitlines())] for text in texts)
    assert len(first) == len(second)
    assert not set(first) & set(second)  # each export has a salt of its own
    assert tuple(csv.DictReader(texts[0].splitlines()).fieldnames or ()) == Decision.__struct_fields__


def test_computer_players_are_called_what_they_are(tmp_path: Path) -> None:
    sitting = Sitting(study=True, starter=0, patience_seconds=10).seated("Ada")
    sitting.does("Ada", do.AddBot("regular", "gustav", "Gustav"))
    sitting.does("Ada", do.Study(agree=True))
    sitting.started()
    sitting.does("Ada", do.Draw(0))
    sitting.wrap()
    while sitting.stage() == "play":
        sitting.does(None, do.PlayFor(sitting.turn, next_move(sitting)))
        sitting.wrap()
    players = {row.player for row in exported(tmp_path / "a.db", sitting).decisions}
    assert players == {"casual", "regular/gustav"}  # Ada's time ran out: what was played for her is not hers


def test_a_store_that_is_not_there_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "rows.csv"
    for store, said in ((tmp_path / "none.db", "no tables are kept in "), ("redis://x", "cannot read redis://x: ")):
        assert main(["lab", "export", "--from-server", str(store), "--out", str(out)]) == 2
        assert capsys.readouterr().err.startswith(f"notahat lab: {said}")
    assert not (tmp_path / "none.db").exists()
    assert not out.exists()


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada, this is no database, and long enough to be none.\n" * 20)
    for store in (letter, f"sqlite:///{letter}"):
        said = refusal("lab", "export", "--from-server", store, "--out", tmp_path / "rows.csv")
        assert said == f"notahat lab: cannot read {store}: file is not a database"


def test_postgresql_without_its_extra_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['psycopg'] = None\n")
    store, hidden = "postgresql://127.0.0.1/hats", {"PYTHONPATH": str(tmp_path)}
    said = refusal("lab", "export", "--from-server", store, "--out", tmp_path / "rows.csv", env=hidden)
    assert said.startswith(f"notahat lab: PostgreSQL needs psycopg: {sys.executable} -m pip install 'psycopg[")


def test_postgresql_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    """A pool would wait for twenty seconds, and complain once a second."""
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))  # and never listens
        store = f"postgresql://ada:secret@127.0.0.1:{unheard.getsockname()[1]}/hats"
        said = refusal("lab", "export", "--from-server", store, "--out", tmp_path / "rows.csv")
    assert said.startswith("notahat lab: cannot read these tables: PostgreSQL does not answer: ")
    assert "Connection refused" in said
    assert "secret" not in said
