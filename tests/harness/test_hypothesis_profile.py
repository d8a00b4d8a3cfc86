"""Property tests use the same examples every time, alone or in a whole run."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def examples() -> list[str]:
    tried = []

    @settings(max_examples=300, derandomize=True)
    @given(st.text())
    def record(text: str) -> None:
        tried.append(text)

    record()
    return tried


@pytest.mark.skipif(settings.default is not settings.get_profile("known"), reason="another profile tries new examples")
def test_examples_do_not_depend_on_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = examples()
    words = [f"constant {number}" for number in range(200)]
    (tmp_path / "imported_constants.py").write_text(f"WORDS = {words!r}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    __import__("imported_constants")
    try:
        assert examples() == before
    finally:
        del sys.modules["imported_constants"]
