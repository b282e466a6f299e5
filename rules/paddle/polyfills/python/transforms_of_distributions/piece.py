import functools
import math
import operator

import paddle

from .constraints_of_distributions import _common_shape, _softplus, _sum_rightmost, constraints, logits_to_probs


class Transform:
    """A function of tensors with the logarithm of its derivative's determinant."""

    bijective = False

    def __init__(self, cache_size=0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size, self._kept, self._inverted = cache_size, (None, None), None

    @property
    def event_dim(self):
        if self.domain.event_dim == self.codomain.event_dim:
            return self.domain.event_dim
        raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")

    @property
    def inv(self):
        if self._inverted is None:
            self._inverted = _InverseTransform(self)
        return self._inverted

    @property
    def sign(self):
        raise NotImplementedError

    def _refused(self, *args):
        raise NotImplementedError(f"{type(self).__name__} does not have this")

    domain = codomain = property(_refused)
    _call = _inverse = log_abs_det_jacobian = _refused

    def _arguments(self):
        """What the constructor was given, but for the size of the cache."""
        raise NotImplementedError(f"{type(self)}.with_cache is not implemented")

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
        if type(self).__init__ is Transform.__init__:
            return type(self)(cache_size=cache_size)
        return type(self)(*self._arguments(), cache_size=cache_size)

    def __call__(self, x):
        if not self._cache_size:
            return self._call(x)
        if x is not self._kept[0]:
            self._kept = x, self._call(x)
        return self._kept[1]

    def _inv_call(self, y):
        if not self._cache_size:
            return self._inverse(y)
        if y is not self._kept[1]:
            self._kept = self._inverse(y), y
        return self._kept[0]

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__

    def __repr__(self):
        return f"{type(self).__name__}()"

    def forward_shape(self, shape):
        return shape

    inverse_shape = forward_shape


class _InverseTransform(Transform):
    def __init__(self, transform):
        super().__init__(transform._cache_size)
        self._inverted = transform

    domain = property(lambda self: self._inverted.codomain)
    codomain = property(lambda self: self._inverted.domain)
    bijective = property(lambda self: self._inverted.bijective)
    sign = property(lambda self: self._inverted.sign)

    def with_cache(self, cache_size=1):
        return self._inverted.with_cache(cache_size).inv

    def __eq__(self, other):
        return isinstance(other, _InverseTransform) and self._inverted == other._inverted

    __hash__ = object.__hash__

    def __repr__(self):
        return f"_InverseTransform({self._inverted!r})"

    def __call__(self, x):
        return self._inverted._inv_call(x)

    def _inv_call(self, y):
        return self._inverted(y)

    def log_abs_det_jacobian(self, x, y):
        return -self._inverted.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self._inverted.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inverted.forward_shape(shape)


def _with_event_dim(constraint, dims):
    more = dims - constraint.event_dim
    return constraints.independent(constraint, more) if more > 0 else constraint


class ComposeTransform(Transform):
    def __init__(self, parts, cache_size=0):
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts
        super().__init__(cache_size)

    def _arguments(self):
        return (self.parts,)

    def __eq__(self, other):
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = object.__hash__

    @staticmethod
    def _widest(ends):
        """How many dimensions an event has at the first of these ends."""
        dims = ends[-1][1].event_dim
        for near, far in reversed(ends):
            dims = max(dims + near.event_dim - far.event_dim, near.event_dim)
        return dims

    @property
    def domain(self):
        if not self.parts:
            return constraints.real
        ends = [(part.domain, part.codomain) for part in self.parts]
        return _with_event_dim(ends[0][0], self._widest(ends))

    @property
    def codomain(self):
        if not self.parts:
            return constraints.real
        ends = [(part.codomain, part.domain) for part in reversed(self.parts)]
        return _with_event_dim(ends[0][0], self._widest(ends))

    bijective = property(lambda self: all(part.bijective for part in self.parts))
    sign = property(lambda self: functools.reduce(operator.mul, (p.sign for p in self.parts), 1))

    @property
    def inv(self):
        if self._inverted is None:
            self._inverted = ComposeTransform([part.inv for part in reversed(self.parts)])
            self._inverted._inverted = self
        return self._inverted

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return paddle.zeros_like(x)
        values = [x]
        for part in self.parts[:-1]:
            values.append(part(values[-1]))
        dims, total = self.domain.event_dim, 0.0
        for part, x, y in zip(self.parts, values, [*values[1:], y]):
            total = total + _sum_rightmost(part.log_abs_det_jacobian(x, y), dims - part.domain.event_dim)
            dims += part.codomain.event_dim - part.domain.event_dim
        return total

    def forward_shape(self, shape):
        return functools.reduce(lambda given, part: part.forward_shape(given), self.parts, shape)

    def inverse_shape(self, shape):
        return functools.reduce(lambda given, part: part.inverse_shape(given), self.parts[::-1], shape)

    def __repr__(self):
        inner = ",\n    ".join(map(repr, self.parts))
        return f"ComposeTransform(\n    {inner}\n)"


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__(cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    def _arguments(self):
        return self.base_transform, self.reinterpreted_batch_ndims

    def _widened(self, constraint):
        return constraints.independent(constraint, self.reinterpreted_batch_ndims)

    domain = property(lambda self: self._widened(self.base_transform.domain))
    codomain = property(lambda self: self._widened(self.base_transform.codomain))
    bijective = property(lambda self: self.base_transform.bijective)
    sign = property(lambda self: self.base_transform.sign)

    def _of_events(self, function, value, end):
        if value.dim() < end.event_dim:
            raise ValueError("Too few dimensions on input")
        return function(value)

    def _call(self, x):
        return self._of_events(self.base_transform, x, self.domain)

    def _inverse(self, y):
        return self._of_events(self.base_transform.inv, y, self.codomain)

    def log_abs_det_jacobian(self, x, y):
        each = self.base_transform.log_abs_det_jacobian(x, y)
        return _sum_rightmost(each, self.reinterpreted_batch_ndims)

    def forward_shape(self, shape):
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape):
        return self.base_transform.inverse_shape(shape)

    def __repr__(self):
        return f"IndependentTransform({self.base_transform!r}, {self.reinterpreted_batch_ndims})"


class ReshapeTransform(Transform):
    bijective = True

    def __init__(self, in_shape, out_shape, cache_size=0):
        self.in_shape, self.out_shape = paddle.Size(in_shape), paddle.Size(out_shape)
        if math.prod(self.in_shape) != math.prod(self.out_shape):
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size)

    def _arguments(self):
        return self.in_shape, self.out_shape

    domain = property(lambda self: constraints.independent(constraints.real, len(self.in_shape)))
    codomain = property(lambda self: constraints.independent(constraints.real, len(self.out_shape)))

    def _call(self, x):
        return x.reshape(self.forward_shape(x.shape))

    def _inverse(self, y):
        return y.reshape(self.inverse_shape(y.shape))

    def log_abs_det_jacobian(self, x, y):
        return paddle.zeros(x.shape[: x.dim() - len(self.in_shape)], x.dtype)

    @staticmethod
    def _exchanged(shape, old, new):
        cut = len(shape) - len(old)
        if cut < 0:
            raise ValueError("Too few dimensions on input")
        if [*shape[cut:]] != [*old]:
            raise ValueError(f"Shape mismatch: expected {[*shape[cut:]]} but got {[*old]}")
        return paddle.Size([*shape[:cut], *new])

    def forward_shape(self, shape):
        return self._exchanged(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape):
        return self._exchanged(shape, self.out_shape, self.in_shape)


