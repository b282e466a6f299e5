import paddle


class _ExternalStreamType(type(paddle.device.Stream)):  # type: ignore[misc]
    def __instancecheck__(cls, value):
        return isinstance(value, paddle.device.Stream)

    def __call__(cls, stream_ptr, device=None):
        return paddle.cuda.get_stream_from_external(stream_ptr, device)


class ExternalStream(paddle.device.Stream, metaclass=_ExternalStreamType):
    """torch.cuda.ExternalStream: wraps a pointer, and names the class in annotations."""
