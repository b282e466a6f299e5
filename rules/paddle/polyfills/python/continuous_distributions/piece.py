import math

import paddle

from .constraints_of_distributions import constraints, dependent, dependent_property
from .distributions import ExponentialFamily, _ByQuantile, _Elementary
from .torchs_meaning import _torch

_LOG_2PI = math.log(2 * math.pi)


class _Located(_ByQuantile):
    """A distribution of all real numbers, by where it is and how wide."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: self.stddev**2)

    def __init__(self, loc, scale, validate_args=None):
        self._begin(validate_args, loc=loc, scale=scale)

    def _scaled(self, value):
        return (self._value(value) - self.loc) / self.scale


class Normal(_Located, ExponentialFamily):
    stddev = property(lambda self: self.scale)

    def rsample(self, sample_shape=()):
        return self.loc + self.scale * self._normal(sample_shape)

    def log_prob(self, value):
        return -0.5 * self._scaled(value) ** 2 - self.scale.log() - 0.5 * _LOG_2PI

    def cdf(self, value):
        return 0.5 * (1 + _torch("erf")(self._scaled(value) / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * _torch("erfinv")(2 * self._floating(value) - 1) * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * _LOG_2PI + self.scale.log()


class Laplace(_Located):
    stddev = property(lambda self: math.sqrt(2) * self.scale)

    def rsample(self, sample_shape=()):
        eps = float(paddle.finfo(self._float_dtype).eps)
        drawn = self._drawn("uniform_", sample_shape, eps - 1, 1)
        return self.loc - self.scale * drawn.sign() * paddle.log1p(-drawn.abs())

    def log_prob(self, value):
        return -(2 * self.scale).log() - self._scaled(value).abs()

    def cdf(self, value):
        scaled = self._scaled(value)
        return 0.5 - 0.5 * scaled.sign() * paddle.expm1(-scaled.abs())

    def icdf(self, value):
        centred = self._floating(value) - 0.5
        return self.loc - self.scale * centred.sign() * paddle.log1p(-2 * centred.abs())

    def entropy(self):
        return 1 + (2 * self.scale).log()


class Cauchy(_Located):
    mean = property(lambda self: paddle.full_like(self.loc, math.nan))
    stddev = property(lambda self: paddle.full_like(self.loc, math.inf))

    def rsample(self, sample_shape=()):
        return self.loc + self.scale * self._drawn("cauchy_", sample_shape)

    def log_prob(self, value):
        return -math.log(math.pi) - self.scale.log() - paddle.log1p(self._scaled(value) ** 2)

    def cdf(self, value):
        return paddle.atan(self._scaled(value)) / math.pi + 0.5

    def icdf(self, value):
        return self.loc + self.scale * paddle.tan(math.pi * (self._floating(value) - 0.5))

    def entropy(self):
        return math.log(4 * math.pi) + self.scale.log()


class Uniform(_ByQuantile):
    arg_constraints = {
        "low": dependent(is_discrete=False, event_dim=0),
        "high": dependent(is_discrete=False, event_dim=0),
    }
    mean = property(lambda self: (self.high + self.low) / 2)
    mode = property(lambda self: math.nan * self.high)
    variance = property(lambda self: (self.high - self.low) ** 2 / 12)

    def __init__(self, low, high, validate_args=None):
        self._begin(validate_args, low=low, high=high)
        if self._validate_args and not bool((self.low < self.high).all()):
            raise ValueError("Uniform is not defined when low>= high")

    @dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        return constraints.interval(self.low, self.high)

    def log_prob(self, value):
        value = self._value(value)
        inside = ((self.low <= value) & (value < self.high)).astype(value.dtype)
        return inside.log() - (self.high - self.low).log()

    def cdf(self, value):
        return ((self._value(value) - self.low) / (self.high - self.low)).clip(0, 1)

    def icdf(self, value):
        return self.low + self._floating(value) * (self.high - self.low)

    def entropy(self):
        return (self.high - self.low).log()


class Exponential(_ByQuantile, ExponentialFamily):
    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    mean = stddev = property(lambda self: 1 / self.rate)
    mode = property(lambda self: paddle.zeros_like(self.rate))
    variance = property(lambda self: self.rate**-2)

    def __init__(self, rate, validate_args=None):
        self._begin(validate_args, rate=rate)

    def rsample(self, sample_shape=()):
        return self._drawn("exponential_", sample_shape) / self.rate

    def log_prob(self, value):
        return self.rate.log() - self.rate * self._value(value)

    def cdf(self, value):
        return -paddle.expm1(-self.rate * self._value(value))

    def icdf(self, value):
        return -paddle.log1p(-self._floating(value)) / self.rate

    def entropy(self):
        return 1 - self.rate.log()


class VonMises(_Elementary):
    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    mean = mode = property(lambda self: self.loc)

    def __init__(self, loc, concentration, validate_args=None):
        self._begin(validate_args, loc=loc, concentration=concentration)

    @property
    def variance(self):
        return 1 - paddle.i1e(self.concentration) / paddle.i0e(self.concentration)

    def log_prob(self, value):
        turned = paddle.cos(self._value(value) - self.loc) - 1
        return self.concentration * turned - _LOG_2PI - paddle.i0e(self.concentration).log()

    @paddle.no_grad()
    def sample(self, sample_shape=()):
        """By rejection from a wrapped Cauchy distribution, after Best and Fisher (1979)."""
        shape = self._extended_shape(sample_shape)
        loc, k = (each.astype("float64").expand(shape) for each in (self.loc, self.concentration))
        tau = 1 + paddle.sqrt(1 + 4 * k**2)
        rho = (tau - paddle.sqrt(2 * tau)) / (2 * k)
        r = paddle.where(k < 1e-5, 1 / k + k, (1 + rho**2) / (2 * rho))
        angle, left = paddle.zeros_like(k), paddle.ones_like(k).astype("bool")
        while bool(left.any()):
            first, second, third = _torch("rand")([3, *shape], dtype="float64")
            z = paddle.cos(math.pi * first)
            f = (1 + r * z) / (r + z)
            c = k * (r - f)
            accepted = (c * (2 - c) > second) | ((c / second).log() + 1 - c >= 0)
            turned = (third - 0.5).sign() * paddle.acos(f.clip(-1, 1))
            angle = paddle.where(accepted, turned, angle)
            left = left & ~accepted
        return ((angle + math.pi + loc) % (2 * math.pi) - math.pi).astype(self._float_dtype)
