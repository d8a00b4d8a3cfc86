"""The web app's files, built into this package; without them, a plain page that says how to build them."""

import gzip
import hashlib
from functools import cache
from http import HTTPStatus
from importlib import resources
from mimetypes import guess_type

from msgspec import Struct
from starlette.responses import Response

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
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
HASHED = "assets/"  # the build puts a hash into these names, so they never change
WORTH_SQUEEZING = 500
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
KINDS = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}

_NOT_BUILT = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Not a Hat</title>
<h1>Not a Hat</h1><p>The server runs, but the web app is not built. Run <code>make web</code> and reload.</p></html>
"""


def page(path: str, encodings: str = "", known: str = "") -> Response | None:
    """A file of the web app, or its one page for all addresses that the app itself understands.

    `encodings` are those the browser accepts, `known` is the tag of what it has already.
    """
    files = _files()
    if path not in files and ("." in path.rpartition("/")[2] or path.startswith(HASHED)):
        return None
    if path not in files:
        path = "index.html"
    return _answer(path, files.get(path) or File.of(path, _NOT_BUILT), "gzip" in encodings, known)


def _answer(path: str, file: "File", squeeze: bool, known: str) -> Response:
    headers = {**HEADERS, "cache-control": FOR_EVER if path.startswith(HASHED) else ASK_AGAIN, "etag": file.tag}
    if file.tag in known:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    if file.squeezed is None:
        return Response(file.data, headers=headers, media_type=_kind(path))
    headers["vary"] = "accept-encoding"
    if not squeeze:
        return Response(file.data, headers=headers, media_type=_kind(path))
    return Response(file.squeezed, headers={**headers, "content-encoding": "gzip"}, media_type=_kind(path))


class File(Struct, frozen=True):
    """A file as it is, and squeezed once for all where that helps."""

    data: bytes
    squeezed: bytes | None
    tag: str

    @classmethod
    def of(cls, path: str, data: bytes) -> "File":
        text = _kind(path).startswith(("text/", "application/j", "application/manifest", "image/svg"))
        squeezed = gzip.compress(data, mtime=0) if text and len(data) > WORTH_SQUEEZING else None
        return cls(data, squeezed, f'"{hashlib.sha256(data).hexdigest()[:20]}"')


def _kind(path: str) -> str:
    ending = path[path.rfind(".") :]
    return KINDS.get(ending) or guess_type(path)[0] or "application/octet-stream"


@cache
def _files() -> dict[str, File]:
    """All files there are, read once: nobody can ask for any other."""
    root = resources.files("notahat.server") / "static"
    return {path: File.of(path, data) for path, data in _walk(root, "")} if root.is_dir() else {}


def _walk(folder: resources.abc.Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found = []
    for item in folder.iterdir():
        if item.is_dir():
            found += _walk(item, f"{prefix}{item.name}/")
        else:
            found.append((f"{prefix}{item.name}", item.read_bytes()))
    return found
