import functools
import math

import paddle

from .constraints_of_distributions import _common_shape, _softplus, _sum_rightmost, constraints, logits_to_probs
from .sizes import Size
from .transforms_of_distributions import (
    ComposeTransform, IndependentTransform, Transform, _with_dims, _with_event_dim, identity_transform,
)
from .transforms_of_parts import CatTransform, StackTransform
from .triangles_of_vectors import tril_matrix_to_vec, vec_to_tril_matrix


class _Plain(Transform):
    """A transform without parameters: all of a class are equal."""

    _is_its_arguments = True
    domain = codomain = constraints.real


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


def _clipped_sigmoid(x):
    return _within_unit(paddle.nn.functional.sigmoid(x))


def _logit(y):
    return _within_unit(y).log() - paddle.log1p(-_within_unit(y))


ExpTransform = _increasing("ExpTransform", constraints.positive, paddle.exp, paddle.log, lambda x: x)
SigmoidTransform = _increasing(
    "SigmoidTransform", constraints.unit_interval, _clipped_sigmoid, _logit, lambda x: -_softplus(-x) - _softplus(x)
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


class _WithNumbers(Transform):
    """A transform whose parameters are numbers, or tensors that are broadcast with its values."""

    bijective = _is_its_arguments = True

    def forward_shape(self, shape):
        return Size(_common_shape(shape, *(getattr(a, "shape", ()) for a in self._arguments())))

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
        return _with_dims(shape, 1)

    inverse_shape = forward_shape


class StickBreakingTransform(_Plain):
    """Vectors to one element more: each takes its part of what the earlier have left."""

    domain, codomain = constraints.real_vector, constraints.simplex
    bijective = True

    @staticmethod
    def _offset(like, count):
        return paddle.log(paddle.arange(count, 0, -1).astype(like.dtype))

    def _call(self, x):
        taken = _clipped_sigmoid(x - self._offset(x, x.shape[-1]))
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
        return Size([*shape[:-1], _with_dims(shape, 1)[-1] + 1])

    def inverse_shape(self, shape):
        return Size([*shape[:-1], _with_dims(shape, 1)[-1] - 1])


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


class CorrCholeskyTransform(_Plain):
    """Vectors to triangles whose rows have a length of one: each element takes its part of what the
    earlier ones of its row have left of that length."""

    domain, codomain = constraints.real_vector, constraints.corr_cholesky
    bijective, _is_its_arguments = True, False

    @staticmethod
    def _left(squares):
        """What the earlier elements of each row have left, of the squares."""
        one = paddle.ones_like(squares[..., :1])
        return paddle.concat([one, 1 - paddle.cumsum(squares, -1)[..., :-1]], -1)

    def _call(self, x):
        eps = float(paddle.finfo(x.dtype).eps)
        parts = vec_to_tril_matrix(paddle.tanh(x).clip(eps - 1, 1 - eps), -1)
        one = paddle.ones_like(parts[..., :1])
        left = paddle.cumprod((1 - parts**2).sqrt(), -1)[..., :-1]
        return (parts + paddle.eye(parts.shape[-1], dtype=parts.dtype)) * paddle.concat([one, left], -1)

    def _inverse(self, y):
        left = tril_matrix_to_vec(self._left(y * y), -1)
        parts = tril_matrix_to_vec(y, -1) / left.sqrt()
        return (paddle.log1p(parts) - paddle.log1p(-parts)) / 2

    def log_abs_det_jacobian(self, x, y):
        left = tril_matrix_to_vec(1 - paddle.cumsum(y * y, -1), -2)
        return left.log().sum(-1) / 2 - 2 * (x + _softplus(-2 * x) - math.log(2)).sum(-1)

    def forward_shape(self, shape):
        length = _with_dims(shape, 1)[-1]
        order = round(math.sqrt(0.25 + 2 * length) + 0.5)
        if order * (order - 1) // 2 != length:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return Size([*shape[:-1], order, order])

    def inverse_shape(self, shape):
        order = _with_dims(shape, 2)[-1]
        if shape[-2] != order:
            raise ValueError("Input is not square")
        return Size([*shape[:-2], order * (order - 1) // 2])


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


def _onto_joined(registry, constraint):
    return CatTransform([registry(each) for each in constraint.cseq], constraint.dim, constraint.lengths)


def _onto_stacked(registry, constraint):
    return StackTransform([registry(each) for each in constraint.cseq], constraint.dim)


for _registry in (biject_to, transform_to):
    _registry.register(constraints.real, lambda constraint: identity_transform)
    for _region_class in (constraints.greater_than, constraints.greater_than_eq, constraints.less_than):
        _registry.register(_region_class, _onto_half_line)
    for _region_class in (constraints.interval, constraints.half_open_interval):
        _registry.register(_region_class, _onto_interval)
    _registry.register(constraints.independent, functools.partial(_onto_events, _registry))
    _registry.register(constraints.corr_cholesky, lambda constraint: CorrCholeskyTransform())
    _registry.register(constraints.cat, functools.partial(_onto_joined, _registry))
    _registry.register(constraints.stack, functools.partial(_onto_stacked, _registry))
biject_to.register(constraints.simplex, lambda constraint: StickBreakingTransform())
transform_to.register(constraints.simplex, lambda constraint: SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda constraint: LowerCholeskyTransform())
for _region_class in (constraints.positive_definite, constraints.positive_semidefinite):
    transform_to.register(_region_class, lambda constraint: PositiveDefiniteTransform())
