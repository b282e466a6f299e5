import math

import paddle

from .constraints_of_distributions import (
    _common_shape, constraints, dependent, dependent_property, lazy_property, logits_to_probs,
)
from .distributions import ExponentialFamily, _Elementary, _x_log_y
from .factors_of_matrices import _triangular_solution

_LOG_2PI = math.log(2 * math.pi)
_EULER = 0.57721566490153286060
_TINY = 1e-300  # what the logarithm of a gamma variate of float64 does not go below


class _Located(_Elementary):
    """A distribution of all real numbers, by where it is and how wide."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
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
        return 0.5 * (1 + paddle.erf(self._scaled(value) / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * paddle.erfinv(2 * self._floating(value) - 1) * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * _LOG_2PI + self.scale.log()


class Laplace(_Located):
    stddev = property(lambda self: math.sqrt(2) * self.scale)

    def rsample(self, sample_shape=()):
        return self.icdf(self._uniform(sample_shape))

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
        return self.icdf(self._uniform(sample_shape))

    def log_prob(self, value):
        return -math.log(math.pi) - self.scale.log() - paddle.log1p(self._scaled(value) ** 2)

    def cdf(self, value):
        return paddle.atan(self._scaled(value)) / math.pi + 0.5

    def icdf(self, value):
        return self.loc + self.scale * paddle.tan(math.pi * (self._floating(value) - 0.5))

    def entropy(self):
        return math.log(4 * math.pi) + self.scale.log()


class Gumbel(_Located):
    mean = property(lambda self: self.loc + self.scale * _EULER)
    stddev = property(lambda self: math.pi / math.sqrt(6) * self.scale)

    def rsample(self, sample_shape=()):
        return self.icdf(self._uniform(sample_shape))

    def log_prob(self, value):
        scaled = -self._scaled(value)
        return scaled - scaled.exp() - self.scale.log()

    def cdf(self, value):
        return paddle.exp(-paddle.exp(-self._scaled(value)))

    def icdf(self, value):
        return self.loc - self.scale * paddle.log(-paddle.log(self._floating(value)))

    def entropy(self):
        return self.scale.log() + (1 + _EULER)


class _Half(_Elementary):
    """The absolute value of a distribution that is symmetric about zero."""

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    mode = property(lambda self: paddle.zeros_like(self.scale))

    def __init__(self, scale, validate_args=None):
        self._begin(validate_args, scale=scale)

    @property
    def base_dist(self):
        return self._whole(paddle.zeros_like(self.scale), self.scale, validate_args=False)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape).abs()

    def log_prob(self, value):
        value = self._value(value)
        inside = self.base_dist.log_prob(value) + math.log(2)
        return paddle.where(value >= 0, inside, paddle.full_like(inside, -math.inf))

    def cdf(self, value):
        return 2 * self.base_dist.cdf(self._value(value)) - 1

    def icdf(self, value):
        return self.base_dist.icdf((self._floating(value) + 1) / 2)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(_Half):
    _whole = Normal
    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    variance = property(lambda self: self.scale**2 * (1 - 2 / math.pi))


class HalfCauchy(_Half):
    _whole = Cauchy
    mean = property(lambda self: paddle.full_like(self.scale, math.inf))
    variance = property(lambda self: self.base_dist.variance)


class Uniform(_Elementary):
    arg_constraints = {
        "low": dependent(is_discrete=False, event_dim=0),
        "high": dependent(is_discrete=False, event_dim=0),
    }
    has_rsample = True
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

    def rsample(self, sample_shape=()):
        return self.icdf(self._uniform(sample_shape))

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


class Exponential(_Elementary, ExponentialFamily):
    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    mean = stddev = property(lambda self: 1 / self.rate)
    mode = property(lambda self: paddle.zeros_like(self.rate))
    variance = property(lambda self: self.rate**-2)

    def __init__(self, rate, validate_args=None):
        self._begin(validate_args, rate=rate)

    def rsample(self, sample_shape=()):
        return self.icdf(self._uniform(sample_shape))

    def log_prob(self, value):
        return self.rate.log() - self.rate * self._value(value)

    def cdf(self, value):
        return -paddle.expm1(-self.rate * self._value(value))

    def icdf(self, value):
        return -paddle.log1p(-self._floating(value)) / self.rate

    def entropy(self):
        return 1 - self.rate.log()


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
    uniform = paddle.rand(a.shape, dtype="float64").clip(_TINY)
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
            first, second, third = paddle.rand([3, *shape], dtype="float64")
            z = paddle.cos(math.pi * first)
            f = (1 + r * z) / (r + z)
            c = k * (r - f)
            accepted = (c * (2 - c) > second) | ((c / second).log() + 1 - c >= 0)
            turned = (third - 0.5).sign() * paddle.acos(f.clip(-1, 1))
            angle = paddle.where(left & accepted, turned, angle)
            left = left & ~accepted
        return ((angle + math.pi + loc) % (2 * math.pi) - math.pi).astype(self._dtype)


class MultivariateNormal(_Elementary):
    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None
    ):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        matrices = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        given = {name: matrix for name, matrix in matrices.items() if matrix is not None}
        if len(given) != 1:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        ((name, matrix),) = given.items()
        if matrix.dim() < 2:
            raise ValueError(f"{name} must be at least two-dimensional")
        batch = _common_shape(matrix.shape[:-2], loc.shape[:-1])
        self.loc = loc.expand([*batch, loc.shape[-1]])
        setattr(self, name, matrix.expand([*batch, *matrix.shape[-2:]]))
        super().__init__(batch, loc.shape[-1:], validate_args=validate_args)

    @lazy_property
    def scale_tril(self):
        if "covariance_matrix" in vars(self):
            return paddle.linalg.cholesky(self.covariance_matrix)
        flipped = paddle.linalg.cholesky(self.precision_matrix.flip([-2, -1]))
        return _inverse_of(flipped.flip([-2, -1]).mT)

    @lazy_property
    def covariance_matrix(self):
        return self.scale_tril @ self.scale_tril.mT

    @lazy_property
    def precision_matrix(self):
        inverse = _inverse_of(self.scale_tril)
        return inverse.mT @ inverse

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: (self.scale_tril**2).sum(-1))
    _half_log_det = property(lambda self: self.scale_tril.diagonal(0, -2, -1).log().sum(-1))

    def rsample(self, sample_shape=()):
        return self.loc + _applied_to(self.scale_tril, self._normal(sample_shape))

    def log_prob(self, value):
        scaled = _applied_to(_inverse_of(self.scale_tril), self._value(value) - self.loc)
        return -0.5 * (self._event_shape[0] * _LOG_2PI + scaled.square().sum(-1)) - self._half_log_det

    def entropy(self):
        return 0.5 * self._event_shape[0] * (1 + _LOG_2PI) + self._half_log_det


def _inverse_of(lower):
    """The inverse of a lower triangle."""
    return _triangular_solution(lower, paddle.eye(lower.shape[-1], dtype=lower.dtype), False)


def _applied_to(matrix, vectors):
    """A matrix, or those of a batch, times vectors: by as few products as there are matrices."""
    shape = _common_shape(matrix.shape[:-1], vectors.shape)
    batch, size = [*matrix.shape[:-2]], shape[-1]
    inner = shape[len(shape) - len(batch) - 1 : -1]
    columns = vectors.expand(shape).reshape([-1, *inner, size]).moveaxis(0, -1)
    made = matrix.expand([*inner, size, size]) @ columns
    return made.moveaxis(-1, 0).reshape(shape)
