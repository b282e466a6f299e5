import os
import sys
import types
from typing import Any

import paddle

from .methods_of_tensors import _members, _methods
from .scope import _UNIT


def _npu_index(device):
    """The number of an NPU: of a device, its name or its number; without one, the current."""
    number = device if isinstance(device, int) else getattr(device, "index", None)
    if isinstance(device, str):
        number = int(device.partition(":")[2]) if ":" in device else None
    if number is None:
        name, _, current = paddle.device.get_device().partition(":")
        number = int(current) if name == "npu" else 0
    return number


def _devices_with_npus(made):
    """Paddle's devices, of which those of the type npu can be made, too."""

    def new(cls, type=None, index=None):
        if isinstance(type, paddle.base.core.Place) and type.is_custom_place():
            type, index = type.custom_device_type(), type.custom_device_id()
        name, _, number = type.partition(":") if isinstance(type, str) else ("", "", "")
        if name != "npu":
            return made(cls, type, index)
        index = index if index is not None else int(number or 0)
        device = str.__new__(cls, f"npu:{index}")
        device._dev_type, device._index = "npu", index
        return device

    return new


def _places_with_npus(placed):
    def place(device):
        return paddle.CustomPlace("npu", device.index) if device.type == "npu" else placed(device)

    return place


if "npu" not in getattr(paddle.device.Device, "_of_units", ()):  # another unit may have done so
    paddle.device.Device._of_units = ("npu",)
    _new_by_scope = vars(paddle.device.Device)["__new__"]
    if hasattr(_new_by_scope, "homes"):  # code for torch makes devices by what Paddle's own code has
        _new_by_scope.theirs = staticmethod(_devices_with_npus(_new_by_scope.theirs.__get__(None, paddle.device.Device)))
    else:
        paddle.device.Device.__new__ = _devices_with_npus(paddle.device.Device.__new__)
    paddle.device.Device._to_place = _places_with_npus(paddle.device.Device._to_place)


def _npu(self, device=None, non_blocking=False):
    return self.to(f"npu:{_npu_index(device)}")


def _layer_to_npu(self, device=None):
    return self.to(device=f"npu:{_npu_index(device)}")


is_npu = property(lambda self: self.place.is_custom_place())
_methods(npu=_npu, is_npu=is_npu)
_members(paddle.nn.Layer, npu=_layer_to_npu)


def _npu_count():
    types_ = paddle.device.get_all_custom_device_type()
    return paddle.device.device_count("npu") if "npu" in types_ else 0


class _NpuStream(paddle.device.Stream):
    """A stream of Paddle's on an NPU."""

    def __init__(self, device=None, priority=0, stream_base=None, **_):
        place = f"npu:{_npu_index(device)}" if stream_base is None else None
        super().__init__(place, stream_base=stream_base)

    @property
    def npu_stream(self):
        return self.stream_base.raw_stream


class _NpuDevice:
    """A device that is current in a block."""

    def __init__(self, device):
        self.index = _npu_index(device)

    def __enter__(self):
        self.before = paddle.device.get_device()
        paddle.device.set_device(f"npu:{self.index}")

    def __exit__(self, *exception):
        paddle.device.set_device(self.before)


def _set_npu(device):
    paddle.device.set_device(f"npu:{_npu_index(device)}")


def _synchronize_npu(device=None):
    paddle.device.synchronize(f"npu:{_npu_index(device)}")


def _current_npu_stream(device=None):
    return paddle.device.current_stream(f"npu:{_npu_index(device)}")


npu: Any = types.ModuleType("torch.npu")
npu.is_available = lambda: _npu_count() > 0
npu.device_count = _npu_count
npu.current_device = lambda: _npu_index(None)
npu.set_device, npu.device, npu.synchronize = _set_npu, _NpuDevice, _synchronize_npu
npu.Stream, npu.Event = _NpuStream, paddle.device.Event
npu.stream, npu.current_stream = paddle.device.stream_guard, _current_npu_stream
npu.manual_seed = npu.manual_seed_all = paddle.seed
npu.empty_cache = lambda: None


def NpuExtension(name, sources, *args, **kwargs):
    """Paddle's builder, with the headers and the runtime of CANN where that is."""
    home = os.environ.get("ASCEND_TOOLKIT_HOME") or os.environ.get("ASCEND_HOME_PATH") or ""
    if os.path.isdir(os.path.join(home, "lib64")):
        kwargs["include_dirs"] = [*(kwargs.get("include_dirs") or ()), f"{home}/include"]
        kwargs["library_dirs"] = [*(kwargs.get("library_dirs") or ()), f"{home}/lib64"]
        kwargs["libraries"] = [*(kwargs.get("libraries") or ()), "ascendcl"]
    return sys.modules["torch.utils.cpp_extension"].CppExtension(name, sources, *args, **kwargs)


_torch_npu: Any = types.ModuleType("torch_npu")
_torch_npu.utils = types.ModuleType("torch_npu.utils")
_torch_npu.utils.cpp_extension = types.ModuleType("torch_npu.utils.cpp_extension")
_torch_npu.utils.cpp_extension.NpuExtension = NpuExtension
_torch_npu.npu, _torch_npu.__version__ = npu, paddle.__version__
_torch_npu.__path__, _torch_npu.utils.__path__ = [], []
# Build scripts ask where its headers are: where there are none, the unit has them elsewhere.
_torch_npu.__file__ = os.path.join(_UNIT, "torch_npu", "__init__.py")
if getattr(sys.modules["paddle.compat.proxy"], "TORCH_PROXY_FINDER", None) in sys.meta_path:
    for _module_of_npu in (_torch_npu, _torch_npu.utils, _torch_npu.utils.cpp_extension):
        sys.modules[_module_of_npu.__name__] = _module_of_npu
    sys.modules["torch_npu.npu"] = npu
