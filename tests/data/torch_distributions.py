"""Distributions, transforms and divergences, as torch and the pieces must have them.

Run by tests/test_compat_package.py: `python torch_distributions.py`, or with the path of a unit to
run under Paddle's proxy.
"""

import math
import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch

unused = not any("discrete_distributions" in name for name in sys.modules)

import torch.distributions as D
import torch.distributions.kl
import torch.distributions.lowrank_multivariate_normal as low_ranks
from torch.distributions import biject_to, constraints, transform_to
from torch.distributions import transforms as T
from torch.distributions.multivariate_normal import _batch_mahalanobis, _batch_mv, _precision_to_scale_tril
from torch.distributions.utils import (
    _standard_normal,
    _sum_rightmost,
    broadcast_all,
    clamp_probs,
    euler_constant,
    lazy_property,
    logits_to_probs,
    probs_to_logits,
    tril_matrix_to_vec,
    vec_to_tril_matrix,
)

number = 0


def show(function, *args):
    global number
    number += 1
    try:
        print(number, "ok", plain(function(*args)))
    except Exception as error:
        print(number, type(error).__name__)


def plain(value):
    """Tensors as their shape, dtype and numbers of four digits."""
    if isinstance(value, torch.Tensor):
        flat = value.detach().double().reshape(-1).tolist()
        flat = [0.0 if abs(each) < 1e-12 else float(f"{each:.4g}") for each in flat]
        return tuple(value.shape), str(value.dtype).rpartition(".")[2], flat
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    return value


leaves = []


def t(*values):
    leaves.append(torch.tensor(values, dtype=torch.float64, requires_grad=True))
    return leaves[-1]


