"""Settings of a static site (tools/site.py)."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("relays", ["https://relay.example", "relay.example", "wss://", "wss://relay.example;x y"])
def test_bad_address_of_a_relay_is_refused(relays: str) -> None:
    command = [sys.executable, str(ROOT / "tools/site.py"), "--relays", f"wss://good.example {relays}"]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert f"{relays.split()[0]!r} is not the address of a relay, such as wss://relay.example" in refused.stderr
