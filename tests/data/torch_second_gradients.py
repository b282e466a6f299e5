"""Gradients of gradients, one line of output for each function.

Run by tests/test_unit_pieces.py: `python torch_second_gradients.py`, or with the path of a unit
to run under Paddle's proxy.
"""

import sys
import warnings

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
from torch.nn import functional as F

warnings.simplefilter("ignore")


def show(name, make):
    try:
        made = make()
    except Exception as error:
        made = type(error).__name__
    print(name, made)


def rounded(value):
    if isinstance(value, torch.Tensor):
        value = torch.view_as_real(value.resolve_conj()) if value.is_complex() else value
        return [round(each, 3) + 0.0 for each in value.detach().flatten().tolist()]
    return [rounded(each) for each in value]


def outputs(function, *inputs):
    made = function(*inputs)
    return [made] if isinstance(made, torch.Tensor) else [each for each in made if each.requires_grad]


def way(like, step):
    """A direction that is no gradient's own: exact numbers."""
    values = (torch.arange(like.numel(), dtype=torch.float64) * step % 7 - 3) / 4
    values = values.reshape(like.shape)
    return torch.complex(values, values.flip(0)) if like.is_complex() else values


def seconds(function, *inputs):
    """The gradients of the gradients, with respect to the inputs and the directions."""
    made = outputs(function, *inputs)
    ways = [way(each, 5).requires_grad_() for each in made]
    first = torch.autograd.grad(made, inputs, ways, create_graph=True)
    targets = [*inputs, *ways]
    again = [each for each in first if each.requires_grad]
    ways = [way(each, 3) for each in again]
    found = torch.autograd.grad(again, targets, ways, allow_unused=True)
    pairs = zip(found, targets, strict=True)
    return rounded([torch.zeros_like(like) if made is None else made for made, like in pairs])


def leaf(*values, dtype=torch.float64):
    return torch.tensor(values, dtype=dtype).requires_grad_()


x = leaf([0.5, -1.5, 2.25], [1.75, 0.25, -0.75])
small = leaf([0.5, -0.25], [0.125, 0.75])
above = leaf([1.5, 2.25], [3.5, 1.25])
square = leaf([2.0, 0.5, 0.25], [0.5, 3.0, -0.5], [0.25, -0.5, 2.5])
image = ((torch.arange(32, dtype=torch.float64) * 7 % 32) / 8 - 1).reshape(1, 2, 4, 4).requires_grad_()
kernel = ((torch.arange(16, dtype=torch.float64) * 5 % 16) / 8 - 1).reshape(2, 2, 2, 2).requires_grad_()
label = torch.tensor([2, 0])

for name in "log1p log2 log10 lgamma digamma sqrt rsqrt acosh reciprocal".split():
    show(name, lambda: seconds(getattr(torch, name), above))
for name in "asin acos atan asinh atanh sinh cosh tan expm1 erf erfinv i0 sigmoid tanh square".split():
    show(name, lambda: seconds(getattr(torch, name), small))
for name in "tril triu trace flatten flip cumprod sort amax amin max min mT diagonal".split():
    of = {"cumprod": lambda a: a.cumprod(0), "flip": lambda a: a.flip(0), "mT": lambda a: a.mT @ a}
    show(name, lambda: seconds(of.get(name, lambda a: getattr(a * a, name)()), square))
for name in "logsigmoid softsign gelu selu mish silu softplus elu hardswish hardtanh".split():
    show(name, lambda: seconds(getattr(F, name), x))
matrices = {
    "inv": torch.linalg.inv,
    "det": torch.linalg.det,
    "slogdet": lambda a: torch.linalg.slogdet(a)[1],
    "cholesky": lambda a: torch.linalg.cholesky((a + a.mT) / 2),
    "eigh": lambda a: torch.linalg.eigh((a + a.mT) / 2)[0],
    "svd": torch.linalg.svdvals,
    "qr": lambda a: torch.linalg.qr(a)[1].abs(),
    "matrix_power": lambda a: torch.linalg.matrix_power(a, -2),
    "mv": lambda a: torch.mv(a, a[0]),
    "dot": lambda a: torch.dot(a[0], a[1]),
    "norm": lambda a: torch.linalg.norm(a, dim=1),
}
for name, function in matrices.items():
    show(name, lambda: seconds(function, square))
