import paddle


class _KindOfBuffer(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, paddle.Tensor) and getattr(instance, "_is_buffer", False)


class Buffer(metaclass=_KindOfBuffer):
    """A tensor that shares the memory of another, and is a buffer of what it is assigned to."""

    def __new__(cls, data=None, *, persistent=True):
        data = paddle.empty([0]) if data is None else data
        buffer = data.detach()
        buffer.stop_gradient = data.stop_gradient
        buffer.persistent, buffer._is_buffer = persistent, True
        return buffer
