"""The files of the built web app; without them, a plain page that says how to build them."""

import gzip
from collections.abc import Mapping
from functools import cache
from mimetypes import guess_type
from pathlib import Path

from starlette.responses import Response

BUILT = Path(__file__).parents[1]  # `make web` and `make pocket` put their files into folders here
FRAME_ANCESTORS = "frame-ancestors"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",  # the pocket edition is Python in WebAssembly
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        FRAME_ANCESTORS + " 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(self), microphone=(), geolocation=()",
}
HASHED = ("assets/", "pocket/")  # file names with a hash of their content, so they never change ...
POCKET_MANIFEST = "pocket/parcel.json"
NOT_HASHED = (POCKET_MANIFEST, "pocket/notices.txt")  # ... except these
NO_POCKET = b'<meta name="pocket" content="none" />'  # tells the web app that there is no pocket edition
MAX_DEPTH = 5  # folders in the path of a page
APP_ID = b'"id": "/"'  # of the installed app: unlike other URLs of a manifest it starts from the host
OWN_URL = b'="./'  # the page's URLs start from its own folder
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
COMPRESSIBLE = (".html", ".js", ".css", ".json", ".svg", ".webmanifest")  # pictures and fonts are compressed already
MEDIA_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}

_NOT_BUILT = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Not a Hat</title>
<h1>Not a Hat</h1><p>The server runs, but the web app is not built. Run <code>make web</code> and reload.</p></html>
"""


def headers_for(frame_ancestors: str) -> dict[str, str]:
    """Return the headers of all pages. `frame_ancestors` lists who may show them in a frame: origins and `self`."""
    if not frame_ancestors:
        return HEADERS
    listed = " ".join("'self'" if one == "self" else one for one in frame_ancestors.split())
    allowed = POLICY.replace(f"{FRAME_ANCESTORS} 'none'", f"{FRAME_ANCESTORS} {listed}")
    return HEADERS | {"content-security-policy": allowed}


def page(path: str, gzipped: bool = False, headers: Mapping[str, str] = HEADERS, base: str = "/") -> Response | None:
    """Return a file of the web app, or its index page for the app's own routes; None if there is no such file.

    `base` is the path of the app on its host, as far as the operator has told.
    """
    files = _pocket() if path.startswith("pocket/") else _files()
    if path in files:
        data = files[path].replace(APP_ID, APP_ID.replace(b"/", base.encode())) if _is_manifest(path) else files[path]
        return _file(path, data, gzipped, headers)
    depth = path.count("/")
    if "." in path.rpartition("/")[2] or path.startswith(HASHED) or depth > MAX_DEPTH:
        return None
    return _file("index.html", _at_depth(files.get("index.html", _NOT_BUILT), depth), gzipped, headers)


def _at_depth(index: bytes, depth: int) -> bytes:
    """Return the page for a path so many folders deep: relative URLs work below any path that a proxy strips."""
    return index.replace(OWN_URL, b'="' + b"../" * depth) if depth else index


def _file(path: str, data: bytes, gzipped: bool, common: Mapping[str, str]) -> Response:
    headers = {**common, "cache-control": IMMUTABLE if _is_immutable(path) else REVALIDATE}
    if path.endswith(COMPRESSIBLE):
        headers["vary"] = "accept-encoding"
        if gzipped:
            headers["content-encoding"] = "gzip"
            data = _gzip(data)
    return Response(data, headers=headers, media_type=_media_type(path))


def _is_manifest(path: str) -> bool:
    return path.endswith(".webmanifest")


def _is_immutable(path: str) -> bool:
    return path.startswith(HASHED) and path not in NOT_HASHED


@cache
def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def _media_type(path: str) -> str:
    suffix = path[path.rfind(".") :]
    return MEDIA_TYPES.get(suffix) or guess_type(path)[0] or "application/octet-stream"


@cache
def _files() -> dict[str, bytes]:
    """Return all files, read once: no request can reach any other file."""
    files = _read(BUILT / "static", BUILT / "static")
    if "index.html" in files and not (BUILT / POCKET_MANIFEST).is_file():
        files["index.html"] = files["index.html"].replace(b"<head>", b"<head>" + NO_POCKET, 1)
    return files


@cache
def _pocket() -> dict[str, bytes]:
    """Return the pocket edition, if it was built (docs/site.md): five megabytes, read when first requested."""
    return _read(BUILT / "pocket", BUILT)


def _read(folder: Path, root: Path) -> dict[str, bytes]:
    """Return all files of a folder by their paths below `root`."""
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
