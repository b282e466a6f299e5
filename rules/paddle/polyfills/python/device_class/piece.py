import paddle

from .methods_of_tensors import _members, _static

_ELSEWHERE = "fpga hip hpu ideep ipu lazy maia meta mkldnn mps mtia opencl opengl ve vulkan xla".split()


def _device_elsewhere(cls, type, index=None):
    """A device of torch's that no Paddle has: to be compared, and refused where it is used."""
    kind, _, number = type.partition(":")
    index = int(number) if number else index
    made = str.__new__(cls, kind if index is None else f"{kind}:{index}")
    made._dev_type, made._index = kind, index
    return made


def _new_device(cls, *args, **kwargs):
    if "device" in kwargs:
        if args or len(kwargs) > 1:
            raise TypeError("device() takes `device` alone, or `type` and `index`")
        args = (kwargs.pop("device"),)
    named = args[0] if args else kwargs.get("type")
    if isinstance(named, str) and named.partition(":")[0] in _ELSEWHERE:
        return _device_elsewhere(cls, *args, **kwargs)
    try:
        return _static(paddle.device.Device, "__new__").theirs.__get__(None, cls)(cls, *args, **kwargs)
    except ValueError as error:  # torch: RuntimeError for a type it does not know
        raise RuntimeError(str(error)) from error


_members(paddle.device.Device, __new__=staticmethod(_new_device))
device = paddle.device.Device
