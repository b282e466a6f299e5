import paddle

from .computing import _applied, _as_dtype, _writing
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

    def reduced(x, y):
        # not paddle.put_along_axis: its check of the index would wait for a device
        return paddle._C_ops.put_along_axis(x, places, y, dim, _BY_TORCH[reduce], include_self)

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


def _reduced_parts(parts, within, reduce, dim, initial):
    """The parts of segments reduced; without an initial value, an empty one is what torch gives."""
    identity = {"max": float("-inf"), "min": float("inf"), "prod": 1.0}.get(reduce, 0.0)
    kept = paddle.where(within, parts, paddle.full([], identity, dtype=parts.dtype))
    name = {"max": "amax", "min": "amin", "mean": "sum"}.get(reduce, reduce)
    made = getattr(paddle, name)(kept, axis=dim)
    if initial is not None:
        first = paddle.full_like(made, float(initial))
        join = {"max": paddle.maximum, "min": paddle.minimum, "prod": paddle.multiply}
        made = join.get(reduce, paddle.add)(made, first)
    if reduce != "mean":
        return made
    count = within.astype(parts.dtype).sum(dim)
    empty = paddle.full_like(made, float("nan")) if initial is None else made
    return paddle.where(count == 0, empty, made / count.clip(min=1))


def _segment_reduce(
    data, reduce, *, lengths=None, indices=None, offsets=None, axis=0, unsafe=False, initial=None
):
    """The elements of each segment along a dimension, reduced."""
    if indices is not None or (lengths is None and offsets is None):
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined")
    ends = lengths.cumsum(-1) if offsets is None else offsets[..., 1:]
    begins = ends - lengths if offsets is None else offsets[..., :-1]
    axis = axis % data.ndim
    places = paddle.arange(data.shape[axis])
    within = (places >= begins.unsqueeze(-1)) & (places < ends.unsqueeze(-1))
    within = within.reshape([*within.shape, *[1] * (data.ndim - axis - 1)])

    def reduced(x):
        parts = x.unsqueeze(axis)
        shape = paddle.broadcast_shape(parts.shape, within.shape)
        return _reduced_parts(parts.expand(shape), within.expand(shape), reduce, axis + 1, initial)

    return _applied(reduced, data.dtype, data)


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
