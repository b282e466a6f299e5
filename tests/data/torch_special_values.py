"""Values far from zero, at zero and NaN, and names of results; one line for each.

Run by tests/test_compat_methods.py under torch, and under Paddle by `python -m porter_compat`.
"""

import torch
from torch.nn import functional as F

SMALLEST = 1e-40  # which is printed: Paddle's exponential of double precision ends at 5.6e-309
FAR = [0.0, -20.0, -70.0, -100.0]


def show(name, function, values, dtype=torch.float32):
    x = torch.tensor(values, dtype=dtype, requires_grad=True)
    try:
        y = function(x)
        y.float().sum().backward()
        every = *y.flatten().tolist(), *x.grad.flatten().tolist()
        said = [f"{0.0 if abs(value) < SMALLEST else value:.3g}" for value in every]
    except Exception as error:
        said = [type(error).__name__]
    print(name, dtype, *said)


for dtype in (torch.float32, torch.float64):
    low = [[0.0, -70.0, -float("inf")], [1.0, 2.0, 3.0]]
    chosen = torch.tensor([1, 0])
    shares = torch.tensor([[0.0, 1.0], [0.5, 0.5]], dtype=dtype)
    show("softmax", lambda x: F.softmax(x, -1)[:, :2], low, dtype)
    show("method", lambda x: x.softmax(1)[:, 1], low, dtype)
    show("masked", lambda x: (x.softmax(1) == 0) * x.clip(-5, 5), low, dtype)
    show("layer", lambda x: torch.nn.Softmax(0)(x)[:, 0], low, dtype)
    show("softmin", lambda x: F.softmin(-x, 1)[:, 0], low, dtype)
    show("cross entropy", lambda x: F.cross_entropy(x, chosen), low, dtype)
    show("of shares", lambda x, y=shares: F.cross_entropy(x[:, :2], y), low, dtype)
for dtype in (torch.float32, torch.float64, torch.bfloat16):
    for name in ("softplus", "logsigmoid", "silu"):
        show(name, getattr(F, name), FAR, dtype)
    show("mish", lambda x: F.mish(x), FAR[:3], dtype)
show("far", lambda x: F.cross_entropy(x, chosen, reduction="none"), [[-1e9, 1e9], [1e9, -1e9]])
show("logsigmoid", F.logsigmoid, [-float("inf"), float("inf"), 5000.0, -5000.0])
show("SiLU", torch.nn.SiLU(), FAR)
show("Softplus", torch.nn.Softplus(2.0), FAR)
show("leaky_relu", F.leaky_relu, [0.0, -2.0, 3.0])
show("leaky_relu_", lambda x: F.leaky_relu(x * 1, 0.2, inplace=True), [0.0, -2.0, 3.0])
show("std", torch.std, [2.0, 2.0])
show("std of rows", lambda x: x.std(1), [[2.0, 2.0], [1.0, 3.0]])
show("std_mean", lambda x: torch.std_mean(x, 1)[0], [[2.0, 2.0], [1.0, 3.0]])
show("atan2", lambda x: torch.atan2(x, x), [0.0, 1.0, -2.0])
show("fmod", lambda x: torch.fmod(x, 2.0), [0.0, 3.0, -3.5])
for name in ("cummax", "cummin"):
    show(name, lambda x, name=name: getattr(torch, name)(x, 0).values, [1.0, 3.0, 2.0])
    print(name, getattr(torch.tensor([1.0, 3.0, 2.0]), name)(0).indices.tolist())
for name in ("eig", "eigh"):
    found = getattr(torch.linalg, name)(torch.diag(torch.tensor([2.0, 5.0])))
    print(name, sorted(found.eigenvalues.abs().tolist()), found.eigenvectors.shape, len(found))
x = torch.tensor([1e-20, 0.0, float("nan"), float("inf"), 1.0])
print("equal", (x == 0).tolist(), (x != 0).tolist(), x.eq(x).tolist(), torch.ne(x, x).tolist())
print("numbers", (0 == x).tolist(), (1 != x).tolist(), (torch.tensor([1, 2]) == 1.5).tolist())
print("double", (x.double() == x).tolist(), x.double().eq(1e-20).tolist())
print("counted", torch.count_nonzero(x).item(), x is None, (x == None) is False)  # noqa: E711
many = torch.full((1 << 17, 2), 4096.1) + torch.arange(2) * 0.5
many[::2] += 0.25
for dim in (0, (0, 1), None):
    print("many", dim, [f"{way(dim).sum().item():.6g}" for way in (many.mean, lambda d: many.sum(d) / 1e6)])
print("many", [f"{each:.4g}" for each in (*many.var(0).tolist(), many.std().item(), many.double().var().item())])
# Small numbers are neither zero nor equal to each other.
for dtype in (torch.float32, torch.float64):
    small = torch.tensor([1e-17, -2e-17, 2e-17], dtype=dtype)
    show("norm", lambda x: x.norm(), small.tolist(), dtype)
    for name, function in {
        "norms": lambda x: torch.stack([torch.linalg.vector_norm(x, p) for p in (0, 1, 1.5, 2, float("inf"))]),
        "norm of rows": lambda x: x[None].norm(dim=1),
        "normalize": lambda x: F.normalize(x, dim=0, eps=0.0),
        "distance": lambda x: F.pairwise_distance(x[None], torch.zeros_like(x)[None], eps=0.0),
        "entr": lambda x: torch.special.entr(x.abs()),
        "std": lambda x: x.std(),
        "prod": lambda x: (x * 1e10).prod(),
        "logsumexp": lambda x: x.abs().log().logsumexp(0),
        "kl_div": lambda x: F.kl_div(x, x.abs().detach(), reduction="sum"),
    }.items():
        show(name, function, small.tolist(), dtype)
    other = small * 2
    print("equal", torch.equal(small, other), torch.equal(small, small.clone()), torch.isclose(small, other, 0, 0).tolist())
    print("allclose", *(torch.allclose(small, other, 0, atol) for atol in (0, 1e-18, 1e-17, 3e-17, 1e-8)))
    print("in place", small.clone().eq_(0).tolist(), small.clone().ne_(0).tolist(), small.clone().eq_(small).tolist())
far = torch.tensor([float("inf"), 1.0, -float("inf"), 1e20])
ones = torch.ones(4)
print("far", F.normalize(far[1::2], dim=0).tolist())
print("far", F.margin_ranking_loss(-far, ones, ones, reduction="none").tolist())
print("far", F.hinge_embedding_loss(far, -ones, reduction="none").tolist())
# Which elements are among others, exactly, also by numbers.
whole, parts = torch.tensor([[1, 2], [3, 4]]), torch.tensor([1.0, 2.5, float("nan"), 1e-20])
operands = (whole, parts, parts.half(), parts.bfloat16(), whole.to(torch.uint8), torch.zeros(0), torch.tensor(2), 2, 2.5)
for elements in (*operands, True, parts.to(torch.complex64)):
    for others in operands:
        try:
            print("isin", torch.isin(elements, others).tolist(), torch.isin(elements, others, invert=True).tolist())
        except Exception as error:
            print("isin", type(error).__name__)
out = torch.zeros(2, 2, dtype=torch.bool)
print("isin", torch.isin(elements=whole, test_elements=whole, assume_unique=True, out=out) is out, out.tolist())
print("isin", torch.isin(whole, test_element=2).tolist(), torch.isin(element=2, test_elements=whole).item())
