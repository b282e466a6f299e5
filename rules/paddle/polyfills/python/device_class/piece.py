import paddle

_ELSEWHERE = "fpga hip hpu ideep ipu lazy maia meta mkldnn mps mtia opencl opengl ve vulkan xla".split()


def _device_elsewhere(type, index=None):
    """A device of torch's that no Paddle has: to be compared, and refused where it is used."""
    kind, _, number = type.partition(":")
    index = int(number) if number else index
    made = str.__new__(paddle.device.Device, kind if index is None else f"{kind}:{index}")
    made._dev_type, made._index = kind, index
    return made


class _DeviceType(type(paddle.device.Device)):  # type: ignore[misc]
    def __instancecheck__(cls, value):
        return isinstance(value, paddle.device.Device)

    def __subclasscheck__(cls, other):
        return issubclass(other, paddle.device.Device)

    def __call__(cls, *args, **kwargs):
        if "device" in kwargs:
            if args or len(kwargs) > 1:
                raise TypeError("device() takes `device` alone, or `type` and `index`")
            args = (kwargs.pop("device"),)
        named = args[0] if args else kwargs.get("type")
        if isinstance(named, str) and named.partition(":")[0] in _ELSEWHERE:
            return _device_elsewhere(*args, **kwargs)
        try:
            return paddle.device.Device(*args, **kwargs)
        except ValueError as error:  # torch: RuntimeError for a type it does not know
            raise RuntimeError(str(error)) from error


class device(paddle.device.Device, metaclass=_DeviceType):
    """torch.device: makes a paddle.device.Device, and every Device is one."""
