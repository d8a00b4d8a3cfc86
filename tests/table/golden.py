"""Writes golden logs for a release: `PYTHONPATH=tests python tests/table/golden.py`. Those of old releases stay."""

from importlib.metadata import version
from pathlib import Path

import msgspec

from notahat.gifts import read_deck
from notahat.rules import Draw, Give, Move, Refuse, legal
from notahat.table import commands as do
from notahat.table import view
from notahat.table.events import encode
from support.pictures import GIFTS, hat, own, png
from support.tables import Sitting, guest

LOGS = Path(__file__).parent / "logs"


def a_busy_evening() -> Sitting:
    """A table where everything happens that can."""
    sitting = Sitting(rounds="each", patience_seconds=30, edition="special").seated("Ada", "Ben", "Cem", "Dora")
    sitting.does("Ada", do.AddBot("casual", None, "Bo"))
    sitting.does("Ada", do.MoveSeat(0, 2))
    sitting.does("Ada", do.ShuffleSeats())
    sitting.does("Ben", do.Rename("Benjamin"))
    sitting.does("Ada", do.Remove(seat_of(sitting, "Dora")))
    sitting.does("Ada", do.SetOptions({"starter": seat_of(sitting, "Ada"), "show_seconds": 1}))
    sitting.does("Ada", do.Lock(True))
    sitting.does("Ada", do.Lock(False))
    sitting.does("Ada", do.Start())
    sitting.does("Ada", do.Emote("hello"))
    sitting.does("Eva", do.Sit("Eva"))
    sitting.does("Finn", do.Sit("Finn"))
    sitting.does("Finn", do.Leave())
    sitting.does("Ben", do.Pause())
    sitting.does("Ben", do.Resume())
    sitting.away.add("Cem")
    sitting.does("Ada", do.SitIn(seat_of(sitting, "Cem")))
    sitting.away.clear()
    sitting.does(None, do.ComeBack(guest("Cem")))
    sitting.does("Cem", do.Leave())
    sitting.does("Cem", do.Sit("Cem"))
    sitting.away.add("Ada")
    sitting.does(None, do.PassHost())
    sitting.away.clear()
    sitting.does(None, do.ReturnHost())
    sitting.does("Ada", do.Draw(0))
    sitting.wrap()
    while sitting.stage() == "play":
        sitting.does(None, do.PlayFor(sitting.turn, next_move(sitting)))
        sitting.wrap()
    for name in ("Ada", "Ben", "Cem"):
        sitting.does(name, do.Ready())
    sitting.does("Ada", do.HandOver(seat_of(sitting, "Benjamin")))
    sitting.does("Ben", do.EndMatch())
    sitting.does("Ben", do.Again())
    return sitting


def next_move(sitting: Sitting) -> Move:
    """Everybody's time runs out, and the house lies for them."""
    assert sitting.table.round is not None
    due = legal(sitting.table.round)
    assert due.seat is not None
    match due.moves[0]:
        case "draw":
            return Draw(due.seat)
        case "give":
            return Give(due.seat, "hat", due.receivers[0])
        case _:
            return Refuse(due.seat)


def seat_of(sitting: Sitting, name: str) -> int:
    return next(number for number, seat in enumerate(sitting.table.seats) if seat.name == name)


def a_spoken_round() -> Sitting:
    """People in one room, who blame the giver every time and correct the last one."""
    sitting = Sitting(claims="spoken", starter=1).seated("Ada", "Ben", "Cem").started()
    while sitting.stage() == "play":
        sitting.draw_and_wrap()
        sitting.give(None)
        sitting.answer(accepts=False)
        sitting.does("Ada", do.Judge(sitting.turn, "giver"))
    sitting.does("Ben", do.Judge(sitting.turn, "receiver"))
    return sitting


def people_come_and_go() -> Sitting:
    """A spoken evening on which somebody is sent away and let in again, comes late, is moved for, and is dealt out."""
    sitting = Sitting(claims="spoken", rounds="each", starter=1, pace="relaxed").seated("Ada", "Ben", "Cem")
    sitting.does("Ada", do.Remove(2))
    sitting.does("Ada", do.LetIn("Cem"))
    sitting.seated("Cem").started()
    sitting.does("Eva", do.Sit("Eva"))
    sitting.away.add("Ben")
    sitting.does("Ada", do.MoveFor(0, 1, "draw"))
    sitting.wrap()
    sitting.does("Ada", do.DealAgain(1))
    while sitting.stage() == "play":
        sitting.draw_and_wrap()
        sitting.give(None)
        sitting.answer(accepts=False)
        sitting.does("Cem", do.Judge(sitting.turn, "giver"))
    sitting.does("Ada", do.Start())
    return sitting


def in_one_room() -> Sitting:
    """A table opened on a big screen, which is host until somebody sits down; somebody else looks on and claps."""
    sitting = Sitting("Screen", screen=True, claims="spoken", starter=0).seated("Ada", "Ben")
    sitting.does("Eva", do.Emote("clap"))
    sitting.does("Screen", do.Start())
    return sitting


def another_please() -> Sitting:
    """People who play one match, and another as soon as all of them want it."""
    sitting = Sitting(starter=0).seated("Ada", "Ben", "Cem").started()
    sitting.play_round()
    for name in ("Cem", "Ada", "Ben"):
        sitting.does(name, do.Again(deal=True))
    sitting.play_round()
    sitting.does("Ben", do.Again(deal=True))
    return sitting


def at_home() -> Sitting:
    """People who play with a deck of their own, in which one gift is in no catalogue; then without it."""
    sitting = Sitting(starter=0).seated("Ada", "Ben")
    cup = {"own": [own(image=png(8, 5, b"\0" * 45), look_alikes=["cup"])]}
    sitting.does("Ada", do.BringDeck(read_deck(hat(balanced=[*GIFTS, "#1"], **cup))))
    sitting.started()
    sitting.play_round()
    sitting.does("Ada", do.Again())
    sitting.does("Ada", do.PutDeck(None))
    sitting.does("Ada", do.BringDeck(read_deck(hat(balanced=[*GIFTS, "#1"], **cup))))
    return sitting


def for_science() -> Sitting:
    """People who let their round be studied, and one who takes that back afterwards."""
    sitting = Sitting(starter=0, study=True).seated("Ada", "Ben")
    for name in ("Ada", "Ben"):
        sitting.does(name, do.Study(agree=True))
    sitting.started().play_round()
    sitting.does("Ben", do.Study(agree=False))
    return sitting


def write(folder: Path, name: str, sitting: Sitting) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jsonl").write_bytes(b"".join(encode(entry) + b"\n" for entry in sitting.log))
    seen = msgspec.json.format(msgspec.json.encode(view(sitting.table, sitting.present)), indent=1)
    (folder / f"{name}.json").write_bytes(seen + b"\n")


if __name__ == "__main__":
    write(LOGS / version("notahat"), "busy_evening", a_busy_evening())
    write(LOGS / version("notahat"), "spoken_round", a_spoken_round())
    write(LOGS / version("notahat"), "people_come_and_go", people_come_and_go())
    write(LOGS / version("notahat"), "in_one_room", in_one_room())
    write(LOGS / version("notahat"), "another_please", another_please())
    write(LOGS / version("notahat"), "at_home", at_home())
    write(LOGS / version("notahat"), "for_science", for_science())