MATRIX = [[2.0, 0.5], [0.5, 1.0]]
MAKERS = {
    "Normal": (lambda a, b: D.Normal(a, b), ([0.5, -1.0], [1.5, 0.3]), [0.2, -0.8]),
    "LogNormal": (D.LogNormal, ([0.5, -1.0], [0.5, 0.3]), [0.2, 0.4]),
    "Laplace": (D.Laplace, ([0.5, -1.0], [1.5, 0.3]), [0.2, -0.8]),
    "Cauchy": (D.Cauchy, ([0.5, -1.0], [1.5, 0.3]), [0.2, -0.8]),
    "Gumbel": (D.Gumbel, ([0.5, -1.0], [1.5, 0.3]), [0.2, -0.8]),
    "HalfNormal": (D.HalfNormal, ([1.5, 0.3],), [0.2, 0.8]),
    "HalfCauchy": (D.HalfCauchy, ([1.5, 0.3],), [0.2, 0.8]),
    "Uniform": (D.Uniform, ([0.5, -1.0], [1.5, 0.3]), [0.7, 0.1]),
    "Exponential": (D.Exponential, ([1.5, 0.3],), [0.2, 0.8]),
    "Gamma": (D.Gamma, ([1.5, 0.3], [2.0, 0.7]), [0.2, 0.8]),
    "Chi2": (D.Chi2, ([1.5, 3.0],), [0.2, 0.8]),
    "Beta": (D.Beta, ([1.5, 3.0], [0.5, 2.0]), [0.2, 0.8]),
    "Dirichlet": (D.Dirichlet, ([[1.5, 3.0, 0.7], [0.5, 0.2, 0.9]],), [0.2, 0.7, 0.1]),
    "StudentT": (D.StudentT, ([1.5, 3.0], [0.5, -1.0], [1.5, 0.3]), [0.2, -0.8]),
    "VonMises": (D.VonMises, ([0.5, -1.0], [1.5, 5.0]), [0.2, -0.8]),
    "Weighted": (D.MultivariateNormal, ([0.5, -1.0], MATRIX), [0.2, -0.8]),
    "MVN of precision": (
        lambda m, p: D.MultivariateNormal(m, precision_matrix=p),
        ([[0.5, -1.0], [1.0, 2.0]], MATRIX),
        [0.2, -0.8],
    ),
    "MVN of a factor": (
        lambda m, f: D.MultivariateNormal(m, scale_tril=f.tril()),
        ([0.5, -1.0], MATRIX),
        [[0.2, -0.8], [1.0, 0.0]],
    ),
    "Bernoulli": (D.Bernoulli, ([0.3, 0.8, 0.5],), [0.0, 1.0, 1.0]),
    "Bernoulli by logits": (lambda x: D.Bernoulli(logits=x), ([0.3, -2.0],), [0.0, 1.0]),
    "Geometric": (D.Geometric, ([0.3, 0.8],), [0, 4]),
    "Geometric by logits": (lambda x: D.Geometric(logits=x), ([0.3, -2.0],), [0.0, 1.0]),
    "Poisson": (D.Poisson, ([0.3, 4.8],), [0, 4]),
    "Binomial": (lambda p: D.Binomial(5, p), ([0.3, 0.8],), [0, 4]),
    "Binomial by logits": (lambda x: D.Binomial(5, logits=x), ([0.3, -2.0],), [5.0, 1.0]),
    "NegativeBinomial": (lambda p: D.NegativeBinomial(5, p), ([0.3, 0.8],), [0, 4]),
    "Categorical": (D.Categorical, ([[1.0, 2.0, 3.0], [0.5, 0.0, 0.5]],), [1, 2]),
    "Categorical by logits": (lambda x: D.Categorical(logits=x), ([1.0, 2.0, -3.0],), [[1], [2]]),
    "OneHot": (D.OneHotCategorical, ([1.0, 2.0, 3.0],), [0, 1, 0]),
    "StraightThrough": (
        lambda x: D.OneHotCategoricalStraightThrough(logits=x),
        ([[1.0, 2.0], [3.0, 1.0]],),
        [0, 1],
    ),
    "Multinomial": (lambda p: D.Multinomial(4, p), ([1.0, 2.0, 3.0],), [1, 0, 3]),
    "RelaxedBernoulli": (lambda p: D.RelaxedBernoulli(t(0.7), p), ([0.3, 0.8],), [0.2, 0.9]),
    "RelaxedOneHot": (
        lambda x: D.RelaxedOneHotCategorical(t(0.7), logits=x),
        ([0.3, 0.8, -1.0],),
        [0.2, 0.7, 0.1],
    ),
    "Independent": (
        lambda a, b: D.Independent(D.Normal(a, b), 1),
        ([[0.5, -1.0], [0.2, 0.1]], [1.5, 0.3]),
        [0.2, -0.8],
    ),
    "Independent of Bernoulli": (lambda p: D.Independent(D.Bernoulli(p), 1), ([0.3, 0.8],), [0.0, 1.0]),
    "Squashed": (
        lambda a, b: D.TransformedDistribution(
            D.Independent(D.Normal(a, b), 1), [T.TanhTransform(), T.AffineTransform(1.0, -2.0)]
        ),
        ([0.5, -1.0], [1.5, 0.3]),
        [0.2, 1.8],
    ),
    "Logistic": (
        lambda a: D.TransformedDistribution(
            D.Uniform(torch.zeros_like(a), 1), [T.SigmoidTransform().inv, T.AffineTransform(a, 2.0)]
        ),
        ([0.5, -1.0],),
        [0.2, 1.8],
    ),
    "LogisticNormal": (D.LogisticNormal, ([0.5, -1.0], [1.5, 0.3]), [0.2, 0.7, 0.1]),
    "Mixture": (
        lambda p, a: D.MixtureSameFamily(D.Categorical(p), D.Normal(a, 1.0)),
        ([0.3, 0.7], [0.5, -1.0]),
        0.3,
    ),
    "Mixture of vectors": (
        lambda p, a: D.MixtureSameFamily(D.Categorical(p), D.Independent(D.Normal(a, 1.0), 1)),
        ([0.3, 0.7], [[0.5, -1.0], [2.0, 1.0]]),
        [0.3, 0.1],
    ),
    "ContinuousBernoulli": (D.ContinuousBernoulli, ([0.3, 0.8, 0.5],), [0.2, 0.9, 0.4]),
    "ContinuousBernoulli by logits": (lambda x: D.ContinuousBernoulli(logits=x), ([0.3, -2.0],), [0.0, 1.0]),
    "FisherSnedecor": (D.FisherSnedecor, ([1.5, 5.0], [4.5, 3.0]), [0.2, 0.8]),
    "GeneralizedPareto": (
        lambda a, b, c: D.GeneralizedPareto(a.float(), b.float(), c.float()),  # torch's fails with float64
        ([0.5, -1.0, 0.0, 0.1], [1.5, 0.3, 1.0, 2.0], [0.2, -0.5, 0.0, 1.5]),
        [0.7, -0.8, 0.3, 4.0],
    ),
    "InverseGamma": (D.InverseGamma, ([1.5, 3.0], [2.0, 0.7]), [0.2, 0.8]),
    "Kumaraswamy": (D.Kumaraswamy, ([1.5, 0.7], [2.0, 3.0]), [0.2, 0.8]),
    "Pareto": (D.Pareto, ([1.5, 0.3], [2.5, 0.7]), [1.7, 0.8]),
    "Weibull": (D.Weibull, ([1.5, 0.3], [2.5, 0.7]), [1.7, 0.8]),
    "LowRank": (
        D.LowRankMultivariateNormal,
        ([0.5, -1.0, 0.2], [[1.0], [0.5], [-2.0]], [0.3, 1.0, 0.7]),
        [[0.2, -0.8, 0.0], [1.0, 0.0, 1.0]],
    ),
    "LowRanks": (
        D.LowRankMultivariateNormal,
        ([[0.5, -1.0], [0.1, 1.0]], [[1.0, 0.2], [0.5, 0.3]], [0.3, 1.0]),
        [0.2, -0.8],
    ),
    "Wishart": (D.Wishart, (4.5, MATRIX), [[1.0, 0.2], [0.2, 3.0]]),
    "Wisharts of a factor": (
        lambda n, f: D.Wishart(n, scale_tril=f.tril()),
        ([4.5, 3.5], MATRIX),
        [[1.0, 0.2], [0.2, 3.0]],
    ),
    "Wishart of a precision": (lambda n, f: D.Wishart(n, precision_matrix=f), (4.5, MATRIX), MATRIX),
    "LKJCholesky": (
        lambda c: D.LKJCholesky(3, c),
        ([0.7, 2.0],),
        [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.6, 0.8]],
    ),
}
MAKERS["MultivariateNormal"] = MAKERS.pop("Weighted")


def gradients(outcome, tensors):
    found = torch.autograd.grad(outcome.sum(), tensors, retain_graph=True, allow_unused=True)
    return [None if each is None else each for each in found]


WITH_TEXT = (D.Normal, D.Bernoulli, D.Dirichlet, D.MultivariateNormal, D.Categorical, D.Independent)


def asked(made, value, given):
    show(lambda: repr(made) if isinstance(made, WITH_TEXT) else "")
    show(lambda: made.log_prob(value))
    show(lambda: gradients(made.log_prob(value), [*given, *[value] * value.requires_grad]))
    show(lambda: made.entropy())
    show(lambda: gradients(made.entropy(), given))
    show(lambda: [made.mean, made.variance, made.stddev])
    show(lambda: made.mode)
    show(lambda: made.cdf(value))
    if not isinstance(made, D.Gamma):
        show(lambda: gradients(made.cdf(value), given[-1:]))
    show(lambda: made.icdf(torch.full_like(value.detach(), 0.3)))
    show(lambda: made.perplexity())
    show(lambda: [made.batch_shape, made.event_shape, made.has_rsample, made.has_enumerate_support])
    show(lambda: [made.enumerate_support(), made.enumerate_support(expand=False)])
    show(lambda: [repr(made.support).partition("(")[0], made.support.event_dim, made.support.is_discrete])
    show(lambda: sorted(made.arg_constraints))
    show(lambda: [made.sample().shape, made.sample((2, 3)).shape, made.sample().dtype == torch.float64])
    show(lambda: made.sample((4,)).requires_grad)
    show(lambda: made.rsample((4,)).requires_grad)
    show(lambda: bool(made.support.check(made.sample((5,))).all()))


