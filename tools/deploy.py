"""Asks the programs that the files in deploy/ are for whether they like them.

`python tools/deploy.py test` asks those that are here and says in one line each which are not; `get test` first
installs them where that is possible (Debian, as root).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
PACKAGES = {
    "nginx": "nginx-light",
    "haproxy": "haproxy",
    "caddy": "caddy",
    "promtool": "prometheus",
    "systemd-analyze": "systemd",
}
MOST_EXPOSED = 20  # tenths, of 100: what systemd itself calls OK ends at 45

Asked = tuple[str, list[str]]


def nginx(folder: Path) -> Iterator[Asked]:
    """A site belongs inside http, and its certificate must be there. Asking opens what it listens on: not the ports,
    which may be taken and are not everybody's to open.
    """
    certificate(folder)
    sockets = count(1)
    for site in sorted((DEPLOY / "nginx").glob("*.conf")):
        here = folder / site.name
        local = site.read_text().replace("/etc/letsencrypt/live/hats.example", str(folder))
        here.write_text(re.sub(r"listen (\[::\]:)?\d+", lambda _: f"listen unix:{folder}/{next(sockets)}", local))
        whole = folder / f"whole-{site.name}"
        whole.write_text(
            f"pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; include {here}; }}\n"
        )
        yield site.name, ["nginx", "-t", "-q", "-p", str(folder), "-c", str(whole)]


def haproxy(folder: Path) -> Iterator[Asked]:
    certificate(folder)
    both = (folder / "fullchain.pem").read_text() + (folder / "privkey.pem").read_text()
    (folder / "both.pem").write_text(both)
    for config in sorted((DEPLOY / "haproxy").glob("*.cfg")):
        here = folder / config.name
        here.write_text(config.read_text().replace("/etc/haproxy/hats.example.pem", str(folder / "both.pem")))
        yield config.name, ["haproxy", "-c", "-f", str(here)]


def caddy(folder: Path) -> Iterator[Asked]:
    os.environ.setdefault("HOME", str(folder))
    for site in sorted((DEPLOY / "caddy").glob("*Caddyfile")):
        yield site.name, ["caddy", "validate", "--adapter", "caddyfile", "--config", str(site)]


def promtool(_: Path) -> Iterator[Asked]:
    yield "alerts.yml", ["promtool", "check", "rules", str(DEPLOY / "prometheus/alerts.yml")]
    yield "prometheus.yml", ["promtool", "check", "config", str(DEPLOY / "prometheus/prometheus.yml")]


def systemd_analyze(folder: Path) -> Iterator[Asked]:
    """A unit is only good if its program is there: here it is this folder's."""
    for unit in sorted((DEPLOY / "systemd").glob("*.service")) + sorted((DEPLOY / "systemd").glob("*.timer")):
        program = Path(sys.executable).parent / "notahat"
        (folder / unit.name).write_text(unit.read_text().replace("/opt/notahat/bin/notahat", str(program)))
    for unit in sorted(folder.iterdir()):
        named = str(unit).replace("@.", "@8001.")
        yield unit.name, ["systemd-analyze", "verify", "--man=no", named]
        if unit.suffix == ".service":
            limit = ["--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager"]
            yield f"{unit.name} (exposure)", ["systemd-analyze", "security", *limit, named]


def certificate(folder: Path) -> None:
    """One of our own, good for a day."""
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=hats.example"]
    places = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run([found("openssl") or "openssl", *words, *places], check=True, capture_output=True)


CHECKS: dict[str, Callable[[Path], Iterator[Asked]]] = {
    "nginx": nginx,
    "haproxy": haproxy,
    "caddy": caddy,
    "promtool": promtool,
    "systemd-analyze": systemd_analyze,
}


def found(program: str) -> str | None:
    """Where it is; administrators' programs are not on everybody's path."""
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin:/usr/local/sbin")


def get() -> None:
    missing = [package for program, package in PACKAGES.items() if not found(program)]
    if not missing or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    print("Installing", *missing, flush=True)
    apt = ["apt-get", "-o", "DPkg::Lock::Timeout=600", "--quiet", "--yes"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in ([*apt, "update"], [*apt, "install", "--no-install-recommends", *missing]):
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def test() -> int:
    """How many files some program does not like."""
    bad = 0
    for program, check in CHECKS.items():
        if not found(program):
            print(
                f"Not checked with {program}: it is not here. On a Debian, as root: apt-get install {PACKAGES[program]}"
            )
            continue
        with tempfile.TemporaryDirectory() as folder:
            for name, (_, *words) in check(Path(folder)):
                asked = subprocess.run([str(found(program)), *words], capture_output=True, text=True, check=False)
                if asked.returncode != 0:
                    bad += 1
                    print(f"{program} does not like deploy's {name}:\n{asked.stdout[-2000:]}{asked.stderr[-2000:]}")
    return bad


if __name__ == "__main__":
    if "get" in sys.argv[1:]:
        get()
    sys.exit(1 if "test" in sys.argv[1:] and test() else 0)
