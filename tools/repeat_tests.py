"""Runs tests again and again, if asked while both cores are kept busy: a test that fails once in twenty is broken.

`again.py 10 --busy tests/web tests/server tests/store` says a line after each run, and at last what failed how often.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

FOLDERS = ("tests/web", "tests/server", "tests/store")
# it stops when whoever started it is gone
BURNER = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(100_000))"


def read(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", type=int)
    parser.add_argument("--busy", action="store_true", help="keep every core busy with something else")
    parser.add_argument("--workers", default="4", help="how many tests run side by side")
    parser.add_argument("tests", nargs="*", default=FOLDERS)
    return parser.parse_intermixed_args(words)  # `--busy` may stand before the tests


def main() -> int:
    asked = read(sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # nor does it leave anything running behind itself
    failed: Counter[str] = Counter()
    green = 0
    with burning(os.cpu_count() or 2 if asked.busy else 0):
        for number in range(1, asked.times + 1):
            begun = time.monotonic()
            good, summary, broken = run(asked.tests, asked.workers)
            green += good
            failed.update(broken)
            seconds = time.monotonic() - begun
            print(
                f"run {number} of {asked.times}: {'green' if good else 'RED'}, {seconds:.0f} s, {summary}", flush=True
            )
            for test in broken:
                print(f"    {test}", flush=True)
    print(f"{green} of {asked.times} runs green{' while all cores were busy' if asked.busy else ''}")
    for test, times in failed.most_common():
        print(f"  failed {times} times: {test}")
    return 0 if green == asked.times else 1


def run(tests: tuple[str, ...], workers: str) -> tuple[bool, str, list[str]]:
    side_by_side = ["-n", workers, "--dist", "worksteal"]
    command = [sys.executable, "-m", "pytest", *side_by_side, "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    lines = done.stdout.rstrip().splitlines() or [""]
    broken = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    if done.returncode != 0:
        print(done.stdout, file=sys.stderr, flush=True)
    return done.returncode == 0, lines[-1].strip("= "), broken


@contextmanager
def burning(cores: int) -> Iterator[None]:
    burners = [subprocess.Popen([sys.executable, "-c", BURNER]) for _ in range(cores)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


if __name__ == "__main__":
    sys.exit(main())
