import re
import sys

import paddle

from .meta_device import _names_meta, _OnMeta

_NUMBERED_CPU = re.compile(r"cpu:\d+")


def _name_of_number(device):
    """A number as the name of the accelerator that has it, and a CPU with a number as the only one."""
    if _names_meta(device):
        raise _OnMeta("Under Paddle this is not done on the meta device")
    if type(device) is not int:
        return "cpu" if type(device) is str and _NUMBERED_CPU.fullmatch(device) else device
    others = paddle.device.get_all_custom_device_type()
    return f"{'gpu' if paddle.is_compiled_with_cuda() or not others else others[0]}:{device}"


def _with_numbers(function):
    """The function, which takes a device first, with numbers taken too."""

    def taking_numbers(device, *args, **kwargs):
        return function(_name_of_number(device), *args, **kwargs)

    return taking_numbers


def _method_with_numbers(method):
    def taking_numbers(self, device=None, *args, **kwargs):
        return method(self, _name_of_number(device), *args, **kwargs)

    return taking_numbers


_place_of = paddle.base.framework._get_paddle_place
if _place_of.__name__ != "taking_numbers":  # of another unit
    _place_of_any = _with_numbers(_place_of)
    for _loaded in [*sys.modules.values()]:
        if getattr(_loaded, "__dict__", {}).get("_get_paddle_place") is _place_of:
            _loaded._get_paddle_place = _place_of_any  # type: ignore[attr-defined]
    _of_devices = paddle.device.set_device.__globals__  # the module paddle.device is a copy of that
    _of_devices["_convert_to_place"] = _with_numbers(_of_devices["_convert_to_place"])
    paddle.Tensor._to = _method_with_numbers(paddle.Tensor._to)
    paddle.nn.Layer._to_impl = _method_with_numbers(paddle.nn.Layer._to_impl)
