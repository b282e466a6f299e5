"""torch_npu on the emulated NPU: the vendor's libraries are ours, and operators the CPU's.

Stands alone, imports nothing of porter.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import emulated_torchair
else:  # beside this file, which is no package
    import emulated_torchair

# As torch_npu's own libraries ask for them.
LIBRARIES = (
    "libascendcl.so",
    "libacl_op_compiler.so",
    "libhccl.so",
    "libge_runner.so",
    "libgraph.so",
    "libacl_tdt_channel.so",
    "libopapi.so",
)


def actions(toolkit: str) -> dict[str, tuple[Callable[[], None], Callable[[Any], None]]]:
    """What to do before and after the import of modules."""
    folder = os.path.join(toolkit, "lib64")
    loaded: list[ctypes.CDLL] = []
    # As CANN's set_env.sh does; without it torch_npu prints a line where programs read its answer.
    os.environ["ASCEND_HOME_PATH"] = toolkit
    os.environ["ASCEND_OPP_PATH"] = os.path.join(toolkit, "opp")

    def load() -> None:
        # Each tensor its own memory, whose bounds the device knows.
        os.environ.setdefault("PYTORCH_NO_NPU_MEMORY_CACHING", "1")
        sys.meta_path.insert(0, emulated_torchair.Finder())
        for name in LIBRARIES:
            loaded.append(ctypes.CDLL(os.path.join(folder, name), mode=ctypes.RTLD_GLOBAL))

    def replace(module: object) -> None:
        operators = ctypes.CDLL(os.path.join(folder, "libemulated_npu.so"))
        import torch

        # Each replacement of one of torch_npu's kernels is meant.
        with warnings.catch_warnings(), torch._C._DisableTorchDispatch():
            warnings.simplefilter("ignore")
            operators.emulated_ascend_operators()

    return {"torch": (load, lambda module: None), "torch_npu": (lambda: None, replace)}


def counts() -> dict[str, Any]:
    """How often each operator of torch's ran on the CPU, and each emulated kernel."""
    path = os.path.join(os.environ["PORTER_EMULATED"], "lib64", "libascendcl.so")
    library = ctypes.CDLL(path)
    library.emulated_ascend_counts.restype = ctypes.c_char_p
    found: dict[str, Any] = json.loads(library.emulated_ascend_counts())
    return found