class _Plain(Transform):
    """A transform without parameters: all of a class are equal."""

    domain = codomain = constraints.real

    def __eq__(self, other):
        return isinstance(other, type(self))

    __hash__ = object.__hash__


def _increasing(name, codomain, call, inverse, log_slope):
    """A class of transforms of each element, by functions."""
    members = {
        "bijective": True, "sign": 1, "codomain": codomain, "_call": lambda self, x: call(x),
        "_inverse": lambda self, y: inverse(y), "log_abs_det_jacobian": lambda self, x, y: log_slope(x),
    }  # fmt: skip
    return type(name, (_Plain,), members)


def _within_unit(y):
    limits = paddle.finfo(y.dtype)
    return y.clip(float(limits.tiny), 1 - float(limits.eps))


def _sigmoid(x):
    return _within_unit(paddle.nn.functional.sigmoid(x))


def _logit(y):
    return _within_unit(y).log() - paddle.log1p(-_within_unit(y))


ExpTransform = _increasing("ExpTransform", constraints.positive, paddle.exp, paddle.log, lambda x: x)
SigmoidTransform = _increasing(
    "SigmoidTransform", constraints.unit_interval, _sigmoid, _logit, lambda x: -_softplus(-x) - _softplus(x)
)
SoftplusTransform = _increasing(
    "SoftplusTransform", constraints.positive, _softplus, lambda y: (-paddle.expm1(-y)).log() + y, lambda x: -_softplus(-x)
)
TanhTransform = _increasing(
    "TanhTransform", constraints.interval(-1.0, 1.0), paddle.tanh, paddle.atanh,
    lambda x: 2.0 * (math.log(2.0) - x - _softplus(-2.0 * x)),
)  # fmt: skip


