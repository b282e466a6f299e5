"""torch.utils.cpp_extension for code under Paddle: its modules are imported when asked for."""

from __future__ import annotations

import importlib
import sys
from typing import Any

MODULE = "torch.utils.cpp_extension"
NAMES = ("BuildExtension", "CppExtension", "CUDAExtension", "CUDA_HOME")


class _Asked:
    """A name that the builder gives, in Paddle's table of what stands behind torch's names."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get_value(self) -> Any:
        return importlib.import_module("porter_compat.pieces.build").OWN[self.name]


def offer() -> None:
    """Register the builder; right away where the module was imported before."""
    from paddle.compat import proxy

    if MODULE in sys.modules:
        importlib.import_module("porter_compat.pieces.build")
        return
    extend = getattr(proxy, "_extend_torch_proxy_overrides", proxy.GLOBAL_OVERRIDES.update)
    extend({f"{MODULE}.{name}": _Asked(name) for name in NAMES})
