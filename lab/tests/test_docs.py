"""The examples in the laboratory's documentation run, and its public names have a promise."""

import re
from importlib import import_module
from pathlib import Path

import pytest

LAB = Path(__file__).parents[1]


def examples(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (LAB / page).read_text("utf-8"), re.DOTALL)


PAGES = ("README.md", "docs/tournaments.md", "docs/environments.md", "docs/text.md")
EXAMPLES = [example for page in PAGES for example in examples(page)]


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

    (tmp_path / "echo.py").write_text(examples("docs/tournaments.md")[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["lab", "arena", "--seats", "echo:Echo,casual,goldfish", "--games", "3", "--jobs", "1"]) == 0
    assert "echo:Echo" in capsys.readouterr().out


def test_notebook_runs_and_writes_its_plot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GAMES", "8")
    monkeypatch.setenv("PLOTS", str(tmp_path))
    scope = {"__name__": "example"}
    for number, block in enumerate(examples("docs/forgetting.md")):
        exec(compile(block, f"block {number}", "exec"), scope)  # noqa: S102
    assert "a single trace" in capsys.readouterr().out
    assert (tmp_path / "forgetting-fit.svg").stat().st_size > 1000


def test_every_public_name_has_a_promise() -> None:
    page = (LAB / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| `([\w.]+)` \|(.*?)\| (?:stable|provisional) \|$", page, re.MULTILINE)
    assert len(rows) == 6
    for module, names in rows:
        assert sorted(re.findall(r"`(\w+)`", names)) == sorted(import_module(module).__all__)


def test_former_name_is_the_same_package_with_a_warning() -> None:
    with pytest.warns(DeprecationWarning, match="notahat_lab"):
        former = import_module("notahat.lab")
    assert former.arena is import_module("notahat_lab").arena
    assert import_module("notahat.lab.text.play") is import_module("notahat_lab.text.play")
