"""MindSpore on the emulated NPU: plugins for NPUs are built for a CPU, and aclnn is the NPU's."""

from __future__ import annotations

import shutil
from pathlib import Path

from porter.targets.protocol import StandIn

HERE = Path(__file__).resolve().parent
_HEADER = HERE / "aclnn.h"


def _prepare(toolkit: Path, root: Path) -> None:
    (toolkit / "plugins").mkdir()
    shutil.copy(_HEADER, toolkit / "plugins")


STAND_IN = StandIn(
    libraries=("libemulated_aclnn.so",),
    sources=(HERE / "aclnn.cpp",),
    beside=(_HEADER, HERE / "__init__.py"),
    flags=lambda root: ("-std=c++17", "-fvisibility=hidden"),
    linked=lambda root: ("-lopapi", "-ldl"),
    prepare=_prepare,
    modules=(HERE.parent / "workers" / "emulated_mindspore.py",),
)
