"""Loading a table: from a snapshot or from the whole log, it is the same table."""

from random import Random

import msgspec
from msgspec import Struct

from notahat.bots import CHARACTERS
from notahat.gifts import catalogue
from notahat.live.effects import Keep, Send
from notahat.live.room import READ_BACK, Room
from notahat.rules import Accept, Draw, Give, Move, legal
from notahat.table import Entry, fold
from notahat.table import commands as do
from notahat.table.events import encode
from notahat.table.shown import Remarked
from notahat.wire.messages import State
from support.tables import Sitting, guest

GIFTS = sorted(catalogue())


def with_bots(rounds: int) -> Sitting:
    """Rounds of one person and two computer players, the last of them in the middle of play."""
    sitting = Sitting(starter=0).seated("Ada")
    for _ in range(2):
        sitting.does("Ada", do.AddBot("regular"))
    for number in range(rounds):
        sitting.does("Ada", do.Start())
        luck = Random(number)
        for _ in range(12):
            move(sitting, luck)
        if number + 1 < rounds:
            sitting.does("Ada", do.EndMatch())
            sitting.does("Ada", do.Again())
    return sitting


def move(sitting: Sitting, luck: Random) -> None:
    sitting.wrap()
    round_ = sitting.table.round
    assert round_ is not None
    due = legal(round_)
    assert due.seat is not None
    if due.seat == 0:
        commands: dict[str, do.Command] = {
            "draw": do.Draw(round_.turn),
            "give": do.Give(round_.turn, luck.choice(GIFTS), due.receivers[0] if due.receivers else None),
            "accept": do.Accept(round_.turn),
        }
        sitting.does("Ada", commands[due.moves[0]])
    else:
        moves: dict[str, Move] = {
            "draw": Draw(due.seat),
            "give": Give(due.seat, luck.choice(GIFTS), due.receivers[0] if due.receivers else None),
            "accept": Accept(due.seat),
        }
        sitting.does(None, do.PlayFor(round_.turn, moves[due.moves[0]]))


class Written(Struct, frozen=True):
    """An entry as a store gives it back."""

    version: int
    command: str
    events: bytes


def commits(log: list[Entry]) -> list[Written]:
    return [Written(version, f"{version:032x}:c", encode(entry)) for version, entry in enumerate(log, 1)]


def room(log: list[Entry], snapshot: Keep | None = None) -> Room:
    """The room of a log, opened as a server would: from a snapshot, and what came after it and just before."""
    first = 0 if snapshot is None else max(0, snapshot.version - READ_BACK)
    kept = None if snapshot is None else (snapshot.schema, snapshot.state)
    opened = Room.open(kept, commits(log)[first:], now=10.0)
    assert opened is not None
    return opened


def snapshots(log: list[Entry]) -> list[Keep]:
    """The snapshots that a room asks to keep on the way."""
    first, *rest = commits(log)
    opened = Room.open(None, [first], now=10.0)
    assert opened is not None
    return [effect for effect in opened.news(rest, now=10.0) if isinstance(effect, Keep)]


def test_a_table_is_the_same_from_its_snapshot_and_from_its_whole_log() -> None:
    sitting = with_bots(rounds=3)
    while legal(sitting.table.round).seat == 0 or legal(sitting.table.round).moves == ("draw",):  # type: ignore[arg-type]
        move(sitting, Random(9))
    kept = snapshots(sitting.log)
    assert len(kept) == 3
    whole, shortcut = room(sitting.log), room(sitting.log, kept[-1])
    assert whole.table == shortcut.table == fold(None, sitting.log)
    seat = legal(sitting.table.round).seat  # type: ignore[arg-type]
    assert seat is not None
    assert whole._minds.answer(whole.table, seat) == shortcut._minds.answer(shortcut.table, seat)


def test_opening_a_long_log_reads_little_more_than_a_short_one() -> None:
    sitting = with_bots(rounds=30)
    assert len(sitting.log) - snapshots(sitting.log)[-1].version < 30


def test_orders_before_a_snapshot_are_still_known() -> None:
    sitting = with_bots(rounds=2)
    kept = snapshots(sitting.log)[-1]
    opened = room(sitting.log, kept)
    assert opened._answers.done(f"{kept.version - 3:032x}:c")
    assert not opened._answers.done(f"{kept.version - 3:032x}:d")


def test_an_order_of_520_commits_ago_is_still_known_after_a_restart() -> None:
    sitting = Sitting().seated("Ada", "Ben")
    for number in range(520):
        sitting.does("Ben", do.Rename(f"Ben {number}"))
    kept = snapshots(sitting.log)[-1]
    assert kept.version > 500
    assert room(sitting.log, kept)._answers.done(f"{3:032x}:c"), "Ada's own order was the third"


def test_a_useless_snapshot_is_ignored() -> None:
    sitting = with_bots(rounds=1)
    opened = Room.open((99_000, b"from the future"), commits(sitting.log), now=10.0)
    assert opened is not None
    assert opened.table == sitting.table
    assert Room.open(None, [], now=10.0) is None


def test_computer_players_say_the_same_on_every_node() -> None:
    sitting = Sitting(starter=1).seated("Ada")
    for character in list(CHARACTERS)[:3]:
        sitting.does("Ada", do.AddBot("regular", character))
    sitting.started()
    luck = Random(1)
    for _ in range(60):
        move(sitting, luck)
    heard: list[list[bytes]] = []
    for _ in range(2):
        first, *rest = commits(sitting.log)
        opened = Room.open(None, [first], now=10.0)
        assert opened is not None
        opened.arrived("line", guest("Ada"), now=10.0)
        heard.append([effect.message for effect in opened.news(rest, now=10.0) if isinstance(effect, Send)])
    assert heard[0] == heard[1]
    states = [msgspec.json.decode(message, type=State) for message in heard[0]]
    remarks = [shown for state in states for shown in state.happened if isinstance(shown, Remarked)]
    assert remarks
    assert all(sitting.table.seats[remark.seat].character == remark.character for remark in remarks)
