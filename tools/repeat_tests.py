"""Run tests repeatedly, on request while all cores are busy, to find flaky ones.

`repeat_tests.py 10 --busy tests/web tests/server tests/store` reports each run, and at the end the failures per test.
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
# ends when its parent process has ended
BUSY_LOOP = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(100_000))"


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("times", type=int)
    parser.add_argument("--busy", action="store_true", help="keep every core busy")
    parser.add_argument("--workers", default="4", help="number of parallel tests")
    parser.add_argument("tests", nargs="*", default=FOLDERS)
    return parser.parse_intermixed_args(words)  # options may stand before the tests


def main() -> int:
    arguments = parse(sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the busy loops end, too
    failed: Counter[str] = Counter()
    green_runs = 0
    with busy(os.cpu_count() or 2 if arguments.busy else 0):
        for number in range(1, arguments.times + 1):
            began = time.monotonic()
            green, summary, failures = run(arguments.tests, arguments.workers)
            green_runs += green
            failed.update(failures)
            seconds = time.monotonic() - began
            print(
                f"run {number} of {arguments.times}: {'green' if green else 'RED'}, {seconds:.0f} s, {summary}",
                flush=True,
            )
            for test in failures:
                print(f"    {test}", flush=True)
    print(f"{green_runs} of {arguments.times} runs green{' while all cores were busy' if arguments.busy else ''}")
    for test, times in failed.most_common():
        print(f"  failed {times} times: {test}")
    return 0 if green_runs == arguments.times else 1


def run(tests: tuple[str, ...], workers: str) -> tuple[bool, str, list[str]]:
    parallel = ["-n", workers, "--dist", "worksteal"]
    command = [sys.executable, "-m", "pytest", *parallel, "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    lines = done.stdout.rstrip().splitlines() or [""]
    failures = re.findall(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    if done.returncode != 0:
        print(done.stdout, file=sys.stderr, flush=True)
    return done.returncode == 0, lines[-1].strip("= "), failures


@contextmanager
def busy(cores: int) -> Iterator[None]:
    processes = [subprocess.Popen([sys.executable, "-c", BUSY_LOOP]) for _ in range(cores)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


if __name__ == "__main__":
    sys.exit(main())