for name, (make, parameters, value) in MAKERS.items():
    given = [torch.tensor(each, dtype=torch.float64, requires_grad=True) for each in parameters]
    try:
        value = torch.tensor(value)
        value = value.double().requires_grad_() if value.is_floating_point() else value
        made = make(*given)
    except Exception as error:
        print(name, "fails", type(error).__name__, error)
        continue
    print(name, "ok")
    asked(made, value, given)
    show(lambda: [(big := made.expand((3, *made.batch_shape))).batch_shape, big.event_shape])
    show(lambda: made.expand((3, *made.batch_shape)).log_prob(value))
    show(lambda: made.expand((3, *made.batch_shape)).sample((2,)).shape)
    show(lambda: made.log_prob(torch.full(value.shape, math.nan)))
    show(lambda: made.log_prob(torch.zeros(7, 5)))
    show(lambda: made.log_prob(0.5))

# Moments of samples, and of their gradients.

torch.manual_seed(0)
COUNT = 20000


def near(found, expected, scale=1.0):
    return bool(((found - expected).abs() <= 0.05 * (scale + expected.abs())).all())


def moments(made, given):
    """Whether samples have the mean and the variance, and rsample the gradient of the mean."""
    with torch.no_grad():
        drawn = made.sample((COUNT,))
        same = [near(drawn.mean(0), made.mean), near(drawn.var(0), made.variance, 0.3)]
    if made.has_rsample:
        of_mean = gradients(made.mean, given)
        of_samples = gradients(made.rsample((COUNT,)).mean(0), given)
        same += [near(b, a) for a, b in zip(of_mean, of_samples) if a is not None and b is not None]
    return same


WITHOUT_MOMENTS = (
    "Cauchy", "HalfCauchy", "Squashed", "Logistic", "LogisticNormal", "VonMises", "Categorical",
    "Categorical by logits", "RelaxedBernoulli", "RelaxedOneHot", "StudentT", "StraightThrough", "FisherSnedecor",
    "GeneralizedPareto", "InverseGamma", "Pareto", "LKJCholesky", "Weibull",
    "Wishart", "Wisharts of a factor", "Wishart of a precision",
)  # fmt: skip
for name in (name for name in MAKERS if name not in WITHOUT_MOMENTS):
    make, parameters, _ = MAKERS[name]
    given = [torch.tensor(each, dtype=torch.float64, requires_grad=True) for each in parameters]
    show(lambda: moments(make(*given), given))
for name in (name for name in MAKERS if not name.startswith("Wishart")):
    make, parameters, _ = MAKERS[name]
    given = [torch.tensor(each, dtype=torch.float64, requires_grad=True) for each in parameters]
    torch.manual_seed(1)
    # of gamma variates, torch has but four digits
    show(lambda: [[f"{each:.2g}" for each in grad.flatten()] for grad in gradients(make(*given).rsample((3,)).square(), given) if grad is not None])
student = D.StudentT(t(9.0), t(1.0), t(2.0)).sample((COUNT,))
show(lambda: [near(student.mean(0), t(1.0)), near(student.var(0), t(36 / 7))])


def frequencies(made, count=3):
    drawn = made.sample((COUNT,))
    return [near((drawn == each).double().mean(0), made.log_prob(torch.tensor(each)).exp()) for each in range(count)]


show(lambda: frequencies(D.Categorical(t(0.2, 0.3, 0.5))))
show(lambda: frequencies(D.Geometric(t(0.2, 0.7)[:1])))
show(lambda: frequencies(D.Poisson(t(1.2)), 4))


def quantiles(made):
    """Whether samples are distributed as `cdf` says."""
    drawn = made.sample((COUNT,)).detach()
    return [near((made.cdf(drawn) <= part).double().mean(0), torch.tensor(part)) for part in (0.1, 0.5, 0.9)]


for made in (
    D.Cauchy(t(0.5), t(2.0)), D.HalfCauchy(t(2.0)), D.Gamma(t(0.1, 1.0, 30.0), t(2.0)),
    D.Chi2(t(0.5)), D.Gumbel(t(1.0), t(2.0)), D.Laplace(t(1.0), t(2.0)), D.Exponential(t(3.0)),
):  # fmt: skip
    show(lambda: quantiles(made))


def slope_of_gamma(a):
    """Whether a sample's gradient keeps its place in the distribution."""
    a = torch.tensor(a, dtype=torch.float64, requires_grad=True)
    drawn = D.Gamma(a, 1.0).rsample((50,))
    (slope,) = zip(*(torch.autograd.grad(each, a, retain_graph=True) for each in drawn))
    x, step = drawn.detach(), 1e-4 * a.item()
    above, below = (D.Gamma(a.detach() + s, 1.0).cdf(x) for s in (step, -step))
    density = D.Gamma(a.detach(), 1.0).log_prob(x).exp()
    expected = (below - above) / (2 * step) / density
    return bool(((torch.stack(slope) - expected).abs() <= 2e-2 * expected.abs() + 1e-6).all())


for concentration in (0.2, 1.0, 2.5, 20.0, 300.0):
    show(lambda: slope_of_gamma(concentration))
show(lambda: [D.Gamma(torch.full((100,), 1e-3), 1.0).sample().min() > 0, D.Gamma(1.0, 1.0).sample().dtype == torch.float32])
show(lambda: bool(torch.isfinite(D.Beta(torch.full((100,), 1e-3), 1e-3).sample()).all()))
circle = D.VonMises(t(1.0), t(4.0))
show(lambda: near(torch.cos(circle.sample((COUNT,)) - 1.0).mean(), 1 - circle.variance))
show(lambda: near(torch.cos(circle.sample((COUNT,))).mean(), torch.cos(t(1.0)) * (1 - circle.variance)))
straight = D.OneHotCategoricalStraightThrough(logits=t(1.0, 2.0))
show(lambda: [straight.rsample().sum(), straight.rsample((3,)).requires_grad])
relaxed = D.RelaxedBernoulli(0.5, probs=t(0.3))
show(lambda: near((relaxed.rsample((COUNT,)) > 0.5).double().mean(), t(0.3)[0]))
relaxed = D.RelaxedOneHotCategorical(torch.tensor(0.5), probs=t(0.3, 0.7))
show(lambda: near((relaxed.rsample((COUNT,))[:, 0] > 0.5).double().mean(), t(0.3)[0]))
show(lambda: [relaxed.temperature, relaxed.probs, relaxed.logits, relaxed.expand((3,)).rsample().shape])
torch.manual_seed(5)
first = D.Normal(0.0, 1.0).sample((3,))
torch.manual_seed(5)
show(lambda: torch.equal(first, D.Normal(0.0, 1.0).sample((3,))))

