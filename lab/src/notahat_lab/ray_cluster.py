"""Run tournaments on a Ray cluster. Needs the extra `ray`."""

import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from notahat.optional_dependencies import install_command
from notahat_lab.errors import LabError

Task = TypeVar("Task")
Output = TypeVar("Output")


def find_ray() -> Any:
    """Return the module `ray`. Raise `LabError` with the install command if it is missing."""
    try:
        return importlib.import_module("ray")
    except ImportError as missing:
        raise LabError(f"--ray needs Ray: {install_command('ray', 'notahat-lab')}") from missing


def on_ray(work: Callable[[Task], Output], tasks: Sequence[Task]) -> Iterator[Output]:
    """Run every task on a Ray cluster, or on all cores of this machine, and keep their order."""
    ray = find_ray()
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)

    def do(task: Task) -> Output:  # Ray needs a plain function
        return work(task)

    remote = ray.remote(do)
    for future in [remote.remote(task) for task in tasks]:
        yield ray.get(future)
