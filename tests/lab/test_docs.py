"""The examples in the laboratory's documentation run."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def examples(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)


EXAMPLES = [*examples("lab.md"), *examples("text.md")]


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example_runs(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GAMES", "2")
    monkeypatch.setenv("PLOTS", str(tmp_path))
    exec(compile(EXAMPLES[number], f"example {number}", "exec"), {"__name__": "example"})  # noqa: S102
    assert capsys.readouterr().out


def test_example_of_an_own_player_plays_in_the_arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from notahat.cli import main

    (tmp_path / "echo.py").write_text(EXAMPLES[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["lab", "arena", "--seats", "echo:Echo,casual,goldfish", "--games", "3", "--jobs", "1"]) == 0
    assert "echo:Echo" in capsys.readouterr().out


def test_notebook_runs_and_writes_its_plot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GAMES", "25")
    monkeypatch.setenv("PLOTS", str(tmp_path))
    scope = {"__name__": "example"}
    for number, block in enumerate(examples("forgetting.md")):
        exec(compile(block, f"block {number}", "exec"), scope)  # noqa: S102
    assert "a single trace" in capsys.readouterr().out
    assert (tmp_path / "forgetting-fit.svg").stat().st_size > 1000
