import math

import paddle
from paddle.nn.functional import one_hot

from .computing import _is_zero
from .constraints_of_distributions import _softplus, _broadcast, broadcast_all, constraints, dependent_property
from .gamma_distributions import Gamma
from .distributions import Distribution, ExponentialFamily, _Chances, _Elementary, _x_log_y
from .torchs_meaning import _torch


class _Binary(_Chances):
    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}

    def __init__(self, probs=None, logits=None, validate_args=None):
        name, value = self._choose(probs, logits)
        self._begin(validate_args, **{name: value})

    def _cross_entropy(self, value):
        """What is lost by these chances where `value` is true."""
        return _softplus(self.logits) - self.logits * value


def _enumerated(self, count, expand):
    """The numbers below a count, for each distribution of a batch or to be broadcast with it."""
    values = paddle.arange(count).astype(self._float_dtype).reshape([-1] + [1] * len(self._batch_shape))
    return values.expand([-1, *self._batch_shape]) if expand else values


class Bernoulli(_Binary, ExponentialFamily):
    support = constraints.boolean
    has_enumerate_support = True
    variance = property(lambda self: self.probs * (1 - self.probs))

    @property
    def mode(self):
        likely = (self.probs >= 0.5).astype(self._float_dtype)
        return paddle.where(self.probs == 0.5, paddle.full_like(likely, math.nan), likely)

    @paddle.no_grad()
    def sample(self, sample_shape=()):
        return _torch("bernoulli")(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        return -self._cross_entropy(self._value(value))

    def entropy(self):
        return self._cross_entropy(self.probs)

    def enumerate_support(self, expand=True):
        return _enumerated(self, 2, expand)


class Geometric(_Binary):
    support = constraints.nonnegative_integer
    mean = property(lambda self: 1 / self.probs - 1)
    mode = property(lambda self: paddle.zeros_like(self.probs))
    variance = property(lambda self: (1 / self.probs - 1) / self.probs)

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits, validate_args)
        if self._validate_args and probs is not None and not bool((self.probs > 0).all()):
            raise ValueError(f"Expected parameter probs of {self!r} to be positive")

    @paddle.no_grad()
    def sample(self, sample_shape=()):
        drawn = self._uniform(sample_shape).clip(float(paddle.finfo(self._float_dtype).tiny))
        return (drawn.log() / paddle.log1p(-self.probs)).floor()

    def log_prob(self, value):
        return _x_log_y(self._value(value), 1 - self.probs) + self.probs.log()

    def entropy(self):
        return self._cross_entropy(self.probs) / self.probs


class _Count(_Chances):
    """How often something of a chance happens, by a number of tries or of failures."""

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        name, value = self._choose(probs, logits)
        value, count = broadcast_all(value, total_count)
        self._begin(validate_args, total_count=count.astype(value.dtype), **{name: value})


class Binomial(_Count):
    arg_constraints = {
        "total_count": constraints.nonnegative_integer,
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    has_enumerate_support = True
    mean = property(lambda self: self.total_count * self.probs)
    variance = property(lambda self: self.mean * (1 - self.probs))

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        super().__init__(total_count, probs, logits, validate_args)

    @dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self.total_count)

    @property
    def mode(self):
        return paddle.minimum(((self.total_count + 1) * self.probs).floor(), self.total_count)

    @paddle.no_grad()
    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        count, probs = (each.expand(shape) for each in (self.total_count, self.probs))
        return _torch("binomial")(count, probs)

    def log_prob(self, value):
        value, count, logits = self._value(value), self.total_count, self.logits
        ways = paddle.lgamma(count + 1) - paddle.lgamma(value + 1) - paddle.lgamma(count - value + 1)
        return ways + value * logits - count * _softplus(logits)

    def enumerate_support(self, expand=True):
        most = int(self.total_count.max())
        if most != int(self.total_count.min()):
            raise NotImplementedError("Inhomogeneous total count not supported by `enumerate_support`.")
        return _enumerated(self, most + 1, expand)

    def entropy(self):
        logs = self.log_prob(self.enumerate_support(False))
        return -(logs.exp() * logs).sum(0)


