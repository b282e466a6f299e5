"""What suites of packages drawn from PyPI ask of torch, one line each, as torch answers.

Run by tests/test_compat_package.py: `python torch_drawn.py`, or with the path of a unit to run under
Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import warnings

import torch
from torch import nn
from torch.functional import F
from torch.nn.modules.conv import F as F_of_conv, Module, Parameter, init

warnings.simplefilter("ignore")


def show(make):
    try:
        found = make()
    except Exception as error:
        found = type(error).__name__, str(error)
    print(sys._getframe(1).f_lineno, found)


def detached(values):
    return [each.detach() for each in values]


# NaN is the largest and the smallest element.
nan, inf = float("nan"), float("inf")
x = torch.tensor([[nan, 1.0, -1.0, inf, -inf], [1.0, 2.0, 3.0, 2.0, 1.0], [5.0, nan, nan, 1.0, 2.0]])
for find in (torch.argmax, torch.argmin, torch.max, torch.min):
    for given in (x, x.double(), x.half(), x.bfloat16()):
        show(lambda: find(given, 1))
    show(lambda: find(x, dim=0))
    show(lambda: find(x, dim=-1, keepdim=True))
    show(lambda: find(x))
    show(lambda: find(x[1]))
    show(lambda: find(torch.tensor(nan), 0))
    show(lambda: torch.vmap(lambda row: find(row, 0))(x))
for find in (torch.max, torch.min):
    y = x.clone().requires_grad_()
    find(y, 1).values.nansum().backward()
    show(lambda: y.grad)
    values, places = torch.empty(3), torch.empty(3, dtype=torch.long)
    find(x, 1, out=(values, places))
    show(lambda: (values, places))
show(lambda: (x.argmax(1), x.argmin(axis=1), x.max(axis=1, keepdims=True)[0]))
show(lambda: (x.aminmax(), torch.aminmax(x, dim=1)))

# einsum of several dtypes, and integers of other kinds for transforms.
a, c = torch.arange(6.0).reshape(2, 3), torch.tensor([1 + 2j, 2j, 3.0])
for equation, operands in (("ij,j->ij", (a, c)), ("i,j->ij", (a[0], c)), ("bij,j->bij", (a[None], c)), ("i,i->i", (a[0].long(), a[0]))):
    show(lambda: torch.einsum(equation, *operands))
for number in (torch.tensor(4), 4):
    for transform in (torch.fft.fft, torch.fft.ifft, torch.fft.hfft):
        show(lambda: transform(c, number))
    for transform in (torch.fft.rfft, torch.fft.irfft):
        show(lambda: transform(a, n=number))
    show(lambda: torch.fft.fft2(a, s=(number, 2)))
show(lambda: torch.fft.fftshift(a, dim=torch.tensor(1)))
show(lambda: torch.sparse_coo_tensor([[0, 1], [1, 2]], [1.0, 2.0], (2, 3), is_coalesced=True).is_coalesced())


# Modules that give their own tensors by torch's names, and layers whose blocks are replaced.
class Named(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 3), nn.Parameter(torch.ones(2))
        self.register_buffer("c", torch.ones(1))

    def named_parameters(self, prefix="", recurse=True):
        return ((name, value) for name, value in super().named_parameters(prefix, recurse) if name != "b")

    def named_buffers(self, prefix="", recurse=True):
        return iter(())

    def forward(self, x):
        return self.a(x)


named = Named()
show(lambda: [value.shape for value in named.parameters()])
show(lambda: ([*named.buffers()], named(torch.ones(1, 2)).shape, named.zero_grad()))
show(lambda: (named.requires_grad_(False) is named, named.b.requires_grad, named.a.weight.requires_grad))
show(lambda: (sorted(named.state_dict()), nn.Sequential(named).double()[0].a.weight.dtype))


class Encoder(nn.TransformerEncoderLayer):
    def _sa_block(self, x, attn_mask, key_padding_mask, is_causal=False):
        return 2 * super()._sa_block(x, attn_mask, key_padding_mask, is_causal)


class Decoder(nn.TransformerDecoderLayer):
    def _mha_block(self, x, mem, attn_mask, key_padding_mask, is_causal=False):
        return 2 * super()._mha_block(x, mem, attn_mask, key_padding_mask, is_causal)

    def _ff_block(self, x):
        return 3 * super()._ff_block(x)


def filled(module):
    for at, value in enumerate(module.parameters()):
        with torch.no_grad():
            value.copy_(torch.linspace(-0.5, 0.7, value.numel()).reshape(value.shape) * (1 + at % 3))
    return module.train()


x = torch.linspace(-1, 1, 24).reshape(2, 3, 4)
for norm_first in (False, True):
    options = {"dim_feedforward": 8, "dropout": 0.0, "norm_first": norm_first, "batch_first": True}
    show(lambda: filled(Encoder(4, 2, **options))(x).detach().mul(1000).round())
    show(lambda: filled(Decoder(4, 2, **options))(x, x.flip(1)).detach().mul(1000).round())
    decoder = filled(nn.TransformerDecoder(Decoder(4, 2, **options), 2))
    show(lambda: decoder(x, x.flip(1), tgt_mask=nn.Transformer.generate_square_subsequent_mask(3)).detach().mul(1000).round())

# Parts of a tensor that are changed in place after they were read.
parts = {"slice": lambda y: y[..., 0:2], "row": lambda y: y[0], "transposed": lambda y: y.t(), "whole": lambda y: y}
for name, part in parts.items():
    for change in "v *= 3;v *= c;v /= c;v **= 2;v += c;v %= 3;v.mul_(c);v.pow_(2)".split(";"):
        z = torch.arange(1.0, 7.0).reshape(2, 3).requires_grad_()
        y = z * 2
        for code in (change, "v *= 2", "v -= 1"):
            exec(code, {"v": part(y), "c": torch.tensor(2.0)})
        (y * y).sum().backward()
        show(lambda: (name, change, z.grad))


# Gradients that a backward pass records itself, also below torch.autograd.grad.
class Implicit(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, w):
        z = a.clone()
        for _ in range(60):
            z = z - (2 * (z - a) + 4 * w * z**3) / (2 + 12 * w * z**2)
        ctx.save_for_backward(a, w, z)
        return z

    @staticmethod
    def backward(ctx, g):
        with torch.enable_grad():
            a, w, z = (each.detach().requires_grad_() for each in ctx.saved_tensors)
            (of_z,) = torch.autograd.grad(((z - a) ** 2 + w * z**4).sum(), z, create_graph=True)
            (second,) = torch.autograd.grad(of_z.sum(), z, retain_graph=True)
            return torch.autograd.grad(of_z, (a, w), -g / second)


a, w = torch.tensor([1.0, 2.0, 0.5], requires_grad=True), torch.tensor(0.3, requires_grad=True)
other = torch.ones(2, requires_grad=True)
show(lambda: torch.autograd.grad(Implicit.apply(a, w).sum(), (a, w)))
show(lambda: torch.autograd.grad((Implicit.apply(a * 2, w + 1) ** 2).sum(), (w, other), allow_unused=True))
show(lambda: (torch.autograd.grad(Implicit.apply(a * 2, w).sum(), a), a.grad, w.grad))
Implicit.apply(a, w).sum().backward()
show(lambda: (a.grad, w.grad))

# Matrices without an inverse.
singular, zeros, one = torch.tensor([[1.0, 2.0], [2.0, 4.0]]), torch.zeros(2, 2), torch.eye(2)
for matrix in (singular, zeros, one, torch.stack([singular, one, zeros])):
    show(lambda: torch.linalg.solve_ex(matrix, torch.ones(2, 1)).info)
    show(lambda: (torch.linalg.inv_ex(matrix).info, torch.linalg.cholesky_ex(matrix).info))
    show(lambda: torch.linalg.solve_ex(matrix, torch.ones(2, 1), check_errors=True))
    for name in ("inv", "cholesky", "inv_ex", "cholesky_ex"):
        show(lambda: getattr(torch.linalg, name)(matrix, **({"check_errors": True} if name[-1] == "x" else {})))
    show(lambda: torch.linalg.solve(matrix, torch.ones(2, 1)))
    show(lambda: torch.inverse(matrix))
show(lambda: torch.linalg.solve_ex(torch.stack([singular, one]), torch.ones(2, 1)).result[1])
show(lambda: torch.isfinite(torch.linalg.inv_ex(torch.stack([singular, one])).inverse).flatten(1).all(1))

# Sequences, and names that torch's modules import.
show(lambda: (torch.ones(2).new(range(2)), torch.ones(2).new_tensor(range(3))))
show(lambda: (F.relu is nn.functional.relu, F_of_conv.pad is F.pad, init.zeros_ is nn.init.zeros_))
show(lambda: (Module is nn.Module, Parameter is nn.Parameter))

# Types of TorchScript, and storages of parts that no graph has.
for name in "Any Bool Complex DeviceObj Float Int None Number String Tensor StreamObj PyObject SymInt SymBool".split():
    kind = getattr(torch, f"{name}Type")
    show(lambda: (kind.get(), kind.get() is kind.get(), kind.get().annotation_str, kind.get().kind(), kind.__mro__[1] is torch.Type))
of_ints, maybe = torch.ListType(torch.IntType.get()), torch.OptionalType(torch.TensorType.get())
show(lambda: (of_ints, of_ints.getElementType(), of_ints == torch.ListType.ofInts(), of_ints == maybe, maybe.annotation_str))
show(lambda: (torch.TupleType([torch.IntType.get(), of_ints]), torch.DictType(torch.StringType.get(), maybe).getValueType()))
show(lambda: (of_ints.isSubtypeOf(torch.AnyType.get()), torch.IntType.get().isSubtypeOf(torch.NumberType.get())))
show(lambda: isinstance(of_ints, torch.Type))
with torch.no_grad():
    x = torch.arange(12.0).reshape(3, 4)
    several = x, x[1:], x.t(), x[1:, 1:3], x[2]
for part in several:
    show(lambda: (part.untyped_storage().nbytes(), part.storage().size(), part.storage().tolist()))
show(lambda: (x.cpu(memory_format=torch.preserve_format) is x, torch.ones(1, 2, 3, 4).cpu(memory_format=torch.channels_last).stride()))
show(lambda: [str(torch.device(name)) + f" {torch.device(name)}" for name in ("cuda", "cuda:1", "cpu", "xpu", "mps")])
show(lambda: (torch.device("cuda").index, torch.device("cuda:0").index, torch.device("cuda", 0), torch.device("cuda")))
for dtype in (torch.float32, torch.float64):
    a, x = torch.tensor([[0.5], [2.0], [12.3], [50.0]], dtype=dtype), torch.tensor([0.01, 0.5, 5.0, 20.0], dtype=dtype)
    show(lambda: [f"{each:.3e}" for each in torch.special.gammainc(a, x).flatten().tolist()])
    show(lambda: [f"{each:.3e}" for each in torch.special.gammaincc(a, x).flatten().tolist()])

# Diagonals and slices that are filled.
x = torch.arange(12.0).reshape(4, 3)
for shape in ((7, 3), (3, 7), (3, 3, 3), (3, 3, 2), (3,), (0, 3)):
    for wrap in (False, True):
        show(lambda: torch.zeros(shape).fill_diagonal_(1, wrap).sum(0))
        show(lambda: torch.zeros(shape, dtype=torch.long).fill_diagonal_(fill_value=2, wrap=wrap).flatten())
show(lambda: torch.zeros(2, 2).fill_diagonal_(-inf))
for source, options in (((2, 3), (0, 1, 3)), ((2, 3), ()), ((4, 2), (1, 0, 3, 2)), ((4, 1), (-1, -1))):
    show(lambda: torch.slice_scatter(x, torch.ones(source), *options))
show(lambda: x.slice_scatter(src=x[:1] + 9, dim=0, start=1, end=2))
a, source = x.clone().requires_grad_(), torch.ones(2, 3, requires_grad=True)
(torch.slice_scatter(a, source, 0, 1, 3) * x).sum().backward()
show(lambda: (a.grad, source.grad))
show(lambda: (x.kron(other=torch.ones(1, 2)), x.rot90(k=1, dims=(0, 1)), x.masked_scatter(mask=x > 3, source=-x)))

# What is refused: too little room, values of a channel, and data that no tensor is made of.
for layer, shape in (
    (nn.Conv1d(3, 4, 7), (1, 3, 5)),
    (nn.Conv2d(3, 4, 7), (1, 3, 5, 5)),
    (nn.Conv2d(3, 4, 3, dilation=3), (3, 5, 5)),
    (nn.Conv2d(3, 4, 3, padding="valid"), (1, 3, 2, 9)),
    (nn.Conv3d(1, 1, 3, padding=(0, 0, 1)), (1, 1, 2, 2, 2)),
    (nn.Conv2d(3, 4, 3), (1, 3, 5, 5, 1)),
    (nn.MaxPool2d(7), (1, 3, 5, 5)),
    (nn.MaxPool2d(2, padding=2), (1, 3, 5, 5)),
    (nn.AvgPool2d(7), (3, 5, 5)),
    (nn.BatchNorm1d(3), (1, 3)),
    (nn.BatchNorm2d(3), (1, 3, 1, 1)),
    (nn.LayerNorm(4), (2, 3)),
    (nn.LayerNorm((3, 4)), (2, 3)),
):
    show(lambda: layer(torch.ones(shape)))
show(lambda: nn.Conv2d(3, 4, 3, padding="same")(torch.ones(1, 3, 1, 1)).shape)
show(lambda: nn.Conv2d(3, 4, 3, padding=1)(torch.ones(1, 3, 1, 1)).shape)
show(lambda: nn.MaxPool2d(3, padding=1)(torch.ones(1, 3, 1, 1)).shape)
show(lambda: nn.MaxPool2d(2)(torch.ones(0, 3, 4, 4)).shape)
show(lambda: nn.BatchNorm1d(3).eval()(torch.zeros(1, 3)).shape)
show(lambda: nn.utils.rnn.pad_sequence([]))
for data in (None, object, "a", ["a"], [1, "a"], [[1], [1, 2]], [[[1]], [[1, 2]]], [None], [[1, 2], [3, None]]):
    show(lambda: torch.tensor(data))
show(lambda: torch.utils.data.Dataset()[0])

# Numbers of NumPy as operands, kernels of attention, none of the largest, and a few eigenvalues.
import numpy as np  # noqa: E402
from torch.nn.attention import SDPBackend, sdpa_kernel  # noqa: E402

x = torch.arange(4.0)
for number in (np.float64(1), np.float32(1), np.int64(1)):
    show(lambda: (torch.ge(x, number), torch.add(x, number), x.add(number), torch.clamp(x, min=number), x.clone().fill_(number)))
show(lambda: [f"{name} {backend.value} {backend}" for name, backend in SDPBackend.__members__.items()])
query = torch.linspace(-1, 1, 12).reshape(1, 1, 3, 4)
with sdpa_kernel([SDPBackend.MATH, SDPBackend.CUDNN_ATTENTION]):
    show(lambda: nn.functional.scaled_dot_product_attention(query=query, key=query, value=query).mul(1000).round())
    show(lambda: (torch.backends.cuda.math_sdp_enabled(), torch.backends.cuda.flash_sdp_enabled()))
half = query.half()
show(lambda: nn.functional.scaled_dot_product_attention(query=half, key=half, value=half).dtype)
show(lambda: (x.topk(0), torch.topk(x.reshape(2, 2), 0, dim=0)))
matrix = torch.diag(torch.tensor([3.0, 1.0, 2.0, 5.0, 4.0, 7.0])).double() + 0.5
for options in ({"k": 2}, {"k": 1, "largest": False}, {"k": 2, "B": torch.diag(torch.arange(1.0, 7.0)).double()}):
    values, vectors = torch.lobpcg(matrix, **options)
    weights = options.get("B", torch.eye(6).double())
    show(lambda: ([f"{each:.5f}" for each in values.tolist()], vectors.shape))
    show(lambda: torch.allclose(matrix @ vectors, weights @ vectors * values, atol=1e-5))
show(lambda: torch.lobpcg(matrix, k=3))


# Parameters and buffers that a layer does without have their names, and None.
def shapes(values):
    return {name: None if value is None else tuple(value.shape) for name, value in values.items()}


for layer in (
    nn.Conv2d(2, 3, 1, bias=False),
    nn.ConvTranspose1d(2, 3, 1, bias=False),
    nn.BatchNorm1d(3, affine=False),
    nn.BatchNorm2d(3, track_running_stats=False),
    nn.LayerNorm(3, elementwise_affine=False),
    nn.LayerNorm(3, bias=False),
    nn.GroupNorm(1, 3, affine=False),
    nn.InstanceNorm1d(3),
    nn.InstanceNorm1d(3, affine=True, track_running_stats=True),
    nn.Bilinear(2, 2, 2, bias=False),
    nn.MultiheadAttention(4, 2, bias=False),
    nn.MultiheadAttention(4, 2, kdim=3),
    nn.LSTMCell(2, 3, bias=False),
    nn.RMSNorm(3, elementwise_affine=False),
):
    show(lambda: (type(layer).__name__, shapes(layer._parameters), shapes(layer._buffers), sorted(layer.state_dict())))
    show(lambda: (len([*layer.double().half().float().parameters()]), layer))


# Parameters of classes that make them in __new__ alone, and sizes by name.
class Doubled(nn.Parameter):
    def __new__(cls, data=None, requires_grad=True, extra=None):
        return super().__new__(cls, data * 2, requires_grad=requires_grad)

    def __init__(self, data, requires_grad=True, extra=None):
        super().__init__()
        self.extra = extra


class Tagged(nn.Parameter):
    def __init__(self, data, requires_grad=True):
        self.tag = "tag"


show(lambda: detached([Doubled(torch.ones(3), extra=5) + 1, Tagged(torch.ones(2)) * 3]))
show(lambda: (Doubled(torch.ones(2), extra=5).extra, Tagged(torch.ones(2)).tag, Tagged(torch.ones(1)).requires_grad))
module = nn.Module()
module.p = Doubled(torch.ones(2))
show(lambda: ([type(value).__name__ for value in module.parameters()], module.double().p.dtype, type(module.p).__name__))
for options in ({"size": (2, 3), "device": "cpu"}, {"size": (2,)}, {"device": "cpu"}):
    show(lambda: torch.Tensor(**options).shape)
show(lambda: torch.Tensor([1, 2], device="cpu"))
for dtype in (torch.float64, torch.float32):
    torch.set_default_dtype(dtype)
    makers = (torch.Tensor([2, 1]), torch.Tensor(2, 3), torch.Tensor(np.ones(2)), torch.Tensor((1, 2)), torch.Tensor())
    show(lambda: ([each.dtype for each in makers], torch.Tensor([[1, 2], [3, 4]]), torch.Tensor(torch.Size([2])).dtype))

# Copies of a tensor of many dimensions, and names of torch's modules.
from torch.autograd.grad_mode import _DecoratorContextManager  # noqa: E402
from torch.nn.modules.module import _EXTRA_STATE_KEY_SUFFIX  # noqa: E402
from torch.utils._pytree import KeyPath, _is_leaf  # noqa: E402, F401

x = torch.arange(8.0).reshape(2, 1, 2, 1, 2, 1)
show(lambda: (x.repeat(1, 2, 1, 3, 1, 2).sum((0, 1)), x.repeat(2, 1, 1, 1, 1, 1, 2).shape, x.repeat(1, 0, 1, 1, 1, 1).shape))
show(lambda: (torch.tile(x, (2, 1, 1, 1, 1, 1, 1))[1].flatten(), x.tile(2).flatten(), x.repeat([1, 1, 1, 4, 1, 1]).flatten()))
y = x.clone().requires_grad_()
z = y.repeat(1, 2, 1, 3, 1, 1, 2) if y.ndim == 7 else y.unsqueeze(0).repeat(1, 2, 1, 3, 1, 1, 2)
(z * torch.arange(z.numel()).reshape(z.shape)).sum().backward()
show(lambda: y.grad.flatten())
show(lambda: (_EXTRA_STATE_KEY_SUFFIX, _is_leaf(1), _is_leaf([1]), isinstance(_DecoratorContextManager, type)))

# A gradient that a hook gets is not the one that backward was given; wrap policies; tiny gradients of rows.
given, x = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
y = x * 2
y.register_hook(lambda gradient: gradient * 3)
y.backward(given)
show(lambda: (x.grad, given.requires_grad))
from torch.distributed.fsdp.wrap import size_based_auto_wrap_policy  # noqa: E402

for module in (nn.ModuleList(), nn.ModuleDict(), nn.MultiheadAttention(4, 2), nn.Linear(2, 2)):
    show(lambda: [size_based_auto_wrap_policy(module, recurse, 10, min_num_params=5) for recurse in (True, False)])
table = nn.Embedding(3, 2, sparse=True)
nn.init.ones_(table.weight)
optimizer = torch.optim.SparseAdam(table.parameters(), lr=0.1)
(table(torch.tensor([1])).sum() * 1e-20).backward()
optimizer.step()
show(lambda: table.weight.detach())
packed = nn.utils.rnn.pack_padded_sequence(torch.ones(2, 2, 2), [2, 1])
with torch.autocast("cpu", dtype=torch.bfloat16):
    show(lambda: nn.LSTM(2, 3)(packed)[0].data.dtype)
show(lambda: (torch.ListType.ofFloats(), torch.ListType.ofTensors(), torch.OptionalType.ofTensor()))
