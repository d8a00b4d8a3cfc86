"""The layout law (tests/gallery/law.py) over a fixed sample of the gallery; `make gallery-test` checks everything."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from gallery.law import Looker, sample
from gallery.server import gallery_server

PARTS = 8


@pytest.fixture(scope="module")
def looker(browser: Browser) -> Iterator[Looker]:
    with gallery_server() as url:
        looker = Looker(browser, url)
        yield looker
        looker.close()


@pytest.mark.parametrize("part", range(PARTS))
def test_states_of_the_gallery_obey_the_layout_law(looker: Looker, part: int) -> None:
    assert looker.faults(list(sample())[part::PARTS]) == []
