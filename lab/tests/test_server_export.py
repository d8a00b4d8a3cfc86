"""People's decisions are exported only where all players agreed, and without names."""

import asyncio
import csv
from pathlib import Path
from uuid import UUID

import pytest

from notahat.cli import main
from notahat.store import open_store
from notahat.table import commands as do
from notahat.table.events import encode
from notahat_lab.export import Decision
from notahat_lab.server_export import Exported, from_server
from support.cli import refusal
from support.tables import TableDriver, due_move, guest

PEOPLE = ("Ada", "Ben", "Cem")


def two_rounds(study: bool = True) -> TableDriver:
    """Return a table with two finished rounds; with `study` everybody agreed to both."""
    driver = TableDriver(study=study, rounds="each").seated(*PEOPLE)
    if study:
        for name in PEOPLE:
            driver.send(name, do.Study(agree=True))
    driver.started().play_round()
    driver.send("Ada", do.Start())
    driver.play_round()
    return driver


def write_store(file: Path, *drivers: TableDriver) -> str:
    """Write these tables to a store. Return its file."""

    async def write() -> None:
        store = await open_store(f"sqlite:///{file}")
        for number, driver in enumerate(drivers):
            for version, entry in enumerate(driver.log):
                await store.append(UUID(int=number), version, encode(entry))
        await store.close()

    asyncio.run(write())
    return str(file)


def exported(file: Path, *drivers: TableDriver) -> Exported:
    return from_server(write_store(file, *drivers))


def test_every_claim_and_answer_of_agreed_rounds_is_a_row(tmp_path: Path) -> None:
    driver = two_rounds()
    found = exported(tmp_path / "a.db", driver)
    assert (found.rounds, found.withheld) == (2, 0)
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


def test_answers_of_players_are_exported_with_their_decision(tmp_path: Path) -> None:
    driver = TableDriver(study=True, probe=1.0, starter=0).seated(*PEOPLE)
    for name in PEOPLE:
        driver.send(name, do.Study(agree=True))
    driver.started().draw_and_wrap()
    driver.give("hat")
    driver.send("Ada", do.Probe(2, "kite", 3))
    driver.answer(accepts=False)
    driver.play_round()
    rows = exported(tmp_path / "a.db", driver).decisions
    assert (rows[0].turn, rows[0].claim, rows[0].believed, rows[0].confidence) == (2, "hat", "kite", 3)
    assert {(row.believed, row.confidence) for row in rows[1:]} == {(None, None)}


def test_one_missing_agreement_withholds_all_rounds(tmp_path: Path) -> None:
    """A withdrawn agreement also counts for earlier rounds."""
    withdrawn = two_rounds()
    withdrawn.send("Ben", do.Study(agree=False))
    found = exported(tmp_path / "a.db", withdrawn, two_rounds(study=False))
    assert (found.decisions, found.rounds, found.withheld) == ([], 0, 4)


def test_export_contains_no_names_and_unlinkable_pseudonyms(tmp_path: Path) -> None:
    store, driver = tmp_path / "a.db", two_rounds()
    write_store(store, driver)
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


def test_bots_and_stand_ins_have_their_arena_names(tmp_path: Path) -> None:
    driver = TableDriver(study=True, starter=0, patience_seconds=10).seated("Ada")
    driver.send("Ada", do.AddBot("regular", "gustav", "Gustav"))
    driver.send("Ada", do.Study(agree=True))
    driver.started()
    driver.draw_and_wrap()
    while driver.stage() == "play":
        driver.send(None, do.PlayFor(driver.turn, due_move(driver.table)))
    players = {row.player for row in exported(tmp_path / "a.db", driver).decisions}
    assert players == {"casual", "regular/gustav"}  # Ada's time ran out: what was played for her is not hers


def test_missing_store_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, letter = tmp_path / "rows.csv", tmp_path / "letter.txt"
    letter.write_text("Dear Ada, this is no database, and long enough to be none.\n" * 20)
    problems = {
        tmp_path / "none.db": "no database at ",
        "redis://x": "cannot read redis://x: ",
        letter: f"cannot read {letter}: file is not a database",
    }
    for store, said in problems.items():
        assert main(["lab", "export", "--from-server", str(store), "--out", str(out)]) == 2
        assert capsys.readouterr().err.startswith(f"notahat lab: {said}")
    assert not (tmp_path / "none.db").exists()
    assert not out.exists()


def test_rounds_of_a_quicker_server_are_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A computer player that moves before the scene is over shows that the server had another pace."""
    driver = TableDriver(study=True).seated("Ada", "Ben")
    driver.send("Ada", do.AddBot("casual"))
    for name in ("Ada", "Ben"):
        driver.send(name, do.Study(agree=True))
    driver.started()
    while driver.stage() == "play":
        driver.move(after=0.5)
    file = write_store(tmp_path / "quick.db", driver)
    found = from_server(file)
    assert found.too_quick > 0
    assert {row.by for row in found.decisions} == {"person", "bot"}
    assert from_server(file, speed=8.0).too_quick == 0
    out = str(tmp_path / "rows.csv")
    assert main(["lab", "export", "--from-server", file, "--out", out]) == 0
    assert Path(out).stat().st_mode & 0o777 == 0o600, "only its owner can read it"
    assert "too quickly" in capsys.readouterr().err
    assert main(["lab", "export", "--from-server", file, "--pace", "8", "--out", out]) == 0
    assert "too quickly" not in capsys.readouterr().err
    assert "--pace" in refusal("lab", "export", "--from-server", file, "--pace", "0", "--out", out)


def test_programs_are_told_from_people(tmp_path: Path) -> None:
    driver = TableDriver(study=True, rounds="each").seated("Ada", "Ben")
    driver.send("Robo", do.Sit("Robo", program=True))
    for name in ("Ada", "Ben", "Robo"):
        driver.send(name, do.Study(agree=True))
    driver.started().play_round()
    found = exported(tmp_path / "a.db", driver)
    kinds = {(row.by, row.player.partition("-")[0]) for row in found.decisions}
    assert kinds == {("person", "person"), ("program", "program")}
