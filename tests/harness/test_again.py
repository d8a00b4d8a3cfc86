"""Tests again and again: the words that `make test-again` uses are understood."""

import pytest

from repeat_tests import FOLDERS, read


@pytest.mark.parametrize("busy", [True, False])
def test_busy_or_not_before_the_tests(busy: bool) -> None:
    asked = read(["10", "--workers", "8", *(["--busy"] if busy else []), "tests/web", "tests/store"])
    assert (asked.times, asked.busy, list(asked.tests)) == (10, busy, ["tests/web", "tests/store"])
    assert asked.workers == "8"


def test_without_tests_named_it_is_those_that_could_depend_on_luck() -> None:
    assert tuple(read(["3"]).tests) == FOLDERS
