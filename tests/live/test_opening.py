"""Loading a table: from a snapshot or from the whole log, it is the same table."""

import asyncio
from random import Random
from uuid import UUID, uuid4

from notahat.bots import CHARACTERS
from notahat.gifts import catalogue
from notahat.rules import Accept, Draw, Give, Move, legal
from notahat.server.ledger import Ledger
from notahat.store import Store, open_store
from notahat.table import Entry, fold
from notahat.table import commands as do
from notahat.table.events import encode
from notahat.table.shown import Remarked
from support.sitting import Sitting

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


async def written(store: Store, log: list[Entry], snapshots: bool) -> UUID:
    """A log in a store, with the snapshots that a server would have made on the way."""
    id_ = uuid4()
    ledger = Ledger()
    for version, entry in enumerate(log):
        ledger.take(await store.append(id_, version, encode(entry), f"c{version}"))
        if snapshots:
            await ledger.save_snapshot(store, id_)
    return id_


def test_a_table_is_the_same_from_its_snapshot_and_from_its_whole_log() -> None:
    async def story() -> None:
        sitting = with_bots(rounds=3)
        sitting.wrap()
        store = await open_store("sqlite://:memory:")
        loaded = []
        for snapshots in (True, False):
            id_ = await written(store, sitting.log, snapshots)
            assert (await store.snapshot(id_) is not None) is snapshots
            ledger = await Ledger.load(store, id_)
            assert ledger is not None
            loaded.append(ledger)
        await store.close()
        assert loaded[0].table == loaded[1].table == fold(None, sitting.log)
        for seat in (1, 2):
            answers = [ledger.watcher.answer(sitting.table, seat) for ledger in loaded]
            assert answers[0] == answers[1]

    asyncio.run(story())


def test_opening_a_long_log_reads_little_more_than_a_short_one() -> None:
    async def story() -> int:
        sitting = with_bots(rounds=30)
        store = await open_store("sqlite://:memory:")
        id_ = await written(store, sitting.log, snapshots=True)
        snapshot = await store.snapshot(id_)
        assert snapshot is not None
        await store.close()
        return len(sitting.log) - snapshot.version

    assert asyncio.run(story()) < 30


def test_commands_before_a_snapshot_are_still_known() -> None:
    async def story() -> None:
        sitting = with_bots(rounds=2)
        store = await open_store("sqlite://:memory:")
        id_ = await written(store, sitting.log, snapshots=True)
        ledger = await Ledger.load(store, id_)
        assert ledger is not None
        snapshot = await store.snapshot(id_)
        assert snapshot is not None
        assert ledger.has_done(f"c{snapshot.version - 3}")
        assert not ledger.has_done("never")
        await store.close()

    asyncio.run(story())


def test_a_useless_snapshot_is_ignored() -> None:
    async def story() -> None:
        sitting = with_bots(rounds=1)
        store = await open_store("sqlite://:memory:")
        id_ = await written(store, sitting.log, snapshots=False)
        await store.save_snapshot(id_, 5, 99_000, b"from the future")
        ledger = await Ledger.load(store, id_)
        assert ledger is not None
        assert ledger.table == sitting.table
        assert await Ledger.load(store, uuid4()) is None
        await store.close()

    asyncio.run(story())


def test_computer_players_say_the_same_on_every_node() -> None:
    async def story() -> None:
        sitting = Sitting(starter=1).seated("Ada")
        for character in list(CHARACTERS)[:3]:
            sitting.does("Ada", do.AddBot("regular", character))
        sitting.started()
        luck = Random(1)
        for _ in range(60):
            move(sitting, luck)
        store = await open_store("sqlite://:memory:")
        id_ = await written(store, sitting.log, snapshots=False)
        nodes = (Ledger(), Ledger())
        said = [[shown for commit in await store.read(id_) for shown in node.take(commit)] for node in nodes]
        await store.close()
        assert said[0] == said[1]
        remarks = [shown for shown in said[0] if isinstance(shown, Remarked)]
        assert remarks
        assert all(sitting.table.seats[remark.seat].character == remark.character for remark in remarks)

    asyncio.run(story())
