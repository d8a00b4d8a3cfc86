"""Loading a room from a snapshot or from the whole log."""

from random import Random

from notahat.gifts import catalogue
from notahat.live.dedup import DEDUP_ENTRIES
from notahat.live.effects import Append, CommandOutcome, Effect, SaveSnapshot, Send
from notahat.live.room import Room
from notahat.table import Entry, fold
from notahat.table import commands as do
from notahat.table.events import encode
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
    driver.move(rng.choice(GIFTS), accepts=True)


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
    while driver.table.due.seat == 0 or driver.table.due.moves == ("draw",):
        move(driver, Random(9))
    kept = snapshots(driver.log)
    assert len(kept) == 3
    full, shortcut = room(driver.log), room(driver.log, kept[-1])
    assert full.table == shortcut.table == fold(None, driver.log)
    seat = driver.table.due.seat
    assert seat is not None
    assert full._bots.answer(full.table, seat) == shortcut._bots.answer(shortcut.table, seat)


def test_command_older_than_the_window_is_refused() -> None:
    driver = TableDriver().seated("Ada", "Ben")
    for number in range(DEDUP_ENTRIES + 300):
        driver.send("Ben", do.Rename(f"Ben {number}"))
    kept = snapshots(driver.log)[-1]
    opened = room(driver.log, kept)
    assert opened._dedup.is_done(f"{kept.version - 520:032x}:c")
    opened.connected("ada", guest("Ada"), now=10.0)
    newest = opened.table.version

    def answer(seen: int) -> list[type[Effect]]:
        return [type(one) for one in opened.command_received("ada", f"v{seen}.x", do.Rename("Eve"), now=10.0)]

    assert answer(3) == [Send, CommandOutcome], "refused: it may have been carried out"
    assert answer(newest) == [Append]


def test_unreadable_snapshot_is_ignored() -> None:
    driver = with_bots(rounds=1)
    opened = Room.open((99_000, b"from the future"), commits(driver.log), now=10.0)
    assert opened is not None
    assert opened.table == driver.table
    assert Room.open(None, [], now=10.0) is None
