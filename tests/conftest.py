"""Settings for all tests. Property tests use fixed examples; HYPOTHESIS_PROFILE=wander tries new ones."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

if TYPE_CHECKING:
    from support.postgres import Postgres

# no deadline: a busy machine may be slow
settings.register_profile("wander", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("known", settings.get_profile("wander"), derandomize=True)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "known")
settings.load_profile(PROFILE)
if PROFILE == "known":  # else examples would depend on the constants of the modules imported so far
    providers._get_local_constants = lambda: providers._local_constants

# some shells start background jobs with SIGINT ignored, and child processes inherit that
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

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
