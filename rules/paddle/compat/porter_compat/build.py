"""torch.utils.cpp_extension for code under Paddle: its modules are imported when asked for."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

MODULE = "torch.utils.cpp_extension"
NAMES = ("BuildExtension", "CppExtension", "CUDAExtension", "CUDA_HOME")
CMAKE = Path(__file__).with_name("pieces") / "cmake"  # for CMake's find_package(Torch)


class _Asked:
    """A name that the builder gives, in Paddle's table of what stands behind torch's names."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get_value(self) -> Any:
        return importlib.import_module("porter_compat.pieces.build").OWN[self.name]


class _Prefix:
    """The folder of the package for CMake; who asks for it is about to start CMake, which starts
    interpreters that import torch."""

    def get_value(self) -> str:
        from porter_compat import everywhere

        os.environ |= everywhere.variables([Path.cwd()])
        return str(CMAKE)


def offer() -> None:
    """Register the builder; right away where the module was imported before."""
    from paddle.compat import proxy

    extend = getattr(proxy, "_extend_torch_proxy_overrides", proxy.GLOBAL_OVERRIDES.update)
    extend({"torch.utils.cmake_prefix_path": _Prefix()})
    if MODULE in sys.modules:
        importlib.import_module("porter_compat.pieces.build")
        return
    extend({f"{MODULE}.{name}": _Asked(name) for name in NAMES})
