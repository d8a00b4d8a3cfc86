"""Releases that can be checked: the same bytes from every build, a bill of materials, and checksums."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

import release
import sbom
from notahat import __version__
from support.source_copy import copy_sources

ROOT = Path(__file__).parents[2]


def test_two_builds_have_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In different folders, with files of different times and permissions, at different times of the day."""
    monkeypatch.setenv("HATCH_BUILD_NO_HOOKS", "true")  # the page is there
    sums, builds = [], (("one", 10**9, 0o644, "UTC"), ("far/away/other", 15 * 10**8, 0o600, "Asia/Tokyo"))
    for name, modified, mode, zone in builds:
        monkeypatch.setenv("TZ", zone)
        source = copy_sources(tmp_path / name)
        for file in source.rglob("*"):
            if file.is_file():
                file.chmod(mode)
                os.utime(file, (modified, modified))
        release.build_packages(source, source / "out")
        release.build_packages(source / "lab", source / "out")
        release.write_sums(source / "out")
        sums.append((source / "out/SHA256SUMS").read_text())
    assert sums[0] == sums[1]
    names = [f"{package}-{__version__}" for package in ("notahat", "notahat_lab")]
    names = [f"{name}{end}" for name in names for end in ("-py3-none-any.whl", ".tar.gz")]
    assert re.findall(r"  (\S+)\n", sums[0]) == names
    check = ["sha256sum", "--check", "--strict", "SHA256SUMS"]
    assert subprocess.run(check, cwd=source / "out", capture_output=True, check=False).returncode == 0


def test_bill_of_materials_lists_all_locked_packages() -> None:
    bill = json.loads(sbom.bill_of_materials())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["purl"] == f"pkg:pypi/notahat@{__version__}"
    purls = {component["purl"] for component in bill["components"]}
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    for name, version in re.findall(r"^([\w.-]+)(?:\[.*?\])?==([^\s;]+)", lock, re.MULTILINE):
        assert f"pkg:pypi/{name}@{version}" in purls
    bundled = {purl.rpartition("@")[0] for purl in purls}
    assert {"pkg:npm/svelte", "pkg:npm/openmoji", "pkg:npm/pyodide", "pkg:npm/%40fontsource/patrick-hand"} <= bundled
    assert "pkg:npm/eslint" not in bundled, "developers' tools are not in a release"
    assert len({component["bom-ref"] for component in bill["components"]}) == len(bill["components"]) > 40
    assert all(component["hashes"] for component in bill["components"])
    assert sbom.bill_of_materials() == sbom.bill_of_materials()
