import importlib
import sys
import traceback

import paddle

from .torchs_meaning import _torch


class KeyErrorMessage(str):
    """The message of a KeyError, with its line breaks: that of Python shows the repr of a text."""

    __slots__ = ()

    def __repr__(self):
        return str(self)


class ExceptionWrapper:
    """An error with its traceback as text, to be raised again in another process or thread."""

    def __init__(self, exc_info=None, where="in background"):
        exc_info = exc_info or sys.exc_info()
        self.exc_type, self.where = exc_info[0], where
        self.exc_msg = "".join(traceback.format_exception(*exc_info))

    def reraise(self):
        message = f"Caught {self.exc_type.__name__} {self.where}.\nOriginal {self.exc_msg}"
        if self.exc_type is KeyError:
            message = KeyErrorMessage(message)
        elif getattr(self.exc_type, "message", None):
            raise self.exc_type(message=message)
        try:
            error = self.exc_type(message)
        except Exception:  # noqa: BLE001 - of a class whose objects are made of something else
            raise RuntimeError(message) from None
        raise error


class classproperty:
    """A property of a class."""

    def __init__(self, func):
        self.fget = func

    def __get__(self, instance, owner=None):
        return self.fget(type(instance) if owner is None else owner)


def _import_dotted_name(name):
    """What a module has by a name with dots."""
    first, *rest = name.split(".")
    found = importlib.import_module(first)
    for each in rest:
        found = getattr(found, each)
    return found


def _get_all_device_indices():
    return list(range(paddle.device.cuda.device_count())) or None


def _get_available_device_type():
    return "cuda" if paddle.device.cuda.device_count() else None


def _get_current_device_index():
    return _torch("cuda.current_device")() if paddle.device.cuda.device_count() else -1


def _get_device_index(device, optional=False, allow_cpu=False):
    """The number of a device: given by number, by name, as a device, or, if `optional`, the current one."""
    if isinstance(device, int):
        return device
    if isinstance(device, str):
        device = _torch("device")(device)
    if device is None:
        if optional:
            return _get_current_device_index()
    elif device.type == "cpu":
        if not allow_cpu:
            raise ValueError(f"Expected a non cpu device, but got: {device}")
        return -1
    elif device.index is not None:
        return device.index
    elif optional:
        return _get_current_device_index()
    raise ValueError(f"Expected a torch.device with a specified index or an integer, but got:{device}")


def _reorder_tensors_as(tensors, ordered_tensors):
    """Tensors in the order that others have by their kinds."""
    by_kind = {}
    for each in tensors:
        by_kind.setdefault((each.place._type(), each.dtype), []).append(each)
    taken = {kind: iter(each) for kind, each in by_kind.items()}
    return tuple(next(taken[each.place._type(), each.dtype]) for each in ordered_tensors)
