"""`notahat serve`: start-up errors are one line with advice and exit code 2."""

import asyncio
import errno
import re
import signal
import socket
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs

from notahat.clients.python import Client
from notahat.server.main import announce, listen, port_advice
from notahat.server.ops.deploy_command import FILES, configuration
from notahat.server.settings import Settings
from notahat.store.sql_store import migrations
from support.cli import (
    ASCII,
    USER_VARIABLES,
    environment_without_user,
    refusal,
)
from support.server_process import running_server
from support.timeouts import TIMEOUT


@pytest.mark.parametrize(
    ("option", "values", "advice"),
    [
        ("port", ("65536", "-1", "700000"), "choose one up to 65535, or any with --port 0"),
        ("NOTAHAT_PORT", ("65536", "-1"), "choose one up to 65535, or any with --port 0"),
        ("NOTAHAT_KEEP_DAYS", ("0", "-1", "nan", "inf", "1e9"), "more than 0 and at most 36500 days"),
        ("NOTAHAT_GUESTS_PER_ADDRESS", ("0", "-1"), "such as NOTAHAT_GUESTS_PER_ADDRESS=120"),
        ("NOTAHAT_LUCK", ("good",), "NOTAHAT_LUCK"),
        ("pace", ("0", "-1", "inf", "nan"), "a number above 0, such as --pace 1"),
        ("NOTAHAT_PACE", ("0", "inf"), "a number above 0, such as --pace 1"),
        ("data", ("",), "--data is empty: say where to store tables, or omit it"),
        ("store", ("",), "--store is empty: say where to store tables, or omit it"),
        ("host", ("",), "use --host 127.0.0.1 for this machine alone, or --lan for the network"),
        ("store", ("sqlite://", "sqlite:///"), "names no file: use sqlite:///notahat.db"),
        ("store", ("mysql://hats",), "starts with sqlite:// or postgresql://, not 'mysql://hats'"),
        ("store", ("postgresql://[",), "PostgreSQL does not answer: "),
        ("public-url", ("hats.example:8000/play",), "--public-url https://hats.example:8000/play"),
        ("public-url", ("ftp://hats.example",), "needs http:// or https://: --public-url https://hats.example"),
        ("public-url", ("http://[", "https://", "https://a.example:99999999", "https://:443"), "no valid host"),
        ("public-url", ("https://hats.example/a%20b/",), "letters, digits"),
    ],
)
def test_invalid_setting_is_refused_with_advice(option: str, values: tuple[str, ...], advice: str) -> None:
    for value in values:
        said = refusal("serve", env={option: value}) if option.isupper() else refusal("serve", f"--{option}={value}")
        assert said.startswith("notahat: ")
        assert advice in said


def test_port_in_use_suggests_another(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert refusal("serve", "--port", str(port), "--data", tmp_path) == (
            f"notahat: cannot listen on 127.0.0.1:{port}: the port is in use; "
            f"choose another with --port {port + 1} (or NOTAHAT_PORT), or any with --port 0"
        )


def test_suggested_port_is_valid() -> None:
    taken = OSError(errno.EADDRINUSE, "Address already in use")
    assert "with --port 65534 (or NOTAHAT_PORT)" in port_advice(Settings(port=65535), taken)
    assert "with --port 8001 (or NOTAHAT_PORT)" in port_advice(Settings(port=8000), taken)


def test_any_ipv6_address_includes_ipv4() -> None:
    """`announce` and `notahat doctor` say 127.0.0.1 for it."""
    with listen(Settings(host="::", port=0)) as listener:
        socket.create_connection(("127.0.0.1", listener.getsockname()[1]), TIMEOUT).close()


def test_known_seed_is_announced(capsys: pytest.CaptureFixture[str]) -> None:
    announce(Settings(browser=False, luck=7), 8000)
    output = "NOTAHAT_LUCK is set: every card is predictable, so use this for tests and demonstrations only"
    assert capsys.readouterr().out.splitlines() == ["Not a Hat is at http://127.0.0.1:8000", output]
    announce(Settings(browser=False), 8000)
    assert capsys.readouterr().out.splitlines() == ["Not a Hat is at http://127.0.0.1:8000"]


def test_https_without_proxy_prints_files_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    settings = Settings(browser=False, public_url="https://gifts.example")
    announce(settings, 9000)
    address, for_others, _, *snippets = capsys.readouterr().out.splitlines()
    assert address.startswith("Not a Hat is at ")
    assert for_others == "and for everyone else at https://gifts.example"
    for program in set(FILES) - {"systemd"}:  # without the lines that restrict what the server may do
        assert set(configuration(program, "https://gifts.example", 9000).splitlines()) <= set(snippets)
    announce(structs.replace(settings, public_url="https://gifts.example/play/"), 9000)
    assert "docs/operate.md has sites below a path" in capsys.readouterr().out
    for url, proxy in (("https://gifts.example", "127.0.0.1"), ("http://gifts.example", "")):
        announce(structs.replace(settings, public_url=url, behind_proxy=proxy), 9000)
        assert len(capsys.readouterr().out.splitlines()) == 2


def test_impossible_data_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "folder"
    message = f"notahat: cannot store tables in {folder}: Not a directory; name a writable folder: --data DIR"
    assert refusal("serve", "--port", "0", "--data", folder) == message
    assert refusal("serve", "--port", "0", env={"NOTAHAT_DATA": str(folder)}) == message


def test_unusable_store_file_is_refused(tmp_path: Path) -> None:
    hint = "name a writable file: --store sqlite:///FILE"
    store = f"sqlite:///{tmp_path}"
    message = f"notahat: cannot store tables in {store}: unable to open database file; {hint}"
    assert refusal("serve", "--port", "0", "--store", store) == message
    (tmp_path / "letter.txt").write_text("Dear Ada, this is no database, and long enough to be none.\n" * 20)
    store = f"sqlite:///{tmp_path}/letter.txt"
    message = f"notahat: cannot store tables in {store}: file is not a database; {hint}"
    assert refusal("serve", "--port", "0", "--store", store) == message
    store = f"sqlite:///{tmp_path}/letter.txt/notahat.db"
    assert refusal("serve", "--port", "0", "--store", store).startswith(f"notahat: cannot store tables in {store}: ")


def test_older_release_refuses_newer_file_in_one_line(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "notahat.db")) as db:
        db.execute("PRAGMA user_version = 99")
    known = migrations("sqlite")[-1].number
    ways_out = "use a newer release, or restore the backup from before the upgrade: notahat restore FILE"
    message = f"notahat: the data has schema 99, this release knows {known}: {ways_out}"
    assert refusal("serve", "--port", "0", "--data", tmp_path) == message


