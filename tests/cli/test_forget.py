"""`notahat forget`: tables, people and the tokens of a lost phone, while the server runs."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from notahat.clients.python import Client, Declined, TableClient
from notahat.store import open_store
from notahat.table import commands as do
from notahat.table.events import encode
from support.cli import refusal, run_in_process
from support.server_process import ServerProcess, running_server
from support.tables import TableDriver, guest


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[ServerProcess]:
    with running_server(data) as server:
        yield server


def forget(data: Path, *arguments: str) -> str:
    ended = run_in_process("forget", *arguments, "--yes", "--data", data)
    assert (ended.returncode, ended.stderr) == (0, ""), ended
    return ended.stdout


async def until_closed(table: TableClient) -> None:
    """Wait until the server ends a connection for good."""
    async for _ in table:
        pass


async def is_declined(client: Client, code: str) -> bool:
    try:
        await client.summary(code)
    except Declined:
        return True
    return False


def test_lost_phone_stops_and_the_new_one_continues(server: ServerProcess, data: Path) -> None:
    async def story(server: ServerProcess) -> None:
        async with Client(server.url) as phone, Client(server.url) as other:
            code = await phone.open_table()
            async with phone.table(code) as lost, other.table(code) as kept:
                await lost.do("sit", name="Ada")
                await kept.do("sit", name="Bea")
                said = await asyncio.to_thread(forget, data, "--guest", f"{code}/ada", "--only-tokens")
                await until_closed(lost)
                await kept.do("emote", emote="laugh")
            with pytest.raises(Declined, match="no_guest"):
                await phone.ticket()
            new = Client(server.url)
            await new.use_ticket(re.findall(r"/c/(\S+)", said)[0])
            async with new.table(code) as table:
                state = await anext(aiter(table))
                assert state.you, "the new phone has the seat"

    asyncio.run(story(server))


def test_forgotten_person_and_table_are_gone_from_the_disk(server: ServerProcess, data: Path) -> None:
    async def story(server: ServerProcess) -> None:
        async with Client(server.url) as ada, Client(server.url) as bea:
            first, second, third = [await one.open_table() for one in (ada, ada, bea)]
            for code in (first, second):
                async with ada.table(code) as table:
                    await table.do("sit", name="Adalbertina")
            async with bea.table(third) as table:
                await table.do("sit", name="Bea")
                person = ("forget", "--data", data, "--guest", f"{first}/Adalbertina")
                dry = await asyncio.to_thread(run_in_process, *person)
                assert (dry.returncode, "deletes 2 tables" in dry.stdout) == (1, True), dry
                done = await asyncio.to_thread(run_in_process, *person, "--yes")
                assert (done.returncode, "Deleted 2 tables" in done.stdout) == (0, True), done
                await table.do("emote", emote="laugh")
            assert await is_declined(bea, first)
            assert not await is_declined(bea, third)
            assert "Deleted the table" in await asyncio.to_thread(forget, data, "--table", third)
            assert await is_declined(bea, third)

    asyncio.run(story(server))
    assert b"Adalbertina" not in server.disk_content, "not even in the write-ahead file"


async def renamed_people(data: Path) -> dict[str, bytes]:
    """Store a table where Ben took the name that Ada gave up, and Fay knocked; return the token hashes."""
    driver = TableDriver(starter=0).seated("Ada", "Ben")
    for name, now in (("Ada", "Zoe"), ("Ben", "Ada")):
        driver.send(name, do.Rename(now))
    driver.started()
    driver.send(None, do.Knock(guest("Fay"), "Fay"))
    store = await open_store(f"sqlite:///{data / 'notahat.db'}")
    table, hashes = uuid4(), {name: name.encode() * 8 for name in ("Ada", "Ben", "Fay")}
    await store.create_alias("K7QX", table)
    for version, entry in enumerate(driver.log):
        await store.append(table, version, encode(entry))
    for name, hash_ in hashes.items():
        await store.add_guest(hash_, guest(name))
    await store.close()
    return hashes


async def left(data: Path, hashes: dict[str, bytes]) -> set[str]:
    store = await open_store(f"sqlite:///{data / 'notahat.db'}")
    known = await store.known_tokens(list(hashes.values()))
    await store.close()
    return {name for name, hash_ in hashes.items() if hash_ in known}


@pytest.mark.parametrize(
    ("arguments", "forgotten"), [(("Zoe",), "Ada"), (("Fay",), "Fay"), (("ada", "--which", "2"), "Ben")]
)
def test_person_is_found_by_every_name(tmp_path: Path, arguments: tuple[str, ...], forgotten: str) -> None:
    hashes = asyncio.run(renamed_people(tmp_path))
    ambiguous = refusal("forget", "--data", tmp_path, "--guest", "K7QX/Ada", "--only-tokens", "--yes")
    assert "(1: Ada, then Zoe; 2: Ben, then Ada)" in ambiguous
    name, *which = arguments
    forget(tmp_path, "--guest", f"K7QX/{name}", *which, "--only-tokens")
    assert asyncio.run(left(tmp_path, hashes)) == set(hashes) - {forgotten}


def test_what_cannot_be_forgotten_is_said_in_one_line(server: ServerProcess, data: Path, tmp_path: Path) -> None:
    assert "there are no tables in" in refusal("forget", "--table", "K7QX", "--data", tmp_path)
    assert "there is no table 'K7QX'" in refusal("forget", "--table", "K7QX", "--data", data)
    assert "--only-tokens needs" in refusal("forget", "--table", "K7QX", "--only-tokens", "--data", data)
