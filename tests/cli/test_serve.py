"""`notahat serve`: start-up errors are one line with advice and exit code 2."""

import asyncio
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
from msgspec import structs

from notahat.clients.python import Client
from notahat.server.main import announce, listen, port_advice
from notahat.server.ops.deploy_command import FILES, configuration
from notahat.server.settings import Settings
from support.cli import (
    ASCII,
    NOTAHAT,
    UNCHANGED,
    USER_VARIABLES,
    Environment,
    environment_without_user,
    process_environment,
    refusal,
)
from support.server_process import running_server
from support.timeouts import TIMEOUT


@contextmanager
def running(*arguments: str, env: Environment = UNCHANGED) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [*NOTAHAT, "serve", "--no-browser", *arguments],
        env=process_environment(env),
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


@pytest.mark.parametrize(
    ("option", "values", "advice"),
    [
        ("port", ("65536", "-1", "700000"), "choose one up to 65535, or any with --port 0"),
        ("NOTAHAT_PORT", ("65536", "-1"), "choose one up to 65535, or any with --port 0"),
        ("NOTAHAT_KEEP_DAYS", ("0", "-1", "nan", "inf", "1e9"), "more than 0 and at most 36500 days"),
        ("NOTAHAT_GUESTS_PER_ADDRESS", ("0", "-1"), "such as NOTAHAT_GUESTS_PER_ADDRESS=120"),
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
    for program in FILES:
        whole = configuration(program, "https://gifts.example", 9000).splitlines()
        assert [line for line in whole if line not in snippets] == [line for line in whole if is_hardening(line)]
    assert len(snippets) < 90
    announce(structs.replace(settings, public_url="https://gifts.example/play/"), 9000)
    assert "docs/operate.md has sites below a path" in capsys.readouterr().out
    for url, proxy in (("https://gifts.example", "127.0.0.1"), ("http://gifts.example", "")):
        announce(structs.replace(settings, public_url=url, behind_proxy=proxy), 9000)
        assert len(capsys.readouterr().out.splitlines()) == 2


def is_hardening(line: str) -> bool:
    """Return whether a line of the systemd unit restricts what the server may do."""
    words = "# hardening|NoNew|Capab|Ambient|Protect|Private|Restrict|Proc|Lock|RemoveIPC|SystemCall"
    return re.match(words, line) is not None


def test_impossible_data_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "folder"
    message = f"notahat: cannot store tables in {folder}: Not a directory; name a writable folder: --data DIR"
    assert refusal("serve", "--port", "0", "--data", folder) == message
    assert refusal("serve", "--port", "0", env={"NOTAHAT_DATA": str(folder)}) == message


def without_rights(*arguments: str) -> list[str]:
    """Root may write everywhere, unless it gives that up."""
    if os.geteuid() != 0:
        return list(arguments)
    setpriv = shutil.which("setpriv")
    assert setpriv is not None, "root needs setpriv (util-linux) for this test"
    return [setpriv, "--bounding-set=-all", "--inh-caps=-all", *arguments]


def test_read_only_data_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir(mode=0o500)
    command = without_rights(*NOTAHAT, "serve", "--port", "0", "--data", str(folder))
    ended = subprocess.run(
        command, env=process_environment(), capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    assert ended.returncode == 2, ended
    why = "unable to open database file"
    message = f"notahat: cannot store tables in {folder}: {why}; name a writable folder: --data DIR\n"
    assert (ended.stdout, ended.stderr) == ("", message)


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
    with running("--lan", "--port", "0", "--data", str(tmp_path), env=ASCII) as process:
        here, others = line(process).decode(), line(process).decode()
        code = b"".join(line(process) for _ in range(25))
        advice = line(process).decode()
        while "household.md" not in advice:
            advice += line(process).decode()
    port = re.search(r":(\d+)$", here)
    assert port is not None
    assert int(port[1]) > 0
    assert re.fullmatch(rf"and for everyone else at http://[\d.]+:{port[1]}\n", others)
    assert code.isascii()
    assert code.count(b"  ") > 200, "spaces and colours"
    assert f"let port {port[1]} through the firewall" in advice
    assert "not into one for guests" in advice


def test_qr_code_uses_half_blocks_in_utf8(capsys: pytest.CaptureFixture[str]) -> None:
    announce(Settings(browser=False, lan=True, public_url="http://192.0.2.1:8000"), 8000)
    assert "▄" in capsys.readouterr().out


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stopping_is_quiet(how: signal.Signals, tmp_path: Path) -> None:
    with running("--port", "0", "--data", str(tmp_path)) as process:
        line(process)
        process.send_signal(how)
        output, errors = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, output) == (0, b"")
    assert b"Traceback" not in errors
    assert b'"level":"error"' not in errors


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
