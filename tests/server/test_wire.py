from pathlib import Path

from notahat.wire.typescript import typescript

ROOT = Path(__file__).parents[2]


def test_the_typescript_types_are_current() -> None:
    assert (ROOT / "web/src/wire.ts").read_text() == typescript()
