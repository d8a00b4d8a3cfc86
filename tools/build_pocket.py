"""Build the pocket edition: two archives that a browser downloads, one with Pyodide and msgspec, one with the game.

Python changes seldom, so it has its own archive. Both are gzipped here, because a static web host may not compress.
`parcel.json` lists their sizes and hashes.
"""

import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import build_page
from build_stamp import ROOT, BuiltFolder

PLACE = "src/notahat/server/pocket"
BUILT = ROOT / PLACE
LOCK = ROOT / "requirements-pocket.lock"
PYODIDE = ROOT / "web" / "node_modules" / "pyodide"
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")  # copied unchanged
PARTS = (
    "__init__.py",
    "clients/__init__.py",
    "clients/pocket.py",
    "rules",
    "gifts",
    "bots",
    "table",
    "wire",
    "live",
)  # the same as in tools/pyodide_bundle.py
POCKET = BuiltFolder(
    BUILT,
    (
        "requirements-pocket.lock",
        *(f"src/notahat/{part}" for part in PARTS),
        "web/package-lock.json",
        "web/compilePocket.mjs",
        "tools/build_pocket.py",
        "tools/pyodide_bundle.py",
    ),
    frozenset({"__pycache__", "drawings"}),
)

# pip's names for the platform of Pyodide
PLATFORM = (
    *("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "314"),
    *("--implementation", "cp", "--abi", "cp314"),
)
SEPARATOR = "\n\n" + "-" * 80 + "\n\n"


def main() -> int:
    if POCKET.is_current():
        return 0
    build_page.log("building the pocket edition (some ten seconds)")
    source_hash = POCKET.source_hash()
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder))
    POCKET.write_stamp(source_hash)
    return 0


def build(folder: Path) -> None:
    wheel = download_msgspec(["--require-hashes", "-r", str(LOCK)], folder)
    out = folder / "made"
    out.mkdir()
    build_page.run_tool("npm.py", "--silent", "run", "compile-pocket", "--", str(wheel), str(out))
    for name in PYTHON:
        shutil.copy(PYODIDE / name, out / name)
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir()
    packs = [
        _pack("python", [out / name for name in (*PYTHON, "python_stdlib.zip", "msgspec.tree")]),
        _pack("game", [out / "notahat.tree"]),
    ]
    (BUILT / "parcel.json").write_text(json.dumps({"packs": packs}) + "\n", "ascii")
    (BUILT / "notices.txt").write_text(_notices(wheel, folder), "utf-8")


def download_msgspec(requirement: list[str], folder: Path) -> Path:
    """Download the wheel for Pyodide."""
    pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--quiet", "--no-deps"]
    subprocess.check_call([*pip, "--only-binary", ":all:", *PLATFORM, *requirement, "--dest", str(folder)])
    (wheel,) = folder.glob("msgspec-*.whl")
    return wheel


def _pack(name: str, files: list[Path]) -> dict[str, object]:
    """Write a gzipped archive, named after its hash: a JSON line with names and lengths, then the files' contents."""
    contents = [file.read_bytes() for file in files]
    head = json.dumps([[file.name, len(content)] for file, content in zip(files, contents, strict=True)])
    archive = head.encode() + b"\n" + b"".join(contents)
    packed = gzip.compress(archive, 9, mtime=0)
    digest = hashlib.sha256(packed).hexdigest()
    file = f"{name}-{digest[:12]}.pack"
    (BUILT / file).write_bytes(packed)
    return {"file": file, "size": len(packed), "unpacked": len(archive), "sha256": digest}


def _notices(wheel: Path, folder: Path) -> str:
    """Return the licences of the contents, which must be distributed with every copy."""
    version = json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"]
    shutil.unpack_archive(wheel, folder / "wheel", "zip")
    (msgspec,) = (folder / "wheel").glob("*.dist-info/licenses/LICENSE")
    parts = {
        f"Pyodide {version} (MPL-2.0), in full at https://github.com/pyodide/pyodide": ROOT / "licences/MPL-2.0.txt",
        "Python (PSF-2.0)": ROOT / "licences/PSF-2.0.txt",
        "msgspec (BSD-3-Clause)": msgspec,
    }
    return SEPARATOR.join(f"{name}\n\n{file.read_text('utf-8').strip()}" for name, file in parts.items()) + "\n"


if __name__ == "__main__":
    sys.exit(main())
