"""A software bill of materials (CycloneDX 1.6, JSON) from the lock files: what a release installs and contains.

The same lock files give the same bytes. `python tools/sbom.py` prints it.
"""

import base64
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PINNED = re.compile(r"^([\w.-]+)(?:\[.*?\])?==([^\s;]+)((?:[^\n]*\\\n[^\n]*)*)", re.MULTILINE)
HASH = re.compile(r"sha256:([0-9a-f]{64})")
VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
RELEASED = re.compile(r'^date-released: "(.+)"$', re.MULTILINE)
POCKET_PACKAGES = ("pyodide",)  # for developers in package-lock.json, but part of the pocket edition
NAMESPACE = uuid.UUID("5b1f3d0e-6d52-5c86-9d3c-0b8a86f7c1a4")


def bill_of_materials() -> bytes:
    """Return the bill of this folder's version as JSON."""
    server, pocket = _python("requirements.lock", "server"), _python("requirements-pocket.lock", "pocket")
    components = sorted((*server, *pocket, *_page()), key=lambda component: str(component["bom-ref"]))
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"timestamp": release_time().isoformat().replace("+00:00", "Z"), "component": _project()},
        "components": components,
    }
    bill["serialNumber"] = f"urn:uuid:{uuid.uuid5(NAMESPACE, json.dumps(bill, sort_keys=True))}"
    return json.dumps(bill, indent=1, sort_keys=True).encode() + b"\n"


def release_time() -> datetime:
    """Return the start of the day of the release, which all files of a release use as their time."""
    return datetime.fromisoformat(f"{_found(RELEASED, 'CITATION.cff')}T00:00:00+00:00")


def release_version() -> str:
    return _found(VERSION, "src/notahat/__init__.py")


def _project() -> dict[str, Any]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    purl = f"pkg:pypi/{project['name']}@{release_version()}"
    return {
        "type": "application",
        "bom-ref": purl,
        "purl": purl,
        "name": project["name"],
        "version": release_version(),
        "licenses": [{"expression": project["license"]}],
    }


def _python(lock: str, part: str) -> Iterator[dict[str, Any]]:
    """Yield the packages of a lock file. Each has the hashes of all its files, one of which is installed."""
    for name, version, rest in PINNED.findall((ROOT / lock).read_text("utf-8")):
        hashes = [{"alg": "SHA-256", "content": content} for content in HASH.findall(rest)]
        yield _component(f"pkg:pypi/{name}@{version}", name, version, hashes, part)


def _page() -> Iterator[dict[str, Any]]:
    """Yield the packages that the page and the pocket edition are built with and from."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))
    for place, package in lock["packages"].items():
        name = place.rpartition("node_modules/")[2]
        if place and (not package.get("dev") or name in POCKET_PACKAGES):
            hashes = [{"alg": "SHA-512", "content": base64.b64decode(package["integrity"].partition("-")[2]).hex()}]
            purl = f"pkg:npm/{name.replace('@', '%40')}@{package['version']}"
            part = "pocket" if name in POCKET_PACKAGES else "page"
            found = _component(purl, name, package["version"], hashes, part)
            yield found | {"licenses": [{"expression": package["license"]}]} if "license" in package else found


def _component(purl: str, name: str, version: str, hashes: list[dict[str, str]], part: str) -> dict[str, Any]:
    return {
        "type": "library",
        "bom-ref": f"{purl}#{part}",
        "purl": purl,
        "name": name,
        "version": version,
        "hashes": hashes,
        "properties": [{"name": "notahat:part", "value": part}],
    }


def _found(pattern: re.Pattern[str], file: str) -> str:
    (found,) = pattern.findall((ROOT / file).read_text("utf-8"))
    return str(found)


if __name__ == "__main__":
    sys.stdout.buffer.write(bill_of_materials())
