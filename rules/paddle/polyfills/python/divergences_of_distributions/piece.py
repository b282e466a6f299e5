import itertools
import math

import paddle

from .composed_distributions import Independent, TransformedDistribution
from .computing import _is_zero
from .constraints_of_distributions import _softplus, _sum_rightmost, euler_constant
from .continuous_distributions import Cauchy, Exponential, Laplace, Normal, Uniform
from .discrete_distributions import Bernoulli, Binomial, Categorical, Geometric, OneHotCategorical, Poisson
from .distributions import ExponentialFamily
from .distributions_by_transforms import Gumbel, HalfNormal
from .factors_of_matrices import _triangular_solution
from .further_distributions import ContinuousBernoulli, Pareto
from .gamma_distributions import Beta, Dirichlet, Gamma
from .multivariate_distributions import (
    LowRankMultivariateNormal, MultivariateNormal, Wishart, _batch_mahalanobis, _log_multigamma, _multidigamma,
)

_KL_REGISTRY: dict[tuple[type, type], object] = {}


def register_kl(type_p, type_q):
    """A decorator for the divergence of two classes of distributions."""

    def decorator(function):
        _KL_REGISTRY[type_p, type_q] = function
        return function

    return decorator


def kl_divergence(p, q):
    """KL(p || q), by the function of the classes that are nearest to those of p and q."""
    orders = [[*type(each).__mro__] for each in (p, q)]
    known = [pair for pair in _KL_REGISTRY if isinstance(p, pair[0]) and isinstance(q, pair[1])]
    nearest = min(known, key=lambda pair: [*map(list.index, orders, pair)], default=None)
    result = _KL_REGISTRY[nearest](p, q) if nearest else NotImplemented
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
    return -ratio.log() + apart + euler_constant * (ratio - 1) + grown - 1


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