show("solve", lambda: seconds(torch.linalg.solve, square, leaf([1.0], [0.5], [-1.0])))
triangular = lambda a, b: torch.linalg.solve_triangular(a, b, upper=True)
show("triangular", lambda: seconds(triangular, square, x.mT.detach().requires_grad_()))
show("einsum", lambda: seconds(lambda a, b: torch.einsum("ij,kj->ik", a, b), x, square))
layers = {
    "softmax": lambda a: a.softmax(1),
    "log_softmax": lambda a: a.log_softmax(1),
    "logsumexp": lambda a: a.logsumexp(1),
    "cross_entropy": lambda a: F.cross_entropy(a, label),
    "nll_loss": lambda a: F.nll_loss(a * a, label),
    "layer_norm": lambda a: F.layer_norm(a, (3,)),
    "kl_div": lambda a: F.kl_div(a, a.softmax(1), reduction="sum"),
    "binary": lambda a: F.binary_cross_entropy(a.sigmoid(), torch.full_like(a, 0.25)),
    "logits": lambda a: F.binary_cross_entropy_with_logits(a, torch.full_like(a, 0.25)),
    "prelu": lambda a: F.prelu(a, a[0, :1] * a[0, 1]),
    "topk": lambda a: (a * a).topk(2)[0],
    "gather": lambda a: (a * a).gather(1, torch.tensor([[0, 0], [2, 1]])),
    "prod": lambda a: a.prod(1),
    "power": lambda a: (a * a) ** a,
    "roll": lambda a: a.roll(1, 1) * a,
    "embedding": lambda a: F.embedding(torch.tensor([0, 1, 1]), a * a),
    "median": lambda a: (a * a).median(1)[0],
    "std": lambda a: a.std(1),
}
for name, function in layers.items():
    show(name, lambda: seconds(function, x))
images = {
    "conv_transpose2d": lambda a, b: F.conv_transpose2d(a, b),
    "grouped": lambda a, b: F.conv2d(a, b[:, :1], groups=2),
    "max_pool2d": lambda a, b: F.max_pool2d(a * a, 2),
    "avg_pool2d": lambda a, b: F.avg_pool2d(a * a, 2),
    "group_norm": lambda a, b: F.group_norm(a, 2),
    "pixel_shuffle": lambda a, b: F.pixel_shuffle((a * a).reshape(1, 8, 2, 2), 2),
    "interpolate": lambda a, b: F.interpolate(a * a, scale_factor=2, mode="bilinear"),
    "unfold": lambda a, b: F.unfold(a * a, 2, stride=2),
    "pad": lambda a, b: F.pad(a * a, (1, 0), value=2.0),
}
for name, function in images.items():
    show(name, lambda: seconds(lambda a, b: function(a, b) + 0 * b.sum(), image, kernel))

z = torch.tensor([[0.5 + 0.25j, -1.5j], [0.25 - 0.5j, 2.0 + 1.0j]], dtype=torch.complex128).requires_grad_()
numbers = {
    "products": lambda a: a * a.conj() * a,
    "quotient": lambda a: a / (1 + a * a),
    "matmul": lambda a: a.mT @ a,
    "scaled": lambda a: (2j * a).exp(),
    "power": lambda a: a**3,
    "abs": lambda a: (a + 3).abs(),
    "angle": lambda a: (a + 3).angle(),
    "parts": lambda a: a.real * a.imag,
    "complex": lambda a: torch.complex(a.real, a.real * a.imag),
    "fft": lambda a: torch.fft.fft(a) ** 2,
    "inverse": torch.linalg.inv,
    "sin": lambda a: a.sin() + a.cos().tanh(),
    "method": lambda a: a.square().sigmoid(),
    "one over": lambda a: 1 / a,
}
for name, function in numbers.items():
    show(f"complex {name}", lambda: seconds(function, z))


def of_order(order, function):
    made = function(x * x + 0.5)
    for _ in range(order):
        (made,) = torch.autograd.grad(made.sum(), x, create_graph=True)
    return rounded(made)


def written():
    made = torch.zeros(2, 3, dtype=torch.float64)
    made[0] = x[0] * x[1]
    return made * made


def changed():
    made = (x * x).clone()
    through = made.log1p()
    made.add_(1)
    return torch.autograd.grad(through.sum(), x, create_graph=True)


for name in "log1p sin sigmoid sqrt rsqrt square reciprocal tanh exp log erf".split():
    show(f"fourth {name}", lambda: of_order(4, getattr(torch, name)))
show("fourth quotient", lambda: of_order(4, lambda a: a / (a + 2) + 1 / a + a**5))
show("third relu", lambda: of_order(3, lambda a: (a**4 - 1).relu()))
first = lambda a, b: torch.autograd.grad((F.conv2d(a, b) ** 3).sum(), a, create_graph=True)[0]
show("third conv2d", lambda: seconds(lambda a, b: first(a, b).sum(), image, kernel))
show("third softplus", lambda: of_order(3, F.softplus))
show("written", lambda: seconds(lambda a: written(), x))
show("changed", changed)
none = leaf([0.0, 0.5], [-1.0, 0.0])
for exponent in (0, 1, 2, 3):
    show(f"power {exponent}", lambda: seconds(lambda a: a**exponent, none))
    power = torch.full_like(none, float(exponent or 4))
    show(f"tensor power {exponent}", lambda: seconds(lambda a: a**power, none))
