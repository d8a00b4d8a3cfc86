"""Properties try the same examples every time, alone or among all others."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def tried() -> list[str]:
    found = []

    @settings(max_examples=300, derandomize=True)
    @given(st.text())
    def trying(text: str) -> None:
        found.append(text)

    trying()
    return found


@pytest.mark.skipif(settings.default is not settings.get_profile("known"), reason="it was told to look for new ones")
def test_what_is_tried_does_not_depend_on_what_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tried()
    words = [f"a word of ours {number}" for number in range(200)]
    (tmp_path / "words_of_ours.py").write_text(f"WORDS = {words!r}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    __import__("words_of_ours")
    try:
        assert tried() == before
    finally:
        del sys.modules["words_of_ours"]
