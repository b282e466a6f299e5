import paddle

from .methods_of_tensors import _as_in_torch
from .promotion import _default_dtype
from .torchs_meaning import _torch


def _slice_of(input, dim, start, stop):
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, stop),)]


def diff(input, n=1, dim=-1, prepend=None, append=None):
    """What each element is more than the one before, n times."""
    if not input.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    if not n:
        return input.clone()
    ends = [each for each in (prepend, input, append) if each is not None]
    input = _torch("cat")(ends, dim) if len(ends) > 1 else input
    for _ in range(min(n, input.shape[dim])):
        later, earlier = _slice_of(input, dim, 1, None), _slice_of(input, dim, 0, max(input.shape[dim] - 1, 0))
        apart = _torch("logical_xor") if input.dtype == paddle.bool else _torch("sub")
        input = apart(later, earlier)
    return input


def _sums_of_neighbours(y, x, dx, dim):
    """Twice the area between each element and the next."""
    left, right = _slice_of(y, dim, 0, max(y.shape[dim] - 1, 0)), _slice_of(y, dim, 1, None)
    heights = _torch("add")(right, left)
    if x is None:
        return heights, 1 if dx is None else dx
    if x.ndim == 1 and y.ndim > 1:
        if x.shape[0] != y.shape[dim]:
            raise RuntimeError("trapezoid: There must be one `x` value for each sample point")
        x = x.reshape([-1 if at == dim % y.ndim else 1 for at in range(y.ndim)])
    elif x.ndim < y.ndim:
        x = x.reshape([1] * (y.ndim - x.ndim) + [*x.shape])
    back = dim % y.ndim - y.ndim
    widths = _torch("sub")(_slice_of(x, back, 1, None), _slice_of(x, back, 0, x.shape[back] - 1))
    return _torch("mul")(widths, heights), 1


def trapezoid(y, x=None, *, dx=None, dim=-1):
    if not y.shape[dim]:
        shape = [length for at, length in enumerate(y.shape) if at != dim % y.ndim]
        return paddle.zeros(shape, dtype=y.dtype)
    areas, scale = _sums_of_neighbours(y, x, dx, dim)
    total = _torch("sum")(areas, dim=dim)
    return _torch("div")(total if scale == 1 else _torch("mul")(total, scale), 2.0)


def cumulative_trapezoid(y, x=None, *, dx=None, dim=-1):
    areas, scale = _sums_of_neighbours(y, x, dx, dim)
    if not y.is_complex() and not y.is_floating_point():
        areas = areas if areas.is_floating_point() else areas.astype(_default_dtype())
    return _torch("mul")(_torch("cumsum")(areas, dim=dim), scale / 2.0)


def gradient(input, *, spacing=1, dim=None, edge_order=1):
    """The slopes along dimensions, of values at distances or at coordinates."""
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    dims = range(input.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    many = isinstance(spacing, (list, tuple))
    each = spacing if many else [1 if spacing is None else spacing] * len(dims)
    return tuple(_slopes(input, d, s, edge_order) for d, s in zip(dims, each, strict=True))


def _slopes(y, dim, spacing, order):
    length = y.shape[dim]
    if length < order + 1:
        raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    if isinstance(spacing, paddle.Tensor) and spacing.ndim:
        steps = diff(spacing)
    else:
        step = spacing if isinstance(spacing, paddle.Tensor) else paddle.to_tensor(float(spacing))
        steps = step.expand([length - 1])
    dtype = y.dtype if y.is_floating_point() or y.is_complex() else _default_dtype()
    half = dtype in (paddle.float16, paddle.bfloat16)
    dtype, own = (paddle.float32 if half else dtype), dtype
    y = y.astype(dtype)
    shape = [-1 if at == dim % y.ndim else 1 for at in range(y.ndim)]
    steps = steps.astype(dtype).reshape(shape)
    risen = _torch("div")(diff(y, dim=dim), steps)
    before, behind = _slice_of(steps, dim, 0, length - 2), _slice_of(steps, dim, 1, None)
    earlier, later = _slice_of(risen, dim, 0, length - 2), _slice_of(risen, dim, 1, None)
    whole = before + behind
    middle = (earlier * behind + later * before) / whole
    first, last = _slice_of(risen, dim, 0, 1), _slice_of(risen, dim, length - 2, None)
    if order == 2:
        begin, end = _slice_of(steps, dim, 0, 1), _slice_of(steps, dim, length - 2, None)
        first = first - begin * _slice_of((later - earlier) / whole, dim, 0, 1)
        last = last + end * _slice_of((later - earlier) / whole, dim, length - 3, None)
    return _torch("cat")([first, middle, last], dim).astype(own)


_as_in_torch(diff)
trapz = trapezoid