show(lambda: unused)  # of the package, nothing is run before

# Dtypes and numbers.

show(lambda: D.Normal(0, 1).log_prob(torch.tensor(0.5)))
show(lambda: D.Normal(torch.tensor(0.5), 1).log_prob(torch.tensor([1, 2])))
show(lambda: D.Normal(torch.zeros(2, 1), torch.ones(3)).batch_shape)
show(lambda: D.Normal(torch.zeros(2), torch.ones(3)))
show(lambda: D.Uniform(0, 2).sample((2,)).dtype == torch.float32)
show(lambda: D.Bernoulli(0.3).log_prob(torch.tensor(1.0)))
show(lambda: D.Categorical(torch.ones(3)).sample((2, 2)).dtype == torch.int64)
show(lambda: D.Categorical(torch.ones(2, 3)).log_prob(torch.tensor([[0], [2], [1]])))
show(lambda: D.Categorical(torch.ones(2, 3)).log_prob(torch.tensor(2.0)))
show(lambda: D.Categorical(logits=torch.tensor([0.0, -math.inf])).entropy())
show(lambda: D.Beta(2, 3.0).mean)
show(lambda: D.Dirichlet(torch.tensor([0.5, 0.5])).mode)
show(lambda: D.Dirichlet(torch.tensor([[2.0, 3.0], [0.5, 0.2]])).mode)
show(lambda: D.Uniform(0.0, 1.0, validate_args=False).log_prob(torch.tensor([0.5, 2.0])))
show(lambda: D.HalfNormal(1.0, validate_args=False).log_prob(torch.tensor([0.5, -2.0])))
show(lambda: D.StudentT(torch.tensor([0.5, 1.5, 2.5])).variance)
show(lambda: D.Poisson(torch.tensor(0.0)).log_prob(torch.tensor([0.0, 1.0])))
show(lambda: D.Multinomial(3, torch.ones(2)).sample((2,)).sum(-1))
show(lambda: D.Binomial(torch.tensor([2, 5]), torch.tensor([0.5, 0.1])).enumerate_support())
show(lambda: D.Binomial(torch.tensor([2.0, 5.0]), torch.tensor([0.5, 0.1])).mean)

# What is refused.

for wrong in (
    lambda: D.Normal(0.0, -1.0), lambda: D.Normal(math.nan, 1.0), lambda: D.Normal("a", 1.0),
    lambda: D.Uniform(1.0, 0.0), lambda: D.Bernoulli(1.5), lambda: D.Bernoulli(), lambda: D.Bernoulli(0.5, 0.5),
    lambda: D.Categorical(torch.tensor(0.5)), lambda: D.Categorical(torch.tensor([-1.0, 2.0])),
    lambda: D.Categorical(logits=torch.tensor([math.nan, 1.0])), lambda: D.Dirichlet(torch.tensor(1.0)),
    lambda: D.MultivariateNormal(torch.zeros(2)), lambda: D.MultivariateNormal(torch.zeros(()), torch.eye(2)),
    lambda: D.MultivariateNormal(torch.zeros(2), -torch.eye(2)),
    lambda: D.MultivariateNormal(torch.zeros(2), torch.tensor([[1.0, 0.5], [0.0, 1.0]])),
    lambda: D.MultivariateNormal(torch.zeros(2), torch.eye(2), scale_tril=torch.eye(2)),
    lambda: D.Independent(D.Normal(0.0, 1.0), 1), lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), [3]),
    lambda: D.MixtureSameFamily(D.Normal(0.0, 1.0), D.Normal(torch.zeros(2), 1.0)),
    lambda: D.MixtureSameFamily(D.Categorical(torch.ones(3)), D.Normal(torch.zeros(2), 1.0)),
    lambda: D.Multinomial(torch.tensor(3), torch.ones(2)), lambda: D.Geometric(0.0), lambda: D.Exponential(0.0),
    lambda: D.Distribution().sample(), lambda: D.Distribution().mean, lambda: D.Poisson(1.0).rsample(),
    lambda: D.Distribution.set_default_validate_args(3), lambda: D.Normal(0.0, 1.0).enumerate_support(),
    lambda: D.Bernoulli(0.5).log_prob(torch.tensor(2.0)), lambda: D.Poisson(1.0).log_prob(torch.tensor(0.5)),
    lambda: D.Categorical(torch.ones(3)).log_prob(torch.tensor(3)), lambda: D.Poisson(1.0).entropy(),
    lambda: D.Normal(torch.zeros(2), 1.0).expand((3,)), lambda: D.kl_divergence(D.Normal(0.0, 1.0), D.Bernoulli(0.5)),
    lambda: T.Transform(cache_size=2), lambda: T.SoftmaxTransform().with_cache(3),
    lambda: D.Dirichlet(torch.ones(3)).log_prob(torch.tensor([0.5, 0.6, 0.1])), lambda: broadcast_all(1, "a"),
    lambda: D.OneHotCategorical(torch.ones(3)).log_prob(torch.tensor([1.0, 1.0, 0.0])),
    lambda: D.LKJCholesky(1), lambda: D.LKJCholesky(3, -1.0), lambda: D.Wishart(1.0, torch.eye(3)),
    lambda: D.Wishart(torch.tensor(5.0)), lambda: D.Wishart(5.0, torch.ones(3)), lambda: D.Pareto(1.0, 2.0).log_prob(torch.tensor(0.5)),
    lambda: D.Wishart(torch.tensor(5.0), torch.ones(2, 2)), lambda: D.Wishart(5.0, torch.eye(2)).log_prob(torch.ones(2, 3)),
    lambda: D.LowRankMultivariateNormal(torch.tensor(1.0), torch.ones(1, 1), torch.ones(1)), lambda: D.Weibull(0.0, 1.0),
    lambda: D.LowRankMultivariateNormal(torch.ones(2), torch.ones(2), torch.ones(2)), lambda: D.Kumaraswamy(1.0, -1.0),
    lambda: D.LowRankMultivariateNormal(torch.ones(2), torch.ones(3, 1), torch.ones(2)), lambda: D.InverseGamma(1.0, 0.0),
    lambda: D.LowRankMultivariateNormal(torch.ones(2), torch.ones(2, 1), torch.ones(3)), lambda: D.FisherSnedecor(1.0, 0.0),
    lambda: D.LowRankMultivariateNormal(torch.ones(3, 2), torch.ones(2, 2, 1), torch.ones(2)), lambda: D.Pareto(0.0, 1.0),
    lambda: D.LowRankMultivariateNormal(torch.ones(2), torch.ones(2, 1), -torch.ones(2)), lambda: D.ContinuousBernoulli(),
    lambda: float(D.ContinuousBernoulli(1.5).probs), lambda: D.ContinuousBernoulli(1.5, validate_args=True), lambda: D.ContinuousBernoulli(0.5, 0.5),
    lambda: D.GeneralizedPareto(0.0, -1.0, 1.0), lambda: D.GeneralizedPareto(0.0, 1.0, -1.0).cdf(torch.tensor(1.5)),
    lambda: T.CatTransform([3]), lambda: T.CatTransform([T.ExpTransform()], 0, [1, 2]), lambda: T.StackTransform([3]),
    lambda: constraints.cat([3]), lambda: constraints.stack([3]),
    lambda: D.LogNormal(0.0, 1.0).log_prob(torch.tensor(-1.0)), lambda: biject_to(constraints.boolean),
):  # fmt: skip
    show(lambda: str(wrong())[:40])
