"""Pack the pocket: Python for browsers, msgspec and the game, as two packs that a browser fetches when it is wanted.

One pack is Python itself and changes seldom, the other is the game. Both are gzipped here, because a plain web host
does not do it, and `parcel.json` beside them says how large each is and what its hash must be.
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
from build_stamp import ROOT, Built

PLACE = "src/notahat/server/pocket"
BUILT = ROOT / PLACE
LOCK = ROOT / "requirements-pocket.lock"
PYODIDE = ROOT / "web" / "node_modules" / "pyodide"
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")  # as they are; the rest is made
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
)  # as tools/pyodide_bundle.py has them
POCKET = Built(
    BUILT,
    (
        "requirements-pocket.lock",
        *(f"src/notahat/{part}" for part in PARTS),
        "web/package-lock.json",
        "web/pack.mjs",
        "tools/build_pocket.py",
        "tools/pyodide_bundle.py",
    ),
    frozenset({"__pycache__", "drawings"}),
)

# what Python for browsers is called where wheels are
FOR_BROWSERS = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "314")
FOR_CP314 = ("--implementation", "cp", "--abi", "cp314")
RULE = "\n\n" + "-" * 80 + "\n\n"


def main() -> int:
    if POCKET.fresh():
        return 0
    build_page.say("packing the pocket (some ten seconds)")
    made = POCKET.made_of()
    with tempfile.TemporaryDirectory() as folder:
        pack(Path(folder))
    POCKET.remember(made)
    return 0


def pack(folder: Path) -> None:
    wheel = _msgspec(folder)
    made = folder / "made"
    made.mkdir()
    build_page.run_tool("npm.py", "--silent", "run", "pack", "--", str(wheel), str(made))
    for name in PYTHON:
        shutil.copy(PYODIDE / name, made / name)
    shutil.rmtree(BUILT, ignore_errors=True)
    BUILT.mkdir()
    packs = [
        _pack("python", [made / name for name in (*PYTHON, "python_stdlib.zip", "msgspec.tree")]),
        _pack("game", [made / "notahat.tree"]),
    ]
    (BUILT / "parcel.json").write_text(json.dumps({"packs": packs}) + "\n", "ascii")
    (BUILT / "notices.txt").write_text(_notices(wheel, folder), "utf-8")


def _msgspec(folder: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--quiet", "--no-deps"]
    only = ["--only-binary", ":all:", *FOR_BROWSERS, *FOR_CP314]
    subprocess.check_call([*pip, *only, "--require-hashes", "-r", str(LOCK), "--dest", str(folder)])
    (wheel,) = folder.glob("msgspec-*.whl")
    return wheel


def _pack(name: str, files: list[Path]) -> dict[str, object]:
    """A line that names the files and their lengths, then all of them; gzipped, and named after what is inside."""
    contents = [file.read_bytes() for file in files]
    head = json.dumps([[file.name, len(content)] for file, content in zip(files, contents, strict=True)])
    plain = head.encode() + b"\n" + b"".join(contents)
    packed = gzip.compress(plain, 9, mtime=0)
    digest = hashlib.sha256(packed).hexdigest()
    file = f"{name}-{digest[:12]}.pack"
    (BUILT / file).write_bytes(packed)
    return {"file": file, "size": len(packed), "unpacked": len(plain), "sha256": digest}


def _notices(wheel: Path, folder: Path) -> str:
    """The licences of what is inside, which ask to be with every copy."""
    version = json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"]
    shutil.unpack_archive(wheel, folder / "wheel", "zip")
    (msgspec,) = (folder / "wheel").glob("*.dist-info/licenses/LICENSE")
    parts = {
        f"Pyodide {version} (MPL-2.0), in full at https://github.com/pyodide/pyodide": ROOT / "licences/MPL-2.0.txt",
        "Python (PSF-2.0)": ROOT / "licences/PSF-2.0.txt",
        "msgspec (BSD-3-Clause)": msgspec,
    }
    return RULE.join(f"{name}\n\n{file.read_text('utf-8').strip()}" for name, file in parts.items()) + "\n"


if __name__ == "__main__":
    sys.exit(main())
