import math

import paddle

from .computing import _is_zero


def _conjugate(x):
    return paddle.conj(x) if x.is_complex() else x


def _of_quotient(r, grad, out, x, y, *, rounding_mode=None):
    if rounding_mode is not None:
        return paddle.zeros_like(grad), paddle.zeros_like(grad)
    return r(grad / y), -r(grad * r(r(x / y) / y))


def _of_power(r, grad, out, x, y):
    if not isinstance(y, paddle.Tensor):
        return (r(grad * r(y * r(x ** (y - 1)))) if y else paddle.zeros_like(grad),)
    none = paddle.zeros_like(out)
    of_base = r(grad * _conjugate(r(y * r(paddle.pow(x, r(y - 1))))))
    whole = y.is_complex()
    known = _is_zero(x) & ((paddle.real(y) >= 0) & (paddle.imag(y) == 0) if whole else y >= 0)
    of_exponent = r(grad * _conjugate(paddle.where(known, none, r(out * r(paddle.log(x))))))
    return paddle.where(_is_zero(y), none, of_base), of_exponent


def _of_arctangent(r, grad, out, x, y):
    one_by = r(1 / r(r(x * x) + r(y * y)))
    return r(r(grad * y) * one_by), -r(r(grad * x) * one_by)


def _of_remainder(r, grad, out, x, y):
    return grad, -r(grad * paddle.trunc(r(x / y)))


def _of_interpolated(r, grad, out, x, y, weight):
    rest = 1 - weight if not isinstance(weight, paddle.Tensor) else r(1 - weight)
    return r(grad * rest), r(grad * weight), r(grad * r(y - x))


def _of_added_quotient(r, grad, out, x, y, z, *, value=1):
    both = r(r(value * y) / r(z * z))
    return grad, r(grad * r(value / z)), -r(grad * both)


def _of_logarithm_of_two(r, grad, out, x, y):
    return tuple(r(grad / r(1 + r(paddle.exp(r(away))))) for away in (y - x, x - y))


def _unsqueezed(like, dim, keepdim, *values):
    """What was reduced, with the dimensions that it was reduced by."""
    if keepdim or not like.ndim:
        return values
    every = dim in (None, (), [])
    dims = range(like.ndim) if every else [dim] if isinstance(dim, int) else dim
    kept = [each % like.ndim for each in dims]
    shape = [1 if at in kept else n for at, n in enumerate(like.shape)]
    return [each.reshape(shape) for each in values]


def _of_logarithm_of_sum(r, grad, out, x, dim, keepdim=False):
    grad, out = _unsqueezed(x, dim, keepdim, grad, out)
    return (r(grad * _conjugate(r(paddle.exp(r(x - out))))),)


def _of_deviation(r, grad, out, x, *, dim, keepdim, correction):
    grad, out = _unsqueezed(x, dim, keepdim, grad, out)
    of_variance = r(grad / r(out * 2))
    of_variance = paddle.where(_is_zero(out), paddle.zeros_like(out), of_variance)
    dims = None if dim in (None, (), []) else dim
    away = r(x - r(x.mean(dims, keepdim=True)))
    free = x.size // max(out.size, 1) - correction
    return (r(r((2 / free if free > 0 else math.inf) * of_variance) * away),)


def _of_norm(r, grad, out, x, *, ord, dim, keepdim):
    grad, out = _unsqueezed(x, dim, keepdim, grad, out)
    if ord == 1:
        return (r(paddle.sign(x) * grad),)
    none = paddle.zeros_like(x)
    if ord == 0:
        return (none,)
    if ord == 2:
        return (r(grad * paddle.where(_is_zero(out), none, r(x / out))),)
    if math.isinf(ord):
        most = (x.abs() == out) | paddle.isnan(x)
        dims = None if dim in (None, (), []) else dim
        share = r(grad / most.astype(x.dtype).sum(dims, keepdim=True))
        return (r(paddle.sign(x) * paddle.where(most, share.expand(x.shape), none)),)
    if ord < 1:
        slope = r(paddle.sign(x) * paddle.where(_is_zero(x), none, r(x.abs() ** (ord - 1))))
        return (r(r(slope * grad) * r(out ** (1 - ord))),)
    scale = r(grad / r(out ** (ord - 1)))
    scale = paddle.where(_is_zero(out), paddle.zeros_like(scale), scale)
    slope = paddle.sign(x) * r(x.abs() ** (ord - 1)) if ord < 2 else x * r(x.abs() ** (ord - 2))
    return (r(r(slope) * scale),)


def _of_outer(r, grad, out, x, y):
    return r(grad * y).sum(1), r(grad * x.unsqueeze(1)).sum(0)


def _of_gate(r, grad, out, x, dim=-1):
    value, gate = paddle.chunk(x, 2, dim)
    share = r(paddle.nn.functional.sigmoid(gate))
    return (paddle.concat([share * grad, (1 - share) * share * value * grad], dim),)


def _of_softmax(r, grad, out, x, dim, *_):
    return ((grad - (grad * out).sum(dim, keepdim=True)) * out,)


def _of_log_softmax(r, grad, out, x, dim, *_):
    return (grad - out.exp() * grad.sum(dim, keepdim=True),)


def _of_sigmoid(r, grad, out, x):
    return (grad * (1 - out) * out,)


def _of_tanh(r, grad, out, x):
    return (grad * (1 - out * out),)


def _of_expm1(r, grad, out, x):
    return (r(grad * r(out + 1)),)


_SLOPES = {
    **dict.fromkeys(("div", "divide", "true_divide", "__truediv__"), _of_quotient),
    **dict.fromkeys(("sigmoid", "expit"), _of_sigmoid),
    "tanh": _of_tanh,
    "expm1": _of_expm1,
    "softmax": _of_softmax,
    "log_softmax": _of_log_softmax,
    "atan2": _of_arctangent,
    "fmod": _of_remainder,
    "lerp": _of_interpolated,
    "addcdiv": _of_added_quotient,
    "logaddexp": _of_logarithm_of_two,
    **dict.fromkeys(("outer", "ger"), _of_outer),
    "glu": _of_gate,
    **dict.fromkeys(("pow", "__pow__"), _of_power),
}
