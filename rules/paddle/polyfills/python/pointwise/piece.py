import functools
import math

import paddle

from .computing import _applied, _computed, _float_of, _in_floats, _is_zero, _of_itself
from .promotion import _default_dtype, _kind, _result_dtype
from .rounded_steps import _sloped
from .slopes import _of_added_quotient, _of_arctangent, _of_remainder


def absolute(input):
    return _of_itself(paddle.abs, input)


def addcdiv(input, tensor1, tensor2, *, value=1):
    if _kind(_result_dtype(tensor1, tensor2)) < 2:
        raise RuntimeError("Integer division with addcdiv is no longer supported")
    dtype = _result_dtype(input, tensor1, tensor2)
    slopes = functools.partial(_of_added_quotient, value=value)
    return _sloped(lambda x, y, z: x + value * (y / z), slopes, dtype, input, tensor1, tensor2)


def addcmul(input, tensor1, tensor2, *, value=1):
    return _computed(lambda x, y, z: x + value * (y * z), input, tensor1, tensor2)


def arccos(input):
    return _float_of(paddle.acos, input)


def arccosh(input):
    return _float_of(paddle.acosh, input)


def arcsin(input):
    return _float_of(paddle.asin, input)


def arcsinh(input):
    return _float_of(paddle.asinh, input)


def arctan(input):
    return _float_of(paddle.atan, input)


def _angle(y, x):
    """The angle of a point, which has a gradient of 0 at the origin."""
    origin = _is_zero(x) & _is_zero(y)
    there = paddle.atan2(y.detach(), x.detach())
    return paddle.where(origin, there, paddle.atan2(y, paddle.where(origin, paddle.ones_like(x), x)))


def arctan2(input, other):
    dtype = _result_dtype(input, other)
    dtype = dtype if _kind(dtype) > 1 else _default_dtype()
    return _sloped(_angle, _of_arctangent, dtype, input, other)


def arctanh(input):
    return _float_of(paddle.atanh, input)


_WITHOUT_WHERE = frozenset({paddle.uint8, paddle.int8, paddle.int16})  # where Paddle has no kernels


def _chosen_of_any(condition, one, other):
    if one.dtype not in _WITHOUT_WHERE:
        return paddle.where(condition, one, other)
    return paddle.where(condition, one.astype("int64"), other.astype("int64")).astype(one.dtype)


def clamp_min(input, min):
    return _computed(lambda x, low: _chosen_of_any(x < low, low, x), input, min)


def clamp_max(input, max):
    return _computed(lambda x, high: _chosen_of_any(x > high, high, x), input, max)


def conj_physical(input):
    return paddle.conj(input) if input.is_complex() else input


# 1 - erf(x) has no digits left where x is large
def _erfc(x):
    above = x > 0.5
    large = paddle.where(above, paddle.clip(x, 0.5, 100.0), paddle.ones_like(x))
    tail = paddle._C_ops.gammaincc(paddle.full_like(x, 0.5), large * large)
    return paddle.where(above, tail, 1 - paddle.erf(x))


def erfc(input):
    return _float_of(_erfc, input)


def exp2(input):
    return _float_of(lambda x: paddle.pow(paddle.full_like(x, 2), x), input)


def fix(input):
    return _of_itself(paddle.trunc, input) if input.is_floating_point() else input.clone()


def float_power(input, exponent):
    complex_ = _kind(_result_dtype(input, exponent)) == 3
    dtype = paddle.complex128 if complex_ else paddle.float64
    return _applied(paddle.pow, dtype, input, exponent)


def _fmod(x, y):
    below = x < 0
    rest = paddle.remainder(paddle.where(below, -x, x), y.abs())  # abs has no gradient at 0
    return paddle.where(below, -rest, rest)


def fmod(input, other):
    return _sloped(_fmod, _of_remainder, _result_dtype(input, other), input, other)


def hardshrink(input, lambd=0.5):
    return _of_itself(lambda x: paddle.where(x.abs() <= lambd, paddle.zeros_like(x), x), input)


def logaddexp2(input, other):
    two = math.log(2)
    return _in_floats(lambda x, y: paddle.logaddexp(x * two, y * two) / two, input, other)


def mvlgamma(input, p):
    return _float_of(lambda x: paddle.multigammaln(x, p), input)


def Tensor_positive(input):
    if input.dtype == paddle.bool:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


def prelu(input, weight):
    ones = [1] * (input.ndim - 2)
    shape = [1, -1, *ones] if input.ndim > 1 and weight.size > 1 else [-1] if input.ndim else []
    each = weight.reshape(shape)
    return _applied(lambda x, slope: paddle.where(x > 0, x, slope * x), input.dtype, input, each)


def resolve_conj(input):
    return input


def resolve_neg(input):
    return input


def _xlogy(x, y):
    gone = _is_zero(x) & ((y <= 0) | paddle.isinf(y))
    return x * paddle.log(paddle.where(gone, paddle.ones_like(y), y))


def xlogy(input, other):
    return _in_floats(_xlogy, input, other)


def _upper_gammas(x, y):
    """paddle.gammaincc in double, without its check of the signs, which would wait for a device."""
    shape = paddle.broadcast_shape(x.shape, y.shape)  # its kernel takes elements one by one
    x, y = x.expand(shape).astype("float64"), y.expand(shape).astype("float64")
    found = paddle._C_ops.gammaincc(x, y)  # float32 loses all digits
    return paddle.where((x < 0) | (y < 0), paddle.full_like(x, float("nan")), found), x, y


def _gammaincc(x, y):
    return _upper_gammas(x, y)[0].astype(x.dtype)


def _gammainc(x, y):
    """What is left of one, and where that is little the series, which keeps its digits (DLMF 8.11.4)."""
    upper, a, z = _upper_gammas(x, y)
    lower = 1 - upper
    few = (lower.detach() < 0.1) & (z > 0) & (a > 0)
    if few.place.is_cpu_place() and few.any():  # elsewhere to know would wait for the device
        places = paddle.nonzero(few.flatten()).flatten()
        exact = _series_of_gamma(*(each.detach().flatten().gather(places) for each in (a, z)))
        by_series = paddle.scatter(lower.detach().flatten(), places, exact).reshape(lower.shape)
        lower = lower + (by_series - lower.detach())
    return lower.astype(x.dtype)


def _series_of_gamma(a, z):
    term = total = paddle.ones_like(a)
    for n in range(1, 2000):
        term = term * z / (a + n)
        total = total + term
        if n % 16 == 0 and not (term > total * 1e-17).any():
            break
    return total * paddle.exp(a * paddle.log(z) - z - paddle.lgamma(a + 1))


def igamma(input, other):
    return _in_floats(_gammainc, input, other)


def igammac(input, other):
    return _in_floats(_gammaincc, input, other)
