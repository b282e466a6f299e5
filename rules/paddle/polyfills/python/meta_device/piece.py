import threading

import paddle

from .methods_of_tensors import _members, _static
from .overrides import _function, _register
from .torchs_meaning import _torch


class _OnMeta(ValueError):
    """Asked for where a place is needed: the meta device has none. What makes tensors there catches this."""


class _Defaults(threading.local):
    """The devices that contexts of this thread have made the default: more than none if one of them is meta."""

    contexts = ()


_default_devices = _Defaults()


def _names_meta(device):
    return isinstance(device, str) and device.partition(":")[0] == "meta"


def _is_for_meta(device):
    """Whether what is made for a device, or for the default one, is on the meta device."""
    if device is None:
        return bool(_default_devices.contexts) and _names_meta(_default_devices.contexts[-1].device)
    return _names_meta(device)


def _on_meta(tensor, device):
    """A tensor or parameter as it is if it is not for the meta device."""
    return _torch("utils._device.DeviceContext").on_meta(tensor) if _is_for_meta(device) else tensor


def _enter_device(self):
    """Make the device the default inside."""
    if not _names_meta(self) and not _default_devices.contexts:
        return _enter_place(self)
    context = _torch("utils._device.DeviceContext")(self)
    _entered_with.append(context)
    context.__enter__()
    return self


def _exit_device(self, *raised):
    if _entered_with and _entered_with[-1].device is self:
        _entered_with.pop().__exit__(*raised)
    else:
        _exit_place(self, *raised)


def set_default_device(device):
    """Make a device the default of what is made from now on; None is the CPU."""
    if _global_default:
        _global_default.pop().__exit__(None, None, None)
    if _names_meta(device):
        _global_default.append(_torch("utils._device.DeviceContext")(device))
        _global_default[-1].__enter__()
    else:
        _set_place("cpu" if device is None else device)


def get_default_device():
    contexts = _default_devices.contexts
    return contexts[-1].device if contexts else _device_of_place()


_entered_with: list = []  # contexts of devices that `with` entered
_global_default: list = []
_set_place, _device_of_place = _function("set_default_device"), _function("get_default_device")
_enter_place, _exit_place = (_static(paddle.device.Device, name) for name in ("__enter__", "__exit__"))
_members(paddle.device.Device, __enter__=_enter_device, __exit__=_exit_device)
_register({}, {"torch.set_default_device": set_default_device, "torch.get_default_device": get_default_device})