show(lambda: D.Bernoulli(1.5, validate_args=False).probs)
show(lambda: D.Normal(0.0, 1.0, validate_args=False).log_prob(torch.tensor(math.nan)))

# Divergences.

PAIRS = [
    lambda: (D.Normal(t(0.5), t(1.5)), D.Normal(t(-0.2), t(0.7))),
    lambda: (D.LogNormal(t(0.5), t(1.5)), D.LogNormal(t(-0.2), t(0.7))),
    lambda: (D.HalfNormal(t(0.5)), D.HalfNormal(t(1.5))), lambda: (D.Laplace(t(0.5), t(1.5)), D.Laplace(t(-0.2), t(0.7))),
    lambda: (D.Cauchy(t(0.5), t(1.5)), D.Cauchy(t(-0.2), t(0.7))), lambda: (D.Gumbel(t(0.5), t(1.5)), D.Gumbel(t(-0.2), t(0.7))),
    lambda: (D.Uniform(t(0.0, 0.0), t(1.0, 2.0)), D.Uniform(t(-1.0, 0.5), t(3.0, 3.0))),
    lambda: (D.Exponential(t(0.5)), D.Exponential(t(1.5))), lambda: (D.Gamma(t(0.5), t(1.5)), D.Gamma(t(0.2), t(0.7))),
    lambda: (D.Exponential(t(0.5)), D.Gamma(t(1.5), t(0.4))), lambda: (D.Gamma(t(1.5), t(0.4)), D.Exponential(t(0.5))),
    lambda: (D.Beta(t(0.5), t(1.5)), D.Beta(t(0.2), t(0.7))), lambda: (D.Dirichlet(t(0.5, 1.5)), D.Dirichlet(t(0.2, 0.7))),
    lambda: (D.Bernoulli(t(0.5, 0.1)), D.Bernoulli(t(0.2, 0.7))), lambda: (D.Bernoulli(t(0.0, 1.0)), D.Bernoulli(t(0.2, 0.7))),
    lambda: (D.Bernoulli(t(0.5)), D.Bernoulli(t(0.0))), lambda: (D.Bernoulli(logits=t(0.5)), D.Bernoulli(logits=t(3.0))),
    lambda: (D.Binomial(5, t(0.5)), D.Binomial(5, t(0.2))), lambda: (D.Binomial(5, t(0.5)), D.Binomial(3, t(0.2))),
    lambda: (D.Binomial(3, t(0.5)), D.Binomial(5, t(0.2))), lambda: (D.Geometric(t(0.5)), D.Geometric(t(0.2))),
    lambda: (D.Poisson(t(0.5)), D.Poisson(t(0.2))), lambda: (D.Categorical(t(0.5, 0.5)), D.Categorical(t(0.2, 0.8))),
    lambda: (D.Categorical(t(0.0, 1.0)), D.Categorical(t(0.2, 0.8))), lambda: (D.Categorical(t(0.5, 0.5)), D.Categorical(t(0.0, 1.0))),
    lambda: (D.OneHotCategorical(t(0.5, 0.5)), D.OneHotCategorical(t(0.2, 0.8))),
    lambda: (D.MultivariateNormal(t(0.5, 1.0), t([2.0, 0.5], [0.5, 1.0])), D.MultivariateNormal(t(0.0, 0.0), scale_tril=t([1.0, 0.0], [0.3, 2.0]))),
    lambda: (D.Independent(D.Normal(t(0.5, 1.0), t(1.5)), 1), D.Independent(D.Normal(t(-0.2, 0.0), t(0.7)), 1)),
    lambda: (D.Independent(D.Normal(t(0.5, 1.0), t(1.5)), 1), D.Independent(D.Normal(t(-0.2, 0.0), t(0.7)), 0)),
    lambda: (D.Uniform(t(0.5), t(1.5)), D.Normal(t(-0.2), t(0.7))), lambda: (D.Laplace(t(0.5), t(1.5)), D.Normal(t(-0.2), t(0.7))),
    lambda: (D.Gumbel(t(0.5), t(1.5)), D.Normal(t(-0.2), t(0.7))), lambda: (D.Normal(t(0.5), t(1.5)), D.Gumbel(t(-0.2), t(0.7))),
    lambda: (D.Exponential(t(0.5)), D.Normal(t(-0.2), t(0.7))), lambda: (D.Gamma(t(0.5), t(1.5)), D.Normal(t(-0.2), t(0.7))),
    lambda: (D.Beta(t(0.5), t(1.5)), D.Normal(t(-0.2), t(0.7))),
    lambda: (D.TransformedDistribution(D.Normal(t(0.0), t(1.0)), T.TanhTransform()), D.TransformedDistribution(D.Normal(t(1.0), t(1.0)), T.TanhTransform())),
    lambda: (D.TransformedDistribution(D.Normal(t(0.0), t(1.0)), T.TanhTransform()), D.TransformedDistribution(D.Normal(t(1.0), t(1.0)), T.ExpTransform())),
]  # fmt: skip
KINDS = [
    lambda: D.Bernoulli(t(0.3, 0.6)), lambda: D.Beta(t(0.5, 2.0), t(1.5, 1.5)), lambda: D.Binomial(5, t(0.5, 0.2)),
    lambda: D.ContinuousBernoulli(t(0.3, 0.5)), lambda: D.Exponential(t(0.5, 2.0)), lambda: D.Gamma(t(0.5, 2.0), t(1.5, 0.7)),
    lambda: D.Gumbel(t(0.5, -2.0), t(1.5, 0.7)), lambda: D.Laplace(t(0.5, -2.0), t(1.5, 0.7)),
    lambda: D.Normal(t(0.5, -2.0), t(1.5, 0.7)), lambda: D.Pareto(t(0.5, 2.0), t(2.5, 0.7)), lambda: D.Poisson(t(0.5, 2.0)),
    lambda: D.Uniform(t(0.2, 0.5), t(0.9, 1.5)), lambda: D.Uniform(t(-1.0, -0.5), t(2.9, 3.5)), lambda: D.Chi2(t(1.5, 3.0)),
    lambda: D.Geometric(t(0.3, 0.6)),
    lambda: D.LowRankMultivariateNormal(t(0.5, 1.0), t([1.0], [0.5]), t(0.3, 1.0)), lambda: D.Kumaraswamy(t(0.5), t(2.0)),
    lambda: D.MultivariateNormal(t(0.5, -1.0), t([2.0, 0.5], [0.5, 1.0])), lambda: D.Weibull(t(0.5), t(2.0)),
    lambda: D.LowRankMultivariateNormal(t(0.0, 1.0), t([1.0], [-0.5]), t(2.3, 1.0)),
]  # fmt: skip
for make_pair in [*PAIRS, *(lambda one=one, other=other: (one(), other()) for one in KINDS for other in KINDS)]:
    leaves.clear()
    p, q = make_pair()
    given = [*leaves]
    show(lambda: torch.distributions.kl_divergence(p, q))
    # torch's are not numbers for some of the infinite ones
    show(lambda: [None if each is None else each.nan_to_num() for each in gradients(D.kl_divergence(p, q), given)])