class AbsTransform(_Plain):
    codomain = constraints.positive

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


def _equal(one, other):
    """Whether numbers or tensors of transforms are equal."""
    if isinstance(one, paddle.Tensor) or isinstance(other, paddle.Tensor):
        return bool(paddle.all(paddle.equal(*map(paddle.to_tensor, (one, other)))))
    return one == other


class _WithNumbers(Transform):
    """A transform whose parameters are numbers, or tensors that are broadcast with its values."""

    bijective = True

    def __eq__(self, other):
        if not isinstance(other, type(self)):
            return False
        return all(map(_equal, self._arguments(), other._arguments()))

    __hash__ = object.__hash__

    def forward_shape(self, shape):
        return paddle.Size(_common_shape(shape, *(getattr(a, "shape", ()) for a in self._arguments())))

    inverse_shape = forward_shape


class PowerTransform(_WithNumbers):
    domain = codomain = constraints.positive

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        self.exponent = exponent if isinstance(exponent, paddle.Tensor) else paddle.to_tensor(float(exponent))

    def _arguments(self):
        return (self.exponent,)

    @property
    def sign(self):
        return paddle.sign(self.exponent)

    def _call(self, x):
        return x ** self.exponent.astype(x.dtype)

    def _inverse(self, y):
        return y ** (1 / self.exponent.astype(y.dtype))

    def log_abs_det_jacobian(self, x, y):
        return (self.exponent.astype(x.dtype) * y / x).abs().log()


class AffineTransform(_WithNumbers):
    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    def _arguments(self):
        return self.loc, self.scale, self._event_dim

    event_dim = property(lambda self: self._event_dim)
    domain = codomain = property(lambda self: _with_event_dim(constraints.real, self._event_dim))

    @property
    def sign(self):
        if isinstance(self.scale, paddle.Tensor):
            return paddle.sign(self.scale)
        return (self.scale > 0) - (self.scale < 0)

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        scale = self.scale if isinstance(self.scale, paddle.Tensor) else paddle.to_tensor(self.scale, x.dtype)
        return _sum_rightmost(scale.abs().log().expand(x.shape), self._event_dim)


class SoftmaxTransform(_Plain):
    domain, codomain = constraints.real_vector, constraints.simplex

    def _call(self, x):
        return logits_to_probs(x)

    def _inverse(self, y):
        return paddle.log(y)

    def forward_shape(self, shape):
        if len(shape) < 1:
            raise ValueError("Too few dimensions on input")
        return shape

    inverse_shape = forward_shape


