"""What torch gives of sparse tensors, one line each.

Run by tests/test_compat_package.py: `python torch_sparse.py`, or with the path of a unit to run under
Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import copy
import io
import pickle
import warnings

import numpy
import torch
from torch import nn

warnings.simplefilter("ignore")


def plain(found):
    if isinstance(found, (tuple, list)):
        return [plain(each) for each in found]
    if not isinstance(found, torch.Tensor):
        return found
    found = found.detach()
    kind = tuple(found.shape), str(found.dtype)
    if found.layout == torch.sparse_csr:
        return "csr", *kind, found.crow_indices().tolist(), found.col_indices().tolist(), plain(found.values())
    if found.layout == torch.sparse_coo:
        parts = found._indices().tolist(), plain(found._values())
        return "coo", *kind, found.is_coalesced(), found.sparse_dim(), *parts
    values = found.flatten().tolist()
    return *kind, [float(f"{value:.4g}") + 0.0 for value in values] if found.is_floating_point() else values


def show(make):
    try:
        found = plain(make())
    except Exception as error:
        found = type(error).__name__, str(error).partition("backend.")[0].partition("\n")[0]
    print(sys._getframe(1).f_lineno, found)


at = torch.tensor([[0, 1, 1], [2, 0, 2]])
s = torch.sparse_coo_tensor(at, torch.tensor([3.0, 4.0, 5.0]), (2, 3))
c = s.coalesce()
z = torch.sparse_coo_tensor(torch.tensor([[1, 0, 0], [2, 1, 1]]), torch.tensor([3.0, 4.0, 5.0]), (2, 3))
h = torch.sparse_coo_tensor(at, torch.arange(6.0).reshape(3, 2), (2, 3, 2))
n = torch.sparse_coo_tensor((2, 3))
i = s.long()
r = s.to_sparse_csr()
d = torch.arange(6.0).reshape(2, 3)
e = torch.arange(12.0).reshape(3, 4)
v = torch.tensor([1.0, 2.0, 3.0])
every = (s, c, z, h, n, i, r)


def of_all(function):
    """What a function gives of every one, or its error."""
    for x in every:
        show(lambda x=x: function(x))


# Their parts
show(
    lambda: (
        s.is_coalesced(),
        c.is_coalesced(),
        z.is_coalesced(),
        n.is_coalesced(),
        r.layout,
        r.is_sparse,
        r.is_sparse_csr,
    )
)
show(lambda: (s.shape, s.dim(), s.numel(), s._nnz(), s.sparse_dim(), h.dense_dim(), s.is_sparse, s.layout, s.dtype))
show(lambda: torch.sparse_coo_tensor([[1], [1]], [1.0], (2, 2)).is_coalesced())
show(lambda: torch.sparse_coo_tensor([[1, 0], [1, 0]], [1.0, 2.0], (2, 2), is_coalesced=True).is_coalesced())
show(lambda: s.values())
show(lambda: s.indices())
show(lambda: (c.values(), c.indices()))
show(lambda: d.values())
show(lambda: d.indices())
show(lambda: d.coalesce())
show(lambda: d.is_coalesced())
show(lambda: d._nnz())
show(lambda: r.indices())
show(lambda: s.crow_indices())
show(
    lambda: (
        d.to_sparse(),
        d.to_sparse(1),
        d.to_sparse_coo(),
        torch.tensor(3.0).to_sparse(),
        torch.zeros(2, 2).to_sparse(),
    )
)
show(lambda: d.to_sparse(layout=torch.sparse_csr))
show(lambda: s.to_sparse(1))
show(lambda: [x.coalesce() for x in every[:6]])
show(lambda: [x.to_dense() for x in every])
show(lambda: [x.to_sparse() for x in (s, z, r)])
show(lambda: [x.to_sparse_csr() for x in (s, z, i)])
for x in (*every, s.double(), s.clone().requires_grad_(), torch.sparse_coo_tensor((0, 3)), r.double()):
    print(x)
print(torch.sparse_coo_tensor(torch.arange(2000)[None], torch.arange(2000.0)))
show(lambda: (s.type(), i.type(), isinstance(s, torch.sparse.FloatTensor), isinstance(i, torch.sparse.FloatTensor)))

# How they are made
show(lambda: torch.sparse_coo_tensor(numpy.array([[0, 1], [1, 0]]), numpy.array([1.0, 2.0]), (2, 2)))
show(lambda: torch.sparse_coo_tensor([[0, 1], [1, 0]], [1, 2], torch.Size([2, 2]), dtype=torch.float16))
show(lambda: torch.sparse_coo_tensor(at.int(), torch.ones(3, 2)))
show(lambda: torch.sparse_coo_tensor(at, torch.ones(2), (2, 3)))
show(lambda: torch.sparse_coo_tensor(at, torch.ones(3), (2, 2), check_invariants=True))
show(lambda: torch.sparse_coo_tensor(at - 1, torch.ones(3), (2, 3), check_invariants=True))
show(
    lambda: (lambda x: (x.is_leaf, x.requires_grad))(
        torch.sparse_coo_tensor(at, torch.ones(3), (2, 3), requires_grad=True)
    )
)
show(lambda: torch.sparse_csr_tensor([0, 1, 3], [2, 0, 2], [1.0, 2.0, 3.0]))
show(lambda: torch.sparse_coo_tensor(size=(2, 3)))

# To other dtypes, and copies
of_all(lambda x: (x.double(), x.half(), x.int(), x.to(torch.float64), x.type(torch.float64), x.float(), x.to(x)))
of_all(lambda x: (x.clone(), x.detach(), x.cpu(), x.data, torch.tensor(x)))
show(lambda: (s.to(torch.float32) is s, s.to(torch.float64) is s, torch.as_tensor(s) is s, s.cpu() is s))
show(lambda: (s.to(torch.float32, copy=True) is s, s.to("cpu", torch.float64).dtype, s.to("cpu").dtype))
show(lambda: [copy.deepcopy(x) for x in every[:6]])
show(lambda: [pickle.loads(pickle.dumps(x)) for x in every])
show(lambda: [torch.zeros_like(x) for x in every])
show(lambda: torch.empty_like(c))
show(lambda: torch.ones_like(s))
show(
    lambda: (
        torch.zeros(2, 3, layout=torch.sparse_coo),
        torch.zeros((4,), layout=torch.sparse_coo, dtype=torch.float64),
    )
)
show(lambda: torch.zeros_like(s, layout=torch.strided))
show(lambda: s.new_zeros(3, 4))
show(lambda: s.numpy())
show(lambda: s.tolist())
show(lambda: s.item())
show(lambda: s.contiguous())


def loaded(x):
    file = io.BytesIO()
    torch.save(x, file)
    file.seek(0)
    return torch.load(file)


show(lambda: [loaded(x) for x in every])
show(lambda: loaded({"a": [s, d]})["a"])

# Products
of_all(lambda x: x @ e)
of_all(lambda x: x @ v)
of_all(lambda x: e.t() @ x.t())
of_all(lambda x: x is h or (torch.mm(x, e), torch.sparse.mm(x, e), torch.matmul(x, e), torch.mv(x, v)))
of_all(lambda x: x is h or torch.addmm(torch.ones(2, 4), x, e, beta=2, alpha=3))
of_all(lambda x: x is h or torch.sparse.addmm(torch.ones(2, 4), x, e))
show(lambda: [x @ x.t() for x in (s, c, z, n)])
show(lambda: torch.sparse.mm(s, z.t()))
show(lambda: (torch.ones(2) @ s, torch.ones(5, 4, 2) @ s, s.double() @ e.double(), s.half() @ e.half(), i @ e.long()))
show(lambda: torch.bmm(torch.stack([s, z]), torch.stack([e, e + 1])))
show(lambda: (nn.functional.linear(s, e.t()), nn.functional.linear(torch.ones(5, 3), s)))
show(lambda: torch.mm(s, e, out=torch.empty(2, 4)))
show(lambda: s @ e.double())
show(lambda: s @ e.t())
show(lambda: s @ torch.ones(2))
show(lambda: s @ s)
show(lambda: s @ s.t().double())
show(lambda: i @ i.t())
show(lambda: s @ torch.ones(5, 3, 4))
show(lambda: torch.stack([s, s]) @ torch.ones(2, 3, 4))
show(lambda: torch.bmm(torch.stack([s, s]), torch.stack([s, s])))
show(lambda: s[0] @ s[0])
show(lambda: torch.sparse.sampled_addmm(r, torch.ones(2, 5), torch.ones(5, 3), beta=2.0, alpha=3.0))

# Turned, joined and selected
for x in (s, c, z, n, i):
    show(lambda: (x.t(), x.T, x.mT, x.H, x.mH, x.transpose(0, 1), x.permute(1, 0), x.permute(0, 1), x.swapaxes(0, 1)))
    show(lambda: (x.adjoint(), x.movedim(0, 1), torch.transpose(x, 0, -1), torch.t(x)))
    show(lambda: (torch.cat([x, x]), torch.cat([x, s], 1), torch.cat([x, x], dim=-1)))
    show(lambda: (torch.stack([x, x]), torch.stack([x, x], 1), torch.stack([x, x], 2), torch.hstack([x, x])))
    show(lambda: (torch.vstack([x, x]), x.unsqueeze(0), x.unsqueeze(1), x.unsqueeze(-1)))
    show(lambda: (x[0], x[1], x[-1], x[0, 1], x[1][2], x[:, 2], x[1, :], x[None], x.select(1, 0), x[torch.tensor(1)]))
    show(lambda: (list(x), x.unbind(1), len(x)))
    show(lambda: (x.index_select(0, torch.tensor([1, 0, 1])), x.index_select(1, torch.tensor([2]))))
    show(lambda: x.narrow_copy(1, 1, 2))
show(lambda: (h.transpose(1, 0), h[0], h[0, 2], h[:, :, 0], h.unsqueeze(3), torch.cat([h, h], 2), torch.cat([h, h], 1)))
show(lambda: h.transpose(0, 2))
show(lambda: h.permute(2, 0, 1))
show(lambda: torch.stack([s, s]).t())
show(lambda: (r[0], r[1, 2], r[-1]))
show(lambda: (r.t() @ torch.ones(2), r @ r.t().to_dense(), r.t().to_dense()))
show(lambda: torch.cat([s, d]))
show(lambda: torch.stack([s, d]))
show(lambda: torch.cat([s, s.t()]))
show(lambda: torch.cat([s, s.double()]))
show(lambda: s[5])
show(lambda: s[0:1])
show(lambda: s[torch.tensor([0, 1])])
show(lambda: s[d > 1])
show(lambda: s.narrow(0, 0, 1))
show(lambda: s.squeeze())
show(lambda: s.reshape(3, 2))
show(lambda: s.view(3, 2))
show(lambda: s.expand(2, 3))
show(lambda: s.flatten())
show(lambda: s.chunk(2))
show(lambda: s.__setitem__(0, 1.0))
show(lambda: s.transpose(0, 5))

# Element by element
of_all(lambda x: (x * 2, 2 * x, x * 2.5, x * torch.tensor(2.0), x * True, x * (1 + 2j)))
for x in (s, c, z, h, n, i):
    show(lambda: (x / 2, x / torch.tensor(2.0), torch.div(x, 2, rounding_mode="floor"), x // 2))
    show(lambda: (x + x, x - x, x + x.coalesce(), x.add(x, alpha=3), torch.sub(x, x, alpha=2), x * x))
    show(lambda: (-x, x.neg(), +x, x.conj(), abs(x), x.abs(), x.sign(), x.square(), x**2, x.pow(2)))
    show(
        lambda: (
            x.sqrt(),
            x.sin(),
            x.tanh(),
            x.log1p(),
            x.expm1(),
            x.atan(),
            torch.erf(x),
            x.sinh(),
            x.asinh(),
            x.tan(),
        )
    )
    show(lambda: (x.floor(), x.ceil(), x.round(), x.trunc(), x.nan_to_num(), x.deg2rad() if x is not i else 0))
    show(lambda: (x.any(), x.sum(), x.sum((0, 1))))
    show(lambda: (x.sum(0), x.sum(1), x.sum(-1), x.sum(1, dtype=torch.float64), x.sum(0, keepdim=True)))
    show(lambda: (torch.sparse.sum(x), torch.sparse.sum(x, 0), torch.sparse.sum(x, dim=[0, 1])))
for x in (s, c, z, n):
    show(lambda: (x * d, d * x, x * v, v * x, x * torch.tensor([2.0]), c * x, x * s, s * x, x * z))
    show(lambda: (x + s, s + x, z + x, x - c, d + x, d - x, d.add(x, alpha=2)))
    show(
        lambda: (
            torch.relu(x),
            nn.functional.relu(x),
            x**-1,
            x.pow(1.5),
            x.norm(),
            x.norm(1),
            nn.functional.dropout(x, 0.0),
        )
    )
    show(lambda: (torch.sparse.softmax(x, 0), torch.sparse.softmax(x, 1), torch.sparse.log_softmax(x, -1)))
    show(lambda: (d.sparse_mask(x), c.sparse_mask(x), x.sparse_mask(c)))
show(lambda: (torch.sparse.softmax(h, 0), torch.sparse.softmax(h, 2), torch.sparse.softmax(s, 1, dtype=torch.float64)))
show(lambda: (r + r, r * r, r * d, r.sin(), -r, r.abs(), r.sum(), r + d, r.sum(1, keepdim=True)))
show(lambda: torch.sparse.spdiags(torch.arange(1.0, 10.0).reshape(3, 3), torch.tensor([0, -1, 1]), (3, 3)).to_dense())
show(lambda: torch.dist(s, z))
for make in (
    lambda: s + d,
    lambda: s + 1,
    lambda: 1 - s,
    lambda: e + s,
    lambda: s + s.t(),
    lambda: s * s.t(),
    lambda: s / d,
    lambda: s / s,
    lambda: 2 / s,
    lambda: s**0,
    lambda: 2**s,
    lambda: s**s,
    lambda: i.pow(3.5),
    lambda: s.exp(),
    lambda: s.cos(),
    lambda: s.sigmoid(),
    lambda: s > 1,
    lambda: s == s,
    lambda: s != 0,
    lambda: s.max(),
    lambda: s.mean(),
    lambda: s.argmax(),
    lambda: s.prod(),
    lambda: s.all(),
    lambda: s.cumsum(0),
    lambda: s.sort(),
    lambda: s.std(),
    lambda: s.clamp(0, 4),
    lambda: torch.equal(s, s),
    lambda: torch.allclose(s, s),
    lambda: torch.where(s, 1, 0),
    lambda: torch.minimum(s, s),
    lambda: s % 2,
    lambda: s.nonzero(),
    lambda: s.trace(),
    lambda: s.flip(0),
    lambda: s.lerp(s, 0.5),
    lambda: bool(s),
    lambda: r.sum(1),
    lambda: d.sparse_mask(s.t()),
    lambda: s * torch.ones(4, 2),
    lambda: torch.sparse.softmax(i, 1),
    lambda: torch.reciprocal(s),
    lambda: s.repeat(2, 1),
    lambda: i.norm(),
    lambda: s.T.narrow(0, 0, 1),
    lambda: d.copy_(s),
):
    show(make)

# In place
for x in (s, c, z):
    show(
        lambda: (
            x.clone().mul_(2),
            x.clone().div_(2),
            x.clone().add_(x),
            x.clone().sub_(c),
            x.clone().zero_(),
            x.clone().neg_(),
        )
    )
    show(lambda: (x.clone().mul_(d), x.clone().copy_(s), x.clone().sparse_resize_((4, 4), 2, 0)))
    show(lambda: x.clone().sqrt_())
    show(lambda: x.clone().relu_())
    show(lambda: (d.clone().add_(x), d.clone().sub_(x), d.clone().mul_(x)))
show(lambda: s.clone().pow_(2))
show(lambda: s.clone().fill_(0))
y = same = s.clone()
y += c
y *= 2
y -= z
y /= 4
show(lambda: (y is same, y))
w = d.clone()
w += s
w -= z
show(lambda: w)
show(lambda: s.clone().requires_grad_().add_(s))
show(lambda: torch.mul(s, 2, out=s.clone()))

# Gradients
values, dense = torch.tensor([3.0, 4.0, 5.0], requires_grad=True), e.clone().requires_grad_()
weights = torch.arange(8.0).reshape(2, 4)


def gradients(make, *inputs):
    found = make(torch.sparse_coo_tensor(at, values, (2, 3)), dense)
    return torch.autograd.grad((found**2).sum(), inputs or (values, dense))


show(lambda: gradients(lambda m, k: torch.sparse.mm(m, k)))
show(lambda: gradients(lambda m, k: m @ k * weights, dense))
show(lambda: gradients(lambda m, k: torch.addmm(torch.ones(2, 4), m, k), dense))
show(lambda: gradients(lambda m, k: torch.sparse.mm(m, m.t()).to_dense(), values))
show(lambda: gradients(lambda m, k: (m.t() * 2 + z.t() - m.t() / 3).to_dense(), values))
show(lambda: gradients(lambda m, k: (m * m + m.double().float() - m).to_dense(), values))
show(lambda: gradients(lambda m, k: m.coalesce().values(), values))
show(lambda: gradients(lambda m, k: torch.sparse.sum(m, 0).to_dense(), values))
show(lambda: gradients(lambda m, k: torch.sparse.softmax(m, 1).to_dense(), values))
show(lambda: gradients(lambda m, k: torch.sparse.mm(k.to_sparse(), e.t()), dense))
show(lambda: gradients(lambda m, k: torch.sparse.mm(torch.sparse_coo_tensor(z._indices(), values, (2, 3)), k)))
for function in (
    lambda x: x.to_dense(),
    lambda x: torch.sparse.mm(x, e),
    lambda x: (x + x).to_dense(),
    lambda x: torch.sparse.sum(x * 2),
):
    x = s.clone().requires_grad_()
    function(x).sum().backward()
    show(lambda: (x.requires_grad, x.grad.requires_grad, x.grad.layout, x.grad.to_dense()))
    function(x).sum().backward()
    show(lambda: x.grad.to_dense())
    x.grad = None
    show(lambda: x.grad)
    function(x).sum().backward()
    show(lambda: x.grad.to_dense())
show(lambda: ((s.clone().requires_grad_() * 2).requires_grad, (s * 2).requires_grad))

# In modules
module = nn.Module()
module.register_buffer("adjacency", s)
other = nn.Module()
other.register_buffer("adjacency", s * 2)
show(lambda: (other.load_state_dict(module.state_dict()), other.adjacency)[1])
show(lambda: (copy.deepcopy(module).adjacency, module.double().adjacency, module.to(torch.float16).adjacency.dtype))
show(lambda: torch.testing.assert_close(s, s.clone()))
