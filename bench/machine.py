"""Run programs on a core of their own, read what the kernel says that they used, and write docs/benchmarks.md."""

import os
import platform
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import time
from functools import cache
from importlib.metadata import version
from pathlib import Path

import msgspec
from msgspec import Struct

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
HZ = os.sysconf("SC_CLK_TCK")
CORES = sorted(os.sched_getaffinity(0))
SERVER, PLAYERS = CORES[0], CORES[-1]  # the same if there is only one
START_SECONDS = 30.0
SHORTEST_REST, LONGEST_REST = 4, 20  # seconds
TOLERANCE = 3.0  # MB


class Used(Struct, frozen=True):
    """The resources that a program and its children have used so far."""

    cpu: float  # seconds
    memory: int  # resident bytes
    written: int  # bytes written to the disk

    def since(self, before: "Used") -> "Used":
        return Used(self.cpu - before.cpu, self.memory - before.memory, self.written - before.written)


class Program:
    """A child process on a core of its own that talks in lines."""

    def __init__(self, command: list[str], core: int, environment: dict[str, str], quiet: bool = True) -> None:
        self.process = subprocess.Popen(  # noqa: S603
            ["taskset", "-c", str(core), *command],  # noqa: S607
            env=os.environ | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            text=True,
            bufsize=1,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in, self._out = self.process.stdin, self.process.stdout

    def write_line(self, line: str) -> None:
        self._in.write(line + "\n")

    def read_line(self) -> str:
        line = self._out.readline()
        if not line:
            raise RuntimeError(f"the program has ended: {self.process.args!r}")
        return line.strip()

    def read_json(self) -> dict[str, float]:
        return msgspec.json.decode(self.read_line(), type=dict)

    def used(self) -> Used:
        return used(self.process.pid)

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def used(pid: int) -> Used:
    """Return what a process and its descendants have used."""
    parts = [part for member in process_tree(pid) if (part := used_by_process(member))]
    return Used(*(sum(numbers) for numbers in zip(*((p.cpu, p.memory, p.written) for p in parts), strict=True)))


def cpu_seconds(pid: int) -> float:
    """Return the processor time of a process, which depends less on other load than time does."""
    found = used_by_process(pid)
    return found.cpu if found else 0.0


def thread_seconds(pid: int, name: str) -> float:
    """Return the processor time of the threads of a process whose names begin with `name`.

    The scheduler's count is finer than ticks of 10 ms.
    """
    tasks = [task for task in Path(f"/proc/{pid}/task").glob("*") if (task / "comm").read_text().startswith(name)]
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def settled_megabytes(pid: int) -> float:
    """Wait until the memory of a process (proportional set size) no longer shrinks, and return it."""
    samples = [_proportional_megabytes(pid)]
    while len(samples) < LONGEST_REST and (
        len(samples) < SHORTEST_REST or samples[-1] < samples[-SHORTEST_REST] - TOLERANCE
    ):
        time.sleep(1)
        samples.append(_proportional_megabytes(pid))
    return samples[-1]


def _proportional_megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000


def process_tree(pid: int) -> list[int]:
    members = [pid]
    for member in members:
        members += children(member)
    return members


def written_to_files(pid: int) -> int:
    """Return the bytes that a process and its descendants passed to `write`, including sockets, but not `send`.

    The kernel's `write_bytes` is useless for PostgreSQL: each small write into its large files counts as a megabyte.
    """
    return sum(int(io["wchar"]) for member in process_tree(pid) if (io := io_counters(member)))


def io_counters(pid: int) -> dict[str, str]:
    try:
        return dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
    except (FileNotFoundError, ProcessLookupError):
        return {}


def children(pid: int) -> list[int]:
    """Return the processes that any thread of this one has started."""
    try:
        lists = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
        return [int(child) for part in lists for child in part]
    except (FileNotFoundError, ProcessLookupError):
        return []


def used_by_process(pid: int) -> Used | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return Used((int(fields[11]) + int(fields[12])) / HZ, resident, int(io_counters(pid).get("write_bytes", 0)))


@cache
def node() -> str:
    """Return a Node with `node:sqlite` (22.5 or newer): the machine's, or one from a Python package."""
    found = shutil.which("node")
    if found and tuple(map(int, output_of(found, "--version").removeprefix("v").split(".")[:2])) >= (22, 5):
        return found
    sys.path.insert(0, str(ROOT / "tools"))
    from npm import venv_npm

    return venv_npm()[0]


def fetch_packages() -> None:
    """Install the npm packages of peers and tools, once."""
    if not (ROOT / "bench/node_modules/boardgame.io").is_dir():
        # not `ci`: the lock lacks the optional packages of other platforms, which makes `ci` fail
        words = ["--prefix", "../bench", "install", "--no-save", "--no-audit", "--no-fund", "--silent"]
        subprocess.check_call([sys.executable, str(ROOT / "tools/npm.py"), *words])  # noqa: S603


def raise_limits() -> None:
    """Raise the limit of open files, because every player is a connection."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def npm_version(package: str) -> str:
    found = msgspec.json.decode((ROOT / "bench/node_modules" / package / "package.json").read_bytes(), type=dict)
    return f"{package} {found['version']}"


def output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT).stdout.strip()  # noqa: S603


def describe_run(peers: bool = True) -> str:
    """Return date, machine and versions in one paragraph; those of the peers only if they were measured."""
    model = next((line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "")
    changed = " with changes" if output_of("git", "status", "--porcelain", "--untracked-files=no") else ""
    parts = [
        time.strftime("%Y-%m-%d"),
        f"commit {output_of('git', 'rev-parse', '--short', 'HEAD')}{changed}",
        f"{len(CORES)} cores, {model.partition(':')[2].strip() or platform.machine()}",
        f"{platform.system()} {platform.release()}",
        f"load average {os.getloadavg()[0]:.1f} when done (an idle machine has 1 to 2)",
        f"priority nice {os.nice(0)}",
        f"Python {platform.python_version()}",
        f"SQLite {sqlite3.sqlite_version}",
        *(f"{name} {version(name)}" for name in ("picows", "uvloop", "msgspec", "psycopg")),
    ]
    if peers:
        parts += [f"Node {output_of(node(), '--version')}", npm_version("@colyseus/core"), npm_version("boardgame.io")]
    return " · ".join(parts)


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write(name: str, title: str, text: str, run: str) -> None:
    """Replace the section with this name, or add it."""
    section = f"<!-- {name} -->\n## {title}\n\n{text}\n\n{textwrap.fill(run, 140)}\n<!-- /{name} -->\n"
    page = PAGE.read_text()
    old = re.compile(rf"<!-- {name} -->.*<!-- /{name} -->\n", re.DOTALL)
    page = old.sub(lambda _: section, page) if old.search(page) else f"{page}\n{section}"
    PAGE.write_text(page)