def test_postgresql_without_extra_names_install_command(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['psycopg'] = None\n")
    message = refusal("serve", "--store", "postgresql://127.0.0.1/hats", env={"PYTHONPATH": str(tmp_path)})
    assert message.startswith(f"notahat: PostgreSQL needs psycopg: {sys.executable} -m pip install 'psycopg[")


def test_unreachable_postgresql_is_refused() -> None:
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))  # and never listens
        port = unheard.getsockname()[1]
        message = refusal("serve", "--store", f"postgresql://ada:secret@127.0.0.1:{port}/hats")
    assert message.startswith("notahat: PostgreSQL does not answer: ")
    assert "Connection refused" in message
    hint = "start it, or name another with --store postgresql://USER@HOST/DATABASE (or NOTAHAT_STORE)"
    assert message.endswith(f"; {hint}")
    assert "secret" not in message


def test_frame_ancestors_must_be_origins() -> None:
    for wrong in ("dashboard.example", "https://*", "https://a.example/path", "https://a.example;script-src"):
        assert repr(wrong) in refusal("serve", env={"NOTAHAT_FRAME_ANCESTORS": wrong})


def test_user_without_home_must_name_data_folder(tmp_path: Path) -> None:
    message = "notahat: there is no home folder to store tables in: name a folder with --data DIR or NOTAHAT_DATA"
    assert refusal("serve", "--port", "0", unset=USER_VARIABLES, env=environment_without_user(tmp_path)) == message


def test_lan_shows_address_qr_code_and_advice(tmp_path: Path) -> None:
    with running_server(tmp_path, seed=None, NOTAHAT_LAN="yes", **ASCII) as server:  # type: ignore[arg-type]
        shown = server.process.stdout
        assert shown is not None
        others, *code = (shown.readline() for _ in range(26))
        advice = shown.readline()
        while "household.md" not in advice:
            advice += shown.readline()
    assert re.fullmatch(rf"and for everyone else at http://[\d.]+:{server.port}\n", others)
    assert "".join(code).isascii()
    assert "".join(code).count("  ") > 200, "spaces and colours"
    assert f"let port {server.port} through the firewall" in advice
    assert "not into one for guests" in advice


def test_qr_code_uses_half_blocks_in_utf8(capsys: pytest.CaptureFixture[str]) -> None:
    announce(Settings(browser=False, lan=True, public_url="http://192.0.2.1:8000"), 8000)
    assert "▄" in capsys.readouterr().out


def test_ctrl_c_is_quiet(tmp_path: Path) -> None:
    with running_server(tmp_path) as server:  # looks for errors in the log
        assert server.stop(signal.SIGINT) == 0
    assert "Traceback" not in server.log


def test_server_starts_without_uvloop(tmp_path: Path) -> None:
    """As on Windows, with asyncio's own loop: a table is played over HTTP and a socket."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['uvloop'] = None\n")

    async def story(url: str) -> None:
        async with Client(url) as client, client.table(await client.open_table()) as table:
            await table.do("sit", name="Ada")
            await table.do("add_bot", level="casual")
            await table.do("start")

    with running_server(tmp_path, coverage=False, PYTHONPATH=str(tmp_path)) as server:
        asyncio.run(story(server.url))
