import paddle

from .methods_of_tensors import _methods

_paddle_as_strided = paddle.as_strided


def as_strided(input, size, stride, storage_offset=None):
    size, stride, width = list(size), list(stride), input.element_size()
    start = input.offset // width if storage_offset is None else storage_offset
    derived = paddle.is_grad_enabled() and not input.stop_gradient
    if not derived or not _may_overlap(size, stride):
        return _paddle_as_strided(input, size, stride, start * width)
    if not input.is_contiguous():
        raise NotImplementedError("as_strided under Paddle derives overlaps of contiguous tensors")
    places = paddle.full([1], start - input.offset // width, dtype="int64")
    for length, step in zip(size, stride, strict=True):  # Paddle keeps one gradient of an overlap
        places = (places.unsqueeze(-1) + step * paddle.arange(length)).flatten()
    return paddle.gather(input.flatten(), places).reshape(size)


def _may_overlap(size, stride):
    reached = 0
    for step, length in sorted(zip(stride, size, strict=True)):
        if length > 1 and step <= reached:
            return True
        reached += step * (length - 1)
    return False


def as_strided_(input, size, stride, storage_offset=None):
    width = input.element_size()
    start = input.offset // width if storage_offset is None else storage_offset
    return input.set_(input, list(size), list(stride), start * width)


_methods(as_strided=as_strided, as_strided_=as_strided_)
