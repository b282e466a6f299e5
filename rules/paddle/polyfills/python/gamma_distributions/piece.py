import math

import paddle

from .broadcast_tensors import broadcast_tensors
from .constraints_of_distributions import constraints
from .distributions import ExponentialFamily, _Elementary, _x_log_y
from .gamma_variates import _sample_dirichlet, _standard_gamma, _standard_gamma_grad, _with_slope


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
        made = _standard_gamma(self.concentration.expand(shape)) / self.rate
        return made.clip(float(paddle.finfo(made.dtype).tiny))

    def log_prob(self, value):
        value, a = self._value(self._floating(value)), self.concentration
        logs = _x_log_y(a, self.rate) + _x_log_y(a - 1, value)
        return logs - self.rate * value - paddle.lgamma(a)

    def cdf(self, value):
        scaled, a = self.rate * self._value(value), self.concentration
        a, scaled = broadcast_tensors(a, scaled)
        made = paddle.gammainc(a.detach(), scaled)

        def slope():
            density = _x_log_y(a - 1, scaled) - scaled - paddle.lgamma(a)
            return -_standard_gamma_grad(a, scaled.detach()) * density.detach().exp()

        return _with_slope(made, a, slope)

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
        return _sample_dirichlet(self.concentration.expand(self._extended_shape(sample_shape)))

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
        drawn = self._normal(sample_shape)
        squares = Chi2(self.df, validate_args=False).rsample(sample_shape)
        return self.loc + self.scale * drawn * paddle.rsqrt(squares / self.df)

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
