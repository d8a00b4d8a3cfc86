"""Settings for all tests. Properties try the same examples every time; HYPOTHESIS_PROFILE=wander looks for new ones."""

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

# a busy machine is slow, and that breaks no law
settings.register_profile("wander", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("known", settings.get_profile("wander"), derandomize=True)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "known")
settings.load_profile(PROFILE)
if PROFILE == "known":  # else it also tries what stands in our sources, in those that happen to be imported by then
    providers._get_local_constants = lambda: providers._local_constants

# ignored in the background of some shells, and inherited by all we start
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).parent
IN_A_BROWSER = (TESTS / "web", TESTS / "harness")
sys.path.insert(0, str(TESTS.parent / "tools"))


def pytest_configure(config: pytest.Config) -> None:
    """Without a browser, say so once and stop, instead of at every test that needs one."""
    from browser import NONE, known

    asked = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    needed = any(
        one == folder or one in folder.parents or folder in one.parents for one in asked for folder in IN_A_BROWSER
    )
    if needed and not hasattr(config, "workerinput") and known() is None:
        pytest.exit(NONE, returncode=2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Playwright's loop counts as running from the first browser test to the last, and then no other can: so those
    come after everything else.
    """
    items.sort(key=lambda item: IN_A_BROWSER[0] in item.path.parents)


@pytest.fixture(scope="session")
def postgres() -> Iterator["Postgres"]:
    """One PostgreSQL for all tests that do not disturb it."""
    from support import postgres as database

    with database.running() as server:
        yield server


@pytest.fixture
def anyio_backend() -> str:
    """What runs tests that are coroutines."""
    return "asyncio"
