import math

import paddle

from .computing import _applied, _as_dtype, _is_zero, _writing
from .methods_of_tensors import _as_in_torch, _methods
from .torchs_meaning import _torch


def _at(input, dim):
    rank = max(input.ndim, 1)
    if not -rank <= dim < rank:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})"
        )
    return dim % rank


def index_fill(input, dim, index, value):
    if isinstance(value, paddle.Tensor) and value.ndim:
        raise RuntimeError(
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.ndim} dimension(s)."
        )
    _at(input, dim)
    length = input.shape[dim] if input.ndim else 1
    places = index.reshape([-1]) % max(length, 1)
    count = paddle.index_add(paddle.zeros([length]), places, 0, paddle.ones([index.size]))
    shape = [1] * input.ndim
    if input.ndim:
        shape[dim] = -1
    value = _as_dtype(value, input.dtype, input.place)
    return _torch("where")(count.reshape(shape) > 0, value, input)


def take_along_dim(input, indices, dim=None):
    if dim is None:
        return _torch("gather")(input.reshape([-1]), 0, indices.reshape([-1]))
    dim = _at(input, dim)
    shapes = [[*each.shape] for each in (input, indices)]
    for shape in shapes:
        shape[dim] = 1
    shape = paddle.broadcast_shape(*shapes)
    wide, long = ([*shape], [*shape])
    wide[dim], long[dim] = indices.shape[dim], input.shape[dim]
    return _torch("gather")(input.expand(long), dim, indices.expand(wide))


_BY_TORCH = {"sum": "add", "prod": "multiply", "mean": "mean", "amax": "amax", "amin": "amin"}


def _product_with_zeros(put, x, y):
    """Products with a gradient for a factor of 0, too: the product of the others."""
    others = put(*(paddle.where(_is_zero(each), paddle.ones_like(each), each) for each in (x, y)), "prod")
    count = put((x == 0).astype(x.dtype), (y == 0).astype(y.dtype), "sum")
    alone = put(*(paddle.where(_is_zero(each), each, paddle.zeros_like(each)) for each in (x, y)), "sum")
    return paddle.where(count == 0, others, paddle.where(count == 1, others.detach() * alone, paddle.zeros_like(others)))


def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    dim, shape = _at(input, dim), input.shape
    if not index.size:
        return input.clone()
    one = [each if each.ndim else each.reshape([1]) for each in (input, index, src)]
    flat, places, values = one
    values = values[tuple(slice(0, length) for length in places.shape)]
    large = paddle.int64 if input.dtype == paddle.bool else input.dtype
    if reduce in ("amax", "amin") and input.dtype == paddle.bool:
        large = paddle.int32

    def put(x, y, kind=reduce, own=include_self):
        # not paddle.put_along_axis: its check of the index would wait for a device
        return paddle._C_ops.put_along_axis(x, places, y, dim, _BY_TORCH[kind], own)

    def reduced(x, y):
        if y.place.is_cpu_place() and y.is_floating_point():
            slopes = not (x.stop_gradient and y.stop_gradient)
            if reduce == "prod" and slopes and (_is_zero(y).any() or _is_zero(x).any()):
                return _product_with_zeros(put, x, y)
            if reduce in ("amax", "amin") and y.isnan().any():
                nans = put(paddle.zeros_like(x), paddle.where(y.isnan(), y, paddle.zeros_like(y)), "sum", True)
                return paddle.where(nans.isnan(), nans, put(x, y))
        return put(x, y)

    if flat.shape[:dim] + flat.shape[dim + 1 :] != places.shape[:dim] + places.shape[dim + 1 :]:
        inside = tuple(slice(0, n if at != dim else None) for at, n in enumerate(places.shape))
        made = flat.clone()
        made[inside] = scatter_reduce(flat[inside], dim, places, values, reduce, include_self=include_self)
        return made
    return _applied(reduced, large, flat, values).astype(input.dtype).reshape(shape)


