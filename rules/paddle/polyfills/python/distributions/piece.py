import functools
import warnings

import paddle

from .computing import _is_zero
from .constraints_of_distributions import (
    _expanded, broadcast_all, is_dependent, lazy_property, logits_to_probs, probs_to_logits,
)
from .sizes import Size
from .torchs_meaning import _tensor_method, _torch


def _package_of(kind):
    """The package of a class, or its module outside of one."""
    return kind.__module__.rpartition(".")[0] or kind.__module__


def _kept_size(shape):
    """A shape, or what a class of one's own has instead: torch keeps that as it is."""
    try:
        return Size(shape)
    except TypeError:
        return shape


def _with_runtime_errors(method):
    """A method that raises RuntimeError for what an operator does not take, as torch's operators do."""

    @functools.wraps(method)
    def call(self, *args, **kwargs):
        try:
            return method(self, *args, **kwargs)
        except ValueError as error:
            if not str(error).startswith("(InvalidArgument)"):
                raise
            raise RuntimeError(str(error)).with_traceback(error.__traceback__) from None

    return call


class Distribution:
    """Samples and densities: `batch_shape` of distributions whose events have `event_shape`."""

    has_rsample = has_enumerate_support = False
    _validate_args = __debug__

    @staticmethod
    def set_default_validate_args(value):
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if cls.__module__.partition(".")[0] == __name__.partition(".")[0]:
            cls.__doc__ = cls.__doc__ or f"torch.distributions.{cls.__name__}"  # torch's all have one
            for name in {"log_prob", "cdf", "icdf", "rsample", "sample"} & vars(cls).keys():
                setattr(cls, name, _with_runtime_errors(vars(cls)[name]))

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape, self._event_shape = _kept_size(batch_shape), _kept_size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._validate_parameters()
        super().__init__()

    def _validate_parameters(self):
        try:
            constraints = self.arg_constraints
        except NotImplementedError:
            warnings.warn(f"{type(self)} does not define `arg_constraints`.", stacklevel=3)
            constraints = {}
        for name, constraint in constraints.items():
            lazy = isinstance(getattr(type(self), name, None), lazy_property)
            if is_dependent(constraint) or (lazy and name not in self.__dict__):
                continue
            value = getattr(self, name)
            if not bool(constraint.check(value).all()):
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of "
                    f"distribution {self!r} to satisfy the constraint {constraint!r}, but found invalid "
                    f"values:\n{value}"
                )

    def _refused(self, *args):
        raise NotImplementedError(f"{type(self).__name__} does not have this")

    arg_constraints = support = property(_refused)
    mean = variance = property(_refused)
    rsample = log_prob = cdf = icdf = entropy = _refused

    @property
    def mode(self):
        raise NotImplementedError(f"{type(self)} does not implement mode")

    def enumerate_support(self, expand=True):
        raise NotImplementedError(f"{type(self)} does not implement enumerate_support")

    def expand(self, batch_shape, _instance=None):
        raise NotImplementedError(f"{type(self)} does not implement expand")

    batch_shape = property(lambda self: self._batch_shape)
    event_shape = property(lambda self: self._event_shape)

    @property
    def stddev(self):
        return self.variance.sqrt()

    def sample(self, sample_shape=()):
        with paddle.no_grad():
            return self.rsample(sample_shape).detach()

    def sample_n(self, n):
        warnings.warn("sample_n(n) is deprecated: use .sample((n,))", FutureWarning, stacklevel=2)
        return self.sample((n,))

    def perplexity(self):
        return paddle.exp(self.entropy())

    def _extended_shape(self, sample_shape=()):
        return Size([*sample_shape, *self._batch_shape, *self._event_shape])

    def _validate_sample(self, value):
        if not isinstance(value, paddle.Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        shape, events = [*value.shape], [*self._event_shape]
        if shape[max(len(shape) - len(events), 0) :] != events:
            raise ValueError(f"The right-most size of value must match event_shape: {shape} vs {events}.")
        expected = [*self._batch_shape, *events]
        for have, want in zip(reversed(shape), reversed(expected)):
            if 1 not in (have, want) and have != want:
                raise ValueError(f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {expected}.")
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(f"{type(self)} does not define `support`.", stacklevel=3)
            return
        if not bool(support.check(value).all()):
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(shape)}) to be within the "
                f"support ({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def _get_checked_instance(self, cls, _instance=None):
        if _instance is None and type(self).__init__ is not cls.__init__:
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a custom __init__ method must "
                "also define a custom .expand() method."
            )
        return self.__new__(type(self)) if _instance is None else _instance

    def _own_class(self):
        """The class of this unit that this one is, or is derived from."""
        return next(kind for kind in type(self).__mro__ if _package_of(kind) == _package_of(Distribution))

    def _renewed(self, batch_shape, _instance, **changed):
        """Another one of this class with other members, for `expand`."""
        own = self._own_class()
        new = self._get_checked_instance(own, _instance)
        kept = vars(self)
        if type(self) is not own:  # what a derived class sets and computes is its own matter
            others = type(self).__mro__[: type(self).__mro__.index(own)]
            set_there = {*vars(new)}.union(*map(vars, others))
            kept = {name: value for name, value in kept.items() if name not in set_there}
        vars(new).update({**kept, **changed})
        Distribution.__init__(new, batch_shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    def __repr__(self):
        values = {name: self.__dict__[name] for name in self.arg_constraints if name in self.__dict__}
        said = (
            f"{name}: {value.item() if value.size == 1 and not value.shape else f'torch.Size({[*value.shape]})'}"
            for name, value in values.items()
        )
        return f"{type(self).__name__}({', '.join(said)})"


class ExponentialFamily(Distribution):
    """Densities exp(<t(x), parameters> - log_normalizer(parameters) + k(x))."""

    _natural_params = _mean_carrier_measure = property(Distribution._refused)
    _log_normalizer = Distribution._refused

    def entropy(self):
        parameters = [each.detach() for each in self._natural_params]
        for each in parameters:
            each.stop_gradient = False
        normalizer = self._log_normalizer(*parameters)
        gradients = paddle.grad(normalizer.sum(), parameters, create_graph=True)
        result = normalizer - self._mean_carrier_measure
        for each, gradient in zip(parameters, gradients):
            summed = each * gradient
            result = result - summed.reshape([*self._batch_shape, -1]).sum(-1)
        return result


class _Elementary(Distribution):
    """A distribution that is given by its tensors, which are expanded together but for some."""

    _shared: tuple[str, ...] = ()
    _matrices: tuple[str, ...] = ()  # what is no parameter

    def _begin(self, validate_args, **parameters):
        """Set parameters of one shape."""
        for name, value in zip(parameters, broadcast_all(*parameters.values())):
            setattr(self, name, value)
        Distribution.__init__(self, value.shape, validate_args=validate_args)

    def _value(self, value):
        """What a density is asked of, in a dtype that the parameters can be used with."""
        value = self._floating(value) if isinstance(value, paddle.Tensor) else value
        if self._validate_args:
            self._validate_sample(value)
        return self._floating(value)

    def _floating(self, value):
        if not isinstance(value, paddle.Tensor):
            return paddle.to_tensor(value, self._float_dtype)
        return value if value.is_floating_point() else value.astype(self._float_dtype)

    @property
    def _parameter(self):
        """A tensor of the parameters: what has its shape, dtype and place."""
        for value in vars(self).values():
            if isinstance(value, paddle.Tensor):
                return value
        for name in self.arg_constraints:  # of a distribution that is a module, too
            value = getattr(self, name, None)
            if isinstance(value, paddle.Tensor):
                return value
        raise AttributeError(f"{type(self).__name__} has no tensor of parameters yet")

    _float_dtype = property(lambda self: self._parameter.dtype)

    def _placed(self, made):
        place = self._parameter.place
        return made if made.place._equals(place) else made.to(place)

    def _uniform(self, sample_shape):
        """Numbers from 0 up to but without 1."""
        return self._placed(_torch("rand")(self._extended_shape(sample_shape), dtype=self._float_dtype))

    def _drawn(self, name, sample_shape, *settings):
        """What a method of tensors draws."""
        made = paddle.empty(self._extended_shape(sample_shape), dtype=self._float_dtype)
        return _tensor_method(name)(self._placed(made), *settings)

    def _normal(self, sample_shape):
        return self._placed(_torch("randn")(self._extended_shape(sample_shape), dtype=self._float_dtype))

    def expand(self, batch_shape, _instance=None):
        expanded, own = {}, self._own_class()
        constraints = own.arg_constraints  # a derived class may have others
        if isinstance(constraints, property):
            constraints = constraints.__get__(self)
        for name, value in vars(self).items():
            if isinstance(value, paddle.Tensor) and name not in self._shared:
                if type(self) is not own and not (name in constraints or name[0] == "_" or hasattr(own, name)):
                    continue  # of a derived class, which expands it by itself
                constraint = constraints.get(name)
                events = constraint.event_dim if constraint else 2 * (name in self._matrices)
                expanded[name] = _expanded(value, [*batch_shape, *value.shape[value.dim() - events :]])
        return self._renewed(batch_shape, _instance, **expanded)


class _ByQuantile(_Elementary):
    has_rsample = True

    def rsample(self, sample_shape=()):
        return self.icdf(self._uniform(sample_shape))


class _Chances(_Elementary):
    """A distribution by its probabilities or their logits, of which the other is computed."""

    _is_binary = True

    def _choose(self, probs, logits):
        """The name and the value of the one that is given."""
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        self._given = "logits" if probs is None else "probs"
        return self._given, logits if probs is None else probs

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs, self._is_binary)

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits, self._is_binary)

    _param = _parameter = property(lambda self: vars(self)[self._given])
    param_shape = property(lambda self: self._param.shape)
    mean = property(lambda self: self.probs)


def _x_log_y(x, y):
    """x * log(y), and no gradient that is not a number where both are zero."""
    return x * paddle.log(paddle.where(_is_zero(x) & _is_zero(y), paddle.ones_like(y), y))
