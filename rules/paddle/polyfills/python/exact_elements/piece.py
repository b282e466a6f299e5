import math

import paddle

from .computing import _float_of, _inverse_erf, _writing
from .methods_of_tensors import _methods
from .rounded_steps import _by_formula


def _of_each_element(function, slope, node):
    """A function of elements with the formula of its slope, of the result and the argument."""

    def slopes(r, grad, out, x):
        return (grad * slope(out, x),)

    def ours(input):
        if input.is_complex():  # Paddle's gradients of complex numbers are right
            return function(input)
        return _float_of(lambda x: _by_formula(function, slopes, x, node=node), input)

    return ours


def _bounded_erf(x):
    """Paddle's in single precision is larger than 1 by a rounding."""
    return paddle.clip(paddle.erf(x), -1.0, 1.0)


def _trigamma(x):
    """Below 0 by reflection, where Paddle's series does not hold."""
    below = x < 0
    found = paddle.polygamma(paddle.where(below, 1 - x, x), 1)
    return paddle.where(below, math.pi**2 / paddle.sin(math.pi * x) ** 2 - found, found)


def _slope_of_sinc(out, x):
    wide, zero = x.astype(paddle.float64), x == 0
    angle = math.pi * wide
    found = (angle * paddle.cos(angle) - paddle.sin(angle)) / (angle * paddle.where(zero, paddle.ones_like(wide), wide))
    return paddle.where(zero, paddle.zeros_like(x), found.astype(x.dtype))


def polygamma(n, input):
    return _float_of(lambda x: _trigamma(x) if n == 1 else paddle.polygamma(x, n), input)


erf = _of_each_element(_bounded_erf, lambda out, x: 2 / math.sqrt(math.pi) * paddle.exp(-x * x), "Erf")
erfinv = _of_each_element(_inverse_erf, lambda out, x: math.sqrt(math.pi) / 2 * paddle.exp(out * out), "Erfinv")
digamma = _of_each_element(paddle.digamma, lambda out, x: _trigamma(x), "Digamma")
sinc = _of_each_element(paddle.sinc, _slope_of_sinc, "Sinc")
_methods(erfinv_=_writing(erfinv), sinc_=_writing(sinc))
_methods(erf=erf, erfinv=erfinv, digamma=digamma, sinc=sinc, polygamma=lambda self, n: polygamma(n, self))
