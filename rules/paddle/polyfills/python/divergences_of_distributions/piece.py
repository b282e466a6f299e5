import math

import paddle

from .composed_distributions import Independent, TransformedDistribution
from .constraints_of_distributions import _softplus, _sum_rightmost
from .continuous_distributions import (
    _EULER, Cauchy, Exponential, Gumbel, HalfNormal, Laplace, MultivariateNormal, Normal, Uniform, _applied_to, _inverse_of,
)
from .discrete_distributions import Bernoulli, Binomial, Categorical, Geometric, OneHotCategorical, Poisson
from .factors_of_matrices import _triangular_solution
from .gamma_distributions import Beta, Dirichlet, Gamma

_divergences: dict[tuple[type, type], object] = {}


def register_kl(type_p, type_q):
    """A decorator for the divergence of two classes of distributions."""

    def decorator(function):
        _divergences[type_p, type_q] = function
        return function

    return decorator


def kl_divergence(p, q):
    """KL(p || q), by the function of the classes that are nearest to those of p and q."""
    orders = [[*type(each).__mro__] for each in (p, q)]
    known = [pair for pair in _divergences if isinstance(p, pair[0]) and isinstance(q, pair[1])]
    nearest = min(known, key=lambda pair: [*map(list.index, orders, pair)], default=None)
    result = _divergences[nearest](p, q) if nearest else NotImplemented
    if result is NotImplemented:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
        )
    return result


def _infinite_where(condition, value):
    return paddle.where(condition, paddle.full_like(value, math.inf), value)


@register_kl(Normal, Normal)
def _kl_normals(p, q):
    ratio, apart = (p.scale / q.scale) ** 2, ((p.loc - q.loc) / q.scale) ** 2
    return 0.5 * (ratio + apart - 1 - ratio.log())


@register_kl(HalfNormal, HalfNormal)
def _kl_half_normals(p, q):
    return _kl_normals(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def _kl_laplaces(p, q):
    ratio, apart = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + apart / q.scale + ratio * (-apart / p.scale).exp() - 1


@register_kl(Cauchy, Cauchy)
def _kl_cauchys(p, q):
    return ((p.scale + q.scale) ** 2 + (p.loc - q.loc) ** 2).log() - (4 * p.scale * q.scale).log()


@register_kl(Gumbel, Gumbel)
def _kl_gumbels(p, q):
    ratio, apart = p.scale / q.scale, (p.loc - q.loc) / q.scale
    grown = (paddle.lgamma(1 + ratio) - apart).exp()
    return -ratio.log() + apart + _EULER * (ratio - 1) + grown - 1


@register_kl(Normal, Gumbel)
def _kl_normal_gumbel(p, q):
    apart, ratio = (p.loc - q.loc) / q.scale, p.scale / q.scale
    return apart - ratio.log() + (-apart + 0.5 * ratio**2).exp() - 0.5 * (1 + math.log(2 * math.pi))


@register_kl(Uniform, Uniform)
def _kl_uniforms(p, q):
    result = ((q.high - q.low) / (p.high - p.low)).log()
    return _infinite_where((q.low > p.low) | (q.high < p.high), result)


@register_kl(Exponential, Exponential)
def _kl_exponentials(p, q):
    ratio = q.rate / p.rate
    return ratio - ratio.log() - 1


@register_kl(Gamma, Gamma)
def _kl_gammas(p, q):
    logs = q.concentration * (p.rate / q.rate).log()
    logs = logs + paddle.lgamma(q.concentration) - paddle.lgamma(p.concentration)
    slope = (p.concentration - q.concentration) * paddle.digamma(p.concentration)
    return logs + slope + (q.rate - p.rate) * (p.concentration / p.rate)


def _as_gamma(p):
    return Gamma(paddle.ones_like(p.rate), p.rate, validate_args=False)


@register_kl(Exponential, Gamma)
def _kl_exponential_gamma(p, q):
    return _kl_gammas(_as_gamma(p), q)


@register_kl(Gamma, Exponential)
def _kl_gamma_exponential(p, q):
    return _kl_gammas(p, _as_gamma(q))


@register_kl(Dirichlet, Dirichlet)
def _kl_dirichlets(p, q):
    a, b = p.concentration, q.concentration
    logs = paddle.lgamma(a.sum(-1)) - paddle.lgamma(b.sum(-1))
    logs = logs - (paddle.lgamma(a) - paddle.lgamma(b)).sum(-1)
    return logs + ((a - b) * (paddle.digamma(a) - paddle.digamma(a.sum(-1, True)))).sum(-1)


@register_kl(Beta, Beta)
def _kl_betas(p, q):
    return _kl_dirichlets(p._dirichlet, q._dirichlet)


@register_kl(MultivariateNormal, MultivariateNormal)
def _kl_multivariate_normals(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError("KL-divergence between two Multivariate Normals with different event shapes")
    inverse = _inverse_of(q.scale_tril)
    traces = _triangular_solution(q.scale_tril, p.scale_tril, False).square().sum([-2, -1])
    apart = _applied_to(inverse, q.loc - p.loc).square().sum(-1)
    return q._half_log_det - p._half_log_det + 0.5 * (traces + apart - p.event_shape[0])


@register_kl(Bernoulli, Bernoulli)
def _kl_bernoullis(p, q):
    result = 0.0
    for mine, other, sign in ((p.probs, q.probs, -1), (1 - p.probs, 1 - q.probs, 1)):
        each = mine * (_softplus(sign * q.logits) - _softplus(sign * p.logits))
        each = _infinite_where((other == 0).expand(each.shape), each)
        result = result + paddle.where((mine == 0).expand(each.shape), paddle.zeros_like(each), each)
    return result


@register_kl(Binomial, Binomial)
def _kl_binomials(p, q):
    result = p.total_count * _kl_bernoullis(p, q)
    if bool((p.total_count < q.total_count).any()):
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    return _infinite_where((p.total_count > q.total_count).expand(result.shape), result)


@register_kl(Geometric, Geometric)
def _kl_geometrics(p, q):
    return -p.entropy() - paddle.log1p(-q.probs) / p.probs - q.logits


@register_kl(Poisson, Poisson)
def _kl_poissons(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Categorical, Categorical)
def _kl_categoricals(p, q):
    each = p.probs * (p.logits - q.logits)
    each = _infinite_where((q.probs == 0).expand(each.shape), each)
    return paddle.where((p.probs == 0).expand(each.shape), paddle.zeros_like(each), each).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _kl_one_hots(p, q):
    return _kl_categoricals(p._categorical, q._categorical)


@register_kl(Independent, Independent)
def _kl_independents(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError("Independents of other dimensions")
    return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def _kl_transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError("distributions that are transformed otherwise")
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Uniform, Normal)
def _kl_uniform_normal(p, q):
    apart = ((p.high + p.low) / 2 - q.loc) ** 2 + (p.high - p.low) ** 2 / 12
    width = (math.sqrt(2 * math.pi) * q.scale / (p.high - p.low)).log()
    return width + apart / (2 * q.scale**2)


def _by_entropy(p, q):
    """Where the density of q is of a normal distribution: by the moments of p."""
    apart = p.variance + (p.mean - q.loc) ** 2
    return 0.5 * apart / q.scale**2 + q.scale.log() + 0.5 * math.log(2 * math.pi) - p.entropy()


for _with_moments in (Laplace, Gumbel, Exponential, Gamma, Beta):
    register_kl(_with_moments, Normal)(_by_entropy)
