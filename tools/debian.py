"""Install Debian packages for tests."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

APT = ("apt-get", "-o", "DPkg::Lock::Timeout=600", "--quiet", "--yes")


def can_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(packages: Sequence[str]) -> None:
    """Try to install packages, if this is a Debian and the user is root."""
    if not packages or not can_install():
        return
    print("Installing", *packages, file=sys.stderr, flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in ([*APT, "update"], [*APT, "install", "--no-install-recommends", *packages]):
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
