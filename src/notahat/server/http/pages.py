"""The web app's files, built into this package; without them, a plain page that says how to build them."""

import gzip
from functools import cache
from importlib import resources
from mimetypes import guess_type

from starlette.responses import Response

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",  # the pocket is Python in WebAssembly; no text becomes script
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
HASHED = ("assets/", "pocket/")  # the builds put hashes into these names, so they never change ...
PARCEL = "pocket/parcel.json"
NOT_HASHED = (PARCEL, "pocket/notices.txt")  # ... but for those
NO_POCKET = b'<meta name="pocket" content="none" />'  # so that no page asks for what is not there
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
PACKABLE = (".html", ".js", ".css", ".json", ".svg", ".webmanifest")  # pictures and fonts are packed already
KINDS = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}

_NOT_BUILT = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Not a Hat</title>
<h1>Not a Hat</h1><p>The server runs, but the web app is not built. Run <code>make web</code> and reload.</p></html>
"""


def page(path: str, packed: bool = False) -> Response | None:
    """A file of the web app, or its one page for all addresses that the app itself understands."""
    files = _pocket() if path.startswith("pocket/") else _files()
    if path in files:
        return _file(path, files[path], packed)
    if "." in path.rpartition("/")[2] or path.startswith(HASHED):
        return None
    return _file("index.html", files.get("index.html", _NOT_BUILT), packed)


def _file(path: str, data: bytes, packed: bool) -> Response:
    headers = {**HEADERS, "cache-control": FOR_EVER if _never_changes(path) else ASK_AGAIN}
    if path.endswith(PACKABLE):
        headers["vary"] = "accept-encoding"
        if packed:
            headers["content-encoding"] = "gzip"
            data = _packed(data)
    return Response(data, headers=headers, media_type=_kind(path))


def _never_changes(path: str) -> bool:
    return path.startswith(HASHED) and path not in NOT_HASHED


@cache
def _packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def _kind(path: str) -> str:
    ending = path[path.rfind(".") :]
    return KINDS.get(ending) or guess_type(path)[0] or "application/octet-stream"


@cache
def _files() -> dict[str, bytes]:
    """All files there are, read once: nobody can ask for any other."""
    files = _all("static", "")
    if "index.html" in files and not (resources.files("notahat.server") / PARCEL).is_file():
        files["index.html"] = files["index.html"].replace(b"<head>", b"<head>" + NO_POCKET, 1)
    return files


@cache
def _pocket() -> dict[str, bytes]:
    """What browsers may take along, where it was packed (docs/site.md); five megabytes that most servers never read."""
    return _all("pocket", "pocket/")


def _all(name: str, prefix: str) -> dict[str, bytes]:
    root = resources.files("notahat.server") / name
    return dict(_walk(root, prefix)) if root.is_dir() else {}


def _walk(folder: resources.abc.Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found = []
    for item in folder.iterdir():
        if item.is_dir():
            found += _walk(item, f"{prefix}{item.name}/")
        else:
            found.append((f"{prefix}{item.name}", item.read_bytes()))
    return found
