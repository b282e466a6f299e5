import math

import paddle

from .constraints_of_distributions import constraints, logits_to_probs
from .distributions import ExponentialFamily, _Elementary, _x_log_y
from .torchs_meaning import _torch

_TINY = 1e-300  # what the logarithm of a gamma variate of float64 does not go below


def _slope_of_gammainc(a, x):
    """How gammainc grows with its first argument: by values at four points about it."""
    with paddle.no_grad():
        step = 0.01 * paddle.minimum(a, a.sqrt())
        near = paddle.gammainc(a + step, x) - paddle.gammainc(a - step, x)
        far = paddle.gammainc(a + 2 * step, x) - paddle.gammainc(a - 2 * step, x)
        return (8 * near - far) / (12 * step)


def _with_slope(made, a, slope):
    """A value with a gradient for `a`, without one before."""
    if a.stop_gradient or not paddle.is_grad_enabled():
        return made
    return made + (a - a.detach()) * slope().astype(a.dtype)


def _gamma_samples(concentration):
    """Of float64; as the quantile of a number that is drawn, this grows with the concentration."""
    a = concentration.detach().astype("float64")
    made = paddle.standard_gamma(a).clip(_TINY)

    def slope():
        log_density = (a - 1) * made.log() - made - paddle.lgamma(a)
        return paddle.nan_to_num(-_slope_of_gammainc(a, made) / log_density.exp())

    return _with_slope(made, concentration.astype("float64"), slope)


def _log_gamma_samples(concentration):
    """Their logarithms, which also those of small concentrations have."""
    a = concentration.astype("float64")
    uniform = _torch("rand")(a.shape, dtype="float64").clip(_TINY)
    return _gamma_samples(a + 1).log() + uniform.log() / a


class Gamma(_Elementary, ExponentialFamily):
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    mean = property(lambda self: self.concentration / self.rate)
    mode = property(lambda self: ((self.concentration - 1) / self.rate).clip(0))
    variance = property(lambda self: self.concentration / self.rate**2)

    def __init__(self, concentration, rate, validate_args=None):
        self._begin(validate_args, concentration=concentration, rate=rate)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        made = _gamma_samples(self.concentration.expand(shape)).astype(self._dtype) / self.rate
        return made.clip(float(paddle.finfo(made.dtype).tiny))

    def log_prob(self, value):
        value, a = self._value(self._floating(value)), self.concentration
        logs = _x_log_y(a, self.rate) + _x_log_y(a - 1, value)
        return logs - self.rate * value - paddle.lgamma(a)

    def cdf(self, value):
        scaled, a = self.rate * self._value(value), self.concentration
        a, scaled = paddle.broadcast_tensors([a, scaled])
        made = paddle.gammainc(a.detach(), scaled)
        large = a.detach().astype("float64"), scaled.detach().astype("float64")
        return _with_slope(made, a, lambda: _slope_of_gammainc(*large))

    def entropy(self):
        a = self.concentration
        return a - self.rate.log() + paddle.lgamma(a) + (1 - a) * paddle.digamma(a)


class Chi2(Gamma):
    arg_constraints = {"df": constraints.positive}
    df = property(lambda self: self.concentration * 2)

    def __init__(self, df, validate_args=None):
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)


class Dirichlet(_Elementary, ExponentialFamily):
    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        shape = concentration.shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    _total = property(lambda self: self.concentration.sum(-1, True))
    mean = property(lambda self: self.concentration / self._total)
    variance = property(lambda self: self.mean * (1 - self.mean) / (self._total + 1))

    @property
    def mode(self):
        above = (self.concentration - 1).clip(0)
        mode = above / above.sum(-1, True)
        corner = paddle.nn.functional.one_hot(above.argmax(-1), above.shape[-1]).astype(mode.dtype)
        return paddle.where((self.concentration < 1).all(-1, True), corner, mode)

    def rsample(self, sample_shape=()):
        logs = _log_gamma_samples(self.concentration.expand(self._extended_shape(sample_shape)))
        return logits_to_probs(logs).astype(self._dtype)

    def log_prob(self, value):
        a = self.concentration
        logs = _x_log_y(a - 1, self._value(value)).sum(-1)
        return logs + paddle.lgamma(a.sum(-1)) - paddle.lgamma(a).sum(-1)

    def entropy(self):
        a, total = self.concentration, self.concentration.sum(-1)
        logs = paddle.lgamma(a).sum(-1) - paddle.lgamma(total)
        means = (a.shape[-1] - total) * paddle.digamma(total) + ((a - 1) * paddle.digamma(a)).sum(-1)
        return logs - means


class Beta(_Elementary, ExponentialFamily):
    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1, concentration0, validate_args=None):
        self._begin(validate_args, concentration1=concentration1, concentration0=concentration0)

    @property
    def _dirichlet(self):
        both = paddle.stack([self.concentration1, self.concentration0], -1)
        return Dirichlet(both, validate_args=False)

    mean = property(lambda self: self._dirichlet.mean[..., 0])
    mode = property(lambda self: self._dirichlet.mode[..., 0])
    variance = property(lambda self: self._dirichlet.variance[..., 0])

    def rsample(self, sample_shape=()):
        return self._dirichlet.rsample(sample_shape)[..., 0]

    def log_prob(self, value):
        value = self._value(value)
        return self._dirichlet.log_prob(paddle.stack([value, 1 - value], -1))

    def entropy(self):
        return self._dirichlet.entropy()


class StudentT(_Elementary):
    arg_constraints = {
        "df": constraints.positive,
        "loc": constraints.real,
        "scale": constraints.positive,
    }
    support = constraints.real
    has_rsample = True
    mode = property(lambda self: self.loc)

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self._begin(validate_args, df=df, loc=loc, scale=scale)

    def _where_df(self, above, value, other):
        return paddle.where(self.df > above, value, paddle.full_like(value, other))

    @property
    def mean(self):
        return self._where_df(1, self.loc, math.nan)

    @property
    def variance(self):
        found = self.scale**2 * self.df / (self.df - 2)
        return self._where_df(1, self._where_df(2, found, math.inf), math.nan)

    def rsample(self, sample_shape=()):
        squares = Chi2(self.df, validate_args=False).rsample(sample_shape)
        return self.loc + self.scale * self._normal(sample_shape) * paddle.rsqrt(squares / self.df)

    def log_prob(self, value):
        scaled, df = (self._value(value) - self.loc) / self.scale, self.df
        normalizer = self.scale.log() + 0.5 * (df.log() + math.log(math.pi))
        normalizer = normalizer + paddle.lgamma(df / 2) - paddle.lgamma((df + 1) / 2)
        return -0.5 * (df + 1) * paddle.log1p(scaled**2 / df) - normalizer

    def entropy(self):
        half, more = self.df / 2, (self.df + 1) / 2
        logs = paddle.lgamma(half) + math.lgamma(0.5) - paddle.lgamma(more)
        means = more * (paddle.digamma(more) - paddle.digamma(half))
        return self.scale.log() + means + 0.5 * self.df.log() + logs
