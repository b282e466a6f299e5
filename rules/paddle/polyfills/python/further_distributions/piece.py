import math

import paddle

from .composed_distributions import _OfTransforms
from .constraints_of_distributions import (
    _expanded, _softplus, broadcast_all, clamp_probs, constraints, dependent_property, euler_constant, lazy_property,
    logits_to_probs,
)
from .continuous_distributions import Exponential, Uniform
from .distributions import ExponentialFamily, _ByQuantile, _Chances, _Elementary
from .gamma_distributions import Gamma
from .transforms_to_constraints import AffineTransform, ExpTransform, PowerTransform


def _number_unless(condition, value, other):
    """A value where a condition holds, elsewhere a number."""
    return paddle.where(condition, value, paddle.full_like(value, other))


class ContinuousBernoulli(_Chances, ExponentialFamily):
    """The likelihood of Bernoulli's distribution as a density, after Loaiza-Ganem and Cunningham (2019)."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        name, value = self._choose(probs, logits)
        self._lims = lims
        (value,) = broadcast_all(value)
        if name == "probs":
            if validate_args is not None and not bool(self.arg_constraints[name].check(value).all()):
                raise ValueError("The parameter probs has invalid values")
            value = clamp_probs(value)
        self._begin(validate_args, **{name: value})

    @lazy_property
    def probs(self):
        return clamp_probs(logits_to_probs(self.logits, True))

    def _of_probs(self, exact, near_half):
        """By a formula for all chances but those near a half, where it would divide zero by zero."""
        outside = (self.probs <= self._lims[0]) | (self.probs > self._lims[1])
        cut = _number_unless(outside, self.probs, self._lims[0])
        return paddle.where(outside, exact(cut), near_half(self.probs - 0.5))

    @property
    def mean(self):
        return self._of_probs(
            lambda p: p / (2 * p - 1) + 1 / (paddle.log1p(-p) - p.log()),
            lambda x: 0.5 + (1 / 3 + 16 / 45 * x**2) * x,
        )

    @property
    def variance(self):
        return self._of_probs(
            lambda p: p * (p - 1) / (1 - 2 * p) ** 2 + 1 / (paddle.log1p(-p) - p.log()) ** 2,
            lambda x: 1 / 12 - (1 / 15 - 128 / 945 * x**2) * x**2,
        )

    def _cont_bern_log_norm(self):
        return self._of_probs(
            lambda p: (paddle.log1p(-p) - p.log()).abs().log() - (1 - 2 * p).abs().log(),
            lambda x: math.log(2) + (4 / 3 + 104 / 45 * x**2) * x**2,
        )

    def rsample(self, sample_shape=()):
        return self.icdf(self._uniform(sample_shape))

    def _log_density(self, value):
        return self.logits * value - _softplus(self.logits) + self._cont_bern_log_norm()

    def log_prob(self, value):
        return self._log_density(self._value(value))

    def cdf(self, value):
        value = self._value(value)
        found = self._of_probs(lambda p: (p**value * (1 - p) ** (1 - value) + p - 1) / (2 * p - 1), lambda x: value + 0 * x)
        return found.clip(0, 1)

    def icdf(self, value):
        value = self._floating(value)

        def exact(p):
            rest = paddle.log1p(-p)
            return (paddle.log1p(-p + value * (2 * p - 1)) - rest) / (p.log() - rest)

        return self._of_probs(exact, lambda x: value + 0 * x)

    def entropy(self):
        rest = paddle.log1p(-self.probs)
        return self.mean * (rest - self.probs.log()) - self._cont_bern_log_norm() - rest

    @property
    def _natural_params(self):
        return (self.logits,)

    def _log_normalizer(self, x):
        outside = (x <= self._lims[0] - 0.5) | (x > self._lims[1] - 0.5)
        cut = _number_unless(outside, x, self._lims[0] - 0.5)
        return paddle.where(outside, (paddle.expm1(cut) / cut).abs().log(), x / 2 + x**2 / 24 - x**4 / 2880)


class FisherSnedecor(_Elementary):
    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, df1, df2, validate_args=None):
        self._begin(validate_args, df1=df1, df2=df2)

    @property
    def mean(self):
        df2 = _number_unless(self.df2 > 2, self.df2, math.nan)
        return df2 / (df2 - 2)

    @property
    def mode(self):
        return _number_unless(self.df1 > 2, (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2), math.nan)

    @property
    def variance(self):
        df2 = _number_unless(self.df2 > 4, self.df2, math.nan)
        return 2 * df2**2 * (self.df1 + df2 - 2) / (self.df1 * (df2 - 2) ** 2 * (df2 - 4))

    def rsample(self, sample_shape=()):
        tiny = float(paddle.finfo(self._float_dtype).tiny)
        first, second = (Gamma(df / 2, df, validate_args=False).rsample(sample_shape) for df in (self.df1, self.df2))
        return (first / second.clip(tiny)).clip(tiny)

    def log_prob(self, value):
        value, half1, half2 = self._value(value), self.df1 / 2, self.df2 / 2
        ratio = self.df1 / self.df2
        normalizer = paddle.lgamma(half1 + half2) - paddle.lgamma(half1) - paddle.lgamma(half2)
        logs = half1 * ratio.log() + (half1 - 1) * value.log()
        return normalizer + logs - (half1 + half2) * paddle.log1p(ratio * value)


class GeneralizedPareto(_ByQuantile):
    arg_constraints = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    mode = property(lambda self: self.loc)

    def __init__(self, loc, scale, concentration, validate_args=None):
        self._begin(validate_args, loc=loc, scale=scale, concentration=concentration)

    @dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        k = self.concentration
        return constraints.interval(self.loc, _number_unless(k < 0, self.loc - self.scale / k, math.inf))

    def _of_concentration(self, exact, at_zero):
        none = self.concentration.abs() <= 1e-8
        return paddle.where(none, at_zero, exact(_number_unless(~none, self.concentration, 1.0)))

    def _scaled(self, value):
        return (self._value(value) - self.loc) / self.scale

    def log_prob(self, value):
        z = self._scaled(value)

        def exact(k):
            power = 1 / k + paddle.ones_like(z)
            return paddle.where(power == 0, power, power * paddle.log1p(k * z))

        return -self.scale.log() - self._of_concentration(exact, z)

    def log_survival_function(self, value):
        z = self._scaled(value)
        return self._of_concentration(lambda k: -paddle.log1p(k * z) / k, -z)

    def log_cdf(self, value):
        return paddle.log1p(-self.log_survival_function(value).exp())

    def cdf(self, value):
        return self.log_cdf(value).exp()

    def icdf(self, value):
        logs = paddle.log1p(-self._floating(value))
        scaled = self._of_concentration(lambda k: paddle.expm1(-k * logs) / k, -logs)
        return self.loc + self.scale * scaled

    @property
    def mean(self):
        finite = self.concentration < 1
        return _number_unless(finite, self.loc + self.scale / (1 - _number_unless(finite, self.concentration, 0.5)), math.nan)

    @property
    def variance(self):
        finite = self.concentration < 0.5
        k = _number_unless(finite, self.concentration, 0.25)
        return _number_unless(finite, self.scale**2 / ((1 - k) ** 2 * (1 - 2 * k)), math.nan)

    def entropy(self):
        return self.scale.log() + self.concentration + 1


class _Parametrized(_OfTransforms):
    """One by parameters of its own, which are expanded with it."""

    def expand(self, batch_shape, _instance=None):
        new = super().expand(batch_shape, _instance)
        for name in self.arg_constraints:
            vars(new)[name] = _expanded(vars(self)[name], batch_shape)
        return new


class InverseGamma(_OfTransforms):
    arg_constraints = Gamma.arg_constraints
    support = constraints.positive
    has_rsample = True
    concentration = property(lambda self: self.base_dist.concentration)
    rate = property(lambda self: self.base_dist.rate)
    mode = property(lambda self: self.rate / (self.concentration + 1))

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, PowerTransform(-paddle.ones([], base.rate.dtype)), validate_args=validate_args)

    @property
    def mean(self):
        return _number_unless(self.concentration > 1, self.rate / (self.concentration - 1), math.inf)

    @property
    def variance(self):
        found = self.rate**2 / ((self.concentration - 1) ** 2 * (self.concentration - 2))
        return _number_unless(self.concentration > 2, found, math.inf)

    def entropy(self):
        a = self.concentration
        return a + self.rate.log() + paddle.lgamma(a) - (1 + a) * paddle.digamma(a)


class Kumaraswamy(_Parametrized):
    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, concentration1, concentration0, validate_args=None):
        a, b = self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        base = Uniform(paddle.zeros_like(b), paddle.ones_like(b), validate_args=validate_args)
        transforms = [PowerTransform(1 / b), AffineTransform(1.0, -1.0), PowerTransform(1 / a)]
        super().__init__(base, transforms, validate_args=validate_args)

    def _moment(self, power):
        a, b = 1 + power / self.concentration1, self.concentration0
        return b * (paddle.lgamma(a) + paddle.lgamma(b) - paddle.lgamma(a + b)).exp()

    mean = property(lambda self: self._moment(1))
    variance = property(lambda self: self._moment(2) - self.mean**2)

    @property
    def mode(self):
        a, b = self.concentration1, self.concentration0
        logarithm = paddle.log1p(-b) / b - paddle.log1p(-b * a)
        return _number_unless((a >= 1) & (b >= 1), logarithm, math.nan).exp()

    def entropy(self):
        a, b = self.concentration1, self.concentration0
        harmonic = paddle.digamma(b + 1) + euler_constant
        return (1 - 1 / b) + (1 - 1 / a) * harmonic - a.log() - b.log()


class Pareto(_Parametrized):
    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}
    mode = property(lambda self: self.scale)

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = broadcast_all(scale, alpha)
        base = Exponential(self.alpha, validate_args=validate_args)
        super().__init__(base, [ExpTransform(), AffineTransform(0, self.scale)], validate_args=validate_args)

    @dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self):
        a = self.alpha.clip(1)
        return a * self.scale / (a - 1)

    @property
    def variance(self):
        a = self.alpha.clip(2)
        return self.scale**2 * a / ((a - 1) ** 2 * (a - 2))

    def entropy(self):
        return (self.scale / self.alpha).log() + 1 + 1 / self.alpha


class Weibull(_Parametrized):
    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive
    concentration_reciprocal = property(lambda self: 1 / self.concentration)

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = broadcast_all(scale, concentration)
        base = Exponential(paddle.ones_like(self.scale), validate_args=validate_args)
        transforms = [PowerTransform(self.concentration_reciprocal), AffineTransform(0, self.scale)]
        super().__init__(base, transforms, validate_args=validate_args)

    def _moment(self, power):
        return self.scale**power * paddle.lgamma(1 + power * self.concentration_reciprocal).exp()

    mean = property(lambda self: self._moment(1))
    variance = property(lambda self: self._moment(2) - self.mean**2)

    @property
    def mode(self):
        return self.scale * ((self.concentration - 1) / self.concentration) ** self.concentration_reciprocal

    def entropy(self):
        share = self.concentration_reciprocal
        return euler_constant * (1 - share) + (self.scale * share).log() + 1
