"""Write a folder for a static web host: the page and the pocket edition. docs/site.md tells how to publish it.

`python tools/site.py [--base /games/hat/] [--out build/site] [--url https://…] [--pace 1]
[--rendezvous https://…] [--ice stun:…]`
"""

import argparse
import shutil
import sys
from html import escape
from pathlib import Path

import build_page
import build_pocket
from build_stamp import ROOT

sys.path.insert(0, str(ROOT / "src"))

from notahat.gifts import LANGUAGES
from notahat.server.http.pages import APP_ID, OWN_URL, POLICY, preview

PAGES = ("rules", "learn", "privacy", "credits", "print", "decks")  # each gets a folder with an index.html
CHARSET = '<meta charset="utf-8" />'
CONNECT = "connect-src 'self'"
HEADER_ONLY = "frame-ancestors"  # ignored in a meta element


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--base", default="/", help="path of the folder on its host")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--url", default="", help="whole address of the site, for previews of its links")
    parser.add_argument("--pace", type=float, default=1.0, help="speed of computer players and timers")
    parser.add_argument("--rendezvous", default="", help="URL of a server through which browsers find each other")
    ice = "STUN and TURN servers, separated by spaces, such as stun:stun.example turn:turn.example,user,password"
    parser.add_argument("--ice", default="", help=ice)
    settings = parser.parse_args()
    base = f"/{settings.base.strip('/')}/".replace("//", "/")
    build_page.main()
    build_pocket.main()
    pace = "" if settings.pace == 1 else f"{settings.pace:g}"
    metas = {"site": "yes", "pace": pace, "rendezvous": settings.rendezvous, "ice": settings.ice}
    tags = _policy(settings.rendezvous) + "".join(_meta(name, content) for name, content in metas.items())
    write(base, settings.out.absolute(), tags, settings.url)
    build_page.log(f"the site for {base} is in {settings.out}")
    return 0


def write(base: str, out: Path, tags: str, url: str = "") -> None:
    shutil.rmtree(out, ignore_errors=True)
    for built, folder in (build_page.PAGE, out), (build_pocket.POCKET, out / "pocket"):
        shutil.copytree(built.folder, folder, ignore=shutil.ignore_patterns(built.stamp.name))
    home = (url or base).rstrip("/")
    index = (out / "index.html").read_bytes().replace(OWN_URL, f'="{base}'.encode())  # also in folders
    text = preview(index, "en", home).decode().replace(CHARSET, CHARSET + tags, 1)
    (out / "404.html").write_text(text, "utf-8")  # many hosts serve it for unknown paths such as /t/…
    for manifest in out.glob("*.webmanifest"):
        manifest.write_bytes(manifest.read_bytes().replace(APP_ID, APP_ID.replace(b"/", base.encode())))
    for page in PAGES:
        (out / page).mkdir()
        (out / page / "index.html").write_text(text, "utf-8")
    _write_languages(out, home, text)


def _write_languages(out: Path, home: str, text: str) -> None:
    """Write the first page once per language, because a static host cannot see which one a link's preview needs."""
    folders = {lang: "" if lang == "en" else f"{lang}/" for lang in LANGUAGES}
    urls = {lang: _attribute(f"{home}/{folder}") for lang, folder in folders.items()}
    links = "".join(f'<link rel="alternate" hreflang="{lang}" href="{url}">' for lang, url in urls.items())
    for lang, folder in folders.items():
        (out / folder).mkdir(exist_ok=True)
        own = text.replace('<html lang="en"', f'<html lang="{lang}"', 1).replace(CHARSET, CHARSET + links, 1)
        (out / folder / "index.html").write_bytes(preview(own.encode(), lang, home))


def _policy(rendezvous: str) -> str:
    """Return the server's content security policy as a meta element, for hosts without custom headers."""
    rules = "; ".join(rule for rule in POLICY.split("; ") if not rule.startswith(HEADER_ONLY))
    origin = "/".join(rendezvous.split("/")[:3])
    rules = rules.replace(CONNECT, f"{CONNECT} {origin}".strip())
    return f'<meta http-equiv="Content-Security-Policy" content="{_attribute(rules)}">'


def _meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{_attribute(content)}">' if content else ""


def _attribute(text: str) -> str:
    return escape(text, quote=False).replace('"', "&quot;")


if __name__ == "__main__":
    sys.exit(main())
