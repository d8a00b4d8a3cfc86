"""Lock msgspec for Pyodide: `python tools/pocket_lock.py 0.22.0` writes requirements-pocket.lock.

uv locks only the platforms of CPython; Pyodide is another one, with a single wheel.
"""

import hashlib
import sys
import tempfile
from pathlib import Path

from build_pocket import LOCK, download_msgspec


def main() -> int:
    (version,) = sys.argv[1:]
    requirement = f"msgspec=={version}"
    with tempfile.TemporaryDirectory() as folder:
        digest = hashlib.sha256(download_msgspec([requirement], Path(folder)).read_bytes()).hexdigest()
    LOCK.write_text(f"{requirement} \\\n    --hash=sha256:{digest}\n", "ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