freedoms = t(4.5)
p, q = D.Wishart(3.5, torch.tensor(MATRIX).double()), D.Wishart(freedoms, t([1.0, 0.2], [0.2, 0.5]))
show(lambda: [D.kl_divergence(p, q), D.kl_divergence(q, p), D.kl_divergence(q, q)])
show(lambda: gradients(D.kl_divergence(p, q), [freedoms]))

# Transforms and constraints.

TRANSFORMS = [
    (T.ExpTransform(), t(0.5, -1.0)), (T.AffineTransform(1.0, -2.0), t(0.5, -1.0)), (T.SigmoidTransform(), t(0.5, -1.0)),
    (T.AffineTransform(t(1.0, 2.0), t(3.0, 0.5), event_dim=1), t([0.5, -1.0])), (T.TanhTransform(), t(0.5, -1.0)),
    (T.PowerTransform(2.0), t(0.5, 1.0)), (T.PowerTransform(t(2.0, -1.0)), t(0.5, 1.5)), (T.AbsTransform(), t(0.5, -1.0)),
    (T.SoftplusTransform(), t(0.5, -1.0)), (T.SoftmaxTransform(), t(0.5, -1.0)), (T.StickBreakingTransform(), t(0.5, -1.0)),
    (T.ComposeTransform([T.ExpTransform(), T.AffineTransform(1.0, 2.0)]), t(0.5, -1.0)), (T.ComposeTransform([]), t(0.5)),
    (T.ComposeTransform([T.AffineTransform(0.0, 2.0), T.StickBreakingTransform()]), t(0.5, -1.0)),
    (T.IndependentTransform(T.ExpTransform(), 1), t([0.5, -1.0], [1.0, 2.0])), (T.ExpTransform().inv, t(0.5, 2.0)),
    (T.ReshapeTransform((4,), (2, 2)), t(0.5, -1.0, 1.0, 2.0)), (T.LowerCholeskyTransform(), t([0.5, -1.0], [1.0, 2.0])),
    (T.PositiveDefiniteTransform(), t([0.5, -1.0], [1.0, 2.0])), (T.CorrCholeskyTransform(), t(0.5, -1.0, 0.3)),
    (T.CorrCholeskyTransform(), t([0.5], [9.0])), (T.CatTransform([T.ExpTransform(), T.AffineTransform(1, -2)], 0, [1, 2]), t(0.5, -1.0, 0.3)),
    (T.CatTransform([T.ExpTransform(), T.TanhTransform()], -1), t([0.5, -1.0], [0.3, 0.1])), (T.StackTransform([T.ExpTransform(), T.TanhTransform()], 1), t([0.5, -1.0], [0.3, 0.1])),
    (T.StackTransform([T.ExpTransform(), T.identity_transform]), t([0.5, -1.0], [0.3, 0.1])), (T.StackTransform([T.ExpTransform()]), t([0.5, -1.0], [0.3, 0.1])),
    (T.CatTransform([T.ExpTransform()], 3), t(0.5)), (T.CumulativeDistributionTransform(D.Normal(0.5, 2.0)), t(0.5, -1.0)),
    (T.CatTransform([T.SoftmaxTransform(), T.SoftmaxTransform()], 0, [1, 1]), t([0.5, -1.0], [0.3, 0.1])),
    (T.CatTransform([T.IndependentTransform(T.ExpTransform(), 1), T.TanhTransform()], 0), t([0.5, -1.0], [0.3, 0.1])),
]  # fmt: skip
for transform, x in TRANSFORMS:
    show(lambda: transform(x))
    show(lambda: transform.inv(transform(x)))
    show(lambda: transform.log_abs_det_jacobian(x, transform(x)))
    show(lambda: transform.inv.log_abs_det_jacobian(transform(x), x))
    show(lambda: gradients(transform.log_abs_det_jacobian(x, transform(x)), [x]))
    show(lambda: [transform.domain.event_dim, transform.codomain.event_dim, repr(transform.codomain)])
    show(lambda: [transform.bijective, transform.event_dim, repr(transform)])
    show(lambda: transform.sign)
    show(lambda: [transform.forward_shape((3, 4)), transform.inverse_shape((3, 2, 2))])
    show(lambda: [transform == transform.inv.inv, transform == T.ExpTransform(), transform.with_cache() == transform])

