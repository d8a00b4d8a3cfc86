"""The first minute of a server: what cannot work is one clear line that says what to do, and exit code 2."""

import errno
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from notahat.server.main import announce
from notahat.server.ops.preflight import way_out
from notahat.server.settings import Settings
from support.cli import (
    ASCII,
    NOTAHAT,
    PATIENCE_SECONDS,
    USUAL,
    WHO,
    Environment,
    notahat,
    nowhere,
    refusal,
    surroundings,
)


@contextmanager
def running(*arguments: str, env: Environment = USUAL) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [*NOTAHAT, "serve", "--no-browser", *arguments],
        env=surroundings(env),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line(process: "subprocess.Popen[bytes]") -> bytes:
    assert process.stdout is not None
    return process.stdout.readline()


@pytest.mark.parametrize("port", ["65536", "-1", "700000"])
def test_a_port_out_of_range(port: str) -> None:
    said = f"notahat: there is no port {port}: choose one up to 65535, or any with --port 0"
    assert refusal("serve", f"--port={port}") == said
    assert refusal("serve", env={"NOTAHAT_PORT": port}) == said


def test_a_port_in_use_says_how_to_choose_another(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert refusal("serve", "--port", str(port), "--data", tmp_path) == (
            f"notahat: cannot listen on 127.0.0.1:{port}: something else listens there already; "
            f"choose another port with --port {port + 1} (or NOTAHAT_PORT), or any with --port 0"
        )


def test_the_port_after_the_last_is_never_proposed() -> None:
    taken = OSError(errno.EADDRINUSE, "Address already in use")
    assert "with --port 65534 (or NOTAHAT_PORT)" in way_out(Settings(port=65535), taken)
    assert "with --port 8001 (or NOTAHAT_PORT)" in way_out(Settings(port=8000), taken)


@pytest.mark.parametrize("days", ["0", "-1", "nan", "inf", "1e9"])
def test_days_that_would_forget_every_table(days: str) -> None:
    said = "notahat: tables are kept for more than 0 days, and for 36500 at most: NOTAHAT_KEEP_DAYS=30"
    assert refusal("serve", env={"NOTAHAT_KEEP_DAYS": days}) == said


@pytest.mark.parametrize("guests", ["0", "-1"])
def test_a_server_that_would_let_nobody_in(guests: str) -> None:
    said = "notahat: from each address at least one guest may come: NOTAHAT_GUESTS_PER_ADDRESS=120"
    assert refusal("serve", env={"NOTAHAT_GUESTS_PER_ADDRESS": guests}) == said


@pytest.mark.parametrize("pace", ["0", "-1", "inf", "nan"])
def test_a_pace_that_nobody_can_keep(pace: str) -> None:
    said = "notahat: the pace must be a number above 0: --pace 1 is as people play"
    assert refusal("serve", f"--pace={pace}") == said
    assert refusal("serve", env={"NOTAHAT_PACE": pace}) == said


def test_an_option_that_names_nothing() -> None:
    for option in ("data", "store"):
        said = f"notahat: --{option} names nothing: say where tables are kept, or leave it out"
        assert refusal("serve", f"--{option}", "") == said
    said = "notahat: which address? --host 127.0.0.1 is for this machine alone, --lan for all"
    assert refusal("serve", "--host", "") == said


def test_luck_that_is_known_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    announce(Settings(browser=False, luck=7), 8000)
    told = "NOTAHAT_LUCK is set: whoever knows it knows every card, so this is for tests and demonstrations"
    assert capsys.readouterr().out.splitlines() == ["Not a Hat is at http://127.0.0.1:8000", told]
    announce(Settings(browser=False), 8000)
    assert capsys.readouterr().out.splitlines() == ["Not a Hat is at http://127.0.0.1:8000"]


def test_an_address_that_is_not_ours(tmp_path: Path) -> None:
    said = refusal("serve", "--host", "192.0.2.7", "--port", "0", "--data", tmp_path)
    assert said.startswith("notahat: cannot listen on 192.0.2.7:0: ")
    assert said.endswith("; choose another address with --host")


def test_a_data_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "folder"
    said = f"notahat: cannot keep tables in {folder}: Not a directory; name a folder that can be written: --data DIR"
    assert refusal("serve", "--port", "0", "--data", folder) == said
    assert refusal("serve", "--port", "0", env={"NOTAHAT_DATA": str(folder)}) == said


def without_rights(*arguments: str) -> list[str]:
    """Root may write everywhere, unless it gives that up."""
    if os.geteuid() != 0:
        return list(arguments)
    setpriv = shutil.which("setpriv")
    assert setpriv is not None, "root needs setpriv (util-linux) for this test"
    return [setpriv, "--bounding-set=-all", "--inh-caps=-all", *arguments]


def test_a_data_folder_that_is_not_writable(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir(mode=0o500)
    command = without_rights(*NOTAHAT, "serve", "--port", "0", "--data", str(folder))
    ended = subprocess.run(
        command, env=surroundings(), capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert ended.returncode == 2, ended
    why = "unable to open database file"
    said = f"notahat: cannot keep tables in {folder}: {why}; name a folder that can be written: --data DIR\n"
    assert (ended.stdout, ended.stderr) == ("", said)


@pytest.mark.parametrize("store", ["sqlite://", "sqlite:///"])
def test_a_store_without_a_file(store: str) -> None:
    assert refusal("serve", "--store", store) == (
        "notahat: which file? sqlite:///notahat.db is one in this folder, sqlite:////srv/notahat.db another"
    )


def test_a_bad_file_for_a_store(tmp_path: Path) -> None:
    hint = "name a file that can be written: --store sqlite:///FILE"
    store = f"sqlite:///{tmp_path}"
    said = f"notahat: cannot keep tables in {store}: unable to open database file; {hint}"
    assert refusal("serve", "--port", "0", "--store", store) == said
    (tmp_path / "letter.txt").write_text("Dear Ada, this is no database, and long enough to be none.\n" * 20)
    store = f"sqlite:///{tmp_path}/letter.txt"
    said = f"notahat: cannot keep tables in {store}: file is not a database; {hint}"
    assert refusal("serve", "--port", "0", "--store", store) == said
    store = f"sqlite:///{tmp_path}/letter.txt/notahat.db"
    assert refusal("serve", "--port", "0", "--store", store).startswith(f"notahat: cannot keep tables in {store}: ")


def test_a_store_of_an_unknown_kind() -> None:
    said = "notahat: a store's address starts with sqlite:// or postgresql://, not 'mysql://hats'"
    assert refusal("--store", "mysql://hats") == said


def test_postgresql_without_its_extra_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['psycopg'] = None\n")
    said = refusal("serve", "--store", "postgresql://127.0.0.1/hats", env={"PYTHONPATH": str(tmp_path)})
    assert said.startswith(f"notahat: PostgreSQL needs psycopg: {sys.executable} -m pip install 'psycopg[")


def test_postgresql_that_is_not_there() -> None:
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))  # and never listens
        port = unheard.getsockname()[1]
        said = refusal("serve", "--store", f"postgresql://ada:secret@127.0.0.1:{port}/hats")
    assert said.startswith("notahat: PostgreSQL does not answer: ")
    assert "Connection refused" in said
    assert said.endswith("; start it, or name another with --store postgresql://USER@HOST/DATABASE (or NOTAHAT_STORE)")
    assert "secret" not in said


def test_an_unreadable_postgresql_address() -> None:
    assert refusal("serve", "--store", "postgresql://[").startswith("notahat: PostgreSQL does not answer: ")


@pytest.mark.parametrize("url", ["hats.example", "hats.example:8000/play", "ftp://hats.example"])
def test_a_public_url_without_a_scheme(url: str) -> None:
    rest = url.rpartition("://")[2]
    said = f"notahat: people need http:// or https:// in front of {url!r}: --public-url https://{rest}"
    assert refusal("serve", "--public-url", url) == said


@pytest.mark.parametrize("url", ["http://[", "https://", "https://hats.example:99999999", "https://:443"])
def test_a_public_url_that_leads_nowhere(url: str) -> None:
    said = f"notahat: {url!r} leads nowhere: name a machine, as in --public-url https://hats.example"
    assert refusal("serve", "--public-url", url) == said


def test_a_user_id_without_a_name_or_a_home(tmp_path: Path) -> None:
    said = "notahat: you have no home folder here to keep tables in: name a folder with --data DIR or NOTAHAT_DATA"
    assert refusal("serve", "--port", "0", without=WHO, env=nowhere(tmp_path)) == said


def test_a_user_id_without_a_name_serves_where_a_folder_is_named(tmp_path: Path) -> None:
    with running("--port", "0", "--data", str(tmp_path / "kept"), env=nowhere(tmp_path)) as process:
        assert b"Not a Hat is at http://127.0.0.1:" in line(process)


def test_lan_with_any_port_says_which(tmp_path: Path) -> None:
    with running("--lan", "--port", "0", "--data", str(tmp_path)) as process:
        here, others = line(process).decode(), line(process).decode()
    port = re.search(r":(\d+)$", here)
    assert port is not None
    assert int(port[1]) > 0
    assert re.fullmatch(rf"and for everyone else at http://[\d.]+:{port[1]}\n", others)


def test_in_an_ascii_locale_the_qr_code_is_made_of_spaces(tmp_path: Path) -> None:
    with running("--lan", "--port", "0", "--data", str(tmp_path), env=ASCII) as process:
        line(process), line(process)
        code = b"".join(line(process) for _ in range(25))
    assert code.isascii()
    assert code.count(b"  ") > 200


def test_in_any_other_locale_it_is_small(tmp_path: Path) -> None:
    with running("--lan", "--port", "0", "--data", str(tmp_path), env={"PYTHONIOENCODING": "utf-8"}) as process:
        line(process), line(process)
        assert "▄" in "".join(line(process).decode() for _ in range(12))


def test_lan_says_what_to_do_when_phones_cannot_reach_it(tmp_path: Path) -> None:
    with running("--lan", "--port", "0", "--data", str(tmp_path), env=ASCII) as process:
        port = line(process).decode().rpartition(":")[2].strip()
        told = line(process).decode()
        while "household.md" not in told:
            told += line(process).decode()
    assert f"let port {port} through the firewall" in told
    assert "not into one for guests" in told


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopping_is_quiet(how: signal.Signals, tmp_path: Path) -> None:
    with running("--port", "0", "--data", str(tmp_path)) as process:
        line(process)
        process.send_signal(how)
        said, complained = process.communicate(timeout=PATIENCE_SECONDS)
    assert (process.returncode, said) == (0, b"")
    assert b"Traceback" not in complained
    assert b'"level":"error"' not in complained


def test_help_names_every_environment_variable() -> None:
    shown = notahat("serve", "--help", env={"COLUMNS": "200"}).stdout
    missing = [name for name in Settings.__struct_fields__ if f"NOTAHAT_{name.upper()}" not in shown]
    assert missing == []
