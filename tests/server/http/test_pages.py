import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from notahat.rules import Illegal
from notahat.server.http import pages
from notahat.server.http.exchange import STATUS
from notahat.server.http.pages import headers_for, page


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace the built web app by a small one."""
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text('<!doctype html><head><link href="./icon.svg">' + "x" * 1000)
    (static / "assets" / "app-1a2b.js").write_text("y" * 1000)
    (static / "assets" / "hand-3c4d.woff2").write_bytes(b"z" * 1000)
    (static / "manifest.webmanifest").write_text("{}")
    (tmp_path / "pocket").mkdir()
    (tmp_path / "pocket" / "parcel.json").write_text("{}")
    (tmp_path / "pocket" / "game-5e6f.pack").write_bytes(b"p" * 1000)
    monkeypatch.setattr(pages, "BUILT", tmp_path)
    for cached in (pages._files, pages._pocket):
        cached.cache_clear()
    yield
    for cached in (pages._files, pages._pocket):
        cached.cache_clear()


@pytest.mark.usefixtures("built")
def test_hashed_files_are_immutable_and_others_revalidated() -> None:
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
def test_text_is_gzipped_on_request_and_fonts_are_not() -> None:
    plain, compressed = page("assets/app-1a2b.js"), page("assets/app-1a2b.js", gzipped=True)
    assert plain is not None
    assert compressed is not None
    assert "content-encoding" not in plain.headers
    assert compressed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(bytes(compressed.body)) == plain.body
    font = page("assets/hand-3c4d.woff2", gzipped=True)
    assert font is not None
    assert "content-encoding" not in font.headers


@pytest.mark.usefixtures("built")
def test_pocket_files_are_served_unchanged() -> None:
    manifest, archive = page("pocket/parcel.json"), page("pocket/game-5e6f.pack", gzipped=True)
    assert manifest is not None
    assert archive is not None
    assert manifest.headers["cache-control"] == "no-cache"
    assert "immutable" in archive.headers["cache-control"]
    assert "content-encoding" not in archive.headers
    assert page("pocket/nothing.pack") is None
    assert page("pocket/game-5e6f/pyodide.mjs") is None  # exists only in the browser that installed it


@pytest.mark.usefixtures("built")
def test_missing_pocket_edition_is_refused_and_marked_in_page(tmp_path: Path) -> None:
    (tmp_path / "pocket" / "parcel.json").unlink()
    index = page("")
    assert index is not None
    assert b'name="pocket" content="none"' in index.body
    with pytest.raises(Illegal) as refusal:
        page("pocket/parcel.json")
    assert (STATUS[refusal.value.reason], refusal.value.reason) == (404, "not_packed")


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    ("path", "icon"),
    [("", "./icon.svg"), ("rules", "./icon.svg"), ("t/K7QX", "../icon.svg"), ("t/K7QX/rounds/1", "../../../icon.svg")],
)
def test_page_finds_its_files_below_any_path(path: str, icon: str) -> None:
    """The URLs are relative, so a proxy may strip any path."""
    found = page(path)
    assert found is not None
    assert f'href="{icon}"'.encode() in bytes(found.body)


def test_frames_are_allowed_for_listed_origins_only() -> None:
    assert "frame-ancestors 'none'" in headers_for("")["content-security-policy"]
    policy = headers_for("self https://dashboard.example")["content-security-policy"]
    assert "frame-ancestors 'self' https://dashboard.example" in policy
