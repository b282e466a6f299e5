import math
import warnings

import paddle

from .computing import _is_zero
from .constraints_of_distributions import _common_shape, broadcast_all, constraints, lazy_property
from .continuous_distributions import _LOG_2PI
from .distributions import ExponentialFamily, _Elementary
from .factors_of_matrices import _triangular_solution
from .gamma_distributions import Beta, Chi2
from .slogdet import slogdet
from .torchs_meaning import _torch
from .triangles_of_vectors import vec_to_tril_matrix


def _inverse_of(lower):
    """The inverse of a lower triangle."""
    return _triangular_solution(lower, paddle.eye(lower.shape[-1], dtype=lower.dtype), False)


def _batch_mv(bmat, bvec):
    """A matrix, or those of a batch, times vectors: by as few products as there are matrices."""
    shape = _common_shape(bmat.shape[:-2], bvec.shape[:-1])
    batch, (rows, size) = [*bmat.shape[:-2]], bmat.shape[-2:]
    inner = shape[len(shape) - len(batch) :]
    columns = bvec.expand([*shape, size]).reshape([-1, *inner, size]).moveaxis(0, -1)
    made = bmat.expand([*inner, rows, size]) @ columns
    return made.moveaxis(-1, 0).reshape([*shape, rows])


def _batch_mahalanobis(bL, bx):
    """The squares of vectors' lengths, after the inverse of a triangle."""
    return _batch_mv(_inverse_of(bL), bx).square().sum(-1)


def _precision_to_scale_tril(P):
    flipped = _torch("linalg.cholesky")(P.flip([-2, -1]))
    return _inverse_of(flipped.flip([-2, -1]).mT)


def _half_log_det_of(lower):
    return lower.diagonal(0, -2, -1).log().sum(-1)


def _batch_capacitance_tril(W, D):
    """The factor of what is left to invert of W W' + D, for a matrix of few columns and a diagonal."""
    capacitance = W.mT @ (W / D.unsqueeze(-1)) + paddle.eye(W.shape[-1], dtype=W.dtype)
    return _torch("linalg.cholesky")(capacitance)


def _batch_lowrank_logdet(W, D, capacitance_tril):
    return 2 * _half_log_det_of(capacitance_tril) + D.log().sum(-1)


def _correction_of(W, D, capacitance_tril):
    """A matrix whose product with itself is what the inverse of the diagonal has too much."""
    return _triangular_solution(capacitance_tril, W.mT / D.unsqueeze(-2), False)


def _batch_lowrank_mahalanobis(W, D, x, capacitance_tril):
    correction = _correction_of(W, D, capacitance_tril)
    return (x.square() / D).sum(-1) - _batch_mv(correction, x).square().sum(-1)


def _halves(a, order):
    return a.unsqueeze(-1) - paddle.arange(order).astype(a.dtype) / 2


def _log_multigamma(a, order):
    """The logarithm of the gamma function of matrices."""
    return paddle.lgamma(_halves(a, order)).sum(-1) + order * (order - 1) / 4 * math.log(math.pi)


def _multidigamma(a, order):
    return paddle.digamma(_halves(a, order)).sum(-1)


