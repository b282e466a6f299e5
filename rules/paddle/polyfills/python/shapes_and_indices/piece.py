import paddle

from .computing import _applied, _writing
from .pointwise import conj_physical


def adjoint(input):
    return conj_physical(input.mT)


def fliplr(input):
    if input.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return paddle.flip(input, [1])


def flipud(input):
    if input.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return paddle.flip(input, [0])


def index_copy(input, dim, index, source):
    if not input.ndim:
        return _applied(lambda x, y: y.reshape([]).clone(), input.dtype, input, source)
    moved = paddle.moveaxis(input, dim, 0)
    rows = paddle.moveaxis(source, dim, 0) if source.ndim else source
    places = index if index.ndim else index.reshape([1])
    copied = _applied(lambda x, y: paddle.index_put(x, (places,), y), input.dtype, moved, rows)
    return paddle.moveaxis(copied, 0, dim)


_REDUCTIONS = {"prod": "multiply", "mean": "mean", "amax": "amax", "amin": "amin"}


def index_reduce(input, dim, index, source, reduce, *, include_self=True):
    if not input.ndim:
        one = index_reduce(
            input.reshape([1]), 0, index.reshape([-1]), source.reshape([-1]), reduce, include_self=include_self
        )
        return one.reshape([])
    shape = [1] * input.ndim
    shape[dim] = -1
    place, how = index.reshape(shape).expand(source.shape), _REDUCTIONS[reduce]

    def reduced(x, y):
        # not paddle.put_along_axis: its check of the index would wait for a device
        return paddle._C_ops.put_along_axis(x, place, y, dim, how, include_self)

    return _applied(reduced, input.dtype, input, source)


def narrow_copy(input, dim, start, length):
    start = start + input.shape[dim] if start < 0 else start
    if length < 0 or start + length > input.shape[dim]:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size")
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, start + length),)].clone()


def put(input, index, source, accumulate=False):
    def written(x, y):
        return paddle.index_put(x, (index.flatten(),), y, accumulate)

    return _applied(written, input.dtype, input.flatten(), source.flatten()).reshape(input.shape)


Tensor_index_copy_ = _writing(index_copy)
Tensor_index_reduce_ = _writing(index_reduce)
Tensor_put_ = _writing(put)


def as_strided_scatter(input, src, size, stride, storage_offset=None):
    places = paddle.full([], storage_offset or 0, dtype="int64")
    for length, step in zip(size, stride, strict=True):
        places = places.unsqueeze(-1) + paddle.arange(length) * step
    flat = index_copy(input.reshape([-1]), 0, places.reshape([-1]), src.reshape([-1]))
    return flat.reshape(input.shape)



def torch_select(input, dim, index):
    return input[(slice(None),) * (dim % input.ndim) + (index,)]


def torch_unravel_index(indices, shape):
    found, sizes = [], [shape] if isinstance(shape, int) else list(shape)
    for size in reversed(sizes):
        found.append(indices % size)
        indices = paddle.floor_divide(indices, paddle.full_like(indices, size))
    return tuple(reversed(found))


def resize_as_(input, the_template, *, memory_format=None):
    return input.resize_(the_template.shape)
