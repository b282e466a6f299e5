import math

import paddle

from .computing import _float_of, _in_double_on_cpu, _in_floats, _is_equal, _of_itself, _deviation_of, _writing
from .methods_of_tensors import _as_in_torch, _methods
from .promotion import _default_dtype, _kind, _result_dtype
from .rounded_steps import _by_formula
from .sizes import Size
from .torchs_meaning import _tensor_method, _torch


def nansum(input, dim=None, keepdim=False, *, dtype=None):
    if input.is_floating_point():
        input = _torch("masked_fill")(input, _torch("isnan")(input), 0.0)
    return _torch("sum")(input, dim=dim, keepdim=keepdim, dtype=dtype)


def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    if not input.is_floating_point():
        raise RuntimeError(f"nanmean(): expected input to have floating point dtype but got {input.dtype}")
    known = (~_torch("isnan")(input.detach())).astype(paddle.int64)
    count = _torch("sum")(known, dim=dim, keepdim=keepdim)
    return _torch("div")(nansum(input, dim, keepdim, dtype=dtype), count)


def dist(input, other, p=2):
    return _torch("linalg.vector_norm")(_torch("sub")(input, other), p)


def isclose(input, other, rtol=1e-5, atol=1e-8, equal_nan=False):
    if input.dtype != other.dtype:
        raise RuntimeError(f"{input.dtype} did not match {other.dtype}")
    close = _is_equal(input, other)
    if equal_nan and (input.is_floating_point() or input.is_complex()):
        close = close | (_torch("isnan")(input) & _torch("isnan")(other))
    if rtol == 0 and atol == 0:
        return close
    allowed = _torch("add")(_torch("abs")(_torch("mul")(other, rtol)), atol)
    if input.dtype == paddle.bool:
        input, other = input.astype(paddle.int64), other.astype(paddle.int64)
    away = _torch("abs")(_torch("sub")(input, other))
    if _kind(away.dtype) < 2:
        away = away.astype(allowed.dtype)
    return close | (_torch("isfinite")(away) & _torch("le")(away, allowed))


def copysign(input, other):
    return _in_floats(paddle.copysign, input, other)


def ldexp(input, other):
    dtype = _result_dtype(input, other)
    base = paddle.full([], 2.0, dtype=dtype if _kind(dtype) > 1 else _default_dtype())
    return _torch("mul")(input, _torch("pow")(base, other))


