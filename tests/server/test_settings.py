import argparse
from pathlib import Path

import pytest

from notahat.server.main import add_command, lan_address, with_actual_port
from notahat.server.settings import Settings, load_settings


def parse(*argv: str) -> Settings:
    parser = argparse.ArgumentParser()
    add_command(parser.add_subparsers())
    return load_settings(parser.parse_args(["serve", *argv]))


def test_command_line_wins_over_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTAHAT_PORT", "9000")
    monkeypatch.setenv("NOTAHAT_PACE", "4")
    monkeypatch.setenv("NOTAHAT_BROWSER", "no")
    settings = parse("--port", "9001", "--data", "somewhere")
    assert (settings.port, settings.pace, settings.browser) == (9001, 4.0, False)
    assert settings.store_url == f"sqlite:///{Path('somewhere') / 'notahat.db'}"
    assert parse("--store", "postgresql://db/hats").store_url == "postgresql://db/hats"


def test_lan_listens_on_network_and_sets_public_url() -> None:
    settings = with_actual_port(parse("--lan", "--port", "8080"), 8080)
    assert settings.host == "0.0.0.0"  # noqa: S104
    assert settings.public_url == f"http://{lan_address()}:8080"
    chosen = parse("--lan", "--public-url", "https://hats.example")
    assert with_actual_port(chosen, 1).public_url == "https://hats.example"
    assert with_actual_port(parse(), 4711).public_url == ""