def nonzero_static(input, *, size, fill_value=-1):
    """The places of the first elements that are not 0, filled up to a number of rows."""
    rank = input.ndim
    there = _torch("ne")(input, 0).reshape([-1]).astype(paddle.int32)
    order = paddle.argsort(there, descending=True, stable=True)
    if order.shape[0] < size:
        order = paddle.concat([order, paddle.zeros([size - order.shape[0]], dtype=order.dtype)])
    order, parts = order[:size], []
    for length in reversed(input.shape):
        parts.append(order % max(length, 1))
        order = order // max(length, 1)
    places = paddle.stack(parts[::-1], -1) if rank else paddle.empty([size, 0], dtype="int64")
    known = (paddle.arange(size) < there.sum()).unsqueeze(-1)
    return paddle.where(known, places, paddle.full_like(places, fill_value)) if places.size else places


_OF_NOTHING = {"sum": 0.0, "mean": 0.0, "prod": 1.0, "amax": float("-inf"), "amin": float("inf")}


def segment_reduce(data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None):
    """The elements of each segment along a dimension, reduced."""
    if indices is not None:
        raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    if lengths is None and offsets is None:
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    kind = {"max": "amax", "min": "amin"}.get(reduce, reduce)
    if kind not in _OF_NOTHING:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    axis, given = axis % data.ndim, lengths if offsets is None else offsets
    if axis != given.ndim - 1:
        raise RuntimeError(f"segment_reduce(): Expected axis to be the last dimension of lengths but got {axis}.")
    if not data.is_floating_point() or given.is_floating_point():
        raise NotImplementedError("segment_reduce() is of floating-point numbers, by integers")
    given = given.astype(paddle.int64)
    lengths = given if offsets is None else given[..., 1:] - given[..., :-1]
    if not unsafe and offsets is None:
        if lengths.size and (lengths < 0).any():
            raise RuntimeError("lengths contains negative value!")
        if (lengths.sum(-1) != data.shape[axis]).any():
            raise RuntimeError(
                "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) "
                "when !unsafe."
            )
    begins = lengths.cumsum(-1) - lengths if offsets is None else given[..., :-1]
    rows = paddle.arange(math.prod(data.shape[:axis])).reshape([*data.shape[:axis], 1]) * data.shape[axis]
    begins, counts, inner = (begins + rows).flatten(), lengths.flatten(), data.shape[axis + 1 :]

    def reduced(x):
        first = _OF_NOTHING[kind] if initial is None else float(initial)
        made = paddle.full([counts.shape[0], *inner], first, dtype=x.dtype)
        if counts.size and int(counts.sum()):
            segments = paddle.repeat_interleave(paddle.arange(counts.shape[0]), counts)
            places = paddle.arange(segments.shape[0]) + (begins - counts.cumsum(0) + counts)[segments]
            parts = x.reshape([-1, *inner])[places]
            segments = segments.reshape([-1, *[1] * len(inner)]).expand(parts.shape)
            made = _torch("scatter_reduce")(made, 0, segments, parts, "sum" if kind == "mean" else kind)
        if kind == "mean":
            each = counts.astype(x.dtype).reshape([-1, *[1] * len(inner)])
            nothing = float("nan") if initial is None else first
            made = paddle.where(each == 0, paddle.full_like(made, nothing), made / each.clip(min=1))
        return made.reshape([*lengths.shape, *inner])

    return _applied(reduced, data.dtype, data)


_segment_reduce = segment_reduce


def empty_permuted(
    size,
    physical_layout,
    *,
    dtype=None,
    layout=None,
    device=None,
    requires_grad=False,
    pin_memory=False,
):
    """A tensor whose dimensions lie in memory in another order."""
    made = paddle.empty([size[at] for at in physical_layout], dtype=dtype, device=device)
    made = made.transpose([[*physical_layout].index(at) for at in range(len(size))])
    made.stop_gradient = not requires_grad
    return made


index_fill_ = _writing(index_fill)
scatter_reduce_ = _writing(scatter_reduce)
_as_in_torch(index_fill, take_along_dim, scatter_reduce, nonzero_static)
_methods(index_fill_=index_fill_, scatter_reduce_=scatter_reduce_)
