"""The files of the built web app, with previews of links; without them, a plain page that says how to build them."""

import gzip
import re
from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from mimetypes import guess_type
from pathlib import Path

import msgspec
from starlette.responses import Response

from notahat.rules import Illegal
from notahat.wire.messages import ServerReason, Summary

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


def built_file(path: str) -> bytes | None:
    """Return a file of the built web app, for the server itself."""
    return _files().get(path)


def page(
    path: str,
    gzipped: bool = False,
    headers: Mapping[str, str] = HEADERS,
    base: str = "/",
    change: Callable[[bytes], bytes] = lambda index: index,
    differs: bool = False,
) -> Response | None:
    """Return a file of the app at the path `base` of its host, or its index page after `change`; else None."""
    files = _pocket() if path.startswith("pocket/") else _files()
    if path == POCKET_MANIFEST and path not in files:
        raise Illegal(ServerReason.NOT_PACKED, "the pocket edition is not built: run `make pocket`")
    if path in files:
        data = files[path]
        if path.endswith(".webmanifest"):
            data = data.replace(APP_ID, APP_ID.replace(b"/", base.encode()))
        return _file(path, data, gzipped, headers)
    depth = path.count("/")
    if "." in path.rpartition("/")[2] or path.startswith(HASHED) or depth > MAX_DEPTH:
        return None
    index = change(files.get("index.html", _NOT_BUILT))
    if depth:  # relative URLs work below any path that a proxy strips
        index = index.replace(OWN_URL, b'="' + b"../" * depth)
    return _file("index.html", index, gzipped and not differs, headers)  # what is compressed is kept


def _file(path: str, data: bytes, gzipped: bool, common: Mapping[str, str]) -> Response:
    immutable = path.startswith(HASHED) and path not in NOT_HASHED
    headers = {**common, "cache-control": IMMUTABLE if immutable else REVALIDATE}
    if path.endswith(COMPRESSIBLE):
        headers["vary"] = "accept-encoding"
        if gzipped:
            headers["content-encoding"] = "gzip"
            data = _gzip(data)
    media_type = MEDIA_TYPES.get(path[path.rfind(".") :]) or guess_type(path)[0] or "application/octet-stream"
    return Response(data, headers=headers, media_type=media_type)


@cache
def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


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


_TAG = re.compile(rb'(<meta property="og:(title|description|image)" content=")[^"]*')


def preview(index: bytes, language: str, home: str, table: Summary | None = None) -> bytes:
    """Return the page with the tags of a preview. `home` is the address of the app."""
    # the build writes the texts from the app's words
    texts = msgspec.json.decode(built_file("previews.json") or b"{}", type=dict[str, dict[str, str]])
    wanted = (part.strip()[:2].lower() for part in language.split(","))
    own = next((texts[lang] for lang in (*wanted, "en") if lang in texts), {})
    inviter = None if table is None else inviter_of(table)
    title = "Not a Hat" if inviter is None else own.get("invitation", "").replace("{name}", inviter)
    tags = {b"title": title, b"description": own.get("description", ""), b"image": f"{home}/preview.jpg"}
    return _TAG.sub(lambda tag: tag[1] + escape(tags[tag[2]]).encode(), index)


def inviter_of(table: Summary) -> str | None:
    """Return the name of the first person at a table that strangers may enter and watch; else None."""
    if table.stage != "lobby" or table.locked or not table.options.spectators:
        return None
    return next((seat.name for seat in table.seats if seat.kind != "bot"), None)