cached = T.TanhTransform(cache_size=1)
x = t(30.0, 0.5)
show(lambda: [cached.inv(cached(x)), T.TanhTransform().inv(T.TanhTransform()(x))])
show(lambda: D.TransformedDistribution(D.Normal(t(20.0), t(1.0)), [cached]).rsample().shape)
show(lambda: T.AffineTransform(t(1.0), 2.0) == T.AffineTransform(1.0, 2.0))
show(lambda: [T.AffineTransform(1, 2) == T.AffineTransform(1, 2), T.AffineTransform(1, 2) == T.AffineTransform(1, 3)])

CONSTRAINTS = {
    "real": 0.5, "positive": 0.5, "nonnegative": 0.0, "unit_interval": 0.5, "boolean": 1.0, "real_vector": [0.5, 1.0],
    "nonnegative_integer": 3.0, "positive_integer": 0.0, "simplex": [0.5, 0.5], "one_hot": [0.0, 1.0],
    "lower_cholesky": [[1.0, 0.0], [0.5, 2.0]], "lower_triangular": [[1.0, 0.0], [0.5, -2.0]], "square": [[1.0, 2.0]],
    "positive_definite": [[2.0, 0.5], [0.5, 1.0]], "positive_semidefinite": [[1.0, 1.0], [1.0, 1.0]],
    "symmetric": [[1.0, 2.0], [1.0, 1.0]], "corr_cholesky": [[1.0, 0.0], [0.6, 0.8]], "dependent": 0.5,
}  # fmt: skip
regions = [(getattr(constraints, name), value) for name, value in CONSTRAINTS.items()]
regions += [
    (constraints.interval(-1.0, 2.0), 2.0), (constraints.half_open_interval(-1.0, 2.0), 2.0),
    (constraints.greater_than(1.0), 1.0), (constraints.greater_than_eq(1.0), 1.0), (constraints.less_than(1.0), 0.5),
    (constraints.integer_interval(0, 3), 2), (constraints.multinomial(4), [1, 4]),
    (constraints.independent(constraints.positive, 1), [1.0, -1.0]),
    (constraints.cat([constraints.positive, constraints.interval(-1.0, 2.0)], 0, [1, 1]), [1.0, -1.0]),
    (constraints.stack([constraints.positive, constraints.real], -1), [1.0, -1.0]),
    (constraints.stack([constraints.boolean, constraints.positive]), [[0.3, 0.7], [0.5, 0.1]]),
    (constraints.cat([constraints.boolean, constraints.real], 0), [1.0, -1.0]),
]  # fmt: skip
for region, value in regions:
    value = torch.tensor(value)
    for other in (value, -value, value * math.nan, value + torch.ones(3, *value.shape)):
        show(lambda: region.check(other))
    show(lambda: [repr(region).removesuffix("upper_bound=4)").rstrip("()"), region.is_discrete, region.event_dim])
    show(lambda: [constraints.is_dependent(region), isinstance(region, constraints.Constraint)])
    for registry in (biject_to, transform_to):
        show(lambda: repr(registry(region)))
        show(lambda: registry(region)(torch.full((2, 2), 0.3)))
show(lambda: biject_to(constraints.corr_cholesky)(torch.tensor([0.3, -0.5, 0.1])))
show(lambda: constraints.is_dependent(D.Uniform.support))
show(lambda: [D.Uniform.support.event_dim, D.Uniform.support.is_discrete])

# Members of only some distributions.

pareto = D.GeneralizedPareto(0.5, 1.5, 0.2)
show(lambda: [pareto.log_survival_function(t(2.0)), pareto.log_cdf(t(2.0)), pareto.log_survival_function(t(0.1))])
vectors = D.LowRankMultivariateNormal(t(0.5, -1.0), t([1.0], [0.5]), t(0.3, 1.0))
for matrices in (vectors, D.Wishart(t(4.5)[0], t([2.0, 0.5], [0.5, 1.0])), D.MultivariateNormal(t(0.5, -1.0), t([2.0, 0.5], [0.5, 1.0]))):
    show(lambda: [matrices.covariance_matrix, matrices.precision_matrix, matrices.scale_tril])
    show(lambda: [matrices.expand((3,)).covariance_matrix, matrices.expand((3,)).scale_tril, matrices.expand((3,)).variance])
