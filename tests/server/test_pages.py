import asyncio
import gzip
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from starlette.requests import Request

from notahat.server.http import pages
from notahat.server.http.app import No, get_page
from notahat.server.http.pages import page


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A web app that is built, but not ours."""
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><head>" + "x" * 1000)
    (static / "assets" / "app-1a2b.js").write_text("y" * 1000)
    (static / "assets" / "hand-3c4d.woff2").write_bytes(b"z" * 1000)
    (static / "manifest.webmanifest").write_text("{}")
    (tmp_path / "pocket").mkdir()
    (tmp_path / "pocket" / "parcel.json").write_text("{}")
    (tmp_path / "pocket" / "game-5e6f.pack").write_bytes(b"p" * 1000)
    monkeypatch.setattr(resources, "files", lambda _: tmp_path)
    for read in (pages._files, pages._pocket):
        read.cache_clear()
    yield
    for read in (pages._files, pages._pocket):
        read.cache_clear()


@pytest.mark.usefixtures("built")
def test_hashed_files_are_kept_for_ever_and_others_asked_for_again() -> None:
    hashed, index, manifest = page("assets/app-1a2b.js"), page("t/K7QX"), page("manifest.webmanifest")
    assert hashed is not None
    assert index is not None
    assert manifest is not None
    assert "immutable" in hashed.headers["cache-control"]
    assert hashed.headers["content-type"].startswith("text/javascript")
    assert index.headers["cache-control"] == "no-cache"
    assert index.headers["content-type"].startswith("text/html")
    assert manifest.headers["content-type"] == "application/manifest+json"
    assert page("assets/app-gone.js") is None
    assert page("favicon.ico") is None
    assert page("../static/index.html") is None


@pytest.mark.usefixtures("built")
def test_texts_are_squeezed_for_who_can_read_that_and_fonts_are_not() -> None:
    plain, squeezed = page("assets/app-1a2b.js"), page("assets/app-1a2b.js", packed=True)
    assert plain is not None
    assert squeezed is not None
    assert "content-encoding" not in plain.headers
    assert squeezed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(bytes(squeezed.body)) == plain.body
    font = page("assets/hand-3c4d.woff2", packed=True)
    assert font is not None
    assert "content-encoding" not in font.headers


@pytest.mark.usefixtures("built")
def test_what_may_be_taken_along_is_served_as_it_was_packed() -> None:
    parcel, pack = page("pocket/parcel.json"), page("pocket/game-5e6f.pack", packed=True)
    assert parcel is not None
    assert pack is not None
    assert parcel.headers["cache-control"] == "no-cache"
    assert "immutable" in pack.headers["cache-control"]
    assert "content-encoding" not in pack.headers
    assert page("pocket/nothing.pack") is None
    assert page("pocket/game-5e6f/pyodide.mjs") is None  # only the browser that took it along has that


@pytest.mark.usefixtures("built")
def test_where_nothing_was_packed_there_is_nothing_to_take_along_and_the_page_knows(tmp_path: Path) -> None:
    (tmp_path / "pocket" / "parcel.json").unlink()
    index = page("")
    assert index is not None
    assert b'name="pocket" content="none"' in index.body
    asked = Request({"type": "http", "headers": [], "path_params": {"path": "pocket/parcel.json"}})
    with pytest.raises(No) as answer:
        asyncio.run(get_page(asked))
    assert (answer.value.status, answer.value.reason) == (404, "not_packed")


@pytest.mark.usefixtures("built")
def test_where_it_was_packed_the_page_asks_for_it() -> None:
    index = page("")
    assert index is not None
    assert b'name="pocket"' not in index.body
