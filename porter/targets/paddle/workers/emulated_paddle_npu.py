"""Paddle's Python side of the emulated NPU, which is its custom device `npu`.

Stands alone, imports nothing of porter.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

# Who looks for functions of the vendor's libraries finds them in the process.
LIBRARIES = ("libascendcl.so", "libopapi.so")


def actions(toolkit: str) -> dict[str, tuple[Callable[[], None], Callable[[Any], None]]]:
    """What to do before and after the import of modules."""
    folder = os.path.join(toolkit, "lib64")
    loaded: list[ctypes.CDLL] = []
    os.environ["ASCEND_HOME_PATH"] = toolkit
    os.environ["ASCEND_OPP_PATH"] = os.path.join(toolkit, "opp")

    def load() -> None:
        os.environ["CUSTOM_DEVICE_ROOT"] = os.path.join(folder, "device")
        os.environ.setdefault("GLOG_minloglevel", "2")  # it tells of every library it looks at
        for name in LIBRARIES:
            loaded.append(ctypes.CDLL(os.path.join(folder, name), mode=ctypes.RTLD_GLOBAL))
        # First, for Paddle's libraries to find what it has in place of theirs.
        loaded.append(ctypes.CDLL(os.path.join(folder, "device", "libemulated_npu.so")))

    return {"paddle": (load, lambda paddle: None)}
