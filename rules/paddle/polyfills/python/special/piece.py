import math

import paddle

from .computing import _float_of, _in_floats, _is_zero, _of_itself
from .pointwise import _erfc, _xlogy, erfc, exp2, igamma, igammac, mvlgamma, xlogy
from .rounded_steps import _by_formula
from .torchs_meaning import _torch


def special_digamma(input):
    return _torch("digamma")(input)


def special_erf(input):
    return _torch("erf")(input)


def special_erfinv(input):
    return _torch("erfinv")(input)


def special_expit(input):
    return _float_of(paddle.nn.functional.sigmoid, input)


def special_gammaln(input):
    return _float_of(paddle.lgamma, input)


def special_i0(input):
    return _float_of(paddle.i0, input)


def special_i0e(input):
    def slopes(r, grad, out, x):  # Paddle's has the sign of 0 as 1
        return (grad * (paddle.i1e(x) - paddle.sign(x) * out),)

    return _float_of(lambda x: _by_formula(paddle.i0e, slopes, x, node="SpecialI0E"), input)


def special_i1(input):
    return _float_of(paddle.i1, input)


def special_i1e(input):
    return _float_of(paddle.i1e, input)


def special_log1p(input):
    return _float_of(paddle.log1p, input)


def special_polygamma(n, input):
    return _torch("polygamma")(n, input)


def special_psi(input):
    return _torch("digamma")(input)


def special_sinc(input):
    return _torch("sinc")(input)


def _entropy(x):
    inside = paddle.where(_is_zero(x), x, -_xlogy(x, x))
    return paddle.where(x < 0, paddle.full_like(x, -math.inf), inside)


def special_entr(input):
    def slopes(r, grad, out, x):
        return (grad * (-1 - paddle.log(x)),)

    return _float_of(lambda x: _by_formula(_entropy, slopes, x, node="SpecialEntr"), input)


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
    series = paddle.ones_like(x)
    for factor in range(21, 0, -2):
        series = 1 - factor * 0.5 * far * far * series
    return paddle.where(above, far * series / math.sqrt(math.pi), paddle.exp(near * near) * _erfc(near))


def _by_way_of_double(function):
    """A function of float64 for any floats, rounded once."""
    return lambda x: function(x.astype(paddle.float64)).astype(x.dtype)


def _slope_of_erfcx(r, grad, out, x):
    return (grad * (2 * x * out - 2 / math.sqrt(math.pi)),)


def special_erfcx(input):
    return _float_of(lambda x: _by_formula(_by_way_of_double(_scaled_erfc), _slope_of_erfcx, x, node="SpecialErfcx"), input)


def _log_ndtr(x):
    z = x * math.sqrt(0.5)
    below = x < -1
    far = paddle.where(below, -z, paddle.zeros_like(z))
    near = paddle.where(below, paddle.zeros_like(z), z)
    tail = paddle.log(0.5 * _scaled_erfc(far)) - far * far
    return paddle.where(below, tail, paddle.log1p(-0.5 * _erfc(near)))


def _slope_of_log_ndtr(r, grad, out, x):
    return (grad * math.sqrt(2 / math.pi) / special_erfcx(-x * math.sqrt(0.5)),)


def special_log_ndtr(input):
    return _float_of(lambda x: _by_formula(_by_way_of_double(_log_ndtr), _slope_of_log_ndtr, x, node="SpecialLogNdtr"), input)


def _ndtri(p):
    """By Newton's steps on the logarithm of the smaller of p and 1 - p, from the series of its tail."""
    small = paddle.minimum(p, 1 - p)
    logarithm = paddle.log(small)
    far = paddle.sqrt(-2 * paddle.clip(logarithm, max=-1.0))
    found = paddle.where(small > 0.1, math.sqrt(2) * paddle.erfinv(2 * small - 1), paddle.log(far) / far - far)
    for _ in range(5):
        ratio = _scaled_erfc(-found * math.sqrt(0.5)) * math.sqrt(math.pi / 2)  # of the chance to its slope
        found = found - (_log_ndtr(found) - logarithm) * ratio
    ends = paddle.where(_is_zero(small), paddle.full_like(p, -math.inf), found)
    return paddle.where(small < 0, paddle.full_like(p, math.nan), paddle.where(p > 0.5, -ends, ends))


def _slope_of_ndtri(r, grad, out, x):
    return (grad * math.sqrt(2 * math.pi) * paddle.exp(out * out / 2),)


def special_ndtri(input):
    return _float_of(lambda x: _by_formula(_by_way_of_double(_ndtri), _slope_of_ndtri, x, node="SpecialNdtri"), input)
