"""The former name of `notahat_lab`, for one release: the same modules, with a warning."""

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from warnings import warn

_NEW = "notahat_lab"


class _Alias(MetaPathFinder, Loader):
    """Finds `notahat.lab.env` as `notahat_lab.env`, so that no module is loaded twice."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        return ModuleSpec(name, self) if name.startswith(f"{__name__}.") else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(_NEW + spec.name.removeprefix(__name__))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = module.__spec__ and module.__spec__.loader_state  # which `import` has replaced


try:
    _package = import_module(_NEW)
except ModuleNotFoundError as missing:
    if missing.name != _NEW:
        raise
    from notahat.optional_dependencies import install_lab

    raise ImportError(f"notahat.lab is now notahat_lab of notahat-lab: {install_lab()}", name=_NEW) from None
warn("notahat.lab is now notahat_lab", DeprecationWarning, stacklevel=2)
sys.meta_path.insert(0, _Alias())
arena = _package.arena
__all__ = ["arena"]
