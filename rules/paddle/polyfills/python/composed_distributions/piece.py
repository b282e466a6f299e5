import math
import typing

import paddle

from .constraints_of_distributions import (
    MixtureSameFamilyConstraint, _sum_rightmost, broadcast_all, clamp_probs, constraints,
    dependent_property, _softplus,
)
from .continuous_distributions import Normal
from .discrete_distributions import Categorical
from .distributions import Distribution, _Chances
from .sizes import Size
from .torchs_meaning import _torch
from .transforms_of_distributions import ComposeTransform, Transform
from .transforms_to_constraints import ExpTransform, SigmoidTransform, StickBreakingTransform


_Whole = typing.TypeVar("_Whole", bound=Distribution)


class Independent(Distribution, typing.Generic[_Whole]):
    """Some dimensions of a batch as dimensions of its events."""

    arg_constraints = {}

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        if reinterpreted_batch_ndims > len(base_distribution.batch_shape):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual "
                f"{reinterpreted_batch_ndims} vs {len(base_distribution.batch_shape)}"
            )
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        shape = [*base_distribution.batch_shape, *base_distribution.event_shape]
        cut = len(base_distribution.batch_shape) - reinterpreted_batch_ndims
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        more = self._event_shape[: self.reinterpreted_batch_ndims]
        return self._renewed(batch_shape, _instance, base_dist=self.base_dist.expand([*batch_shape, *more]))

    has_rsample = property(lambda self: self.base_dist.has_rsample)
    mean = property(lambda self: self.base_dist.mean)
    mode = property(lambda self: self.base_dist.mode)
    variance = property(lambda self: self.base_dist.variance)

    @property
    def has_enumerate_support(self):
        return self.reinterpreted_batch_ndims == 0 and self.base_dist.has_enumerate_support

    @dependent_property
    def support(self):
        dims, inner = self.reinterpreted_batch_ndims, self.base_dist.support
        return constraints.independent(inner, dims) if dims else inner

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return _sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return _sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand=True):
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand)

    def __repr__(self):
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"


class TransformedDistribution(Distribution):
    """What transforms make of the samples of another distribution."""

    arg_constraints = {}

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.transforms = [transforms] if isinstance(transforms, Transform) else transforms
        listed = isinstance(self.transforms, list)
        if not listed or not all(isinstance(each, Transform) for each in self.transforms):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        shape = Size([*base_distribution.batch_shape, *base_distribution.event_shape])
        events, whole = len(base_distribution.event_shape), ComposeTransform(self.transforms)
        domain = whole.domain.event_dim
        if len(shape) < domain:
            raise ValueError(f"base_distribution needs at least {domain} dimensions, but got {[*shape]}.")
        made = whole.forward_shape(shape)
        needed = whole.inverse_shape(made)
        if [*needed] != [*shape]:
            base_distribution = base_distribution.expand(needed[: len(needed) - events])
        if domain > events:
            base_distribution = Independent(base_distribution, domain - events)
        self.base_dist = base_distribution
        events = whole.codomain.event_dim + max(events - domain, 0)
        cut = len(made) - events
        super().__init__(made[:cut], made[cut:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        shape = ComposeTransform(self.transforms).inverse_shape([*batch_shape, *self._event_shape])
        base = self.base_dist.expand(shape[: len(shape) - len(self.base_dist.event_shape)])
        return self._renewed(batch_shape, _instance, base_dist=base)

    has_rsample = property(lambda self: self.base_dist.has_rsample)

    @dependent_property(is_discrete=False)
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        found = self.transforms[-1].codomain
        more = len(self._event_shape) - found.event_dim
        return constraints.independent(found, more) if more > 0 else found

    def _transformed(self, value):
        for transform in self.transforms:
            value = transform(value)
        return value

    def sample(self, sample_shape=()):
        with paddle.no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=()):
        return self._transformed(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        dims, total, y = len(self._event_shape), 0.0, value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            dims += transform.domain.event_dim - transform.codomain.event_dim
            slope = transform.log_abs_det_jacobian(x, y)
            total, y = total - _sum_rightmost(slope, dims - transform.domain.event_dim), x
        return total + _sum_rightmost(self.base_dist.log_prob(y), dims - len(self.base_dist.event_shape))

    def _increasing(self, value):
        """The probability where the transforms grow, and of the other side where they fall."""
        sign = math.prod(transform.sign for transform in self.transforms)
        return value if isinstance(sign, int) and sign == 1 else sign * (value - 0.5) + 0.5

    def cdf(self, value):
        for transform in self.transforms[::-1]:
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._increasing(self.base_dist.cdf(value))

    def icdf(self, value):
        return self._transformed(self.base_dist.icdf(self._increasing(value)))


class _OfTransforms(TransformedDistribution):
    """One by the parameters of its base."""

    def __repr__(self):
        return Distribution.__repr__(self)


class LogNormal(_OfTransforms):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive
    has_rsample = True
    loc = property(lambda self: self.base_dist.loc)
    scale = property(lambda self: self.base_dist.scale)
    mean = property(lambda self: (self.loc + self.scale**2 / 2).exp())
    mode = property(lambda self: (self.loc - self.scale**2).exp())
    variance = property(lambda self: paddle.expm1(self.scale**2) * self.mean**2)

    def __init__(self, loc, scale, validate_args=None):
        base = Normal(loc, scale, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)

    def entropy(self):
        return self.base_dist.entropy() + self.loc


class LogisticNormal(_OfTransforms):
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex
    has_rsample = True
    loc = property(lambda self: self.base_dist.base_dist.loc)
    scale = property(lambda self: self.base_dist.base_dist.scale)

    def __init__(self, loc, scale, validate_args=None):
        base = Normal(loc, scale, validate_args=validate_args)
        base = base if base.batch_shape else base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)


class _Relaxed(_Chances):
    """A continuous one in place of a discrete one, the nearer the lower its temperature."""

    has_rsample = True
    mean = property(Distribution._refused)
    _shared = ("temperature",)


class LogitRelaxedBernoulli(_Relaxed):
    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.real

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        name, value = self._choose(probs, logits)
        self._begin(validate_args, **{name: value})

    def rsample(self, sample_shape=()):
        probs = clamp_probs(self.probs.expand(self._extended_shape(sample_shape)))
        drawn = clamp_probs(self._uniform(sample_shape))
        noise = drawn.log() - paddle.log1p(-drawn)
        return (noise + probs.log() - paddle.log1p(-probs)) / self.temperature

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, self._value(value))
        over = logits - value * self.temperature
        return _log_of(self.temperature) + over - 2 * _softplus(over)


