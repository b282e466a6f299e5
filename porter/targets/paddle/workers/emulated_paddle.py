"""Paddle's Python side of the emulated CUDA device, which is a custom device to Paddle.

Where Python asks for `cuda` or `gpu` it gets that device, and tensors there say that they are on
CUDA.
"""

from __future__ import annotations

import ctypes
import functools
import os
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .emulated_device import properties
else:  # beside this file, which is no package
    from emulated_device import properties

CUDA = "13.0"  # as the headers state it
DEVICE = "emulated"  # as the device's library names it


def actions(toolkit: str) -> dict[str, tuple[Callable[[], None], Callable[[Any], None]]]:
    """What to do before and after the import of modules."""

    def load() -> None:
        libraries = os.path.join(toolkit, "lib64")
        os.environ["CUSTOM_DEVICE_ROOT"] = os.path.join(libraries, "device")
        os.environ.setdefault("GLOG_minloglevel", "2")  # it tells of every library it looks at
        path = os.path.join(libraries, "libcudart.so")
        runtime.append(ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL))
        # First, for Paddle's libraries to find what it has in place of theirs.
        ctypes.CDLL(os.path.join(libraries, "device", "libemulated.so"))

    runtime: list[ctypes.CDLL] = []
    return {"paddle": (load, lambda paddle: finish(paddle, toolkit, *runtime))}


def compiled_with_cuda() -> bool:
    """True for build scripts and extensions; Paddle's own code asks which kernels it has."""
    caller = str(sys._getframe(1).f_globals.get("__name__", ""))
    return not caller.startswith("paddle")


def replace(name: str, old: Any, around: Callable[[Any], Any]) -> None:
    """Put a function around another, wherever it was imported."""
    new = around(old)
    for module in [each for key, each in sys.modules.items() if key.startswith("paddle")]:
        if vars(module).get(name) is old:
            setattr(module, name, new)


def finish(paddle: Any, toolkit: str, runtime: ctypes.CDLL) -> None:
    core = paddle.base.core
    place = core.CustomPlace(DEVICE, 0)
    named = re.compile(r"(cuda|gpu)(:\d+)?$", re.IGNORECASE)
    device = paddle.device

    def ours(old: Callable[..., Any]) -> Callable[..., Any]:
        def convert(value: object) -> Any:
            found = named.match(value) if isinstance(value, str) else None
            if not found:
                return old(value)
            if found[2] not in (None, ":0"):
                raise ValueError(f"no device {value}: the only one is cuda:0")
            return place

        return convert

    replace("_convert_to_place", device._convert_to_place, ours)
    replace("_get_paddle_place", paddle.base.framework._get_paddle_place, ours)
    made = device.Device.__new__

    def new(cls: Any, type: Any = None, index: int | None = None) -> Any:
        is_ours = isinstance(type, core.Place) and type.is_custom_place()
        return made(cls, "cuda", type.custom_device_id()) if is_ours else made(cls, type, index)

    device.Device.__new__ = new
    paddle.Tensor.is_cuda = property(lambda self: self.place.is_custom_place())
    described = functools.partial(properties, runtime)
    for name in ("get_device_properties", "_get_device_properties"):
        for module in (device, paddle.cuda):
            if hasattr(module, name):
                setattr(module, name, lambda device=None: described())
    for module in (device, paddle.cuda):
        module.get_device_name = lambda device=None: described().name
        module.get_device_capability = lambda device=None: (described().major, described().minor)
    paddle.is_compiled_with_cuda = compiled_with_cuda
    paddle.version.cuda = type(paddle.version.cuda)(CUDA)
    headers = os.path.join(toolkit, "paddle")
    replace("get_include", paddle.sysconfig.get_include, lambda old: lambda: headers)
