import math

import paddle

from .computing import _float_of, _in_floats, _inverse_erf, _of_itself
from .pointwise import _erfc, _xlogy, erfc, exp2, igamma, igammac, mvlgamma, xlogy


def special_digamma(input):
    return _float_of(paddle.digamma, input)


def special_erf(input):
    return _float_of(paddle.erf, input)


def special_erfinv(input):
    return _float_of(_inverse_erf, input)


def special_expit(input):
    return _float_of(paddle.nn.functional.sigmoid, input)


def special_gammaln(input):
    return _float_of(paddle.lgamma, input)


def special_i0(input):
    return _float_of(paddle.i0, input)


def special_i0e(input):
    return _float_of(paddle.i0e, input)


def special_i1(input):
    return _float_of(paddle.i1, input)


def special_i1e(input):
    return _float_of(paddle.i1e, input)


def special_log1p(input):
    return _float_of(paddle.log1p, input)


def special_psi(input):
    return _float_of(paddle.digamma, input)


def special_sinc(input):
    return _float_of(paddle.sinc, input)


def _entropy(x):
    inside = paddle.where(x == 0, x, -_xlogy(x, x))
    return paddle.where(x < 0, paddle.full_like(x, -math.inf), inside)


def special_entr(input):
    return _float_of(_entropy, input)


special_erfc = erfc
special_gammainc = igamma
special_gammaincc = igammac
special_exp2 = exp2
special_multigammaln = mvlgamma
special_xlogy = xlogy


def special_logit(input, eps=None):
    def logit(x):
        inside = x if eps is None else paddle.clip(x, eps, 1 - eps)
        return paddle.log(inside / (1 - inside))

    return _float_of(logit, input)


def special_ndtr(input):
    return _float_of(lambda x: 0.5 * _erfc(-x * math.sqrt(0.5)), input)


def special_ndtri(input):
    return _float_of(lambda x: math.sqrt(2) * paddle.erfinv(2 * x - 1), input)


def special_polygamma(n, input):
    return _float_of(lambda x: paddle.polygamma(x, n), input)


def special_round(input, *, decimals=0):
    scale = 10.0**decimals
    return _of_itself(lambda x: (x * scale).round() / scale if decimals else x.round(), input)


def special_xlog1py(input, other):
    return _in_floats(lambda x, y: _xlogy(x, 1 + y), input, other)


def _scaled_erfc(x):
    """exp(x * x) * erfc(x): where x is large, by the first terms of its series."""
    above = x > 10
    near = paddle.where(above, paddle.zeros_like(x), x)
    far = 1 / paddle.where(above, x, paddle.ones_like(x))
    square = far * far
    series = 1 - square * (0.5 - square * (0.75 - square * (1.875 - square * 6.5625)))
    return paddle.where(
        above, far * series / math.sqrt(math.pi), paddle.exp(near * near) * _erfc(near)
    )


def special_erfcx(input):
    return _float_of(_scaled_erfc, input)


def _log_ndtr(x):
    z = x * math.sqrt(0.5)
    below = x < -1
    far = paddle.where(below, -z, paddle.zeros_like(z))
    near = paddle.where(below, paddle.zeros_like(z), z)
    tail = paddle.log(0.5 * _scaled_erfc(far)) - far * far
    return paddle.where(below, tail, paddle.log1p(-0.5 * _erfc(near)))


def special_log_ndtr(input):
    return _float_of(_log_ndtr, input)
