"""Settings for all tests: on CI the properties try the same examples every time."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from support.postgres import Postgres

settings.register_profile("ci", derandomize=True, print_blob=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


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
