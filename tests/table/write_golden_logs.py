"""Write the golden logs of a release: `PYTHONPATH=tests python tests/table/write_golden_logs.py`.

The logs of earlier releases stay unchanged.
"""

from importlib.metadata import version
from pathlib import Path

import msgspec

from notahat.gifts import read_deck
from notahat.rules import Draw, Give, Move, Refuse, legal
from notahat.table import commands as do
from notahat.table import view
from notahat.table.events import Crowd, encode
from support.pictures import GIFTS, hat, own, png
from support.tables import TableDriver, guest

LOGS = Path(__file__).parent / "logs"


def a_busy_evening() -> TableDriver:
    """A match with computer players, absences, leaving, timeouts and changes of the host."""
    driver = TableDriver(rounds="each", patience_seconds=30, edition="special", special_cards=True).seated(
        "Ada", "Ben", "Cem", "Dora"
    )
    driver.send("Ada", do.AddBot("casual", None, "Bo"))
    driver.send("Ada", do.MoveSeat(0, 2))
    driver.send("Ada", do.ShuffleSeats())
    driver.send("Ben", do.Rename("Benjamin"))
    driver.send("Ada", do.Remove(seat_of(driver, "Dora")))
    driver.send("Ada", do.SetOptions({"starter": seat_of(driver, "Ada"), "show_seconds": 1}))
    driver.send("Ada", do.Lock(True))
    driver.send("Ada", do.Lock(False))
    driver.send("Ada", do.Start())
    driver.send("Ada", do.Emote("hello"))
    driver.send("Eva", do.Sit("Eva"))
    driver.send("Finn", do.Sit("Finn"))
    driver.send("Finn", do.Leave())
    driver.send("Ben", do.Pause())
    driver.send("Ben", do.Resume())
    driver.away.add("Cem")
    driver.send("Ada", do.SitIn(seat_of(driver, "Cem")))
    driver.away.clear()
    driver.send(None, do.ComeBack(guest("Cem")))
    driver.send("Cem", do.Leave())
    driver.send("Cem", do.Sit("Cem"))
    driver.away.add("Ada")
    driver.send(None, do.PassHost())
    driver.away.clear()
    driver.send(None, do.ReturnHost())
    driver.send("Ada", do.Draw(0))
    driver.wrap()
    while driver.stage() == "play":
        driver.send(None, do.PlayFor(driver.turn, next_move(driver)))
        driver.wrap()
    for name in ("Ada", "Ben", "Cem"):
        driver.send(name, do.Ready())
    driver.send("Ada", do.HandOver(seat_of(driver, "Benjamin")))
    driver.send("Ben", do.EndMatch())
    driver.send("Ben", do.Again())
    return driver


def next_move(driver: TableDriver) -> Move:
    """Return the due player's move after a timeout; every claim is false or refused."""
    assert driver.table.round is not None
    due = legal(driver.table.round)
    assert due.seat is not None
    match due.moves[0]:
        case "draw":
            return Draw(due.seat)
        case "give":
            return Give(due.seat, "hat", due.receivers[0])
        case _:
            return Refuse(due.seat)


def seat_of(driver: TableDriver, name: str) -> int:
    return next(number for number, seat in enumerate(driver.table.seats) if seat.name == name)


def a_spoken_round() -> TableDriver:
    """A spoken round in which every verdict is against the giver, and the last one is corrected."""
    driver = TableDriver(claims="spoken", starter=1).seated("Ada", "Ben", "Cem").started()
    while driver.stage() == "play":
        driver.draw_and_wrap()
        driver.give(None)
        driver.answer(accepts=False)
        driver.send("Ada", do.Judge(driver.turn, "giver"))
    driver.send("Ben", do.Judge(driver.turn, "receiver"))
    return driver


def people_come_and_go() -> TableDriver:
    """A spoken match with a readmitted player, a latecomer, a move for an absent player and a deal without one."""
    driver = TableDriver(claims="spoken", rounds="each", starter=1, pace="relaxed").seated("Ada", "Ben", "Cem")
    driver.send("Ada", do.Remove(2))
    driver.send("Ada", do.LetIn("Cem"))
    driver.seated("Cem").started()
    driver.send("Eva", do.Sit("Eva"))
    driver.away.add("Ben")
    driver.send("Ada", do.MoveFor(0, 1, "draw"))
    driver.wrap()
    driver.send("Ada", do.DealAgain(1))
    while driver.stage() == "play":
        driver.draw_and_wrap()
        driver.give(None)
        driver.answer(accepts=False)
        driver.send("Cem", do.Judge(driver.turn, "giver"))
    driver.send("Ada", do.Start())
    return driver


def in_one_room() -> TableDriver:
    """A table opened on a big screen, with a spectator who sends an emote."""
    driver = TableDriver("Screen", screen=True, claims="spoken", starter=0).seated("Ada", "Ben")
    driver.send("Eva", do.Emote("clap"))
    driver.send("Screen", do.Start())
    return driver


def another_please() -> TableDriver:
    """Two matches, the second after votes for it."""
    driver = TableDriver(starter=0).seated("Ada", "Ben", "Cem").started()
    driver.play_round()
    for name in ("Cem", "Ada", "Ben"):
        driver.send(name, do.Again(deal=True))
    driver.play_round()
    driver.send("Ben", do.Again(deal=True))
    return driver


