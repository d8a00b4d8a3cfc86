"""Lock msgspec for browsers: `python tools/pocket_lock.py 0.22.0` writes requirements-pocket.lock.

uv's lock is for the platforms that Python itself runs on; a browser is another one, with a single wheel.
"""

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

from build_pocket import FOR_BROWSERS, FOR_CP314, LOCK


def main() -> int:
    (version,) = sys.argv[1:]
    wanted = f"msgspec=={version}"
    pip = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--quiet", "--no-deps"]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.check_call([*pip, "--only-binary", ":all:", *FOR_BROWSERS, *FOR_CP314, wanted, "--dest", folder])
        (wheel,) = Path(folder).iterdir()
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    LOCK.write_text(f"{wanted} \\\n    --hash=sha256:{digest}\n", "ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