show(lambda: [vectors.cov_factor, vectors.cov_diag, vectors.loc])
show(lambda: [D.LKJCholesky(3).dim, D.LKJCholesky(3).concentration, D.Weibull(t(1.0), t(2.0)).concentration_reciprocal])
show(lambda: [D.InverseGamma(t(1.0), t(2.0)).rate, D.InverseGamma(1.0, 2.0).concentration, D.Pareto(1.0, 2.0).alpha])
show(lambda: [repr(D.Pareto(1.0, 2.0)), repr(D.InverseGamma(1.0, 2.0)), repr(D.LKJCholesky(3)), repr(D.Wishart(3.0, torch.eye(2)))])
show(lambda: [issubclass(D.Wishart, D.ExponentialFamily), issubclass(D.Pareto, D.TransformedDistribution)])
show(lambda: D.Wishart(torch.tensor([3.0, 5.0]), torch.eye(2)).expand((4, 2)).rsample((3,)).shape)
show(lambda: [D.Wishart(3.0, torch.eye(1)).sample().shape, D.Wishart(3.0, torch.eye(2)).sample((0,)).shape])

# Helpers, and what libraries build on the classes.

show(lambda: [_sum_rightmost(torch.ones(2, 3, 4), dim) for dim in range(4)])
show(lambda: [euler_constant, _standard_normal((2, 3), dtype=torch.float64, device="cpu").dtype == torch.float64])
show(lambda: _batch_mahalanobis(torch.tensor(MATRIX).tril(), torch.ones(4, 3, 2)))
lowrank = torch.ones(3, 1), torch.arange(1.0, 4.0), torch.arange(3.0)
inner = low_ranks._batch_capacitance_tril(*lowrank[:2])
show(lambda: [inner, low_ranks._batch_lowrank_logdet(*lowrank[:2], inner), low_ranks._batch_lowrank_mahalanobis(*lowrank, inner)])
show(lambda: [isinstance(constraints.positive, constraints._GreaterThan), isinstance(constraints.real, constraints._Real)])
show(lambda: [isinstance(constraints.real_vector, constraints._IndependentConstraint), constraints._Cat is constraints.cat])
show(lambda: [constraints._IntegerLessThan(3).check(torch.tensor([1.0, 4.0])), isinstance(constraints.simplex, constraints._Simplex)])
show(lambda: [sorted(D.__all__), sorted(constraints.__all__), sorted(T.__all__), sorted(torch.distributions.kl.__all__)])
show(lambda: [T._clipped_sigmoid(torch.tensor([0.0, 200.0, -200.0])), isinstance(T.ExpTransform().inv, T._InverseTransform)])
show(lambda: [_batch_mv(torch.tensor(MATRIX), torch.ones(4, 2)), _precision_to_scale_tril(torch.tensor(MATRIX))])

show(lambda: broadcast_all(torch.zeros(2, 1), 3, torch.ones(3)))
show(lambda: [each.dtype == torch.float32 for each in broadcast_all(1, 2.5)])
show(lambda: [clamp_probs(t(0.0, 0.5, 1.0)), probs_to_logits(t(0.2, 0.8)), logits_to_probs(t(0.2, 0.8))])
show(lambda: [probs_to_logits(t(0.2, 0.8), is_binary=True), logits_to_probs(t(0.2), is_binary=True)])
for diag in (-1, 0, 1):
    matrix = torch.arange(18.0).reshape(2, 3, 3)
    show(lambda: tril_matrix_to_vec(matrix, diag))
    show(lambda: vec_to_tril_matrix(tril_matrix_to_vec(matrix, diag), diag))
show(lambda: vec_to_tril_matrix(torch.ones(5)))
show(lambda: tril_matrix_to_vec(torch.ones(3, 3), 3))


class Shifted(D.Distribution):
    """A library's own."""

    arg_constraints = {"loc": constraints.real, "rate": constraints.positive}
    has_rsample = True

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        return constraints.greater_than(self.loc)

    def __init__(self, loc, rate, validate_args=None):
        self.loc, self.rate = broadcast_all(loc, rate)
        super().__init__(self.loc.size(), validate_args=validate_args)
        self.computed = 0

    @lazy_property
    def scale(self):
        self.computed += 1
        return 1 / self.rate

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        return self.loc - torch.rand(shape).log() * self.scale

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return self.rate.log() - self.rate * (value - self.loc)


@D.register_kl(Shifted, D.Normal)
def _of_shifted(p, q):
    return p.loc + q.loc


class Narrow(D.Normal):
    def __init__(self, loc):
        super().__init__(loc, 0.1)


class Family(D.ExponentialFamily):
    """An exponential distribution by its natural parameter."""

    arg_constraints = {"rate": constraints.positive}
    _mean_carrier_measure = 0

    def __init__(self, rate):
        self.rate = rate
        super().__init__(rate.size())

    _natural_params = property(lambda self: (-self.rate,))

    def _log_normalizer(self, x):
        return -torch.log(-x)


own = Shifted(torch.zeros(2), 2.0)
show(lambda: [own.sample((3,)).shape, own.scale, own.scale, own.computed, own.log_prob(torch.ones(2))])
show(lambda: own.log_prob(-torch.ones(2)))
show(lambda: Shifted(0.0, -1.0))
show(lambda: repr(own))
show(lambda: D.kl_divergence(own, Narrow(torch.ones(2))))
show(lambda: D.kl_divergence(Narrow(torch.ones(2)), D.Normal(0.0, 1.0)))
show(lambda: Narrow(torch.ones(2)).expand((3, 2)))
show(lambda: [Family(t(2.0, 3.0)).entropy(), D.Exponential(t(2.0, 3.0)).entropy()])
show(lambda: [isinstance(D.Normal(0.0, 1.0), D.Distribution), issubclass(D.Bernoulli, D.ExponentialFamily)])
show(lambda: sorted(name for name in D.Normal.__dict__ if name in ("rsample", "log_prob", "cdf")))
show(lambda: [D.normal.Normal is D.Normal, D.kl.kl_divergence is D.kl_divergence])
show(lambda: D.Distribution(torch.Size(), [(2,), (3,)], validate_args=False).event_shape)
D.Distribution.set_default_validate_args(False)
show(lambda: D.Normal(0.0, -1.0).scale)
D.Distribution.set_default_validate_args(True)
