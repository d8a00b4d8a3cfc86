"""Count lines and files per folder, lengths of functions, time of the tests, weight of the page and calls of a `give`.

Usage: python tools/sizes.py            print the table; the time is the one of the last `make test`
       python tools/sizes.py time CMD…  run a command, and keep the processor time of all its processes
"""

import ast
import contextlib
import ctypes
import gzip
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
KEPT_TIME = ROOT / "build" / "test_time"
STATIC = ROOT / "src" / "notahat" / "server" / "static" / "assets"
CODE = (".py", ".ts", ".svelte", ".css", ".js", ".mjs")
# folders that are counted together: lines at the beginning of this round (7f5f6ee) and the most there should be
FOLDERS = {
    "src/notahat": (27_278, 18_500),
    "lab/src": (6_317, 5_000),
    "web/src": (21_703, 20_500),
    "tests web/test lab/tests": (37_355, 29_000),
    "tools bench lab/bench": (6_400, 3_800),
}
PR_SET_CHILD_SUBREAPER = 36


def main() -> int:
    if sys.argv[1:2] == ["time"]:
        return run_and_keep_time(sys.argv[2:])
    print(f"{'folders':28}{'before':>8}{'now':>8}{'target':>8}{'files':>7}   lines of a Python function: median, p90")
    for folders, (before, target) in FOLDERS.items():
        files = tracked_code(folders.split())
        lines = sum(len(file.read_text("utf-8").splitlines()) for file in files)
        print(f"{folders:28}{before:8,}{lines:8,}{target:8,}{len(files):7}   {function_lengths(files)}")
    for kind in ("index-*.js", "table-*.js", "*.js", "*.css"):
        weight = sum(len(gzip.compress(file.read_bytes())) for file in STATIC.glob(kind))
        print(f"page, {kind}: {weight / 1000:.1f} kB gzip")
    print(f"make test: {KEPT_TIME.read_text().strip() if KEPT_TIME.exists() else 'not run yet'}")
    return subprocess.call([sys.executable, ROOT / "bench" / "trace_give.py"])


def tracked_code(folders: list[str]) -> list[Path]:
    command = ["git", "ls-files", *folders]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [file for name in listed.splitlines() if (file := ROOT / name).suffix in CODE and file.is_file()]


def function_lengths(files: list[Path]) -> str:
    trees = [ast.parse(file.read_text("utf-8")) for file in files if file.suffix == ".py"]
    nodes = (node for tree in trees for node in ast.walk(tree))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    lengths = [(node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes if isinstance(node, kinds)]
    return f"{statistics.median(lengths):.0f}, {statistics.quantiles(lengths, n=10)[-1]:.0f}" if lengths else "-"


def run_and_keep_time(command: list[str]) -> int:
    """Run a command. Browsers leave processes behind: adopt them, so that their time counts."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    began = time.monotonic()
    code = subprocess.call(command)
    wall = time.monotonic() - began
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    KEPT_TIME.parent.mkdir(exist_ok=True)
    KEPT_TIME.write_text(f"{(used.ru_utime + used.ru_stime) / 60:.1f} processor minutes, {wall / 60:.1f} minutes\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