def at_home() -> TableDriver:
    """A match with an own deck that has an own gift, then a change of decks."""
    driver = TableDriver(starter=0).seated("Ada", "Ben")
    cup = {"own": [own(image=png(8, 5, b"\0" * 45), look_alikes=["cup"])]}
    driver.send("Ada", do.UploadDeck(read_deck(hat(balanced=[*GIFTS, "#1"], **cup))))
    driver.started()
    driver.play_round()
    driver.send("Ada", do.Again())
    driver.send("Ada", do.PutDeck(None))
    driver.send("Ada", do.UploadDeck(read_deck(hat(balanced=[*GIFTS, "#1"], **cup))))
    return driver


def for_science() -> TableDriver:
    """A studied round, and a player who withdraws afterwards."""
    driver = TableDriver(starter=0, study=True).seated("Ada", "Ben")
    for name in ("Ada", "Ben"):
        driver.send(name, do.Study(agree=True))
    driver.started().play_round()
    driver.send("Ben", do.Study(agree=False))
    return driver


def questions() -> TableDriver:
    """A study that asks players what they believe: one answers, one skips the question."""
    driver = TableDriver(starter=0, study=True, probe=1.0).seated("Ada", "Ben")
    for name in ("Ada", "Ben"):
        driver.send(name, do.Study(agree=True))
    driver.started().draw_and_wrap()
    driver.give()
    driver.send("Ada", do.Probe(driver.turn - 1, "kite", 2))
    driver.answer()
    driver.send("Ben", do.Probe(driver.turn - 1))
    driver.send("Ada", do.EndMatch())
    return driver


def knocks() -> TableDriver:
    """Strangers who knock at a running table: one is let in, one declined, one forgotten."""
    driver = TableDriver(starter=0, rounds="each").seated("Ada", "Ben").started()
    for name in ("Eve", "Zoe", "Max"):
        driver.send(None, do.Knock(guest(name), name))
    driver.send("Ben", do.AnswerKnock("Eve", admit=True))
    driver.send("Ada", do.AnswerKnock("Zoe", admit=False))
    driver.send(None, do.ExpireKnock(guest("Max")))
    driver.send("Ada", do.SetPace("brisk"))
    return driver


def turned_away() -> TableDriver:
    """A guest whom the host removes while they wait for a seat."""
    driver = TableDriver(starter=0).seated("Ada", "Ben").started().seated("Eve")
    driver.send("Ada", do.Remove(name="Eve"))
    driver.send("Ada", do.EndMatch())
    return driver


def new_hats() -> TableDriver:
    """People who choose their faces, one who does not, one who waits, and a change during the match."""
    driver = TableDriver(starter=0)
    driver.send("Ada", do.Sit("Ada", "fez"))
    driver.send("Ben", do.Sit("Ben", "fez"))
    driver.seated("Cem").started()
    driver.send("Eva", do.Sit("Eva", "wizard"))
    driver.send("Cem", do.SetFace("beret"))
    return driver


def nobody_waits() -> TableDriver:
    """A match with a nudge, a move that a computer player made, votes on a claim, and a rematch without a player."""
    driver = TableDriver(starter=0, nudge_seconds=20).seated("Ada", "Ben", "Cem").started()
    driver.draw_and_wrap()
    driver.idle_seat, driver.bot_move = 0, next_move(driver)
    driver.send("Ben", do.Nudge(0))
    driver.send("Cem", do.BotMove(driver.turn, 0))
    driver.votes = Crowd(believed=1, doubted=0)
    driver.answer(accepts=False)
    driver.votes = None
    driver.play_round()
    driver.away.add("Cem")
    for name in ("Ada", "Ben"):
        driver.send(name, do.Again(deal=True))
    driver.send("Ada", do.PlayWithout(2))
    driver.send("Ada", do.EndMatch())
    return driver


def write(folder: Path, name: str, driver: TableDriver) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jsonl").write_bytes(b"".join(encode(entry) + b"\n" for entry in driver.log))
    seen = msgspec.json.format(msgspec.json.encode(view(driver.table, driver.present)), indent=1)
    (folder / f"{name}.json").write_bytes(seen + b"\n")


if __name__ == "__main__":
    write(LOGS / version("notahat"), "busy_evening", a_busy_evening())
    write(LOGS / version("notahat"), "spoken_round", a_spoken_round())
    write(LOGS / version("notahat"), "people_come_and_go", people_come_and_go())
    write(LOGS / version("notahat"), "in_one_room", in_one_room())
    write(LOGS / version("notahat"), "another_please", another_please())
    write(LOGS / version("notahat"), "at_home", at_home())
    write(LOGS / version("notahat"), "for_science", for_science())
    write(LOGS / version("notahat"), "questions", questions())
    write(LOGS / version("notahat"), "knocks", knocks())
    write(LOGS / version("notahat"), "turned_away", turned_away())
    write(LOGS / version("notahat"), "new_hats", new_hats())
    write(LOGS / version("notahat"), "nobody_waits", nobody_waits())
