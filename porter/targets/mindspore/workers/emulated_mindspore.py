"""MindSpore on the emulated NPU: CustomOpBuilder builds what is for an NPU for the CPU.

Stands alone, imports nothing of porter.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


def actions(toolkit: str) -> dict[str, tuple[Callable[[], None], Callable[[Any], None]]]:
    """What to do before and after the import of modules."""
    folder = os.path.join(toolkit, "lib64")
    cflags = f"-include {os.path.join(toolkit, 'plugins', 'aclnn.h')}"
    ldflags = f"-L{folder} -Wl,-rpath,{folder} -lemulated_aclnn -lopapi -lascendcl"

    def replace(mindspore: Any) -> None:
        builder = mindspore.ops.CustomOpBuilder
        made = builder.__init__

        def make(self: Any, *args: Any, **options: Any) -> None:
            given = dict(zip(("name", "sources", "backend", "include_paths"), args, strict=False))
            given |= dict(zip(("cflags", "ldflags"), args[4:], strict=False)) | options
            if given.get("backend") == "Ascend":
                given["backend"] = "CPU"
                for key, own in (("cflags", cflags), ("ldflags", ldflags)):
                    given[key] = f"{given.get(key) or ''} {own}".strip()
            made(self, **given)

        builder.__init__ = make
        # on a CPU, MindSpore's own operators do not wait for what plugins run
        mindspore.runtime.launch_blocking()

    return {"mindspore": (lambda: None, replace)}
