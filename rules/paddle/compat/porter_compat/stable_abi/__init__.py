"""Official wheels on torch's stable ABI under Paddle, unmodified.

`load(path)` loads a library that is linked with libtorch; what it registers is then in torch.ops.
`serve()` lets torch.ops.load_library do so. Python modules that are linked with libtorch can be
imported after `enable()`.
`check(path)` says, without running anything, what of torch a wheel or a library needs.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.machinery
import importlib.util
import os
from pathlib import Path
from types import ModuleType

from . import build, elf, inspection, standins
from .build import CannotBuild
from .inspection import Report, check

__all__ = ["CannotBuild", "Report", "check", "enable", "load", "serve"]


@functools.cache
def enable() -> ModuleType:
    """Load the libraries that stand in for torch's, which are compiled if they were not yet."""
    import paddle  # noqa: F401  # which the libraries are linked with

    from . import operators

    folder = build.libraries()
    name = "_porter_stable_abi"
    loader = importlib.machinery.ExtensionFileLoader(name, str(folder / build.CORE))
    spec = importlib.util.spec_from_file_location(name, loader.path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    operators.connect(module)
    for other in build.OTHERS:
        ctypes.CDLL(str(folder / other))
    return module


@functools.cache
def serve() -> None:
    """Let torch.ops.load_library load what is linked with torch's libraries."""
    import paddle

    kind = type(paddle.ops)
    others = kind.load_library

    def load_library(self: object, path: str | os.PathLike[str]) -> None:
        try:
            of_torch = any(map(inspection.is_torch, elf.read(Path(path)).needed))
        except (OSError, elf.NotAnElfFile):
            of_torch = False
        try:
            load(path) if of_torch else others(self, path)
        except OSError as error:
            not_loaded.append(str(path))
            raise OSError(f"Could not load this library: {path}") from error

    kind.load_library = load_library
    not_loaded: list[str] = []
    kind.not_loaded = not_loaded  # whose operators nothing here knows


def load(path: str | os.PathLike[str]) -> None:
    """Load a library that is linked with torch's; as torch.ops.load_library does.

    Raises OSError; at once where it needs torch's C++, so that nothing is compiled for it.
    """
    path = Path(path).resolve()
    try:
        needs = next((name for name in check(path).missing if name.startswith("_Z")), "")
        if needs:
            raise OSError(f"{path}: needs {needs} of torch's libraries, beyond the stable ABI")
        enable()
        standins.load(elf.read(path))
        ctypes.CDLL(str(path))
    except (OSError, elf.NotAnElfFile) as error:
        raise OSError(f"Could not load this library: {path}") from error
