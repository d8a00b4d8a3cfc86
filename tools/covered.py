"""Fail unless every branch of a package was run by the tests: `covered.py coverage.json notahat/rules`."""

import json
import sys
from pathlib import Path


def main(report: str, package: str) -> int:
    files = json.loads(Path(report).read_text("utf-8"))["files"]
    ours = {path: file["summary"] for path, file in files.items() if package in path}
    missing = {path: f for path, f in ours.items() if f["missing_lines"] or f["missing_branches"]}
    for path, summary in missing.items():
        print(f"{path}: {summary['missing_lines']} lines and {summary['missing_branches']} branches were never run")
    if not ours:
        print(f"no file of {package} in {report}")
    if ours and not missing:
        print(f"every line and branch of {package} was run ({len(ours)} files)")
    return 1 if missing or not ours else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
