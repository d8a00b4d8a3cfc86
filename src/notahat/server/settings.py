"""How a server is set up: by options on the command line, by the environment, or as most people want it."""

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

A_DAY = 24 * 3600


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
    luck: int | None = None  # for tests and demonstrations only: whoever knows this number knows every card

    @property
    def store_url(self) -> str:
        return self.store or f"sqlite:///{self.folder / 'notahat.db'}"

    @property
    def folder(self) -> Path:
        """Where the data lies, unless somebody names another place."""
        if self.data:
            return Path(self.data)
        home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
        return Path(home) / "notahat"


def from_environment(environment: Mapping[str, str]) -> Settings:
    """The settings that the environment asks for; raises `ValueError` naming what cannot be read."""
    chosen = {}
    for name, default in ((field, getattr(Settings(), field)) for field in Settings.__struct_fields__):
        text = environment.get(f"NOTAHAT_{name.upper()}")
        if text is not None:
            chosen[name] = _read(name, text, default)
    return msgspec.convert(chosen, Settings)


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
