"""Give a framework's CPU build the emulated device, when it is imported.

Run at the start of an interpreter by a .pth file: `import emulated_start; emulated_start.start(
TOOLKIT, MODULE)`, of the module that knows the framework's side. Stands alone, imports nothing of
porter.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from typing import Any


class _Hook:
    """A finder that has work done before and after the import of a module."""

    def __init__(
        self, actions: dict[str, tuple[Callable[[], None], Callable[[Any], None]]]
    ) -> None:
        self.actions = actions

    def find_spec(self, name: str, path: Any = None, target: object = None) -> ModuleSpec | None:
        """A spec of which the loader does the work: specs are also asked for without an import."""
        if name not in self.actions:
            return None
        spec = _find_spec(self, name, path)
        if spec is not None and spec.loader is not None:
            wrapped: Any = _Loader(spec.loader, *self.actions[name])
            spec.loader = wrapped
        return spec


def _find_spec(hook: _Hook, name: str, path: Any) -> ModuleSpec | None:
    for finder in sys.meta_path:
        if finder is not hook:
            spec = finder.find_spec(name, path)
            if spec is not None:
                return spec
    return None


class _Loader:
    def __init__(
        self, loader: Any, before: Callable[[], None], after: Callable[[Any], None]
    ) -> None:
        self.loader = loader
        self.before = before
        self.after = after

    def create_module(self, spec: ModuleSpec) -> Any:
        self.before()
        return self.loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        self.loader.exec_module(module)
        module.__spec__.loader = self.loader
        self.after(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)


def start(toolkit: str, module: str, packages: Sequence[str] = ()) -> None:
    """Set the variables of a toolkit and of operator packages, and wait for the framework."""
    if any(isinstance(finder, _Hook) for finder in sys.meta_path):
        return  # .pth files may be read twice
    if os.path.exists(os.path.join(toolkit, "lib64", "libcudart.so")):
        os.environ["CUDA_HOME"] = os.environ["CUDA_PATH"] = toolkit
    if packages:
        own = os.environ.get("ASCEND_CUSTOM_OPP_PATH")
        given = [folder for folder in packages if folder not in (own or "").split(":")]
        os.environ["ASCEND_CUSTOM_OPP_PATH"] = ":".join([*([own] if own else []), *given])
    os.environ["PORTER_EMULATED"] = toolkit
    side = importlib.import_module(module)
    sys.meta_path.insert(0, _Hook(side.actions(toolkit)))


def forget_errors() -> None:
    """Faults of kernels stay, as they do on a device; after this they are forgotten."""
    folder = os.path.join(os.environ["PORTER_EMULATED"], "lib64")
    npu = os.path.join(folder, "libascendcl.so")
    if os.path.exists(npu):
        ctypes.CDLL(npu).aclrtResetDevice(0)
    else:
        ctypes.CDLL(os.path.join(folder, "libcudart.so")).emulated_forget_errors()
