import functools
import math
import operator

import paddle

from .constraints_of_distributions import _sum_rightmost, constraints
from .sizes import Size


def _equal(one, other):
    """Whether numbers or tensors of transforms are equal."""
    if isinstance(one, paddle.Tensor) or isinstance(other, paddle.Tensor):
        return bool(paddle.all(paddle.equal(*map(paddle.to_tensor, (one, other)))))
    return one == other


class Transform:
    """A function of tensors with the logarithm of its derivative's determinant."""

    bijective = _is_its_arguments = False

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

    _call = _inverse = log_abs_det_jacobian = _refused

    def _arguments(self):
        """What the constructor was given, but for the size of the cache."""
        if type(self).__init__ is Transform.__init__:
            return ()
        raise NotImplementedError(f"{type(self)}.with_cache is not implemented")

    def with_cache(self, cache_size=1):
        if self._cache_size == cache_size:
            return self
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
        if self is other or not (self._is_its_arguments and isinstance(other, type(self))):
            return self is other
        return all(map(_equal, self._arguments(), other._arguments()))

    __hash__ = object.__hash__

    def __repr__(self):
        return f"{type(self).__name__}()"

    def forward_shape(self, shape):
        return shape

    inverse_shape = forward_shape


class _InverseTransform(Transform):
    _is_its_arguments = True

    def __init__(self, transform):
        super().__init__(transform._cache_size)
        self._inverted = transform

    domain = property(lambda self: self._inverted.codomain)
    codomain = property(lambda self: self._inverted.domain)
    bijective = property(lambda self: self._inverted.bijective)
    sign = property(lambda self: self._inverted.sign)

    def with_cache(self, cache_size=1):
        return self._inverted.with_cache(cache_size).inv

    def _arguments(self):
        return (self._inverted,)

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


def _with_dims(value, dims):
    """A tensor or a shape, if it has as many dimensions as an event."""
    if len(getattr(value, "shape", value)) < dims:
        raise ValueError("Too few dimensions on input")
    return value


def _with_event_dim(constraint, dims):
    more = dims - constraint.event_dim
    return constraints.independent(constraint, more) if more > 0 else constraint


class ComposeTransform(Transform):
    _is_its_arguments = True

    def __init__(self, parts, cache_size=0):
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts
        super().__init__(cache_size)

    def _arguments(self):
        return (self.parts,)

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

    def _call(self, x):
        return self.base_transform(_with_dims(x, self.domain.event_dim))

    def _inverse(self, y):
        return self.base_transform.inv(_with_dims(y, self.codomain.event_dim))

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
        self.in_shape, self.out_shape = Size(in_shape), Size(out_shape)
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
        cut = len(_with_dims(shape, len(old))) - len(old)
        if [*shape[cut:]] != [*old]:
            raise ValueError(f"Shape mismatch: expected {[*shape[cut:]]} but got {[*old]}")
        return Size([*shape[:cut], *new])

    def forward_shape(self, shape):
        return self._exchanged(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape):
        return self._exchanged(shape, self.out_shape, self.in_shape)