class _OfCovariance(_Elementary):
    """By a covariance, its inverse or its factor, of which the others are computed. Subclasses read, and override,
    the factor by torch's name, which is expanded to no batch."""

    _shared = ("_unbroadcasted_scale_tril",)
    _half_log_det = property(lambda self: _half_log_det_of(self._unbroadcasted_scale_tril))

    def _expand_given(self, batch_of, several, **matrices):
        """Set the one that is given, expanded to the common shape of a batch and its own; that shape, and what
        makes the factor of it."""
        given = {name: matrix for name, matrix in matrices.items() if matrix is not None}
        if len(given) != 1:
            raise several("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        ((name, matrix),) = given.items()
        if matrix.dim() < 2:
            raise ValueError(f"{name} must be at least two-dimensional")
        batch = _common_shape(matrix.shape[:-2], batch_of)
        setattr(self, name, matrix.expand([*batch, *matrix.shape[-2:]]))
        factor_by = {"covariance_matrix": _torch("linalg.cholesky"), "precision_matrix": _precision_to_scale_tril}
        return batch, lambda: factor_by[name](matrix) if name in factor_by else matrix

    def _expand_matrix(self, matrix):
        return matrix.expand([*self._batch_shape, *matrix.shape[-2:]])

    @lazy_property
    def scale_tril(self):
        return self._expand_matrix(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self):
        factor = self._unbroadcasted_scale_tril
        return self._expand_matrix(factor @ factor.mT)

    @lazy_property
    def precision_matrix(self):
        inverse = _inverse_of(self._unbroadcasted_scale_tril)
        return self._expand_matrix(inverse.mT @ inverse)


class _NormalVectors(_Elementary):
    """What normal distributions of vectors share, which have `loc` and `_half_log_det`."""

    support = constraints.real_vector
    has_rsample = True
    mean = mode = property(lambda self: self.loc)

    def log_prob(self, value):
        squares = self._squared_length(self._value(value) - self.loc)
        return -0.5 * (self._event_shape[0] * _LOG_2PI + squares) - self._half_log_det

    def entropy(self):
        return (0.5 * self._event_shape[0] * (1 + _LOG_2PI) + self._half_log_det).expand([*self._batch_shape])


class MultivariateNormal(_NormalVectors, _OfCovariance):
    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    variance = property(lambda self: (self._unbroadcasted_scale_tril**2).sum(-1).expand(self.loc.shape))

    def __init__(
        self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None
    ):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        self.loc = loc
        batch, make_factor = self._expand_given(
            loc.shape[:-1], ValueError, covariance_matrix=covariance_matrix,
            precision_matrix=precision_matrix, scale_tril=scale_tril,
        )  # fmt: skip
        self.loc = loc.expand([*batch, loc.shape[-1]])
        super().__init__(batch, loc.shape[-1:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = make_factor()

    def rsample(self, sample_shape=()):
        return self.loc + _batch_mv(self._unbroadcasted_scale_tril, self._normal(sample_shape))

    def _squared_length(self, apart):
        return _batch_mahalanobis(self._unbroadcasted_scale_tril, apart)


class LowRankMultivariateNormal(_NormalVectors):
    """Of a covariance that is a product of a matrix of few columns, and a diagonal: nothing is
    computed of the covariance itself but on request."""

    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    _matrices = ("_capacitance_tril",)

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        size = loc.shape[-1]
        if cov_factor.dim() < 2:
            raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
        if cov_factor.shape[-2] != size:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {size} x m")
        if cov_diag.shape[-1:] != [size]:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {[size]}")
        try:
            batch = _common_shape(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        except RuntimeError as error:
            raise ValueError("Incompatible batch shapes of loc, cov_factor and cov_diag") from error
        self.loc, self.cov_diag = loc.expand([*batch, size]), cov_diag.expand([*batch, size])
        self.cov_factor = cov_factor.expand([*batch, *cov_factor.shape[-2:]])
        self._capacitance_tril = _batch_capacitance_tril(self.cov_factor, self.cov_diag)
        super().__init__(batch, [size], validate_args=validate_args)

    variance = property(lambda self: self.cov_factor.square().sum(-1) + self.cov_diag)

    @property
    def covariance_matrix(self):
        return self.cov_factor @ self.cov_factor.mT + paddle.diag_embed(self.cov_diag)

    @property
    def scale_tril(self):
        root = self.cov_diag.sqrt().unsqueeze(-1)
        scaled = self.cov_factor / root
        inner = scaled @ scaled.mT + paddle.eye(scaled.shape[-2], dtype=scaled.dtype)
        return root * _torch("linalg.cholesky")(inner)

    @property
    def precision_matrix(self):
        correction = _correction_of(self.cov_factor, self.cov_diag, self._capacitance_tril)
        return paddle.diag_embed(1 / self.cov_diag) - correction.mT @ correction

    @property
    def _half_log_det(self):
        return 0.5 * _batch_lowrank_logdet(self.cov_factor, self.cov_diag, self._capacitance_tril)

    def _squared_length(self, apart):
        return _batch_lowrank_mahalanobis(self.cov_factor, self.cov_diag, apart, self._capacitance_tril)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        drawn = _torch("randn")([*shape[:-1], self.cov_factor.shape[-1]], dtype=self._float_dtype)
        common = _batch_mv(self.cov_factor, self._placed(drawn))
        return self.loc + common + self.cov_diag.sqrt() * self._normal(sample_shape)


class Wishart(_OfCovariance, ExponentialFamily):
    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0
    _order = property(lambda self: self._event_shape[-1])

    @property
    def arg_constraints(self):
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self._order - 1),
        }

    def __init__(
        self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None
    ):
        batch, make_factor = self._expand_given(
            getattr(df, "shape", ()), AssertionError, covariance_matrix=covariance_matrix,
            precision_matrix=precision_matrix, scale_tril=scale_tril,
        )  # fmt: skip
        shape = self._parameter.shape[-2:]
        df = df if isinstance(df, paddle.Tensor) else paddle.to_tensor(df, self._float_dtype)
        self.df = df.expand(batch)
        if bool((self.df <= shape[-1] - 1).any()):
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {shape[-1] - 1}.")
        if bool((self.df < shape[-1]).any()):
            warnings.warn("Low df values detected. Singular samples are highly likely to occur.", stacklevel=2)
        super().__init__(batch, shape, validate_args=validate_args)
        self._unbroadcasted_scale_tril = make_factor()

    _column = property(lambda self: self.df.reshape([*self._batch_shape, 1, 1]))
    mean = property(lambda self: self._column * self.covariance_matrix)

    @property
    def mode(self):
        factor = self._column - self._order - 1
        return paddle.where(factor <= 0, paddle.full_like(factor, math.nan), factor) * self.covariance_matrix

    @property
    def variance(self):
        matrix = self.covariance_matrix
        diagonal = matrix.diagonal(0, -2, -1)
        return self._column * (matrix**2 + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2))

    def _by_bartlett(self, sample_shape):
        order = self._order
        freedoms = self.df.unsqueeze(-1) - paddle.arange(order).astype(self._float_dtype)
        roots = Chi2(freedoms, validate_args=False).rsample(sample_shape).sqrt()
        factor = paddle.diag_embed(roots.clip(float(paddle.finfo(roots.dtype).eps)))
        if order > 1:
            count = order * (order - 1) // 2
            drawn = _torch("randn")([*sample_shape, *self._batch_shape, count], dtype=roots.dtype)
            factor = factor + vec_to_tril_matrix(self._placed(drawn), -1)
        root = self.scale_tril.expand(factor.shape) @ factor
        return root @ root.mT

    def rsample(self, sample_shape=(), max_try_correction=10):
        """As torch does, samples that are definite are drawn once more, and then those that are not."""
        count, shape = math.prod(sample_shape), [*self._batch_shape, *self._event_shape]
        made = self._by_bartlett(sample_shape).reshape([count, *shape])
        again = self._any_definite(made) if made.size else paddle.zeros([0], "bool")
        for _ in range(max_try_correction):
            places = again.nonzero().flatten()
            if not places.size:
                break
            drawn = self._by_bartlett([places.size])
            order = paddle.arange(count)
            order = paddle.scatter(order, places, paddle.arange(places.size) + count)
            made = paddle.index_select(paddle.concat([made, drawn]), order, 0)
            failed = self._any_definite(drawn, wanted=False)
            again = paddle.scatter(again.astype("int64"), places, failed.astype("int64")).astype("bool")
        return made.reshape([*sample_shape, *shape])

    def _any_definite(self, made, wanted=True):
        inside = self.support.check(made)
        return (inside == wanted).reshape([made.shape[0], -1]).any(-1)

    def log_prob(self, value):
        value, order = self._value(value), self._order
        traces = (_triangular_solution(self.scale_tril, value, False) * _inverse_of(self.scale_tril)).sum([-2, -1])
        logs = self.df * (order * math.log(2) / 2 + self._half_log_det) + _log_multigamma(self.df / 2, order)
        return (self.df - order - 1) / 2 * slogdet(value)[1] - traces / 2 - logs

    def entropy(self):
        order, df = self._order, self.df
        logs = (order + 1) * (order * math.log(2) / 2 + self._half_log_det) + _log_multigamma(df / 2, order)
        return logs - (df - order - 1) / 2 * _multidigamma(df / 2, order) + df * order / 2

    @property
    def _natural_params(self):
        return -self.precision_matrix / 2, (self.df - self._order - 1) / 2

    def _log_normalizer(self, x, y):
        order = self._order
        half = y + (order + 1) / 2
        return half * (order * math.log(2) - slogdet(-2 * x)[1]) + _log_multigamma(half, order)


class LKJCholesky(_Elementary):
    """Factors of matrices of correlations, by the onion method of Lewandowski et al. (2009)."""

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        super().__init__(self.concentration.shape, [dim, dim], validate_args=validate_args)

    @property
    def _beta(self):
        earlier = (paddle.arange(self.dim) - 1).clip(0).astype(self._float_dtype)
        rest = self.concentration.unsqueeze(-1) + 0.5 * (self.dim - 2) - 0.5 * earlier
        return Beta(earlier + 0.5, rest, validate_args=False)

    @paddle.no_grad()
    def sample(self, sample_shape=()):
        squares = self._beta.sample(sample_shape).unsqueeze(-1)
        drawn = self._normal(sample_shape).tril(-1)
        lengths = drawn.square().sum(-1, True).sqrt()
        directions = drawn / paddle.where(_is_zero(lengths), paddle.ones_like(lengths), lengths)
        rows = squares.sqrt() * directions
        left = 1 - rows.square().sum(-1)
        return rows + paddle.diag_embed(left.clip(float(paddle.finfo(rows.dtype).tiny)).sqrt())

    def log_prob(self, value):
        diagonal, others = self._value(value).diagonal(0, -2, -1)[..., 1:], self.dim - 1
        orders = paddle.arange(2, self.dim + 1).astype(self._float_dtype)
        powers = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - orders
        alpha = self.concentration + 0.5 * others
        normalizer = 0.5 * others * math.log(math.pi) + _log_multigamma(alpha - 0.5, others)
        return (powers * diagonal.log()).sum(-1) - normalizer + paddle.lgamma(alpha) * others
