"""The command line of tools/repeat_tests.py."""

import pytest

from repeat_tests import FOLDERS, parse


@pytest.mark.parametrize("busy", [True, False])
def test_options_may_stand_before_the_tests(busy: bool) -> None:
    arguments = parse(["10", "--workers", "8", *(["--busy"] if busy else []), "tests/web", "tests/store"])
    assert (arguments.times, arguments.busy, list(arguments.tests)) == (10, busy, ["tests/web", "tests/store"])
    assert arguments.workers == "8"


def test_default_folders_are_used_without_tests() -> None:
    assert tuple(parse(["3"]).tests) == FOLDERS