def _resized(shape, by):
    if len(shape) < 1:
        raise ValueError("Too few dimensions on input")
    return paddle.Size([*shape[:-1], shape[-1] + by])


class StickBreakingTransform(_Plain):
    """Vectors to one element more: each takes its part of what the earlier have left."""

    domain, codomain = constraints.real_vector, constraints.simplex
    bijective = True

    @staticmethod
    def _offset(like, count):
        return paddle.log(paddle.arange(count, 0, -1).astype(like.dtype))

    def _call(self, x):
        taken = _sigmoid(x - self._offset(x, x.shape[-1]))
        one = paddle.ones_like(x[..., :1])
        left = paddle.concat([one, paddle.cumprod(1 - taken, -1)], -1)
        return paddle.concat([taken, one], -1) * left

    def _inverse(self, y):
        parts = y[..., :-1]
        left = 1 - paddle.cumsum(parts, -1)
        left = left.clip(float(paddle.finfo(y.dtype).tiny))
        return parts.log() - left.log() + self._offset(y, parts.shape[-1])

    def log_abs_det_jacobian(self, x, y):
        x = x - self._offset(x, x.shape[-1])
        return (-x - _softplus(-x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape):
        return _resized(shape, 1)

    def inverse_shape(self, shape):
        return _resized(shape, -1)


class LowerCholeskyTransform(_Plain):
    """Square matrices to lower triangles with a positive diagonal."""

    domain, codomain = constraints.independent(constraints.real, 2), constraints.lower_cholesky

    def _call(self, x):
        return x.tril(-1) + paddle.diag_embed(x.diagonal(0, -2, -1).exp())

    def _inverse(self, y):
        return y.tril(-1) + paddle.diag_embed(y.diagonal(0, -2, -1).log())


class PositiveDefiniteTransform(_Plain):
    domain, codomain = constraints.independent(constraints.real, 2), constraints.positive_definite

    def _call(self, x):
        lower = LowerCholeskyTransform()(x)
        return paddle.matmul(lower, lower, transpose_y=True)

    def _inverse(self, y):
        return LowerCholeskyTransform().inv(paddle.linalg.cholesky(y))


class ConstraintRegistry:
    """Which transform leads from all real numbers into the region of a constraint."""

    def __init__(self):
        self._registry = {}

    def register(self, constraint, factory=None):
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        kind = constraint if isinstance(constraint, type) else type(constraint)
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint):
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


biject_to, transform_to = ConstraintRegistry(), ConstraintRegistry()


def _onto_interval(constraint):
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and (low, high) == (0, 1):
        return SigmoidTransform()
    return ComposeTransform([SigmoidTransform(), AffineTransform(low, high - low)])



def _onto_half_line(constraint):
    if isinstance(constraint, constraints.less_than):
        return ComposeTransform([ExpTransform(), AffineTransform(constraint.upper_bound, -1)])
    return ComposeTransform([ExpTransform(), AffineTransform(constraint.lower_bound, 1)])


def _onto_events(registry, constraint):
    return IndependentTransform(registry(constraint.base_constraint), constraint.reinterpreted_batch_ndims)


for _registry in (biject_to, transform_to):
    _registry.register(constraints.real, lambda constraint: identity_transform)
    for _region_class in (constraints.greater_than, constraints.greater_than_eq, constraints.less_than):
        _registry.register(_region_class, _onto_half_line)
    for _region_class in (constraints.interval, constraints.half_open_interval):
        _registry.register(_region_class, _onto_interval)
    _registry.register(constraints.independent, functools.partial(_onto_events, _registry))
biject_to.register(constraints.simplex, lambda constraint: StickBreakingTransform())
transform_to.register(constraints.simplex, lambda constraint: SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda constraint: LowerCholeskyTransform())
for _region_class in (constraints.positive_definite, constraints.positive_semidefinite):
    transform_to.register(_region_class, lambda constraint: PositiveDefiniteTransform())