def _log_of(number):
    return number.log() if isinstance(number, paddle.Tensor) else math.log(number)


class ExpRelaxedCategorical(_Relaxed):
    arg_constraints = Categorical.arg_constraints
    support = constraints.real_vector
    _is_binary = False

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        name, _ = self._choose(probs, logits)
        given = Categorical(probs, logits, validate_args=validate_args)
        setattr(self, name, given._param)
        shape = given.param_shape
        super(_Chances, self).__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    def rsample(self, sample_shape=()):
        drawn = clamp_probs(self._uniform(sample_shape))
        scores = (self.logits - (-drawn.log()).log()) / self.temperature
        return scores - _torch("logsumexp")(scores, -1, True)

    def log_prob(self, value):
        count = self._event_shape[0]
        logits, value = broadcast_all(self.logits, self._value(value))
        scores = logits - value * self.temperature
        scores = (scores - _torch("logsumexp")(scores, -1, True)).sum(-1)
        return scores + math.lgamma(count) + (count - 1) * _log_of(self.temperature)


class _OfRelaxed(_OfTransforms):
    has_rsample = True
    temperature = property(lambda self: self.base_dist.temperature)
    logits = property(lambda self: self.base_dist.logits)
    probs = property(lambda self: self.base_dist.probs)

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        base = self._base(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, self._transform(), validate_args=validate_args)


class RelaxedBernoulli(_OfRelaxed):
    arg_constraints = LogitRelaxedBernoulli.arg_constraints
    support = constraints.unit_interval
    _base, _transform = LogitRelaxedBernoulli, SigmoidTransform


class RelaxedOneHotCategorical(_OfRelaxed):
    arg_constraints = Categorical.arg_constraints
    support = constraints.simplex
    _base, _transform = ExpRelaxedCategorical, ExpTransform


class MixtureSameFamily(Distribution):
    """Distributions along the last dimension of a batch, chosen by another one."""

    arg_constraints = {}

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError("The Mixture distribution needs to be an instance of torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")
        batch, chosen = component_distribution.batch_shape[:-1], mixture_distribution.batch_shape
        for one, other in zip(reversed(chosen), reversed(batch)):
            if 1 not in (one, other) and one != other:
                raise ValueError(f"mixture batch shape {[*chosen]} is not compatible with {[*batch]}")
        count, self._num_component = mixture_distribution.param_shape[-1], component_distribution.batch_shape[-1]
        if count != self._num_component:
            raise ValueError(f"mixture of {count} does not equal {self._num_component} components")
        self._event_ndims = len(component_distribution.event_shape)
        super().__init__(batch, component_distribution.event_shape, validate_args=validate_args)

    mixture_distribution = property(lambda self: self._mixture_distribution)
    component_distribution = property(lambda self: self._component_distribution)
    has_rsample = False

    def expand(self, batch_shape, _instance=None):
        components = self._component_distribution.expand([*batch_shape, self._num_component])
        mixture = self._mixture_distribution.expand(batch_shape)
        parts = {"_component_distribution": components, "_mixture_distribution": mixture}
        return self._renewed(batch_shape, _instance, **parts)

    @dependent_property
    def support(self):
        return MixtureSameFamilyConstraint(self._component_distribution.support)

    def _by_event(self, value):
        return value.reshape([*value.shape, *[1] * self._event_ndims])

    def _averaged(self, values):
        weights = self._by_event(self._mixture_distribution.probs)
        return (weights * values).sum(-1 - self._event_ndims)

    def _padded(self, value):
        return value.unsqueeze(-1 - self._event_ndims)

    mean = property(lambda self: self._averaged(self._component_distribution.mean))

    @property
    def variance(self):
        apart = self._component_distribution.mean - self._padded(self.mean)
        return self._averaged(self._component_distribution.variance) + self._averaged(apart**2)

    def cdf(self, value):
        each = self._component_distribution.cdf(self._padded(value))
        return (each * self._mixture_distribution.probs).sum(-1)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        each = self._component_distribution.log_prob(self._padded(value))
        return _torch("logsumexp")(each + self._mixture_distribution.logits, -1)

    @paddle.no_grad()
    def sample(self, sample_shape=()):
        chosen = self._mixture_distribution.expand(self._batch_shape).sample(sample_shape)
        every = self._component_distribution.sample(sample_shape)
        weights = self._by_event(paddle.nn.functional.one_hot(chosen, self._num_component))
        return paddle.where(weights > 0, every, paddle.zeros_like(every)).sum(-1 - self._event_ndims)

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self._mixture_distribution},\n  {self._component_distribution})"
