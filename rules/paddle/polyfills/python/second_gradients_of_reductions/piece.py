import functools
import math

import paddle

from .computing import _is_zero, _seen_from
from .second_gradients_of_linear_operators import _back_through_linear
from .steps_of_gradients import _OPS, _is_recorded_for, _times


def _logsumexp(g, x, axis=(), keepdim=False, reduce_all=False):
    axes = [*range(x.ndim)] if reduce_all or axis in ([], (), None) else axis
    y = _OPS.logsumexp(x, axes, True, False)
    return g.reshape(y.shape) * _OPS.exp(x - y)


def _put_back(g, places, like, axis):
    if like.ndim == 0:
        return g.reshape([])
    return paddle.put_along_axis(paddle.zeros_like(like), places, g, axis, "add", include_self=True)


def _sorted(given, x, axis=-1, descending=False, stable=False):
    return _put_back(given[0], _OPS.argsort(x.detach(), axis, descending, stable)[1], x, axis)


def _slopes_of_topk(given, x, k=1, axis=-1, largest=True, sorted=True):
    return _put_back(given[0], _OPS.topk(x.detach(), k, axis, largest, sorted)[1], x, axis)


def _smallest(given, x, k=1, axis=-1, keepdim=False):
    places = _OPS.kthvalue(x.detach(), k, axis, True)[1]
    return _put_back(given[0].reshape(places.shape), places, x, axis)


def _most_frequent(given, x, axis=-1, keepdim=False):
    places = _OPS.mode(x.detach(), axis, True)[1]
    return _put_back(given[0].reshape(places.shape), places, x, axis)


def _middle(given, x, axis=None, keepdim=False, mode="avg"):
    if mode != "min":
        raise NotImplementedError("no second gradient of a median between two elements")
    axes = [*range(x.ndim)] if axis in (None, [], ()) else [axis] if isinstance(axis, int) else axis
    shape = [1 if i in [a % x.ndim for a in axes] else n for i, n in enumerate(x.shape)]
    y = (
        _OPS.nanmedian(x.detach(), axis, True, mode)[0]
        if x.isnan().any()
        else _OPS.median(x.detach(), axis, True, mode)[0]
    )
    places = (
        (x.detach() == y.reshape(shape))
        .astype("int32")
        .argmax(axes[0] if len(axes) == 1 else None, keepdim=True)
    )
    if len(axes) > 1:
        return _put_back(given[0].reshape([1]), places.reshape([1]), x.flatten(), 0).reshape(
            x.shape
        )
    return _put_back(given[0].reshape(places.shape), places, x, axes[0])


def _written(g, arr, indices, values, axis=0, reduce="assign", include_self=True):
    if reduce == "add" and include_self:
        return g, None, paddle.take_along_axis(g, indices, axis, broadcast=False)
    if reduce != "assign":
        return _reduced_into(g, arr, indices, values, axis, reduce, include_self)
    kept = paddle.put_along_axis(
        g, indices, paddle.zeros_like(values), axis, "assign", broadcast=False
    )
    return kept, None, paddle.take_along_axis(g, indices, axis, broadcast=False)


def _reduced_into(g, arr, indices, values, axis, reduce, include_self):
    """Of elements that are reduced: shared among the extreme ones, by the product of the others, or by their number."""

    def put(into, given, kind="add"):
        return paddle.put_along_axis(into, indices, given, axis, kind, broadcast=False)

    def take(x):
        return paddle.take_along_axis(x, indices, axis, broadcast=False)

    written = put(paddle.zeros_like(arr), paddle.ones_like(values))
    own = paddle.ones_like(arr) if include_self else (written == 0).astype(arr.dtype)
    if reduce == "add":
        return g * own, None, take(g)
    if reduce == "mean":
        share = g / (written + own)
        return share * own, None, take(share)
    made = paddle.put_along_axis(arr, indices, values, axis, reduce, include_self, broadcast=False)
    if reduce in ("mul", "multiply"):
        return g * made / paddle.where(own > 0, arr, paddle.ones_like(arr)) * own, None, take(g * made) / values
    made = made.detach()
    first = (arr.detach() == made).astype(arr.dtype) * own
    extreme = (values.detach() == take(made)).astype(arr.dtype)
    share = g / put(first, extreme)
    return share * first, None, take(share) * extreme


def _taken(dimensions, g, x, indices, *args):
    shape = [*x.shape[:2], -1] if x.ndim == dimensions + 2 else [x.shape[0], -1]
    places = indices.reshape(shape).astype("int64")
    return paddle.take_along_axis(g.reshape(shape), places, len(shape) - 1).reshape(x.shape)


def _of_extreme(name, g, x, axis=(), keepdim=False, reduce_all=False):
    axes = [*range(x.ndim)] if reduce_all or axis in ([], (), None) else axis
    y = getattr(_OPS, name)(x.detach(), axes, True)
    ties = (x.detach() == y).astype(x.dtype)
    return g.reshape(y.shape) * (ties / ties.sum(axes, keepdim=True))


def _slopes_of_windows(
    dimensions, given, x, kernel_size, strides, paddings, whole=False, adaptive=False, ceil_mode=False
):  # fmt: skip
    """Of max pooling: the gradient goes to where the largest element of a window is."""
    run = getattr(_OPS, f"max_pool{dimensions}d_with_index")
    places = run(x.detach(), kernel_size, strides, paddings, whole, adaptive, ceil_mode)[1]
    g = given[0] if isinstance(given, list) else given
    flat, g, places = (each.reshape([*x.shape[:2], -1]) for each in (x, g, places))
    return _put_back(g, places.astype("int64"), flat, 2).reshape(x.shape)


