import functools
import itertools
import numbers
import types

import numpy
import paddle

from .torchs_meaning import _torch


def _common_shape(*shapes):
    """The shape that these are broadcast to."""
    try:
        return functools.reduce(paddle.broadcast_shape, map(list, shapes), [])
    except ValueError as error:
        raise RuntimeError(f"shapes {[*map(list, shapes)]} cannot be broadcast") from error


def _expanded(value, shape):
    if _common_shape(value.shape, shape) != [*shape]:
        raise RuntimeError(f"a tensor of shape {[*value.shape]} cannot be expanded to {[*shape]}")
    return value.expand(shape)


def _broadcast(*tensors):
    shape = _common_shape(*(tensor.shape for tensor in tensors))
    return tuple(tensor.expand(shape) for tensor in tensors)


def broadcast_all(*values):
    """Tensors of one shape: numbers get the dtype and the place of the first tensor."""
    if not all(isinstance(value, (numbers.Number, paddle.Tensor)) for value in values):
        raise ValueError("Input arguments must all be instances of Number or torch.Tensor")
    first = next((value for value in values if isinstance(value, paddle.Tensor)), None)
    dtype, place = (first.dtype, first.place) if first is not None else (None, None)
    dtype = dtype or paddle.get_default_dtype()
    return _broadcast(
        *(v if isinstance(v, paddle.Tensor) else paddle.to_tensor(v, dtype, place) for v in values)
    )


class lazy_property:
    """A property that is computed once, with its gradient."""

    def __init__(self, wrapped):
        self.wrapped = wrapped
        functools.update_wrapper(self, wrapped)

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        with paddle.enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


def clamp_probs(probs):
    eps = paddle.finfo(probs.dtype).eps
    return probs.clip(eps, 1 - eps)


def probs_to_logits(probs, is_binary=False):
    inner = clamp_probs(probs)
    return paddle.log(inner) - paddle.log1p(-inner) if is_binary else paddle.log(inner)


def logits_to_probs(logits, is_binary=False):
    if is_binary:
        return paddle.nn.functional.sigmoid(logits)
    return paddle.exp(logits - _torch("logsumexp")(logits, -1, True))  # Paddle's softmax(-inf) is not zero


def _softplus(x):
    """Exact for all numbers, as Paddle's is not."""
    return (x + x.abs()) / 2 + paddle.log1p(paddle.exp(-x.abs()))


def _sum_rightmost(value, dim):
    return value.reshape([*value.shape[:-dim], -1]).sum(-1) if dim else value


def _standard_normal(shape, dtype, device):
    return _torch("randn")(shape, dtype=dtype, device=device)


euler_constant = 0.57721566490153286060


class Constraint:
    """A region of values: `check` says of each event whether it is inside."""

    is_discrete = False
    event_dim = 0

    def check(self, value):
        raise NotImplementedError

    def __repr__(self):
        given = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"{type(self).__name__[1:]}({given})"


class _Dependent(Constraint):
    """What is not known before the parameters are."""

    def __init__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        self._known = {"is_discrete": is_discrete, "event_dim": event_dim}

    def _look_up(self, name):
        if self._known[name] is NotImplemented:
            raise NotImplementedError(f".{name} cannot be determined statically")
        return self._known[name]

    is_discrete = property(lambda self: self._look_up("is_discrete"))
    event_dim = property(lambda self: self._look_up("event_dim"))

    def __call__(self, **known):
        return _Dependent(**{**self._known, **known})

    def check(self, value):
        raise ValueError("Cannot determine validity of dependent constraint")

    def __repr__(self):
        return "Dependent()"


