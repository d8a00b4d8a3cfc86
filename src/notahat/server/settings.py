"""Settings of a server, from the command line, the environment or the defaults."""

import argparse
import math
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, structs

from notahat.server.limits.accounts import ANY_PEER, is_proxy
from notahat.store import POSTGRES_SCHEMES
from notahat.store.sqlite_file import MEMORY, sqlite_path

A_DAY = 24 * 3600
MAX_PORT = 65535
MIN_SECRET = 16
LOG_LEVELS = ("debug", "info", "warning", "error")
MAX_DAYS = 36_500  # a date that every database knows
SQLITE_SCHEMES = ("sqlite://",)
ORIGIN = re.compile(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?", re.IGNORECASE)
BASE_PATH = re.compile(r"/([A-Za-z0-9._~-]{1,64}/){0,8}")


class Settings(Struct, frozen=True, kw_only=True):
    """Everything that an operator may choose. `NOTAHAT_PACE=4` in the environment is `pace=4`, and so on."""

    host: str = "127.0.0.1"
    port: int = 8000
    lan: bool = False
    house: bool = True  # with `lan`: list open lobbies to devices in the same network
    data: str = ""
    store: str = ""
    public_url: str = ""
    frame_ancestors: str = ""  # origins whose pages may show the game in a frame, and `self`, separated by spaces
    pace: float = 1.0
    browser: bool = True
    behind_proxy: str = ""  # `yes`, or the addresses of proxies, whose X-Forwarded-For is believed
    guests_per_address: int = 120
    keep_days: float = 30.0
    study: bool = False  # ask players whether their rounds may be studied (docs/operate.md)
    study_probe: float = 0.0  # after which share of their decisions they are asked what they believe
    metrics: str = ""  # address and port, such as 127.0.0.1:9464
    metrics_token: str = ""  # requests with this token may read /metrics on the public port
    webhook: str = ""  # URL that gets game events
    webhook_secret: str = ""  # signs them
    log_level: str = "info"  # `debug` has a line for each request and command
    luck: int | None = None  # seed for tests and demonstrations only: it makes every card predictable

    @property
    def metrics_address(self) -> tuple[str, int] | None:
        """Return host and port for metrics, if they have a port of their own."""
        host, _, port = self.metrics.rpartition(":")
        return (host.strip("[]") or "127.0.0.1", int(port)) if self.metrics else None

    @property
    def base_path(self) -> str:
        """The path below which people reach the server, such as /games/hat/; / without one."""
        path = urlsplit(self.public_url).path.strip("/")
        return f"/{path}/" if path else "/"

    @property
    def store_url(self) -> str:
        return self.store or f"sqlite:///{self.folder / 'notahat.db'}"

    @property
    def is_postgres(self) -> bool:
        return self.store_url.startswith(POSTGRES_SCHEMES)

    @property
    def sqlite_file(self) -> Path | None:
        """The file of the tables; None if they are in memory or in PostgreSQL."""
        path = sqlite_path(self.store_url)
        return None if self.is_postgres or path == MEMORY else Path(path)

    @property
    def folder(self) -> Path:
        """The folder of the data; raise `ValueError` if none is named and there is no home folder."""
        if self.data:
            return Path(self.data)
        try:
            return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "notahat"
        except RuntimeError:  # a user id without a name, as in many containers
            message = "there is no home folder to store tables in: name a folder with --data DIR or NOTAHAT_DATA"
            raise ValueError(message) from None


@contextmanager
def exit_on(*errors: type[Exception]) -> Iterator[None]:
    """End the command with one line and status 2 for an error that its user can mend."""
    try:
        yield
    except errors as error:
        sys.stderr.write(f"notahat: {error}\n")
        raise SystemExit(2) from None


def from_environment(environment: Mapping[str, str]) -> Settings:
    """Return the settings of an environment; raise `ValueError` with the name of an invalid variable."""
    given = ((field, environment.get(f"NOTAHAT_{field.name.upper()}")) for field in structs.fields(Settings))
    return msgspec.convert({field.name: _parse(field, text) for field, text in given if text is not None}, Settings)


def add_store_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", metavar="DIR", help="folder of the tables (~/.local/share/notahat; NOTAHAT_DATA)")
    parser.add_argument(
        "--store", metavar="URL", help="postgresql://… for several nodes, or sqlite:///file (NOTAHAT_STORE)"
    )


def load_settings(arguments: argparse.Namespace) -> Settings:
    """Return the settings of the environment and the command line, which wins; raise `ValueError` if one is invalid."""
    settings = from_environment(os.environ)
    given = {name: getattr(arguments, name, None) for name in Settings.__struct_fields__}
    for name in ("data", "store"):
        if given[name] == "":  # a shell makes this of a variable that is not set
            raise ValueError(f"--{name} is empty: say where to store tables, or omit it")
    settings = structs.replace(settings, **{name: value for name, value in given.items() if value is not None})
    check(settings)
    return structs.replace(settings, host="0.0.0.0") if settings.lan else settings  # noqa: S104 - asked for with --lan


def check(settings: Settings) -> None:
    """Raise `ValueError` with one line about the first invalid setting."""
    if not 0 < settings.pace < math.inf:
        raise ValueError("the pace must be a number above 0, such as --pace 1")
    if settings.log_level not in LOG_LEVELS:
        raise ValueError(f"the log levels are {', '.join(LOG_LEVELS)}, such as NOTAHAT_LOG_LEVEL=debug")
    if not 0 < settings.keep_days <= MAX_DAYS:
        raise ValueError(f"tables are kept for more than 0 and at most {MAX_DAYS} days, such as NOTAHAT_KEEP_DAYS=30")
    if settings.guests_per_address < 1:
        raise ValueError("each address needs at least one guest, such as NOTAHAT_GUESTS_PER_ADDRESS=120")
    if not 0 <= settings.study_probe <= 1:
        raise ValueError("the share of decisions with a question is from 0 to 1, such as --study-probe 0.1")
    if settings.study_probe and not settings.study:
        raise ValueError("--study-probe asks players of a study only: use it with --study")
    webhook = settings.webhook
    if webhook and not (webhook.startswith(("http://", "https://")) and _has_valid_host(webhook)):
        raise ValueError(f"NOTAHAT_WEBHOOK is a URL with http:// or https://, not {webhook!r}")
    if webhook and len(settings.webhook_secret) < MIN_SECRET:
        raise ValueError(f"NOTAHAT_WEBHOOK needs NOTAHAT_WEBHOOK_SECRET with at least {MIN_SECRET} characters")
    _check_addresses(settings)


def _check_addresses(settings: Settings) -> None:
    if not settings.host:
        raise ValueError("--host is empty: use --host 127.0.0.1 for this machine alone, or --lan for the network")
    if not 0 <= settings.port <= MAX_PORT:
        raise ValueError(f"there is no port {settings.port}: choose one up to {MAX_PORT}, or any with --port 0")
    port = settings.metrics.rpartition(":")[2]
    if settings.metrics and not (port.isascii() and port.isdigit() and int(port) <= MAX_PORT):
        message = "metrics need an address and a port, such as --metrics 127.0.0.1:9464"
        raise ValueError(f"{message}, not {settings.metrics!r}")
    if settings.public_url:
        _check_public_url(settings.public_url)
    for origin in settings.frame_ancestors.split():
        if origin != "self" and not ORIGIN.fullmatch(origin):
            examples = "NOTAHAT_FRAME_ANCESTORS='self https://dashboard.example'"
            raise ValueError(f"a frame is allowed for `self` and origins such as {examples}, not {origin!r}")
    if not settings.store_url.startswith(SQLITE_SCHEMES + POSTGRES_SCHEMES):
        raise ValueError(f"the URL of a store starts with sqlite:// or postgresql://, not {settings.store!r}")
    if settings.store in ("sqlite://", "sqlite:///"):
        examples = "sqlite:///notahat.db for this folder, or sqlite:////srv/notahat.db"
        raise ValueError(f"the URL of the store names no file: use {examples}")


def _check_public_url(url: str) -> None:
    scheme, _, rest = url.rpartition("://")
    if scheme.lower() not in ("http", "https"):
        raise ValueError(f"the public URL {url!r} needs http:// or https://: --public-url https://{rest}")
    if not _has_valid_host(url):
        raise ValueError(f"the public URL {url!r} has no valid host: use one such as --public-url https://hats.example")
    if not BASE_PATH.fullmatch(f"{urlsplit(url).path.rstrip('/')}/"):
        raise ValueError(f"the path of the public URL {url!r} may have letters, digits and . _ ~ - only")


def _has_valid_host(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that do not close, or an invalid port
        return False


def _parse(field: structs.FieldInfo, text: str) -> object:
    try:
        if field.name == "behind_proxy":
            return _parse_proxies(text)
        return _parse_bool(text) if field.type is bool else msgspec.convert(text, field.type, strict=False)
    except (ValueError, msgspec.ValidationError):
        raise ValueError(f"NOTAHAT_{field.name.upper()} cannot be {text!r}") from None


def _parse_proxies(text: str) -> str:
    """Return `yes`, nothing, or addresses and networks; raise `ValueError` for anything else."""
    try:
        return ANY_PEER if _parse_bool(text) else ""
    except ValueError:
        is_proxy("127.0.0.1", text)
        return text


def _parse_bool(text: str) -> bool:
    match text.strip().lower():
        case "1" | "yes" | "true" | "on":
            return True
        case "" | "0" | "no" | "false" | "off":
            return False
        case _:
            raise ValueError(text)