def _kl_multivariate_normals(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError("KL-divergence between two Multivariate Normals with different event shapes")
    lower = q.scale_tril
    traces = _triangular_solution(lower, p.scale_tril, False).square().sum([-2, -1])
    apart = _batch_mahalanobis(lower, q.loc - p.loc)
    return q._half_log_det - p._half_log_det + 0.5 * (traces + apart - p.event_shape[0])


for _two_kinds in itertools.product((MultivariateNormal, LowRankMultivariateNormal), repeat=2):
    register_kl(*_two_kinds)(_kl_multivariate_normals)


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


@register_kl(ExponentialFamily, ExponentialFamily)
def _kl_exponential_families(p, q):
    """By the normalizers of natural parameters, whose slopes are the means of what they belong to."""
    if type(p) is not type(q):
        raise NotImplementedError("different exponential families")
    parameters = [each.detach() for each in p._natural_params]
    for each in parameters:
        each.stop_gradient = False
    normalizer = p._log_normalizer(*parameters)
    slopes = paddle.grad(normalizer.sum(), parameters, create_graph=True)
    result = q._log_normalizer(*q._natural_params) - normalizer
    for mine, other, slope in zip(parameters, q._natural_params, slopes):
        result = result - _sum_rightmost((other - mine) * slope, len(q.event_shape))
    return result


@register_kl(Wishart, Wishart)
def _kl_wisharts(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError("KL-divergence between two Wisharts with different event shapes")
    order = p.event_shape[-1]
    traces = _triangular_solution(q.scale_tril, p.scale_tril, False).square().sum([-2, -1])
    logs = _log_multigamma(q.df / 2, order) - _log_multigamma(p.df / 2, order)
    slopes = (p.df - q.df) / 2 * _multidigamma(p.df / 2, order)
    return q.df * (q._half_log_det - p._half_log_det) + p.df / 2 * (traces - order) + logs + slopes


# ------------------------ between classes: by the entropy of p, and the mean of what q gives


def _x_log_x(x):
    return x * paddle.where(_is_zero(x), paddle.ones_like(x), x).log()


def _mean_log(p):
    """Of the logarithms of what p is of."""
    if isinstance(p, Beta):
        return paddle.digamma(p.concentration1) - paddle.digamma(p.concentration1 + p.concentration0)
    if isinstance(p, Pareto):
        return p.scale.log() + 1 / p.alpha
    return (_x_log_x(p.high) - _x_log_x(p.low)) / (p.high - p.low) - 1


def _starts_below(p, q):
    """Whether p, of a uniform distribution, has a part below the support of q."""
    return p.low < q.support.lower_bound


def _to_normal(p, q):
    apart = p.variance + (p.mean - q.loc) ** 2
    return 0.5 * apart / q.scale**2 + q.scale.log() + 0.5 * math.log(2 * math.pi) - p.entropy()


def _to_exponential(p, q):
    return q.rate * p.mean - q.rate.log() - p.entropy()


def _to_gamma(p, q):
    logs = paddle.lgamma(q.concentration) - q.concentration * q.rate.log()
    return logs - (q.concentration - 1) * _mean_log(p) + q.rate * p.mean - p.entropy()


def _to_continuous_bernoulli(p, q):
    return -q._log_density(p.mean) - p.entropy()


def _to_uniform(p, q):
    return (q.high - q.low).log() - p.entropy()


def _to_gumbel(grown):
    """By the mean of exp(-x / scale)."""

    def divergence(p, q):
        return q.scale.log() + (p.mean - q.loc) / q.scale + grown(p, q) * (q.loc / q.scale).exp() - p.entropy()

    return divergence


def _uniform_to_beta(p, q):
    a, b = q.concentration1, q.concentration0
    rest = (_x_log_x(1 - p.low) - _x_log_x(1 - p.high)) / (p.high - p.low) - 1
    logs = paddle.lgamma(a) + paddle.lgamma(b) - paddle.lgamma(a + b)
    result = logs - (a - 1) * _mean_log(p) - (b - 1) * rest - p.entropy()
    return _infinite_where((p.high > 1) | (p.low < 0), result)


def _to_pareto(p, q):
    logs = q.alpha.log() + q.alpha * q.scale.log()
    return (q.alpha + 1) * _mean_log(p) - logs - p.entropy()


def _normal_to_laplace(p, q):
    apart = p.loc - q.loc
    scaled = apart / p.scale
    mean = math.sqrt(2 / math.pi) * p.scale * (-0.5 * scaled**2).exp() + apart * paddle.erf(scaled / math.sqrt(2))
    return (2 * q.scale).log() + mean / q.scale - p.entropy()


def _usual(p, wrong):
    """p, and where its divergence is infinite, one whose formulas have gradients that are numbers."""
    p = p.expand(wrong.shape)
    settings = {Uniform: {"low": 0.25, "high": 0.75}, Pareto: {"scale": 1.0, "alpha": 3.0}}[type(p)]
    values = {name: getattr(p, name) for name in settings}
    usual = {name: paddle.where(wrong, paddle.full_like(values[name], settings[name]), values[name]) for name in settings}
    return type(p)(**usual, validate_args=False)


def _infinite_if(condition, divergence):
    def given(p, q):
        wrong = condition(p, q)
        return _infinite_where(wrong, divergence(_usual(p, wrong) if type(p) in (Uniform, Pareto) else p, q))

    return given


def _infinite(p, q):
    return paddle.full_like(p.mean, math.inf)


_BETWEEN: dict[tuple[type, type], object] = {
    **dict.fromkeys(((each, Normal) for each in (Beta, ContinuousBernoulli, Exponential, Gamma, Gumbel, Laplace)), _to_normal),
    (Uniform, Normal): _to_normal,
    (Pareto, Normal): _infinite_if(lambda p, q: p.alpha <= 2, _to_normal),
    (Bernoulli, Poisson): lambda p, q: q.rate - p.probs * q.rate.log() - p.entropy(),
    (Beta, Exponential): _to_exponential,
    (ContinuousBernoulli, Exponential): _to_exponential,
    (Pareto, Exponential): _infinite_if(lambda p, q: p.alpha <= 1, _to_exponential),
    (Uniform, Exponential): _infinite_if(_starts_below, _to_exponential),
    (Beta, Gamma): _to_gamma,
    (Pareto, Gamma): _infinite_if(lambda p, q: p.alpha <= 1, _to_gamma),
    (Uniform, Gamma): _infinite_if(_starts_below, _to_gamma),
    (Beta, ContinuousBernoulli): _to_continuous_bernoulli,
    (ContinuousBernoulli, ContinuousBernoulli): _to_continuous_bernoulli,
    (Uniform, ContinuousBernoulli): _infinite_if(lambda p, q: (p.high >= 1) | (p.low <= 0), _to_continuous_bernoulli),
    (Beta, Uniform): _infinite_if(lambda p, q: (q.low > 0) | (q.high < 1), _to_uniform),
    (ContinuousBernoulli, Uniform): _infinite_if(lambda p, q: (q.low >= 0) | (q.high <= 1), _to_uniform),  # as torch has it
    (Uniform, Beta): _uniform_to_beta,
    (Uniform, Pareto): _infinite_if(_starts_below, _to_pareto),
    (Pareto, Pareto): _infinite_if(lambda p, q: p.scale < q.scale, _to_pareto),
    (Exponential, Gumbel): _to_gumbel(lambda p, q: p.rate * q.scale / (p.rate * q.scale + 1)),
    (Gamma, Gumbel): _to_gumbel(lambda p, q: (1 + 1 / (p.rate * q.scale)) ** -p.concentration),
    (Uniform, Gumbel): _to_gumbel(
        lambda p, q: q.scale / (p.high - p.low) * ((-p.low / q.scale).exp() - (-p.high / q.scale).exp())
    ),
    (Normal, Laplace): _normal_to_laplace,
}  # fmt: skip
for _two_kinds in (
    *itertools.product((Exponential, Gamma), (Beta, ContinuousBernoulli, Pareto, Uniform)),
    *itertools.product((Gumbel, Laplace, Normal), (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)),
    *itertools.product((Pareto,), (Beta, ContinuousBernoulli, Uniform)),
    (Beta, Pareto), (ContinuousBernoulli, Pareto), (Poisson, Bernoulli), (Poisson, Binomial),
):  # fmt: skip
    _BETWEEN[_two_kinds] = _infinite
for _two_kinds, _kl_of_two_kinds in _BETWEEN.items():
    register_kl(*_two_kinds)(_kl_of_two_kinds)
