import math

import numpy
import paddle

from .generators import _array_of, _one_by_one, _with_paddles

_SQUEEZE, _THIRD = float(numpy.float32(0.0331)), numpy.float32(1 / 3)


def _gamma(stream, alpha, power, d, c):
    """By rejection after Marsaglia and Tsang (2000)."""
    if not alpha > 0:
        return alpha
    scale = (1 - stream.uniform()) ** power if alpha < 1 else 1.0
    while True:
        y = 0.0
        while y <= 0:
            x = stream.normal()
            y = 1 + c * x
        v, u, square = y * y * y, 1 - stream.uniform(), x * x
        if u < 1 - _SQUEEZE * square * square or math.log(u) < 0.5 * square + d * (1 - v + math.log(v)):
            return scale * d * v


def _gammas(alpha, generator):
    """Of float64, for an array of concentrations, in whose dtype torch computes what does not vary."""
    with numpy.errstate(all="ignore"):
        small = alpha < 1
        d = (numpy.where(small, alpha + 1, alpha) - alpha.dtype.type(_THIRD)).astype("float64")
        settings = alpha, numpy.where(small, 1 / alpha, 0), d, 1 / numpy.sqrt(9 * d)
    return _one_by_one(_gamma, generator, *settings)


def _with_slope(made, alpha, slope):
    """A value with a gradient for `alpha`, without one before."""
    if alpha.stop_gradient or not paddle.is_grad_enabled():
        return made
    return made + (alpha - alpha.detach()) * slope()


def _standard_gamma(self, generator=None):
    if self.place.is_cpu_place():
        limit = float(paddle.finfo(self.dtype).tiny)
        made = numpy.maximum(_gammas(_array_of(self), generator), limit)
        made = paddle.to_tensor(made, place=self.place).astype(self.dtype)
    else:
        made = _with_paddles(generator, paddle.standard_gamma, self.detach())
    return _with_slope(made, self, lambda: _standard_gamma_grad(self, made))


def _sample_dirichlet(self, generator=None):
    a = self.detach().astype("float64")
    if self.place.is_cpu_place():
        made = numpy.maximum(_gammas(_array_of(self).astype("float64"), generator), 2.0**-1022)
        made = paddle.to_tensor(made, place=self.place)
    else:
        made = _with_paddles(generator, paddle.standard_gamma, a).clip(2.0**-1022)
    limits = paddle.finfo(self.dtype)
    made = (made / made.sum(-1, keepdim=True)).astype(self.dtype)
    made = made.clip(float(limits.tiny), 1 - float(limits.eps) / 2)
    if self.stop_gradient or not paddle.is_grad_enabled():
        return made
    slope = _dirichlet_grad(made, self, self.detach().sum(-1, keepdim=True).expand(self.shape))
    moved = (self - self.detach()) * slope
    return made + moved - made * moved.sum(-1, keepdim=True)


# ------------------------------------------- how a quantile grows with the concentration
#
# That is the integral of the density's derivative up to the quantile, divided by the density there. It is taken from
# the side with less of the density, where v is how far away a point is, in a measure in which the density falls like
# an exponential function; nodes that lie double exponentially serve functions of every width.

_AT = numpy.arange(-3.6, 3.6, 1 / 24)
_NODES = numpy.exp(math.pi / 2 * numpy.sinh(_AT))
_WEIGHTS = _NODES * math.pi / 2 * numpy.cosh(_AT) / 24


def _integral(logarithm, factor):
    """Of exp(logarithm(v)) * factor(v) over all v above zero, for each element of columns."""
    with numpy.errstate(all="ignore"):
        values = numpy.exp(logarithm(_NODES)) * factor(_NODES)
    return numpy.where(numpy.isfinite(values), values, 0) @ _WEIGHTS


def _by_parts(slopes, *arrays):
    """Slopes, for no more elements at once than memory is for."""
    arrays = [each.ravel() for each in numpy.broadcast_arrays(*arrays)]
    parts = zip(*(numpy.array_split(each, len(each) // 2**14 + 1) for each in arrays))
    return numpy.concatenate([slopes(*(each[:, None] for each in part)) for part in parts])


def _slopes_of_gamma(x, alpha, mean):
    logarithm = numpy.log(x)
    below = -x[:, 0] * _integral(
        lambda v: -alpha * v - x * numpy.expm1(-v), lambda v: logarithm - v - mean
    )
    above = _integral(
        lambda v: (alpha - 1) * numpy.log1p(v / x) - v, lambda v: numpy.log(x + v) - mean
    )
    return numpy.where((x <= alpha)[:, 0], below, above)


def _slopes_of_beta(x, alpha, beta, mean):
    """Divided by 1 - x."""
    rest = 1 - x
    below = -(x / rest)[:, 0] * _integral(
        lambda v: (beta - 1) * numpy.log1p(-x * numpy.expm1(-v) / rest) - alpha * v,
        lambda v: numpy.log(x) - v - mean,
    )
    above = _integral(
        lambda v: (alpha - 1) * numpy.log1p(-rest * numpy.expm1(-v) / x) - beta * v,
        lambda v: numpy.log1p(-rest * numpy.exp(-v)) - mean,
    )
    return numpy.where((x * (alpha + beta) <= alpha)[:, 0], below, above)


def _slope(slopes, like, *tensors):
    with paddle.no_grad():
        made = _by_parts(slopes, *(numpy.asarray(each.astype("float64")) for each in tensors))
        made = numpy.nan_to_num(made).reshape(like.shape)
        return paddle.to_tensor(made, place=like.place).astype(like.dtype)


def _standard_gamma_grad(self, output):
    """How gamma variates grow with their concentrations."""
    alpha = self.detach().astype("float64")
    return _slope(_slopes_of_gamma, output, output, alpha, paddle.digamma(alpha))


def _dirichlet_grad(x, alpha, total):
    """How shares grow with their concentrations while the total does as well, divided by 1 - x."""
    alpha, total = (each.detach().astype("float64") for each in (alpha, total))
    mean = paddle.digamma(alpha) - paddle.digamma(total)
    return _slope(_slopes_of_beta, x, x, alpha, total - alpha, mean)
