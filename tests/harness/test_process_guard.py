"""A test run that is killed leaves no process and no folder behind."""

import subprocess
import sys
from pathlib import Path

from support import process_guard
from support.timeouts import TIMEOUT

RUN = """
import os, signal, subprocess, sys
from pathlib import Path
from support import process_guard

child = subprocess.Popen(["sleep", "600"])
folder = Path(sys.argv[1])
folder.mkdir()
process_guard.end_at_exit(child)
process_guard.remove_folder_at_exit(folder)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_killed_run_leaves_no_process_and_no_folder(tmp_path: Path) -> None:
    """The guard and the child inherit the standard output, so its end comes when both have ended."""
    environment = {"PYTHONPATH": str(Path(process_guard.__file__).parents[1])}
    command = [sys.executable, "-c", RUN, str(tmp_path / "folder")]
    ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, timeout=TIMEOUT, check=False)
    assert ended.returncode < 0, "it was killed"
    assert not (tmp_path / "folder").exists()
