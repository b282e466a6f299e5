import paddle


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
        try:
            return paddle.device.Device(*args, **kwargs)
        except ValueError as error:  # torch: RuntimeError for a type it does not know
            raise RuntimeError(str(error)) from error


class device(paddle.device.Device, metaclass=_DeviceType):
    """torch.device: makes a paddle.device.Device, and every Device is one."""