class NegativeBinomial(_Count):
    arg_constraints = {
        "total_count": constraints.nonnegative,
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer
    mean = property(lambda self: self.total_count * self.logits.exp())
    mode = property(lambda self: ((self.total_count - 1) * self.logits.exp()).floor().clip(0))
    variance = property(lambda self: self.mean * (1 + self.logits.exp()))

    @paddle.no_grad()
    def sample(self, sample_shape=()):
        rates = Gamma(self.total_count, (-self.logits).exp(), validate_args=False)
        return _torch("poisson")(rates.sample(sample_shape))

    def log_prob(self, value):
        value, count = self._value(value), self.total_count
        logs = -count * _softplus(self.logits) - value * _softplus(-self.logits)
        ways = paddle.lgamma(count + value) - paddle.lgamma(1 + value) - paddle.lgamma(count)
        return logs + paddle.where(count + value == 0, paddle.zeros_like(ways), ways)


class Poisson(_Elementary, ExponentialFamily):
    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer
    mean = variance = property(lambda self: self.rate)
    mode = property(lambda self: self.rate.floor())
    entropy = Distribution.entropy

    def __init__(self, rate, validate_args=None):
        self._begin(validate_args, rate=rate)

    @paddle.no_grad()
    def sample(self, sample_shape=()):
        return _torch("poisson")(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        value = self._value(value)
        return _x_log_y(value, self.rate) - self.rate - paddle.lgamma(value + 1)


class Categorical(_Chances):
    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True
    _is_binary = False
    mean = variance = property(lambda self: paddle.full(self._batch_shape, math.nan, self._float_dtype))
    mode = property(lambda self: self._param.argmax(-1))
    _num_events = property(lambda self: self._param.shape[-1])

    def __init__(self, probs=None, logits=None, validate_args=None):
        name, value = self._choose(probs, logits)
        if value.dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if name == "probs":
            self.probs = value / value.sum(-1, True)
        else:
            self.logits = value - _torch("logsumexp")(value, -1, True)
        super(_Chances, self).__init__(value.shape[:-1], validate_args=validate_args)

    @dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self._num_events - 1)

    @paddle.no_grad()
    def sample(self, sample_shape=()):
        count, rows = math.prod(sample_shape), self.probs.reshape([-1, self._num_events])
        drawn = _torch("multinomial")(rows, count, True) if count and rows.size else paddle.zeros([0], "int64")
        return drawn.reshape([rows.shape[0], count]).t().reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits = self.logits
        index, first = _broadcast(value.astype("int64"), logits[..., 0])
        logits = logits.expand([*first.shape, self._num_events])
        return paddle.take_along_axis(logits, index.unsqueeze(-1), -1, broadcast=False).squeeze(-1)

    def entropy(self):
        return -(self.logits.clip(float(paddle.finfo(self._float_dtype).min)) * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        return _enumerated(self, self._num_events, expand).astype("int64")


class _OfCategories(Distribution):
    """Vectors with an element for each category."""

    arg_constraints = Categorical.arg_constraints

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits, validate_args)
        super().__init__(
            self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args
        )

    _param = property(lambda self: self._categorical._param)
    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    param_shape = property(lambda self: self._categorical.param_shape)
    _num_events = property(lambda self: self._event_shape[0])

    def _floating(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return value if value.is_floating_point() else value.astype(self._param.dtype)

    def expand(self, batch_shape, _instance=None):
        return self._renewed(batch_shape, _instance, _categorical=self._categorical.expand(batch_shape))


class OneHotCategorical(_OfCategories):
    support = constraints.one_hot
    has_enumerate_support = True
    mean = property(lambda self: self.probs)
    mode = property(lambda self: self._of(self.probs.argmax(-1)))
    variance = property(lambda self: self.probs * (1 - self.probs))

    def _of(self, index):
        return one_hot(index, self._num_events).astype(self._param.dtype)

    @paddle.no_grad()
    def sample(self, sample_shape=()):
        return self._of(self._categorical.sample(sample_shape))

    def log_prob(self, value):
        return self._categorical.log_prob(self._floating(value).argmax(-1))

    def entropy(self):
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        return self._of(self._categorical.enumerate_support(expand))


class OneHotCategoricalStraightThrough(OneHotCategorical):
    has_rsample = True

    def rsample(self, sample_shape=()):
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


class Multinomial(_OfCategories):
    mean = property(lambda self: self.probs * self.total_count)
    variance = property(lambda self: self.mean * (1 - self.probs))

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        super().__init__(probs, logits, validate_args)

    @dependent_property(is_discrete=True, event_dim=1)
    def support(self):
        return constraints.multinomial(self.total_count)

    @paddle.no_grad()
    def sample(self, sample_shape=()):
        drawn = self._categorical.sample([self.total_count, *sample_shape])
        return one_hot(drawn, self._num_events).sum(0).astype(self._param.dtype)

    def log_prob(self, value):
        value = self._floating(value)
        ways = paddle.lgamma(value.sum(-1) + 1) - paddle.lgamma(value + 1).sum(-1)
        logits, zeros = self.logits, paddle.zeros_like(self.logits)
        logits = paddle.where(_is_zero(value) & (logits == -math.inf), zeros, logits)
        return ways + (logits * value).sum(-1)

    def entropy(self):
        count = paddle.to_tensor(float(self.total_count), self._param.dtype)
        each = Binomial(self.total_count, self.probs, validate_args=False)
        values = each.enumerate_support(False)[1:]
        orders = (each.log_prob(values).exp() * paddle.lgamma(values + 1)).sum([0, -1])
        return count * self._categorical.entropy() - paddle.lgamma(count + 1) + orders
