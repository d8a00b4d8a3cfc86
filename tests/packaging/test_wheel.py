"""Builds in a used clone contain the current page, its licences and nothing stale."""

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from email.parser import BytesParser
from pathlib import Path

import pytest

import build_page
import build_stamp
from notahat import __version__
from support.source_copy import copy_sources

ROOT = Path(__file__).parents[2]
PAGE = "notahat/server/static/index.html"
POCKET = "notahat/server/pocket"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A developer's clone: the sources, an older built page, and the packages that build it."""
    ready, lock = ROOT / "web/node_modules/ready", ROOT / "web/package-lock.json"
    assert ready.exists(), "make web/node_modules/ready"
    assert ready.stat().st_mtime >= lock.stat().st_mtime, "make web/node_modules/ready"
    clone = copy_sources(tmp_path / "clone")
    (clone / "web/node_modules").symlink_to(ROOT / "web/node_modules")
    (clone / ".venv").symlink_to(ROOT / ".venv")  # where Node is, if the machine has none
    return clone


def change_page(clone: Path) -> None:
    """Change a source, and build by a copy: what Vite makes of the page has been made for the tests."""
    page, package = clone / "web/index.html", clone / "web/package.json"
    page.write_text(page.read_text("utf-8").replace("<head>", '<head><meta name="changed">'), "utf-8")
    scripts = json.loads(package.read_text("utf-8"))
    scripts["scripts"]["build"] = "sh -c 'cp index.html ../src/notahat/server/static/'"
    package.write_text(json.dumps(scripts), "utf-8")


def build(folder: Path, *what: str, path: str = os.environ["PATH"]) -> Path:
    """Build as pip does with all requirements installed; return the newest file."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder / "out"), *what]
    subprocess.run(command, cwd=folder, env={**os.environ, "PATH": path}, check=True, stdout=subprocess.DEVNULL)
    return max((folder / "out").iterdir(), key=lambda made: made.stat().st_mtime_ns)


def test_sdist_wheel_and_editable_have_current_page(clone: Path) -> None:
    """The page is built once, for the sdist; all others find it current."""
    change_page(clone)
    sdist = build(clone, "-t", "sdist")
    (clone / "unpacked").mkdir()
    subprocess.run(["tar", "-xf", str(sdist), "-C", str(clone / "unpacked")], check=True)  # noqa: S607
    (unpacked,) = (clone / "unpacked").iterdir()
    assert not (unpacked / "web/node_modules").exists()
    for needed in ("Makefile", "requirements.lock", ".containerignore", "deploy/Containerfile"):  # play, and containers
        assert (unpacked / needed).is_file()
    wheel = build(unpacked, "-t", "wheel", path=os.devnull)  # without Node
    with zipfile.ZipFile(wheel) as files:
        assert b'<meta name="changed">' in files.read(PAGE)
    check_licences(wheel)
    check_pocket(wheel)

    with (clone / "src/notahat/clients/pocket.py").open("a") as file:  # now the pack is stale
        file.write("\n")
    assert not pocket_files(build(clone, "-t", "wheel")), "a stale pocket stays out"
    editable = [sys.executable, "-c", "from hatchling.build import build_editable; print(build_editable('out'))"]
    subprocess.run(editable, cwd=clone, check=True, stdout=subprocess.DEVNULL)
    assert '<meta name="changed">' in (clone / "src" / PAGE).read_text("utf-8")


def pocket_files(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as files:
        return [name for name in files.namelist() if name.startswith(POCKET)]


def check_licences(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        about = f"notahat-{__version__}.dist-info"
        metadata = BytesParser().parsebytes(files.read(f"{about}/METADATA"))
        assert metadata["License-Expression"] == "MIT AND CC-BY-SA-4.0 AND OFL-1.1"
        for name in ("LICENSE", "CREDITS.md", "licences/CC-BY-SA-4.0.txt", "licences/OFL-1.1.txt"):
            assert files.read(f"{about}/licenses/{name}") == (ROOT / name).read_bytes()
        notices = files.read("notahat/server/static/notices.txt").decode()
    for package in ("svelte ", "openmoji ", "@fontsource/patrick-hand ", "@fontsource-variable/nunito "):
        assert package in notices
    assert notices.count("Permission is hereby granted, free of charge") >= 1
    assert notices.count("SIL OPEN FONT LICENSE") >= 2


def check_pocket(wheel: Path) -> None:
    """All packs are in the wheel, with the hashes that browsers check."""
    with zipfile.ZipFile(wheel) as files:
        packs = json.loads(files.read(f"{POCKET}/parcel.json"))["packs"]
        assert [pack["file"].partition("-")[0] for pack in packs] == ["python", "game"]
        for pack in packs:
            content = files.read(f"{POCKET}/{pack['file']}")
            assert (len(content), hashlib.sha256(content).hexdigest()) == (pack["size"], pack["sha256"])
        assert "Pyodide" in files.read(f"{POCKET}/notices.txt").decode()


SOURCES = (
    "web/src/main.ts",
    "web/package-lock.json",
    "src/notahat/gifts/words/nl.toml",
    "src/notahat/wire/messages.py",
    "tools/record_lesson.py",
)


def test_changed_source_makes_page_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_stamp, "ROOT", tmp_path)
    page = replace(build_page.PAGE, folder=tmp_path)
    for source in SOURCES:
        (tmp_path / source).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / source).touch()
        page.write_stamp(page.source_hash())
        (tmp_path / "web/test").mkdir(exist_ok=True)
        (tmp_path / "web/test/new.test.ts").write_text(source)
        assert page.is_current()
        (tmp_path / source).write_text("changed")
        assert not page.is_current()