wide, stack, rows = (torch.linspace(-1, 1, 24).reshape(*each).requires_grad_() for each in ((2, 3, 4), (1, 3, 2, 4), (6, 4)))
show("einsum of a row", lambda: seconds(lambda a, b: torch.einsum("...ij,...j->...i", a, b), stack, wide[:, :, None, 0, None] * wide[:, None]))
show("diagonal", lambda: seconds(lambda a: torch.einsum("i...i->...", a[..., :2]), wide))
show("matmul of stacks", lambda: seconds(lambda a, b: a @ b[..., None], stack, wide))
show("matmul of one", lambda: seconds(lambda a, b: a @ b.mT, rows, wide))
show("power of integers", lambda: seconds(lambda a: a[..., None] ** torch.arange(3), x))
show("quotient of another dtype", lambda: seconds(lambda a: a.float() / (a * a + 1), x))


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def beside(make):
    """The gradient of one tensor that is joined with what has another one, by a function of Python."""
    other = leaf(0.5, 1.5)
    joined = torch.cat((Twice.apply(make(1 + other.abs())), x.flatten() ** 3, (1 + other) / other))
    (gradient,) = torch.autograd.grad(joined.sum(), x, create_graph=True)
    return torch.autograd.grad(gradient.sum(), x)[0].tolist()


for name, make in {
    "scale": lambda a: a, "view": lambda a: a.view(2), "where": lambda a: torch.where(a > 0, a, a),
    "cast": lambda a: a.float().double().to(x.dtype), "slice": lambda a: a[:], "nested": Twice.apply,
}.items():  # fmt: skip
    show(f"beside a function of {name}", lambda: beside(make))


def written(a):
    swish = torch.sigmoid_(a * 3)
    kept = torch.zeros(2, 2, dtype=a.dtype)
    kept.copy_(a.reshape(2, 2)[:, :1] ** 3 if a.numel() == 4 else a.sum() ** 3)
    return (a * swish).div_(1.1).sum() + torch.nn.functional.relu(kept * a.sum(), inplace=True).sum()


show("what is written to", lambda: seconds(written, x))
show("what is written to a leaf", lambda: seconds(lambda a: torch.zeros(3).copy_(a.sum() ** 3), x))


def written_apart(step):
    """An operand is written to that only the gradient of the other one reads, which none asks for."""

    def made(a):
        parts, sizes = a.reshape(-1) * 1, torch.full((2,), 2.0, dtype=a.dtype)
        first = step(parts[:2], sizes)
        parts[:2] -= first
        return (parts**3).sum()

    return made


for name, step in {
    "quotient": lambda a, b: a / b, "divisor": lambda a, b: b / a,
    "both": lambda a, b: a * a, "matrices": lambda a, b: a @ b.diag(),
}.items():  # fmt: skip
    show(f"what is written to beside a {name}", lambda: seconds(written_apart(step), x))


def passed_twice():
    shared = x.detach().clone().requires_grad_()
    squared = shared * shared
    (squared * 2).sum().backward()
    return (squared * 3).sum().backward()


show("what was freed by a pass", passed_twice)


def of_halves():
    halves = torch.tensor([1.0, 2.0, 4.0]).half().requires_grad_()
    made = halves / halves.detach() + halves**2 + 2 / halves + halves / torch.tensor([4, 2, 1])
    made.sum().backward()
    return halves.grad.tolist()


show("quotients and powers of halves", of_halves)


def of_scattered(kind, own):
    base = torch.tensor([1.0, 2, 3, 4], requires_grad=True)
    source = torch.tensor([5.0, 0.5, 7, 7, -2], requires_grad=True)
    made = base.scatter_reduce(0, torch.tensor([0, 0, 1, 1, 2]), source, kind, include_self=own)
    first = torch.autograd.grad((made**2).sum(), (base, source), create_graph=True)
    second = torch.autograd.grad(sum((each**2).sum() for each in first), (base, source))
    return [[round(number, 1) + 0.0 for number in each.tolist()] for each in (*first, *second)]


for kind in ("sum", "mean", "amax", "amin", "prod"):
    for own in (True, False):
        show(f"scattered by {kind}", lambda kind=kind, own=own: of_scattered(kind, own))
