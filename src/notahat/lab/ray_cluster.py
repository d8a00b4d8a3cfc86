"""The arena on many machines, where Ray is installed (the extra `ray`)."""

import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from notahat.lab.errors import Unusable
from notahat.optional_dependencies import how_to_add

Task = TypeVar("Task")
Done = TypeVar("Done")


def find_ray() -> Any:
    """Ray itself; raises `Unusable`, which says how to get it."""
    try:
        return importlib.import_module("ray")
    except ImportError as missing:
        raise Unusable(f"--ray needs Ray: {how_to_add('ray')}") from missing


def on_ray(work: Callable[[Task], Done], tasks: Sequence[Task]) -> Iterator[Done]:
    """Do every task somewhere on a Ray cluster (or on all cores of this machine) and keep their order."""
    ray = find_ray()
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)

    def do(task: Task) -> Done:  # Ray wants a plain function
        return work(task)

    remote = ray.remote(do)
    for promise in [remote.remote(task) for task in tasks]:
        yield ray.get(promise)
