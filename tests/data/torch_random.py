"""Numbers drawn on a CPU after a seed, as torch and the pieces must draw them.

Run by tests/test_compat_package.py: `python torch_random.py`, or with the path of a unit to run under Paddle's proxy.
Each line is what a call draws, and the number that is drawn after it.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
import torch.distributions as D
import torch.nn.functional as F
from torch import nn
from torch.utils import data


def say(value):
    value = torch.tensor(value) if isinstance(value, list) else value.detach()
    value = torch.view_as_real(value) if value.is_complex() else value
    numbers = [f"{float(each):.4g}" for each in value.double().flatten().tolist()[:9]]
    return [numbers, list(value.shape), str(value.dtype).rpartition(".")[2]]


def draw(*calls):
    for call in calls:
        torch.manual_seed(3)
        made = call()
        print("line ok", say(made), say(torch.rand(1)))


def fill(shape, name, *settings, dtype=torch.float32):
    return lambda: getattr(torch.zeros(shape, dtype=dtype), name)(*settings)


def fill_part(at):
    made = torch.zeros(4, 5)
    made[at].normal_()
    return made


source = torch.Generator().manual_seed(5)
p, transposed = torch.full((5,), 0.3), torch.ones(3, 4).t()
chances = torch.tensor([[0.1, 0.2, 0.3], [0.4, 0.5, 0.1]])
draw(
    *(lambda t=t: torch.rand(3, 4, dtype=t) for t in (None, torch.float64, torch.float16, torch.bfloat16)),
    *(lambda t=t: torch.randn(5, 9, dtype=t) for t in (None, torch.float64, torch.complex64)),
    lambda: torch.rand(()),
    lambda: torch.rand(0, 3),
    lambda: torch.rand(3, generator=source),
    lambda: torch.randn(3),
    lambda: torch.rand_like(transposed),
    lambda: torch.randn_like(transposed),
    lambda: torch.randint(5, (4,)),
    lambda: torch.randint(-5, 50, (4,), dtype=torch.int32),
    lambda: torch.randint(0, 2**40, (4,)),
    lambda: torch.randint_like(torch.ones(5), 3, 9),
    lambda: torch.randperm(9),
    lambda: torch.bernoulli(p),
    lambda: torch.bernoulli(p.double()),
    lambda: torch.bernoulli(p, p=0.3),
    lambda: p.bernoulli(),
    lambda: torch.multinomial(chances, 2),
    lambda: torch.multinomial(chances, 9, True),
    lambda: torch.multinomial(chances[0], 1),
    lambda: torch.normal(torch.ones(5), torch.arange(5.0)),
    lambda: torch.normal(2.0, 3.0, (2, 2)),
)
for name, *settings in (
    ("uniform_",), ("uniform_", -2, 5), ("normal_",), ("normal_", 1, 3), ("exponential_",), ("exponential_", 2),
    ("cauchy_",), ("log_normal_",), ("geometric_", 0.2), ("random_",), ("random_", 5), ("random_", 5, 9),
    ("bernoulli_",), ("bernoulli_", 0.2),
):  # fmt: skip
    draw(fill((5,), name, *settings), fill((6, 7), name, *settings))
draw(
    fill((5,), "uniform_", -2, 3, dtype=torch.float64),
    fill((5,), "random_", dtype=torch.int64),
    fill((5,), "random_", dtype=torch.uint8),
    lambda: torch.zeros(4, 5).t().normal_(),
    lambda: torch.zeros(8, 5)[::2].uniform_(),
    lambda: fill_part(slice(1, 3)),
    lambda: fill_part((slice(None), 1)),
    lambda: F.dropout(torch.ones(4, 5), 0.3),
    lambda: F.dropout(torch.ones(4, 5).t(), 0.3),
    lambda: F.dropout1d(torch.ones(2, 3, 2)),
    lambda: F.dropout2d(torch.ones(2, 3, 2, 1)),
    lambda: F.dropout3d(torch.ones(2, 3, 2, 1, 1)),
    lambda: F.alpha_dropout(torch.ones(8), 0.5, True),
    lambda: F.feature_alpha_dropout(torch.ones(2, 6, 1), 0.5, True),
    lambda: F.gumbel_softmax(torch.ones(4)),
    lambda: F.gumbel_softmax(torch.ones(3, 4), hard=True),
    lambda: F.scaled_dot_product_attention(*[torch.ones(1, 2, 3)] * 3, dropout_p=0.5),
    lambda: nn.Dropout(0.4)(torch.ones(9)),
    lambda: nn.Linear(3, 2).weight,
    lambda: nn.Linear(3, 2).bias,
    lambda: nn.Conv2d(2, 3, 3).bias,
    lambda: nn.ConvTranspose1d(2, 3, 3).weight,
    lambda: nn.Embedding(5, 3).weight,
    lambda: nn.Bilinear(2, 3, 2).weight,
    lambda: nn.LSTM(3, 2).bias_hh_l0,
    lambda: nn.GRUCell(3, 2).bias_hh,
    lambda: nn.MultiheadAttention(4, 2).out_proj.weight,
    lambda: nn.TransformerEncoderLayer(4, 2, 8).linear2.weight,
    lambda: nn.init.sparse_(torch.empty(6, 3), 0.5),
    lambda: nn.init.orthogonal_(torch.empty(5, 3)),
    lambda: nn.init.trunc_normal_(torch.empty(3, 5), a=1.0, b=2.0),
)
for name in ("kaiming_uniform_", "kaiming_normal_", "xavier_uniform_", "xavier_normal_", "orthogonal_", "trunc_normal_"):
    draw(lambda name=name: getattr(nn.init, name)(torch.empty(3, 5)))
draw(
    lambda: D.Normal(torch.zeros(3), 1.0).sample((2,)),
    lambda: D.Uniform(0.0, 2.0).sample((3,)),
    lambda: D.Categorical(torch.tensor([0.1, 0.2, 0.7])).sample((7,)),
    lambda: D.Bernoulli(0.3).sample((7,)),
    lambda: D.Gumbel(0.0, 1.0).sample((3,)),
    lambda: D.MultivariateNormal(torch.zeros(2), torch.eye(2)).sample((3,)),
    lambda: D.Multinomial(5, torch.tensor([0.1, 0.2, 0.7])).sample((3,)),
    lambda: D.Exponential(2.0).sample((5,)),
    lambda: D.Cauchy(1.0, 2.0).sample((5,)),
    lambda: D.HalfCauchy(2.0).sample((5,)),
    lambda: D.Laplace(1.0, 2.0).sample((5,)),
    lambda: D.Geometric(0.2).sample((5,)),
    lambda: D.Poisson(torch.tensor([0.5, 3.0, 30.0])).sample((3,)),
    lambda: D.Binomial(torch.tensor([2.0, 100.0]), torch.tensor([0.9, 0.4])).sample((4,)),
    lambda: D.NegativeBinomial(3, torch.tensor([0.9, 0.4])).sample((4,)),
    lambda: D.Gamma(torch.tensor([0.1, 0.9, 7.0]), 2.0).sample((3,)),
    lambda: D.Gamma(torch.tensor([0.1, 0.9, 7.0]).double(), 2.0).sample((3,)),
    lambda: D.Chi2(torch.tensor([1.0, 5.0])).sample((4,)),
    lambda: D.Beta(torch.tensor([0.2, 5.0]), 2.0).sample((4,)),
    lambda: D.Dirichlet(torch.tensor([0.2, 5.0, 1.0])).sample((3,)),
    lambda: D.StudentT(3.0, 1.0, 2.0).sample((5,)),
    lambda: D.VonMises(torch.tensor([0.0, 1.0]), torch.tensor([0.5, 4.0])).sample((4,)),
    lambda: D.MixtureSameFamily(D.Categorical(torch.ones(3)), D.Normal(torch.arange(3.0), 0.1)).sample((5,)),
    lambda: D.RelaxedBernoulli(0.5, torch.tensor(0.3)).sample((5,)),
    lambda: D.RelaxedOneHotCategorical(0.5, torch.tensor([0.3, 0.7])).sample((4,)),
    lambda: D.OneHotCategorical(torch.tensor([0.3, 0.7])).sample((4,)),
    lambda: D.LogisticNormal(torch.zeros(2), torch.ones(2)).sample((3,)),
    lambda: D.ContinuousBernoulli(torch.tensor([0.2, 0.5])).sample((3,)),
    lambda: D.FisherSnedecor(torch.tensor([1.5, 5.0]), 3.0).sample((3,)),
    lambda: D.GeneralizedPareto(0.5, torch.tensor([1.5, 5.0]), 0.3).sample((3,)),
    lambda: D.InverseGamma(torch.tensor([1.5, 5.0]), 0.3).sample((3,)),
    lambda: D.Kumaraswamy(torch.tensor([1.5, 5.0]), 0.3).sample((3,)),
    lambda: D.Pareto(torch.tensor([1.5, 5.0]), 1.3).sample((3,)),
    lambda: D.Weibull(torch.tensor([1.5, 5.0]), 1.3).sample((3,)),
    lambda: D.LKJCholesky(3, torch.tensor([1.5, 5.0])).sample(),
    lambda: D.Wishart(torch.tensor([4.5, 3.5]), torch.eye(2)).sample((2,)),
    lambda: D.Wishart(torch.tensor(2.5), torch.eye(3)).sample((2,)),
    lambda: D.Wishart(torch.tensor(4.5), torch.eye(2)).sample(),
    lambda: D.LowRankMultivariateNormal(torch.zeros(3), torch.ones(3, 1), torch.ones(3)).sample((2,)),
    lambda: torch._standard_gamma(torch.tensor([0.1, 0.9, 7.0])),
    lambda: torch._sample_dirichlet(torch.tensor([[0.1, 0.9, 7.0], [1.0, 1.0, 1.0]])),
)
for dtype in (torch.float16, torch.bfloat16):
    draw(*(lambda n=n: torch.randn(n, dtype=dtype) for n in (5, 16, 17, 50)), lambda: torch.zeros(3, 7, dtype=dtype).normal_(1, 2))
draw(
    lambda: torch.ones(9).multinomial(3),
    lambda: torch.feature_dropout(torch.ones(2, 9, 2), 0.4, True),
    lambda: torch.feature_alpha_dropout(torch.ones(2, 9, 2), 0.4, True),
    lambda: torch.feature_dropout_(torch.ones(2, 9, 2), 0.4, True),
    lambda: torch.feature_alpha_dropout_(torch.ones(2, 9, 2), 0.4, True),
    lambda: torch.native_dropout(torch.ones(9), 0.4, True)[0],
    lambda: torch.native_dropout(torch.ones(9), 0.4, True)[1].int(),
    lambda: nn.LSTM(3, 4, num_layers=2, dropout=0.5)(torch.ones(5, 2, 3))[0],
    lambda: nn.TransformerEncoderLayer(4, 2, 8, dropout=0.5)(torch.ones(3, 2, 4).cumsum(-1)),
    *(
        lambda dtype=dtype: torch.testing.make_tensor((2, 5), dtype=dtype, device="cpu")
        for dtype in (torch.float32, torch.float64, torch.complex64, torch.int64, torch.uint8, torch.bool, torch.bfloat16)
    ),
    lambda: torch.testing.make_tensor(5, device="cpu", dtype=torch.int8, low=-2, high=3, exclude_zero=True),
    lambda: torch.testing.make_tensor(2, 5, device="cpu", dtype=torch.float32, low=0, noncontiguous=True),
)
chances = torch.full((3, 4), 0.3)
for rates in (chances * 5, chances * 50, chances.double() * 5, chances.half(), torch.arange(3.0).expand(4, 3)):
    draw(lambda: torch.poisson(rates), lambda: torch.poisson(rates.t(), generator=source))
for count in (3.0, 40.0, 1000.0):
    for chance in (chances, 1 - chances, chances.double(), torch.tensor([0.0, 0.5, 1.0])):
        draw(lambda: torch.binomial(torch.full_like(chance, count), chance))
x = torch.linspace(-2, 1, 9)
draw(
    lambda: F.rrelu(x, training=True),
    lambda: torch.rrelu(x.reshape(3, 3).t(), 0.1, 0.9, True),
    lambda: nn.RReLU()(x.double()),
    lambda: nn.RReLU(0.2, 0.4, inplace=True)(x.clone()),
    lambda: F.fractional_max_pool2d(torch.arange(128.0).reshape(2, 1, 8, 8), 2, output_size=3),
    lambda: F.fractional_max_pool2d(torch.arange(64.0).double().reshape(1, 8, 8), 2, output_ratio=(0.6, 0.5)),
    lambda: F.fractional_max_pool3d(torch.arange(216.0).reshape(1, 6, 6, 6), 2, output_size=3),
)
numbers = data.TensorDataset(torch.arange(7))


def epochs(**options):
    loader = data.DataLoader(numbers, shuffle=True, **options)
    return [int(each) for _ in range(2) for batch in loader for each in batch[0]]


draw(
    lambda: epochs(),
    lambda: epochs(batch_size=3, generator=torch.Generator().manual_seed(1)),
    lambda: list(data.RandomSampler(range(7), True)),
    lambda: list(data.WeightedRandomSampler([0.1, 0.5, 0.4], 7)),
    lambda: list(data.SubsetRandomSampler(range(7))),
    lambda: list(data.random_split(range(9), [4, 5])[0]),
)
torch.manual_seed(1)
torch.randn(3)
state = torch.get_rng_state()
first = torch.randn(3)
torch.set_rng_state(state)
print("line ok", torch.equal(first, torch.randn(3)), say(state), int(state.long().sum()))
with torch.random.fork_rng():
    torch.rand(3)
print("line ok", say(torch.rand(2)), torch.initial_seed(), torch.default_generator.initial_seed())
source.set_state(torch.get_rng_state())
print("line ok", say(torch.rand(2, generator=source)), say(torch.rand(2)), torch.manual_seed(9).initial_seed())
x = torch.ones(20, requires_grad=True)
torch.utils.checkpoint.checkpoint(lambda x: F.dropout(x) * x, x, use_reentrant=False).sum().backward()
print("line ok", say(x.grad), say(torch.rand(1)))
