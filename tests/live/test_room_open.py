"""Loading a room from a snapshot or from the whole log."""

from random import Random

import msgspec

from notahat.bots import CHARACTERS
from notahat.gifts import catalogue
from notahat.live.dedup import DEDUP_ENTRIES
from notahat.live.effects import SaveSnapshot, Send
from notahat.live.room import Room
from notahat.rules import Accept, Draw, Give, Move, legal
from notahat.table import Entry, fold
from notahat.table import commands as do
from notahat.table.events import encode
from notahat.table.shown import Remarked
from notahat.wire.messages import State
from support.room_driver import StoredCommit
from support.tables import TableDriver, guest

GIFTS = sorted(catalogue())


def with_bots(rounds: int) -> TableDriver:
    """Play rounds of one person and two computer players; the last one is not finished."""
    driver = TableDriver(starter=0).seated("Ada")
    for _ in range(2):
        driver.send("Ada", do.AddBot("regular"))
    for number in range(rounds):
        driver.send("Ada", do.Start())
        rng = Random(number)
        for _ in range(12):
            move(driver, rng)
        if number + 1 < rounds:
            driver.send("Ada", do.EndMatch())
            driver.send("Ada", do.Again())
    return driver


def move(driver: TableDriver, rng: Random) -> None:
    driver.wrap()
    round_ = driver.table.round
    assert round_ is not None
    due = legal(round_)
    assert due.seat is not None
    if due.seat == 0:
        commands: dict[str, do.Command] = {
            "draw": do.Draw(round_.turn),
            "give": do.Give(round_.turn, rng.choice(GIFTS), due.receivers[0] if due.receivers else None),
            "accept": do.Accept(round_.turn),
        }
        driver.send("Ada", commands[due.moves[0]])
    else:
        moves: dict[str, Move] = {
            "draw": Draw(due.seat),
            "give": Give(due.seat, rng.choice(GIFTS), due.receivers[0] if due.receivers else None),
            "accept": Accept(due.seat),
        }
        driver.send(None, do.PlayFor(round_.turn, moves[due.moves[0]]))


def commits(log: list[Entry]) -> list[StoredCommit]:
    return [StoredCommit(version, f"{version:032x}:c", encode(entry)) for version, entry in enumerate(log, 1)]


def room(log: list[Entry], snapshot: SaveSnapshot | None = None) -> Room:
    """Open a room as a server does: from a snapshot, the entries after it and those just before it."""
    first = 0 if snapshot is None else max(0, snapshot.version - DEDUP_ENTRIES)
    kept = None if snapshot is None else (snapshot.schema, snapshot.state)
    opened = Room.open(kept, commits(log)[first:], now=10.0)
    assert opened is not None
    return opened


def snapshots(log: list[Entry]) -> list[SaveSnapshot]:
    """Return the snapshots that a room requests while it receives a log."""
    first, *rest = commits(log)
    opened = Room.open(None, [first], now=10.0)
    assert opened is not None
    return [effect for effect in opened.commits_received(rest, now=10.0) if isinstance(effect, SaveSnapshot)]


def test_snapshot_and_full_log_give_the_same_room() -> None:
    driver = with_bots(rounds=3)
    while legal(driver.table.round).seat == 0 or legal(driver.table.round).moves == ("draw",):  # type: ignore[arg-type]
        move(driver, Random(9))
    kept = snapshots(driver.log)
    assert len(kept) == 3
    full, shortcut = room(driver.log), room(driver.log, kept[-1])
    assert full.table == shortcut.table == fold(None, driver.log)
    seat = legal(driver.table.round).seat  # type: ignore[arg-type]
    assert seat is not None
    assert full._bots.answer(full.table, seat) == shortcut._bots.answer(shortcut.table, seat)


def test_last_snapshot_of_a_long_log_is_recent() -> None:
    driver = with_bots(rounds=30)
    assert len(driver.log) - snapshots(driver.log)[-1].version < 30


def test_commands_before_a_snapshot_are_still_known() -> None:
    driver = with_bots(rounds=2)
    kept = snapshots(driver.log)[-1]
    opened = room(driver.log, kept)
    assert opened._dedup.is_done(f"{kept.version - 3:032x}:c")
    assert not opened._dedup.is_done(f"{kept.version - 3:032x}:d")


def test_command_of_520_commits_ago_is_known_after_restart() -> None:
    driver = TableDriver().seated("Ada", "Ben")
    for number in range(520):
        driver.send("Ben", do.Rename(f"Ben {number}"))
    kept = snapshots(driver.log)[-1]
    assert kept.version > 500
    assert room(driver.log, kept)._dedup.is_done(f"{3:032x}:c")


def test_unreadable_snapshot_is_ignored() -> None:
    driver = with_bots(rounds=1)
    opened = Room.open((99_000, b"from the future"), commits(driver.log), now=10.0)
    assert opened is not None
    assert opened.table == driver.table
    assert Room.open(None, [], now=10.0) is None


def test_remarks_are_equal_on_every_node() -> None:
    driver = TableDriver(starter=1).seated("Ada")
    for character in list(CHARACTERS)[:3]:
        driver.send("Ada", do.AddBot("regular", character))
    driver.started()
    rng = Random(1)
    for _ in range(60):
        move(driver, rng)
    sent: list[list[bytes]] = []
    for _ in range(2):
        first, *rest = commits(driver.log)
        opened = Room.open(None, [first], now=10.0)
        assert opened is not None
        opened.connected("connection", guest("Ada"), now=10.0)
        sent.append([effect.message for effect in opened.commits_received(rest, now=10.0) if isinstance(effect, Send)])
    assert sent[0] == sent[1]
    states = [msgspec.json.decode(message, type=State) for message in sent[0]]
    remarks = [shown for state in states for shown in state.happened if isinstance(shown, Remarked)]
    assert remarks
    assert all(driver.table.seats[remark.seat].character == remark.character for remark in remarks)