def _pooling(dimensions, theirs):
    """Of pooling: averages are linear; the largest elements are looked for again, with their places."""
    averages = _back_through_linear()(theirs)

    def run(x, *rest, **kwargs):
        kernel_size, strides, paddings, ceil_mode, _, layout, kind, whole, adaptive, padding = rest
        if kind == "avg" or not paddle.is_grad_enabled() or not _is_recorded_for(x):
            return averages(x, *rest, **kwargs)
        if len(paddings) > dimensions or padding != "EXPLICIT" or layout[1] != "C":
            return theirs(x, *rest, **kwargs)
        indexed = getattr(_OPS, f"max_pool{dimensions}d_with_index")
        return indexed(x, kernel_size, strides, paddings, whole, adaptive, ceil_mode)[0]

    return run


def _p_norm(g, x, porder=2.0, axis=-1, epsilon=1e-12, keepdim=False, asvector=False):
    axes = [*range(x.ndim)] if asvector else [axis]
    y = _OPS.p_norm(x, porder, axis, epsilon, True, asvector).reshape(
        [1 if i in [a % x.ndim for a in axes] else n for i, n in enumerate(x.shape)]
    )
    g = g.reshape(y.shape)
    size = _OPS.abs(x)
    if math.isinf(porder):
        ties = (size.detach() == y.detach()).astype(x.dtype)
        return g * _OPS.sign(x) * ties / ties.sum(axes, keepdim=True)
    if porder == 0:
        return paddle.zeros_like(x)
    if porder == 1:
        return g * _OPS.sign(x)
    zero = _is_zero(y)
    safe = paddle.where(zero, paddle.ones_like(y), y)
    size = paddle.where(_is_zero(x), paddle.ones_like(size), size)
    power = x if porder == 2 else _OPS.sign(x) * _OPS.pow(size, porder - 1)
    return paddle.where(
        zero,
        paddle.zeros_like(x),
        g * power / (safe if porder == 2 else _OPS.pow(safe, porder - 1)),
    )


def _part_along(x, axis, start, stop):
    return x[(slice(None),) * axis + (slice(start, stop),)]


def _prod(x, axis=(), keepdim=False, reduce_all=False):
    axes = (
        [*range(x.ndim)]
        if reduce_all or axis in ([], (), None)
        else [axis]
        if isinstance(axis, int)
        else axis
    )
    axes = [a % x.ndim for a in axes]
    for a in axes:
        while x.shape[a] > 1:
            half, rest = divmod(x.shape[a], 2)
            left, right = _part_along(x, a, 0, half), _part_along(x, a, half, 2 * half)
            parts = [_times(left, right), *([_part_along(x, a, 2 * half, None)] if rest else [])]
            x = paddle.concat(parts, a)
        if x.shape[a] == 0:
            x = paddle.ones([1 if i == a else n for i, n in enumerate(x.shape)], x.dtype)
    return (
        x if keepdim or not axes else x.reshape([n for i, n in enumerate(x.shape) if i not in axes])
    )


def _cumprod(x, dim, exclusive=False, reverse=False):
    if exclusive or reverse or x.ndim == 0:
        raise NotImplementedError("no second gradient of an exclusive or reversed cumprod")
    step, axis = 1, dim % x.ndim
    while step < x.shape[axis]:
        later = _times(_part_along(x, axis, step, None), _part_along(x, axis, 0, -step))
        x, step = paddle.concat([_part_along(x, axis, 0, step), later], axis), 2 * step
    return x


_SLOPES_OF_REDUCTIONS = {
    "logsumexp": (_logsumexp, None),
    "argsort": (_sorted, None),
    "topk": (_slopes_of_topk, None),
    "kthvalue": (_smallest, None),
    "mode": (_most_frequent, None),
    "median": (_middle, None),
    "nanmedian": (_middle, None),
    "put_along_axis": (_written, None),
    "p_norm": (_p_norm, None),
    "unpool": (functools.partial(_taken, 2), None),
    "unpool3d": (functools.partial(_taken, 3), None),
    "amax": (functools.partial(_of_extreme, "amax"), None),
    "max": (functools.partial(_of_extreme, "amax"), None),
    "amin": (functools.partial(_of_extreme, "amin"), None),
    "min": (functools.partial(_of_extreme, "amin"), None),
    "max_pool2d_with_index": (functools.partial(_slopes_of_windows, 2), None),
    "max_pool3d_with_index": (functools.partial(_slopes_of_windows, 3), None),
}
def _joined(name):
    """Concat or stack, of which all operands have a gradient if one has: Paddle has no second one of some."""
    theirs = getattr(paddle._C_ops, name)

    def join(x, axis=0):
        recorded = [each for each in x if not each.stop_gradient][:1]
        alike = all(each.dtype == x[0].dtype and each.dtype in _WITH_CHOICE for each in x)
        return theirs([_seen_from(each, recorded) if alike and each.stop_gradient else each for each in x], axis)

    return join


_WITH_CHOICE = frozenset({paddle.float32, paddle.float64, paddle.complex64, paddle.complex128})


_STEPS_OF_REDUCTIONS = {
    "concat": (_joined("concat"), None),
    "stack": (_joined("stack"), None),
    "prod": (_prod, None),
    "cumprod": (_cumprod, None),
}
_POOLS = {"pool2d": functools.partial(_pooling, 2), "pool3d": functools.partial(_pooling, 3)}
