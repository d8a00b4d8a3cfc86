"""The examples on the laboratory's page run as they stand, and are as short as promised."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "lab.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def test_there_is_a_random_and_a_learning_example() -> None:
    random_, learning = EXAMPLES
    assert len(random_.splitlines()) <= 30
    assert sum(bool(line.strip()) for line in learning.splitlines()) <= 60


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_example_runs(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(EXAMPLES[number], f"example {number}", "exec"), {"__name__": "example"})  # noqa: S102
    assert capsys.readouterr().out
