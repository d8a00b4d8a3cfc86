"""The examples on the laboratory's pages run as they stand, and are as short as promised."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def examples(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)


EXAMPLES = examples("lab.md")


def test_there_is_an_own_player_a_random_and_a_learning_example() -> None:
    own, random_, learning = EXAMPLES
    assert all(
        promised in own for promised in ("def see(self, view, events, now)", "def answer(self, view, legal, now)")
    )
    assert len(random_.splitlines()) <= 30
    assert sum(bool(line.strip()) for line in learning.splitlines()) <= 62


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_example_runs(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(EXAMPLES[number], f"example {number}", "exec"), {"__name__": "example"})  # noqa: S102
    assert capsys.readouterr().out


def test_the_example_of_an_own_player_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from notahat.cli import main

    (tmp_path / "echo.py").write_text(EXAMPLES[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["lab", "arena", "--seats", "echo:Echo,casual,goldfish", "--games", "3", "--jobs", "1"]) == 0
    assert "echo:Echo" in capsys.readouterr().out


def test_the_notebook_runs_from_its_first_block_to_its_plot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GAMES", "25")
    monkeypatch.setenv("PLOTS", str(tmp_path))
    scope = {"__name__": "example"}
    for number, block in enumerate(examples("forgetting.md")):
        exec(compile(block, f"block {number}", "exec"), scope)  # noqa: S102
    assert "a single trace" in capsys.readouterr().out
    assert (tmp_path / "forgetting-fit.svg").stat().st_size > 1000
