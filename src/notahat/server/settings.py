"""How a server is set up: by options on the command line, by the environment, or as most people want it."""

import argparse
import math
import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, structs

from notahat.store import POSTGRES

A_DAY = 24 * 3600
HIGHEST_PORT = 65535
MOST_DAYS = 36_500  # as good as for ever, and a date that every database knows
SQLITE = ("sqlite://",)


class Settings(Struct, frozen=True, kw_only=True):
    """Everything an operator may choose. `NOTAHAT_PACE=4` in the environment is `pace=4`, and so on."""

    host: str = "127.0.0.1"
    port: int = 8000
    lan: bool = False
    data: str = ""
    store: str = ""
    public_url: str = ""
    pace: float = 1.0
    browser: bool = True
    behind_proxy: bool = False
    guests_per_address: int = 120
    keep_days: float = 30.0
    study: bool = False  # ask people whether the rounds that they play may be studied (docs/lab.md)
    metrics: str = ""  # an address and a port of its own, such as 127.0.0.1:9464
    metrics_token: str = ""  # or who sends it reads /metrics where everybody else is
    luck: int | None = None  # for tests and demonstrations only: whoever knows this number knows every card

    @property
    def metrics_place(self) -> tuple[str, int] | None:
        """Where figures are told, if at a place of their own."""
        host, _, port = self.metrics.rpartition(":")
        return (host.strip("[]") or "127.0.0.1", int(port)) if self.metrics else None

    @property
    def store_url(self) -> str:
        return self.store or f"sqlite:///{self.folder / 'notahat.db'}"

    @property
    def folder(self) -> Path:
        """Where the data lies, unless somebody names another place."""
        if self.data:
            return Path(self.data)
        return Path(os.environ.get("XDG_DATA_HOME") or _home() / ".local" / "share") / "notahat"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user id without a name, as in many containers
        said = "you have no home folder here to keep tables in: name a folder with --data DIR or NOTAHAT_DATA"
        raise ValueError(said) from None


def from_environment(environment: Mapping[str, str]) -> Settings:
    """The settings that the environment asks for; raises `ValueError` naming what cannot be read."""
    chosen = {}
    for name, default in ((field, getattr(Settings(), field)) for field in Settings.__struct_fields__):
        text = environment.get(f"NOTAHAT_{name.upper()}")
        if text is not None:
            chosen[name] = _read(name, text, default)
    return msgspec.convert(chosen, Settings)


def add_store_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", metavar="DIR", help="where tables are kept (~/.local/share/notahat; NOTAHAT_DATA)")
    parser.add_argument(
        "--store", metavar="URL", help="postgresql://… for many machines, or sqlite:///file (NOTAHAT_STORE)"
    )


def settled(arguments: argparse.Namespace) -> Settings:
    """What the environment says, unless the command line says otherwise; raises `ValueError` on what cannot be."""
    settings = from_environment(os.environ)
    given = {name: getattr(arguments, name, None) for name in Settings.__struct_fields__}
    for name in ("data", "store"):
        if given[name] == "":  # what a shell makes of a variable that is not set
            raise ValueError(f"--{name} names nothing: say where tables are kept, or leave it out")
    settings = structs.replace(settings, **{name: value for name, value in given.items() if value is not None})
    check(settings)
    return structs.replace(settings, host="0.0.0.0") if settings.lan else settings  # noqa: S104 - asked for with --lan


def check(settings: Settings) -> None:
    """Say plainly what cannot work; raises `ValueError` with one line."""
    if not 0 < settings.pace < math.inf:
        raise ValueError("the pace must be a number above 0: --pace 1 is as people play")
    if not 0 < settings.keep_days <= MOST_DAYS:
        said = f"tables are kept for more than 0 days, and for {MOST_DAYS} at most"
        raise ValueError(f"{said}: NOTAHAT_KEEP_DAYS=30")
    if settings.guests_per_address < 1:
        raise ValueError("from each address at least one guest may come: NOTAHAT_GUESTS_PER_ADDRESS=120")
    _check_places(settings)


def _check_places(settings: Settings) -> None:
    if not settings.host:
        raise ValueError("which address? --host 127.0.0.1 is for this machine alone, --lan for all")
    if not 0 <= settings.port <= HIGHEST_PORT:
        raise ValueError(f"there is no port {settings.port}: choose one up to {HIGHEST_PORT}, or any with --port 0")
    if settings.metrics and not _is_place(settings.metrics):
        raise ValueError(
            f"figures need an address and a port, such as --metrics 127.0.0.1:9464, not {settings.metrics!r}"
        )
    if settings.public_url:
        _check_address(settings.public_url)
    if not settings.store_url.startswith(SQLITE + POSTGRES):
        raise ValueError(f"a store's address starts with sqlite:// or postgresql://, not {settings.store!r}")
    if settings.store in ("sqlite://", "sqlite:///"):
        raise ValueError("which file? sqlite:///notahat.db is one in this folder, sqlite:////srv/notahat.db another")


def _is_place(text: str) -> bool:
    port = text.rpartition(":")[2]
    return port.isascii() and port.isdigit() and int(port) <= HIGHEST_PORT


def _check_address(url: str) -> None:
    scheme, _, rest = url.rpartition("://")
    if scheme.lower() not in ("http", "https"):
        raise ValueError(f"people need http:// or https:// in front of {url!r}: --public-url https://{rest}")
    if not _leads_somewhere(url):
        raise ValueError(f"{url!r} leads nowhere: name a machine, as in --public-url https://hats.example")


def _leads_somewhere(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that do not close, or a port that cannot be
        return False


def _read(name: str, text: str, default: object) -> str | int | float | bool:
    try:
        match default:
            case bool():
                return _switch(text)
            case int() | None:
                return int(text)
            case float():
                return float(text)
            case _:
                return text
    except ValueError:
        raise ValueError(f"NOTAHAT_{name.upper()} cannot be {text!r}") from None


def _switch(text: str) -> bool:
    match text.strip().lower():
        case "1" | "yes" | "true" | "on":
            return True
        case "" | "0" | "no" | "false" | "off":
            return False
        case _:
            raise ValueError(text)
