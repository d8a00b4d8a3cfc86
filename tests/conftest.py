"""Settings and fixtures for all tests."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import support.settings  # noqa: F401 - for its effect

if TYPE_CHECKING:
    from support.postgres import Postgres

TESTS = Path(__file__).parent
LONGEST = ("test_peers.py", "test_by_hand.py", "test_offline.py", "test_learn.py")
BROWSER_TESTS = TESTS / "web"
sys.path.insert(0, str(TESTS.parent / "tools"))


def pytest_configure(config: pytest.Config) -> None:
    """Without a browser, exit once instead of failing every test that needs one."""
    from browser import MISSING, find

    paths = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    around = (BROWSER_TESTS, *BROWSER_TESTS.parents)
    ignored = BROWSER_TESTS in map(Path.absolute, map(Path, config.getoption("ignore") or ()))
    needed = not ignored and any(path in around or BROWSER_TESTS in path.parents for path in paths)
    if needed and not hasattr(config, "workerinput") and find() is None:
        pytest.exit(MISSING, returncode=2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run browser tests last: from the first one on, Playwright's event loop blocks all other event loops of a process.
    Begin with the longest of them, so that no worker is left with one at the end.
    """
    items.sort(key=lambda item: BROWSER_TESTS in item.path.parents and 1 + (item.path.name not in LONGEST))


@pytest.fixture(scope="session")
def postgres() -> Iterator["Postgres"]:
    """One PostgreSQL for all tests that do not restart it."""
    from support import postgres as database

    with database.running() as server:
        yield server


@pytest.fixture
def anyio_backend() -> str:
    """Run coroutine tests with asyncio."""
    return "asyncio"