class _DependentProperty(property, _Dependent):
    """A constraint on the class, and the one that the method makes on an instance."""

    def __init__(self, fn=None, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        property.__init__(self, fn)
        _Dependent.__init__(self, is_discrete=is_discrete, event_dim=event_dim)

    def __call__(self, fn):
        return _DependentProperty(fn, **self._known)


class _Independent(Constraint):
    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    is_discrete = property(lambda self: self.base_constraint.is_discrete)
    event_dim = property(lambda self: self.base_constraint.event_dim + self.reinterpreted_batch_ndims)

    def check(self, value):
        inside, dims = self.base_constraint.check(value), self.reinterpreted_batch_ndims
        if inside.dim() < dims:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return inside.all([*range(-dims, 0)]) if dims else inside

    def __repr__(self):
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


def _narrow(value, dim, start, length):
    if start + length > value.shape[dim]:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({value.shape[dim]}).")
    return paddle.slice(value, [dim % value.dim()], [start], [start + length])


class _OfConstraints(Constraint):
    def __init__(self, cseq, dim=0):
        assert all(isinstance(each, Constraint) for each in cseq), "what is joined must be constraints"
        self.cseq, self.dim = [*cseq], dim

    is_discrete = property(lambda self: any(each.is_discrete for each in self.cseq))

    def _require_dim(self, value):
        assert -value.dim() <= self.dim < value.dim(), f"a value of {value.dim()} dimensions has no {self.dim}"

    def __repr__(self):
        return "Cat()" if isinstance(self, _Cat) else "Stack()"


class _Cat(_OfConstraints):
    """Constraints of parts that are joined along a dimension."""

    def __init__(self, cseq, dim=0, lengths=None):
        super().__init__(cseq, dim)
        self.lengths = [1] * len(self.cseq) if lengths is None else [*lengths]
        assert len(self.lengths) == len(self.cseq), "a length for each constraint is needed"

    event_dim = property(lambda self: max(each.event_dim for each in self.cseq))

    def check(self, value):
        self._require_dim(value)
        ends = itertools.accumulate(self.lengths)
        parts = [_narrow(value, self.dim, end - length, length) for end, length in zip(ends, self.lengths)]
        return paddle.concat([each.check(part) for each, part in zip(self.cseq, parts)], self.dim)


class _StackedConstraint(_OfConstraints):
    """Constraints of the parts along a dimension."""

    @property
    def event_dim(self):
        dims = max(each.event_dim for each in self.cseq)
        return dims + (self.dim + dims < 0)

    def check(self, value):
        self._require_dim(value)
        parts = paddle.unbind(value, self.dim)
        return paddle.stack([each.check(part) for each, part in zip(self.cseq, parts)], self.dim)


class MixtureSameFamilyConstraint(Constraint):
    def __init__(self, base_constraint):
        self.base_constraint = base_constraint

    is_discrete = property(lambda self: self.base_constraint.is_discrete)
    event_dim = property(lambda self: self.base_constraint.event_dim)

    def check(self, value):
        if value.dim() < self.event_dim:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return self.base_constraint.check(value.unsqueeze(-1 - self.event_dim)).all(-1)

    def __repr__(self):
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


def _region(name, check, *bounds, event_dim=0, is_discrete=False):
    """A class of constraints with what it checks, made of its bounds."""

    def initialize(self, *args, **kwargs):
        vars(self).update(zip(bounds, args, strict=False), **kwargs)
        if {*vars(self)} != {*bounds}:
            raise TypeError(f"{name} takes {bounds}")

    members = {"__init__": initialize, "check": check, "event_dim": event_dim, "is_discrete": is_discrete}
    members["__module__"] = "torch.distributions.constraints"  # where pickle finds it
    return type(name, (Constraint,), members)


def _is_lower(value):
    return (value.tril() == value).all([-2, -1])


def _is_lower_cholesky(value):
    return _is_lower(value) & (value.diagonal(0, -2, -1) > 0).all(-1)


def _is_square(value):
    return paddle.full(value.shape[:-2], value.shape[-2] == value.shape[-1], "bool")


def _is_symmetric(value):
    if value.shape[-2] != value.shape[-1]:
        return _is_square(value)
    return ((value - value.mT).abs() <= 1e-6 + 1e-5 * value.mT.abs()).all([-2, -1])


def _has_factor(matrix):
    try:
        numpy.linalg.cholesky(matrix)
    except numpy.linalg.LinAlgError:
        return False
    return True


def _is_definite(value):
    symmetric = _is_symmetric(value)
    matrices = numpy.asarray(value.detach())
    if not bool(symmetric.all()) or _has_factor(matrices):
        return symmetric
    found = [_has_factor(each) for each in matrices.reshape([-1, *matrices.shape[-2:]])]
    return paddle.to_tensor(found, place=value.place).reshape(symmetric.shape)


def _is_semidefinite(value):
    symmetric = _is_symmetric(value)
    return (paddle.linalg.eigvalsh(value) >= 0).all(-1) if bool(symmetric.all()) else symmetric


def _is_correlated(value):
    """Whether these are factors of correlations: their rows have a norm of one."""
    allowed = paddle.finfo(value.dtype).eps * value.shape[-1] * 10
    norms = value.detach().square().sum(-1).sqrt()
    return _is_lower_cholesky(value) & ((norms - 1).abs() <= allowed).all(-1)


def is_dependent(constraint):
    return isinstance(constraint, _Dependent)


dependent = _Dependent()
dependent_property = _DependentProperty
constraints_independent = _Independent
constraints_cat = _Cat
constraints_stack = _StackedConstraint
constraints__Stack = _StackedConstraint
constraints_real = _region("_Real", lambda self, v: v == v)()
constraints_real_vector = _Independent(constraints_real, 1)
constraints_boolean = _region("_Boolean", lambda self, v: (v == 0) | (v == 1), is_discrete=True)()
constraints_greater_than = _region("_GreaterThan", lambda self, v: self.lower_bound < v, "lower_bound")
constraints_greater_than_eq = _region("_GreaterThanEq", lambda self, v: self.lower_bound <= v, "lower_bound")
constraints_less_than = _region("_LessThan", lambda self, v: v < self.upper_bound, "upper_bound")
constraints_positive = constraints_greater_than(0.0)
constraints_nonnegative = constraints_greater_than_eq(0.0)
constraints_interval = _region(
    "_Interval", lambda self, v: (self.lower_bound <= v) & (v <= self.upper_bound), "lower_bound", "upper_bound"
)
constraints_half_open_interval = _region(
    "_HalfOpenInterval", lambda self, v: (self.lower_bound <= v) & (v < self.upper_bound), "lower_bound", "upper_bound"
)
constraints_unit_interval = constraints_interval(0.0, 1.0)
constraints_integer_interval = _region(
    "_IntegerInterval",
    lambda self, v: (v % 1 == 0) & (self.lower_bound <= v) & (v <= self.upper_bound),
    "lower_bound", "upper_bound", is_discrete=True,
)  # fmt: skip
_IntegerGreaterThan = _region(
    "_IntegerGreaterThan", lambda self, v: (v % 1 == 0) & (self.lower_bound <= v), "lower_bound", is_discrete=True
)
constraints_nonnegative_integer = _IntegerGreaterThan(0)
constraints_positive_integer = _IntegerGreaterThan(1)
constraints_simplex = _region(
    "_Simplex", lambda self, v: (v >= 0).all(-1) & ((v.sum(-1) - 1).abs() < 1e-6), event_dim=1
)()
constraints_one_hot = _region(
    "_OneHot", lambda self, v: ((v == 0) | (v == 1)).all(-1) & (v.sum(-1) == 1), event_dim=1, is_discrete=True
)()
constraints_multinomial = _region(
    "_Multinomial",
    lambda self, v: (v >= 0).all(-1) & (v.sum(-1) <= self.upper_bound),
    "upper_bound", event_dim=1, is_discrete=True,
)  # fmt: skip
constraints_square = _region("_Square", lambda self, v: _is_square(v), event_dim=2)()
constraints_symmetric = _region("_Symmetric", lambda self, v: _is_symmetric(v), event_dim=2)()
constraints_lower_triangular = _region("_LowerTriangular", lambda self, v: _is_lower(v), event_dim=2)()
constraints_lower_cholesky = _region("_LowerCholesky", lambda self, v: _is_lower_cholesky(v), event_dim=2)()
constraints_corr_cholesky = _region("_CorrCholesky", lambda self, v: _is_correlated(v), event_dim=2)()
constraints_positive_semidefinite = _region(
    "_PositiveSemidefinite", lambda self, v: _is_semidefinite(v), event_dim=2
)()
constraints_positive_definite = _region("_PositiveDefinite", lambda self, v: _is_definite(v), event_dim=2)()
constraints = types.SimpleNamespace(
    **{n.removeprefix("constraints_"): v for n, v in globals().items() if n.startswith("constraints_")}
)
