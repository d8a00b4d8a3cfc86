"""Write a folder for a static web host: the page and the pocket edition. docs/site.md tells how to publish it.

`python tools/site.py [--base /games/hat/] [--out build/site] [--pace 1] [--rendezvous https://…]
[--ice stun:…]`
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

from notahat.server.http.pages import APP_ID, POLICY

PAGES = ("rules", "learn", "privacy", "credits", "print", "decks")  # each gets a folder with an index.html
CHARSET = '<meta charset="utf-8" />'
CONNECT = "connect-src 'self'"
HEADER_ONLY = "frame-ancestors"  # ignored in a meta element


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--base", default="/", help="path of the folder on its host")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--pace", type=float, default=1.0, help="speed of computer players and timers")
    parser.add_argument("--rendezvous", default="", help="URL of a server through which browsers find each other")
    ice = "STUN and TURN servers, separated by spaces, such as stun:stun.example turn:turn.example,user,password"
    parser.add_argument("--ice", default="", help=ice)
    settings = parser.parse_args()
    base = f"/{settings.base.strip('/')}/".replace("//", "/")
    build_page.main()
    build_pocket.main()
    tags = _policy(settings.rendezvous) + _pace(settings.pace)
    tags += _meta("rendezvous", settings.rendezvous) + _meta("ice", settings.ice)
    write(base, settings.out.absolute(), tags)
    build_page.log(f"the site for {base} is in {settings.out}")
    return 0


def write(base: str, out: Path, tags: str) -> None:
    build_page.log("building the page for a static host")
    options = ("--mode", "site", "--base", base, "--outDir", str(out), "--emptyOutDir", "--logLevel", "error")
    build_page.run_tool("npm.py", "--silent", "run", "build", "--", *options)
    shutil.copytree(build_pocket.BUILT, out / "pocket", ignore=shutil.ignore_patterns(build_pocket.POCKET.stamp.name))
    index = out / "index.html"
    text = index.read_text("utf-8").replace(CHARSET, CHARSET + tags, 1)
    index.write_text(text, "utf-8")
    (out / "404.html").write_text(text, "utf-8")  # many hosts serve it for unknown paths such as /t/…
    for manifest in out.glob("*.webmanifest"):
        manifest.write_bytes(manifest.read_bytes().replace(APP_ID, APP_ID.replace(b"/", base.encode())))
    for page in PAGES:
        (out / page).mkdir()
        (out / page / "index.html").write_text(text, "utf-8")


def _policy(rendezvous: str) -> str:
    """Return the server's content security policy as a meta element, for hosts without custom headers."""
    rules = "; ".join(rule for rule in POLICY.split("; ") if not rule.startswith(HEADER_ONLY))
    origin = "/".join(rendezvous.split("/")[:3])
    rules = rules.replace(CONNECT, f"{CONNECT} {origin}".strip())
    return f'<meta http-equiv="Content-Security-Policy" content="{_attribute(rules)}">'


def _pace(pace: float) -> str:
    return "" if pace == 1 else f'<meta name="pace" content="{pace:g}">'


def _meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{_attribute(content)}">' if content else ""


def _attribute(text: str) -> str:
    return escape(text, quote=False).replace('"', "&quot;")


if __name__ == "__main__":
    sys.exit(main())
