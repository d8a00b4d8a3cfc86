"""Validate the files in deploy/, and those that `notahat deploy` prints, with the programs that read them.

`python tools/deploy.py test` uses the installed programs and reports the missing ones; `get test` first installs them
on a Debian as root.
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

import debian
from notahat.server.ops.deploy_command import FILES, configuration

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
PACKAGES = {
    "nginx": "nginx-light",
    "haproxy": "haproxy",
    "caddy": "caddy",
    "promtool": "prometheus",
    "systemd-analyze": "systemd",
}
MOST_EXPOSED = 20  # of 100; systemd calls up to 45 OK

Check = tuple[str, list[str]]  # a file name and the command that validates it


def texts(program: str, pattern: str) -> dict[str, str]:
    """Return the files of a program by their names: those in deploy/, and the one that `notahat deploy` prints."""
    kept = {file.name: file.read_text() for file in sorted((DEPLOY / program).glob(pattern))}
    return kept | ({FILES[program]: configuration(program, "https://hats.example")} if program in FILES else {})


def nginx(folder: Path) -> Iterator[Check]:
    """Put each site inside http, with a certificate. `nginx -t` opens what it listens on, so use sockets, not ports."""
    certificate(folder)
    sockets = count(1)
    for name, text in texts("nginx", "*.conf").items():
        copy = folder / name
        local = text.replace("/etc/letsencrypt/live/hats.example", str(folder))
        copy.write_text(re.sub(r"listen (\[::\]:)?\d+", lambda _: f"listen unix:{folder}/{next(sockets)}", local))
        main = folder / f"main-{name}"
        main.write_text(f"pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; include {copy}; }}\n")
        yield name, ["nginx", "-t", "-q", "-p", str(folder), "-c", str(main)]


def haproxy(folder: Path) -> Iterator[Check]:
    certificate(folder)
    both = (folder / "fullchain.pem").read_text() + (folder / "privkey.pem").read_text()
    (folder / "both.pem").write_text(both)
    for name, text in texts("haproxy", "*.cfg").items():
        copy = folder / name
        copy.write_text(text.replace("/etc/haproxy/hats.example.pem", str(folder / "both.pem")))
        yield name, ["haproxy", "-c", "-f", str(copy)]


def caddy(folder: Path) -> Iterator[Check]:
    os.environ.setdefault("HOME", str(folder))
    for name, text in texts("caddy", "*Caddyfile").items():
        (folder / name).write_text(text)
        yield name, ["caddy", "validate", "--adapter", "caddyfile", "--config", str(folder / name)]


def promtool(_: Path) -> Iterator[Check]:
    yield "alerts.yml", ["promtool", "check", "rules", str(DEPLOY / "prometheus/alerts.yml")]
    yield "prometheus.yml", ["promtool", "check", "config", str(DEPLOY / "prometheus/prometheus.yml")]


def systemd_analyze(folder: Path) -> Iterator[Check]:
    """Replace the program of each unit by the one of this environment, because it must exist."""
    program = Path(sys.executable).parent / "notahat"
    for name, text in (texts("systemd", "*.service") | texts("systemd", "*.timer")).items():
        (folder / name).write_text(text.replace("/opt/notahat/bin/notahat", str(program)))
    for unit in sorted(folder.iterdir()):
        named = str(unit).replace("@.", "@8001.")
        yield unit.name, ["systemd-analyze", "verify", "--man=no", named]
        if unit.suffix == ".service":
            limit = ["--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager"]
            yield f"{unit.name} (exposure)", ["systemd-analyze", "security", *limit, named]


def certificate(folder: Path) -> None:
    """Write a self-signed certificate for one day."""
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=hats.example"]
    places = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run([find("openssl") or "openssl", *words, *places], check=True, capture_output=True)


CHECKS: dict[str, Callable[[Path], Iterator[Check]]] = {
    "nginx": nginx,
    "haproxy": haproxy,
    "caddy": caddy,
    "promtool": promtool,
    "systemd-analyze": systemd_analyze,
}


def find(program: str) -> str | None:
    """Look in the sbin folders, too, which may not be on the PATH."""
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin:/usr/local/sbin")


def test() -> int:
    """Return the number of invalid files."""
    invalid = 0
    for program, check in CHECKS.items():
        path = find(program)
        if path is None:
            print(
                f"Not checked with {program}: not installed. On a Debian, as root: apt-get install {PACKAGES[program]}"
            )
            continue
        with tempfile.TemporaryDirectory() as folder:
            for name, (_, *words) in check(Path(folder)):
                done = subprocess.run([path, *words], capture_output=True, text=True, check=False)
                if done.returncode != 0:
                    invalid += 1
                    print(f"{program} rejects deploy's {name}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return invalid


if __name__ == "__main__":
    if "get" in sys.argv[1:]:
        debian.install([package for program, package in PACKAGES.items() if not find(program)])
    sys.exit(1 if "test" in sys.argv[1:] and test() else 0)