def combinations(input, r=2, with_replacement=False):
    if input.ndim != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(input.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if not r:
        return paddle.empty([0], dtype=input.dtype)
    count = input.shape[0]
    grids = [paddle.arange(count)] if r == 1 else paddle.meshgrid([paddle.arange(count)] * r)
    kept = paddle.ones([count] * r, dtype="bool")
    for first, second in zip(grids, grids[1:], strict=False):
        kept = kept & (first <= second if with_replacement else first < second)
    rows = paddle.stack([each.reshape([-1]) for each in grids], -1)
    places = rows[kept.reshape([-1])]
    return _torch("index_select")(input, 0, places.reshape([-1])).reshape(places.shape)


def block_diag(*tensors):
    """Matrices along the diagonal of one; rows and numbers are matrices too."""
    for at, each in enumerate(tensors):
        if each.ndim > 2:
            raise RuntimeError(
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {at} has {each.ndim} dimensions"
            )
    blocks = [each.reshape([1] * (2 - each.ndim) + [*each.shape]) for each in tensors]
    if not blocks:
        return paddle.empty([1, 0])
    dtype, width = _result_dtype(*blocks), sum(each.shape[1] for each in blocks)
    rows, left = [], 0
    for each in blocks:
        right = width - left - each.shape[1]
        sides = [paddle.zeros([each.shape[0], wide], dtype=dtype) for wide in (left, right)]
        rows.append(_torch("cat")([sides[0], each.astype(dtype), sides[1]], 1))
        left += each.shape[1]
    return _torch("cat")(rows, 0)


def cross(input, other, dim=None):
    shape = paddle.broadcast_shape(input.shape, other.shape)
    if dim is None:
        dim = next((at for at, length in enumerate(shape) if length == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    first, second = (each.expand(shape) for each in (input, other))
    if shape[dim] != 3:
        raise RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3. Got {shape[dim]}")
    turned = [_torch("roll")(each, by, dim) for by in (-1, -2) for each in (first, second)]
    product = _torch("mul")
    return _torch("sub")(product(turned[0], turned[3]), product(turned[2], turned[1]))


def _moments_of(input, dim, unbiased, keepdim, correction, finish=lambda variance: variance):
    """Variance, finished before it is rounded, and mean of real or complex numbers."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    rank = input.ndim
    dims = range(rank) if dim in (None, (), []) else [dim] if isinstance(dim, int) else dim
    count = math.prod(input.shape[each] for each in dims)
    parts = input.as_real().unbind(-1) if input.is_complex() else [input]

    def moments(part):
        mean = part.mean([*dims] or None, keepdim=True)
        away = part - mean
        return (away * away).sum([*dims] or None, keepdim=True), mean

    found = [_computed_moments(moments, part) for part in parts]
    total = sum(each[0] for each in found[1:]) + found[0][0] if len(found) > 1 else found[0][0]
    variance = finish(total / (count - correction) if count > correction else total / 0.0)
    mean = found[0][1] if len(found) == 1 else paddle.complex(found[0][1], found[1][1])
    kept = keepdim or not rank
    each = (variance, mean.reshape(variance.shape))
    squeezed = each if kept else [part.squeeze([*dims]) for part in each]
    return [squeezed[0].astype(parts[0].dtype), squeezed[1].astype(input.dtype)]


def _computed_moments(moments, part):
    if part.dtype in (paddle.float16, paddle.bfloat16):
        return moments(part.astype(paddle.float32))
    return moments(_in_double_on_cpu(part))


def var(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    return _moments_of(input, dim, unbiased, keepdim, correction)[0]


def var_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    return tuple(_moments_of(input, dim, unbiased, keepdim, correction))


def std_mean(input, dim=None, unbiased=None, keepdim=False, *, correction=None):
    return tuple(_moments_of(input, dim, unbiased, keepdim, correction, _deviation_of))


def nextafter(input, other):
    def slopes(r, grad, out, x, y):
        none = paddle.zeros_like(grad)
        return paddle.where(x == y, none, grad), none

    def following(*values):
        return _in_floats(paddle.nextafter, *paddle.broadcast_tensors([*values]))

    return _by_formula(following, slopes, input, other)


def argwhere(input):
    places = _tensor_method("nonzero")(input)
    return places


def hsplit(input, indices_or_sections):
    return tuple(_torch("tensor_split")(input, indices_or_sections, int(input.ndim > 1)))


def vsplit(input, indices_or_sections):
    return tuple(_torch("tensor_split")(input, indices_or_sections, 0))


def dsplit(input, indices_or_sections):
    return tuple(_torch("tensor_split")(input, indices_or_sections, 2))


def renorm(input, p, dim, maxnorm):
    """Slices along a dimension whose norm is greater are made as long as the greatest."""
    dims = [each for each in range(input.ndim) if each != dim % input.ndim]
    norms = _torch("linalg.vector_norm")(input, p, dims, True)
    one = paddle.ones_like(norms)
    scale = _torch("where")(norms > maxnorm, maxnorm / (norms + 1e-7), one)
    return _torch("mul")(input, scale.astype(input.dtype) if not input.is_complex() else scale)


def _of_floats(name):
    """A function of floating-point numbers, of integers in the default dtype."""
    theirs = getattr(paddle, name)

    def function(input):
        return _float_of(theirs, input) if _kind(input.dtype) < 2 else theirs(input)

    function.__name__ = name
    return function


angle, asin, asinh = _of_floats("angle"), _of_floats("asin"), _of_floats("asinh")
atan, atanh = _of_floats("atan"), _of_floats("atanh")
expm1 = _of_floats("expm1")


def _at_least(name):
    theirs = getattr(paddle, name)

    def function(*tensors):
        many = len(tensors) != 1 or isinstance(tensors[0], (list, tuple))
        every = tensors[0] if many and len(tensors) == 1 else tensors
        return tuple(map(theirs, every)) if many else theirs(*tensors)

    return function


atleast_1d, atleast_2d, atleast_3d = map(_at_least, ("atleast_1d", "atleast_2d", "atleast_3d"))


def broadcast_shapes(*shapes):
    """The shape that tensors of these shapes have together."""
    found = []
    for shape in ([each] if isinstance(each, int) else [*each] for each in shapes):
        found = [1] * (len(shape) - len(found)) + found
        for at in range(1, len(shape) + 1):
            if shape[-at] not in (1, found[-at]) and found[-at] != 1:
                raise RuntimeError(
                    "Shape mismatch: objects cannot be broadcast to a single shape"
                )
            found[-at] = shape[-at] if found[-at] == 1 else found[-at]
    return Size(found)


_as_in_torch(
    nansum, nanmean, dist, isclose, copysign, ldexp, cross, var, nextafter, argwhere, angle, asin, asinh, atan, atanh, expm1, hsplit, vsplit, dsplit, renorm
)
_methods(
    copysign_=_writing(copysign),
    ldexp_=_writing(ldexp),
    nextafter_=_writing(nextafter),
    renorm_=_writing(renorm),
)
