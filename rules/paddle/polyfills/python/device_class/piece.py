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
        made = _static(paddle.device.Device, "__new__").theirs.__get__(None, cls)(cls, *args, **kwargs)
    except ValueError as error:  # torch: RuntimeError for a type it does not know
        raise RuntimeError(str(error)) from error
    if isinstance(named, str) and ":" not in named and len(args) + len(kwargs) == 1:
        made._index = None  # as it was asked for: the current device of that type
    return made


def _written_device(self, spec=""):
    """As it is written to a text: without the number that it was not given, which Paddle's functions need."""
    written = self._dev_type if self._index is None else f"{self._dev_type}:{self._index}"
    return format(written, spec)


def _place_of_device(self):
    known = self._index is not None or self._dev_type == "cpu"
    return _paddles_place(self if known else paddle.device.Device(self._dev_type, 0))


_paddles_place = paddle.device.Device._to_place
paddle.device.Device._to_place = _place_of_device
_members(
    paddle.device.Device, __new__=staticmethod(_new_device), __str__=_written_device, __format__=_written_device
)
device = paddle.device.Device
