"""Calls whose answers torch and the polyfill pieces must share; one line of output each.

Run by tests/test_unit_pieces.py: `python torch_semantics.py`, or with the path of a unit to
run under Paddle's proxy, and `late` to import torch before the unit.
"""

import copy
import importlib.metadata
import sys
import types

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    if "late" in sys.argv:
        import torch
    runpy.run_path(sys.argv[1])

import numpy as np
import torch
from torch.testing import assert_close
import torch.testing
import torch.library
import torch.autograd.function

n = 0


def show(f, *a, **k):
    global n
    n += 1
    try:
        r = f(*a, **k)
        print(n, "ok", r)
    except BaseException as e:
        print(n, type(e).__name__, repr(str(e)))


a = torch.tensor([1.0, 2.0, 3.0])
t = torch.tensor
cases = [
    ((a, a + 1), {}),
    ((a, a.double()), {}),
    ((a, torch.ones(2)), {}),
    ((1.0, 2.0), {}),
    (([a], [a, a]), {}),
    (({"x": a}, {"y": a}), {}),
    (([a, a], [a, a + 1e-3]), {}),
    ((a, a + 1), {"rtol": 1e-3}),
    ((t([1, 2]), t([1, 3])), {}),
    ((a, a + 1), {"msg": "hello"}),
    ((a, a + 1), {"msg": lambda m: "X " + m}),
    ((t(1.0), t(2.0)), {}),
    ((1, 1.0), {}),
    ((1, 1.0), {"check_dtype": False}),
    ((True, False), {}),
    ((True, 1), {}),
    (("a", "a"), {}),
    ((None, None), {}),
    ((t(float("nan")), t(float("nan"))), {}),
    ((t(float("nan")), t(float("nan"))), {"equal_nan": True}),
    ((t([True, False]), t([True, True])), {}),
    ((torch.zeros(0), torch.zeros(0)), {}),
    ((t([1.0, float("inf")]), t([1.0, float("inf")])), {}),
    ((t([1.0, float("inf")]), t([1.0, -float("inf")])), {}),
    ((a, a.double()), {"check_dtype": False}),
    ((a.half(), (a + 0.01).half()), {}),
    ((a.bfloat16(), (a * 1.01).bfloat16()), {}),
    ((a.bfloat16(), (a * 1.05).bfloat16()), {}),
    ((t([250, 1], dtype=torch.uint8), t([1, 1], dtype=torch.uint8)), {}),
    ((np.ones(3), np.ones(3) + 1), {}),
    ((np.ones(3, np.float32), np.ones(3)), {}),
    ((a, a * (1 + 1e-6)), {}),
    ((a, a * (1 + 2e-6)), {"rtol": 0, "atol": 1e-9}),
    (({"k": [a, {"z": a}]}, {"k": [a, {"z": a + 1}]}), {}),
    ((a, a + 1), {"rtol": 0, "atol": 0}),
    ((a, a + 1e-3), {"rtol": 0.0, "atol": 1e-2}),
    ((torch.ones(2, 2), t([[1.0, 1.0], [1.0, 2.0]])), {}),
    (((a,), [a]), {}),
    ((a.reshape(3, 1), a), {}),
    ((t([1 + 2j]), t([1 + 3j])), {}),
    ((float("nan"), float("nan")), {"equal_nan": True}),
    ((t([0.0, 1.0]), t([0.0, 0.0])), {}),
    ((2, 3), {}),
    ((np.float32(1), 1.0), {}),
    ((t([-1, 2]), t([-1, 2])), {}),
    ((t([1.0, float("nan")]), t([1.0, 0.0])), {}),
]
for args, k in cases:
    show(assert_close, *args, **k)
show(assert_close, a, "x")
# inference mode
x = torch.ones(2, requires_grad=True)


@torch.inference_mode()
def f(v=1):
    return (x * 2).requires_grad, torch.is_inference_mode_enabled(), torch.is_grad_enabled(), v


@torch.inference_mode
def g():
    "doc"
    return (x * 2).requires_grad


@torch.inference_mode(mode=False)
def h():
    return (x * 2).requires_grad


def outer():
    with torch.inference_mode():
        return h(), torch.is_inference_mode_enabled(), g()


def ng():
    with torch.no_grad():
        with torch.inference_mode(False):
            r = torch.is_grad_enabled()
        return r, torch.is_grad_enabled()


@torch.inference_mode()
def gen():
    y = yield torch.is_inference_mode_enabled(), torch.is_grad_enabled()
    yield y, torch.is_inference_mode_enabled()


def drive():
    q = gen()
    first = next(q)
    mid = torch.is_grad_enabled(), torch.is_inference_mode_enabled()
    return first, mid, q.send(5), list(q)


def boom():
    try:
        with torch.inference_mode():
            raise KeyError(1)
    except KeyError:
        return torch.is_grad_enabled(), torch.is_inference_mode_enabled()


@torch.inference_mode()
def recursive(k):
    return 0 if k == 0 else recursive(k - 1)


for q in (
    f,
    lambda: f(v=3),
    g,
    lambda: (g.__name__, g.__doc__),
    h,
    outer,
    ng,
    drive,
    boom,
    lambda: recursive(3),
    torch.is_inference_mode_enabled,
):
    show(q)
# device
d = torch.device
show(
    lambda: (
        d("cpu").type,
        d(type="cuda", index=1).index,
        d("cuda:1").index,
        d("cuda", 1).type,
        isinstance(a.device, d),
        isinstance("cpu", d),
        isinstance(d("cpu"), d),
        d("cpu") == a.device,
        a.device == d("cpu"),
        str(d("cuda:1")),
        str(d("cpu")),
        d(device="cuda:2").index,
        d(d("cpu")).type,
        hash(d("cpu")) == hash(a.device),
        d("cpu") != d("cuda:0"),
        issubclass(d, d),
    )
)
show(lambda: (d | None) is not None)
show(lambda: torch.zeros(2, device=d("cpu")).device == d("cpu"))
show(lambda: d("nonsense").type)
show(lambda: a.to(d("cpu")).shape[0])
show(lambda: issubclass(type(a.device), d))


def ctx():
    with d("cpu"):
        return torch.zeros(1).device.type


show(ctx)
# equal
for p, q in [((1, 2), (1, 2)), ((1, 2), (1, 3)), ((1, 2), (1, 2, 3)), ((), ()), ((1,), ((1.0,)))]:
    show(lambda: torch.equal(t(p), t(q)))
show(lambda: torch.equal(t([float("nan")]), t([float("nan")])))
show(lambda: torch.equal(torch.ones(1), torch.ones(2)))
show(lambda: torch.equal(torch.ones(1, 3), torch.ones(2, 3)))
show(lambda: torch.equal(torch.zeros(0), torch.zeros(0)))


def oom():
    try:
        raise torch.cuda.OutOfMemoryError("x")
    except torch.OutOfMemoryError as e:
        return str(e)


show(oom)
show(lambda: torch.equal(t([1], dtype=torch.int32), t([1])))
show(lambda: torch.equal(t([True]), t([1])))
show(lambda: torch.equal(t([1 + 0j]), t([1.0])))
show(assert_close, np.float32(1), 1.5)
show(assert_close, 1 + 1j, 1 + 2j)
show(assert_close, 1, 1.0, check_dtype=False)
show(assert_close, torch.ones(2), torch.ones(2), check_stride=True)
show(assert_close, torch.ones(2, 3).t(), torch.ones(3, 2), check_stride=True)
show(assert_close, torch.zeros(3, 0), torch.zeros(0, 3))
show(assert_close, torch.ones(2, dtype=torch.bool), torch.ones(2))
show(assert_close, x, torch.ones(2))
show(torch._check, True)
show(torch._check, False, lambda: "said")
show(torch._check, 1)
show(torch._check_value, False, lambda: "a value")
show(torch._check_index, False, lambda: 7)
show(torch._check_type, False, lambda: "a type")
show(torch.nn.functional.leaky_relu(a - 2, 0.5).tolist)
for f in (torch.nn.functional.relu, torch.nn.functional.leaky_relu, torch.nn.functional.elu):
    b = a - 2
    show(
        lambda: (
            [round(v, 5) for v in f(b, inplace=True).tolist()] == [round(v, 5) for v in b.tolist()]
        )
    )


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, factor):
        ctx.save_for_backward(x, y)
        ctx.factor = factor
        print(n, ctx.needs_input_grad)
        return x * y * factor

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, gradient):
        x, y = ctx.saved_tensors
        print(n, ctx.needs_input_grad, torch.is_grad_enabled())
        return gradient * y * ctx.factor, None, None


b = torch.ones(2, requires_grad=True)
show(lambda: torch.autograd.grad(Scaled.apply(b, torch.ones(2) * 3, 2.0).sum(), b)[0].tolist())


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(x, factor, y=None):
        return x * factor

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.factor = inputs[1]

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.factor, None, None


class Lost(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, gradient):
        return None, gradient


class Few(Lost):
    @staticmethod
    def backward(ctx, gradient):
        return gradient


c = torch.ones(2, requires_grad=True)
show(lambda: torch.autograd.grad(Doubled.apply(b, 2.0).sum(), b)[0].tolist())
show(lambda: torch.autograd.grad(Doubled.apply(b, 2.0, c).sum(), b)[0].tolist())
show(lambda: torch.autograd.grad(Lost.apply(b, c).sum(), c)[0].tolist())
show(lambda: torch.autograd.grad(Lost.apply(b, c).sum(), [b, c], allow_unused=True)[0] is None)


def refused(f):
    try:
        f()
        return False
    except Exception:
        return True


show(lambda: refused(lambda: torch.autograd.grad(Few.apply(b, c).sum(), c)))


@torch.library.custom_op("porter_tests::times", mutates_args=())
def times(x: torch.Tensor, factor: float) -> torch.Tensor:
    return x * factor


def times_backward(ctx, gradient):
    return gradient * ctx.factor, None


def times_context(ctx, inputs, output):
    ctx.factor = inputs[1]


torch.library.register_autograd("porter_tests::times", times_backward, setup_context=times_context)
times = torch.ops.porter_tests.times
show(lambda: times(b, 3.0).tolist())
show(lambda: times.default(b, 3.0).requires_grad)
show(lambda: times(torch.ones(2), 3.0).requires_grad)
show(lambda: torch.autograd.grad(times(b, 3.0).sum(), b)[0].tolist())
told = {"good": lambda x, factor: torch.empty_like(x), "bad": lambda x, factor: x.new_empty([7])}
for name, fake in told.items():

    @torch.library.custom_op(f"porter_tests::{name}", mutates_args=())
    def op(x: torch.Tensor, factor: float) -> torch.Tensor:
        return x * factor

    torch.library.register_fake(f"porter_tests::{name}")(fake)
    op = getattr(torch.ops.porter_tests, name)
    show(
        lambda: (
            bool(torch.library.opcheck(op, (torch.ones(3), 2.0), raise_exception=False)) and name
        )
    )
    said = torch.library.opcheck(op, (torch.ones(3), 2.0), raise_exception=False)
    show(lambda: said["test_faketensor"] == "SUCCESS")


try:
    from torch.testing._internal.common_utils import TestCase
except ModuleNotFoundError as missing:  # torch's own needs a package that may not be there
    assert missing.name == "expecttest"
    import unittest

    class TestCase(unittest.TestCase):
        def assertEqual(self, x, y):
            if isinstance(x, str):
                super().assertEqual(x, y)
            else:
                assert_close(x, y)


class Suite(TestCase):
    def runTest(self):
        pass


suite = Suite()
suite.setUp()
for p, q in [
    (a, a),
    (a, a + 1),
    ([a, 1], [a, 1]),
    ("a", "a"),
    ("a", "b"),
    (1.0, 1.0 + 1e-9),
    (1, 2),
]:
    try:
        suite.assertEqual(p, q)
        show(lambda: "equal")
    except AssertionError:
        show(lambda: "not equal")
for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int16, torch.bool, torch.uint8):
    e = torch.ones(3).to(dtype)
    show(lambda: torch.allclose(e, e))
    show(lambda: e.allclose(torch.zeros(3).to(dtype)))
show(lambda: refused(lambda: torch.allclose(torch.ones(2), torch.ones(2).double())))


def allocate():
    try:
        return torch.empty(2**50)
    except RuntimeError as error:
        return "can't allocate memory" in str(error)


show(allocate)

# Code that knows neither framework means what its caller does, as pytest.approx in `a == b`.
neutral = types.ModuleType("neutral_helpers")
exec("def equal(a, b): return a == b\ndef mean(x): return x.mean(dim=0, keepdim=True)", vars(neutral))
sys.modules["neutral_helpers"] = neutral


class Near:
    def __eq__(self, other):
        return bool(abs(other - 2) < 1)


show(lambda: neutral.equal(torch.tensor(2.5), Near()))
show(lambda: neutral.mean(torch.tensor([[1.0, 2.0], [3.0, 5.0]])))
show(lambda: copy.deepcopy([torch.ones(2)]))
show(lambda: torch.allclose(torch.ones(2), torch.ones(2) * 1.5, atol=1, rtol=0))
show(lambda: torch.allclose(t([float("nan")]), t([float("nan")]), equal_nan=True))
try:
    from torch.testing._internal.optests import opcheck
except ModuleNotFoundError as missing:
    assert missing.name == "expecttest"
    opcheck = torch.library.opcheck
show(lambda: callable(opcheck))
x = torch.tensor([[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]])
for f in (torch.sort, torch.max, torch.min, torch.median):
    show(lambda: [v.tolist() for v in f(x, dim=1)])
    show(lambda: [v.tolist() for v in f(x, 0)])
    m = f.__name__
    show(lambda: [v.tolist() for v in getattr(x, m)(dim=1)])
    show(lambda: getattr(x, m)(1).indices.tolist())
show(lambda: torch.max(x).item() + x.min().item() + x.median().item())
show(lambda: torch.max(x, torch.ones(2, 3) * 3).tolist())
show(lambda: x.max(1, keepdim=True).values.tolist())
show(lambda: [v.tolist() for v in torch.split(x, 2, dim=1)])
show(lambda: [v.tolist() for v in x.split(2, 1)])
show(lambda: [v.tolist() for v in x.split([1, 2], dim=1)])
show(lambda: x.new_tensor([1, 2]).tolist())
show(lambda: x.new_tensor([1.5, 2], dtype=torch.int64).tolist())
show(lambda: torch.autograd.Variable(x, requires_grad=True).requires_grad)
show(lambda: torch.autograd.Variable(x).tolist())
torch.set_num_threads(1)
show(torch.get_num_threads)
show(torch.set_num_threads, 0)
show(torch.are_deterministic_algorithms_enabled)
torch.use_deterministic_algorithms(True, warn_only=True)
show(torch.are_deterministic_algorithms_enabled)
show(torch.is_deterministic_algorithms_warn_only_enabled)
torch.use_deterministic_algorithms(False)
show(torch.are_deterministic_algorithms_enabled)
show(torch.is_deterministic_algorithms_warn_only_enabled)
show(lambda: torch.det(torch.tensor([[2.0, 1.0], [1.0, 3.0]])).item())
show(lambda: [[round(v, 4) for v in row] for row in torch.pinverse(x).tolist()])
show(
    lambda: [x.is_sparse, x.is_sparse_csr, x.layout == torch.strided, x.layout == torch.sparse_coo]
)
show(lambda: torch.zeros(2, layout=torch.strided).tolist())
show(lambda: torch.zeros_like(x, memory_format=torch.contiguous_format).tolist())
show(lambda: torch.full_like(x, 2, memory_format=torch.legacy_contiguous_format).tolist())
show(
    lambda: (
        torch.empty_like(x, layout=torch.strided, memory_format=torch.preserve_format).tolist()
        is not None
    )
)
show(lambda: x.new_full((2,), 3.0, layout=torch.strided).tolist())
show(lambda: torch.contiguous_format is torch.legacy_contiguous_format)
show(lambda: [isinstance(torch.strided, torch.layout), str(torch.channels_last)])
show(lambda: isinstance(torch.preserve_format, torch.memory_format))


class Times(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, gradient):
        a, b = ctx.saved_tensors
        return gradient * b, gradient * a  # one of them for a tensor that wants none


def gradient_of(first, second):
    a = torch.ones(2).requires_grad_(first)
    b = (torch.ones(2) * 3).requires_grad_(second)
    Times.apply(a, b).sum().backward()
    return [None if each.grad is None else each.grad.tolist() for each in (a, b)]


show(lambda: [gradient_of(True, False), gradient_of(False, True), gradient_of(True, True)])


def written_to_data():
    a = torch.arange(4.0).reshape(2, 2).requires_grad_(True)
    b = a * a
    a.data[0, 1] = 7.0
    a.t().data[1, 1] = 5.0
    b.sum().backward()
    told = [a.tolist(), a.grad.tolist(), a.data.requires_grad, list(a.t().data.stride())]
    w = torch.ones(2, requires_grad=True)
    squares = (w * w).sum()
    w.data = torch.full((2,), 3.0)  # is what the backward pass reads
    squares.backward()
    told += [w.grad.tolist(), w.requires_grad]
    a.data = torch.zeros(2, 2)
    return [*told, a.tolist(), a.requires_grad]


show(written_to_data)
show(lambda: torch.repeat_interleave(torch.tensor([2, 0, 1])).tolist())
show(lambda: torch.repeat_interleave(torch.tensor([[1, 2]]), 2).tolist())
show(lambda: torch.repeat_interleave(torch.ones(2, 1), torch.tensor([1, 2]), dim=0).tolist())


def drawn(*seeds):
    """Which draws with these seeds, two each, are the same."""
    found = []
    for seed in seeds:
        g = torch.Generator(device="cpu").manual_seed(seed)
        found += [torch.rand(3, generator=g).tolist(), torch.rand(3, generator=g).tolist()]
    return [[a == b for a in found] for b in found]


show(lambda: drawn(3, 3, 4))
torch.manual_seed(5)
v = torch.rand(4).tolist()
torch.manual_seed(5)
w = torch.rand(2).tolist()
show(lambda: torch.randn(2, generator=torch.Generator().manual_seed(1)).shape == (2,))
show(lambda: (w + torch.rand(2).tolist() == v, torch.Generator().manual_seed(9).initial_seed()))
g = torch.Generator().manual_seed(7)
s = g.get_state()
v = torch.randint(0, 100, (9,), generator=g).tolist()
g.set_state(s)
show(lambda: torch.randint(0, 100, (9,), generator=g).tolist() == v)
show(lambda: sorted(torch.randperm(5, generator=g).tolist()))
show(lambda: torch.multinomial(torch.tensor([0.0, 1.0]), 2, True, generator=g).tolist())
show(lambda: torch.bernoulli(torch.tensor([0.0, 1.0]), generator=g).tolist())
import torch.testing
from torch.testing import make_tensor

for kind in (torch.float32, torch.float64, torch.int64, torch.uint8, torch.bool, torch.complex64):
    v = make_tensor(3, 4, dtype=kind, device="cpu")
    show(
        lambda: [
            str(v.dtype).rpartition(".")[2],
            list(v.shape),
            bool((v.to(torch.complex64).abs() < 13).all()),
        ]
    )
v = torch.testing.make_tensor((2, 5), dtype=torch.int64, device="cpu", low=3, high=5)
show(lambda: [bool((v >= 3).all()), bool((v < 5).all()), v.requires_grad])
v = make_tensor(2, 5, dtype=torch.float32, device="cpu", noncontiguous=True, requires_grad=True)
show(lambda: [v.is_contiguous(), list(v.shape), v.requires_grad])
v = make_tensor(50, dtype=torch.int64, device="cpu", low=0, high=2, exclude_zero=True)
show(lambda: int(v.min()))
from torch.overrides import has_torch_function, is_tensor_like

show(lambda: [is_tensor_like(x), is_tensor_like([1]), has_torch_function((x,))])
show(torch.compiler.is_compiling)
show(lambda: torch.compiler.disable(recursive=False)(abs)(-1) + torch.compiler.disable(abs)(-1))
from torch.jit import Final

show(lambda: Final[int] is not None)
from torch.utils import data

pairs = data.TensorDataset(torch.arange(5), torch.arange(5) * 2.0)
show(lambda: [[v.tolist() for v in batch] for batch in data.DataLoader(pairs, batch_size=2)])
show(lambda: [len(data.DataLoader(pairs, batch_size=2, drop_last=last)) for last in (True, False)])
show(lambda: sorted(v.item() for (v, _) in data.DataLoader(pairs, shuffle=True)))
show(lambda: [v.tolist() for v, _ in data.DataLoader(pairs, batch_size=None)])
show(lambda: [str(b[0].dtype)[-7:] for b in data.DataLoader([(1.5, 2), (2.5, 3)], 2)])
show(lambda: next(iter(data.DataLoader([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}], 2)))["b"])
show(lambda: [sorted(map(len, data.random_split(pairs, parts))) for parts in ([2, 3], [0.5, 0.5])])
show(data.random_split, pairs, [1, 2])
show(lambda: [int(data.ConcatDataset([pairs, pairs])[i][0]) for i in (0, 4, 5, -1)])
show(lambda: [int(data.Subset(pairs, [3, 1])[i][0]) for i in (0, 1)])
show(lambda: list(data.BatchSampler(data.SequentialSampler(range(5)), 2, False)))
show(
    lambda: (
        len(set(data.RandomSampler(range(9)))) + len(list(data.RandomSampler(range(3), True, 7)))
    )
)
show(data.DataLoader, pairs, 1, True, [0])


class Counted(data.IterableDataset):
    def __iter__(self):
        return iter(range(5))


show(lambda: [b.tolist() for b in data.DataLoader(Counted(), batch_size=3)])
show(data.get_worker_info)
z = torch.ones(2, requires_grad=True)
w = z * 2
w.retain_grad()
w.sum().backward()
show(lambda: w.grad.tolist())
from torch.nn.modules.utils import _ntuple, _pair, _quadruple, _single, _triple

show(
    lambda: (_single(3), _pair(3), _triple([1, 2]), _quadruple("ab"), _ntuple(5)(0), _pair.__name__)
)


class OfClass(torch.autograd.Function):
    factor = 1.0

    @classmethod
    def forward(cls, ctx, kind, x):
        ctx.save_for_backward(x)
        return x * cls.factor

    @classmethod
    def backward(cls, ctx, gradient):
        return None, gradient * cls.factor * ctx.saved_tensors[0]


class Threefold(OfClass):
    factor = 3.0


show(lambda: torch.autograd.grad(Threefold.apply(1, z).sum(), z)[0].tolist())
show(lambda: torch.flip(x, [0]).tolist() + torch.flip(x, dims=(1,)).tolist())
show(lambda: x.flip(0, 1).tolist() + x.flip([1]).tolist() + x.flip(dims=[0]).tolist())
show(lambda: [v.tolist() for v in torch.broadcast_tensors(torch.ones(2, 1), torch.ones(3))])
import torch.types

show(lambda: isinstance(torch.float32, torch.types._dtype) and torch.types._int is int)


def outcome(call):
    try:
        result = call()
    except Exception:
        return "refused"
    return str(result.dtype).rpartition(".")[2], result.tolist()


lefts = (torch.tensor([1.5, -2.0]), torch.tensor([3, -4]), torch.tensor([1.0, 2.0]).double())
operations = ("add", "sub", "mul", "div", "true_divide", "ge", "gt", "le", "lt", "ne")
for name in operations:
    for number in (2, 2.5):
        show(lambda: [outcome(lambda: getattr(v.clone(), name)(number)) for v in lefts])
        show(lambda: [outcome(lambda: getattr(torch, name)(v, number)) for v in lefts])
for name in ("add_", "sub_", "mul_", "div_", "true_divide_", "subtract_", "multiply_"):
    show(lambda: [outcome(lambda: getattr(v.clone(), name)(2)) for v in (lefts[0], lefts[2])])
    show(lambda: outcome(lambda: getattr(torch.tensor([3, -4]), name)(2.5)))
show(lambda: outcome(lambda: lefts[0].add(2, alpha=3)))
place = torch.tensor([[1, 0], [1, 1]])
for dtype in (torch.float16, torch.bfloat16, torch.float32):
    half = torch.tensor([[1.0, 2.0], [3.0, 4.0]]).to(dtype)
    zero = torch.zeros([2, 2], dtype=dtype)
    show(lambda: half.gather(1, place).float().tolist())
    show(lambda: torch.gather(half, 0, place).float().tolist())
    show(lambda: zero.clone().scatter_add_(1, place, half).float().tolist())
    show(lambda: zero.scatter_add(0, place, half).float().tolist())
    show(lambda: torch.scatter_add(zero, 0, place, half).float().tolist())
    show(lambda: zero.scatter(1, torch.tensor([[1, 0], [0, 1]]), half).float().tolist())
    show(lambda: zero.clone().index_add_(0, torch.tensor([1, 1]), half).float().tolist())
leaf = torch.ones([2, 2], requires_grad=True)
added = torch.zeros([2, 2], dtype=torch.float16).scatter_add_(1, place, leaf.to(torch.float16) * 2)
show(lambda: torch.autograd.grad(added.float().sum(), leaf)[0].tolist())
show(lambda: [v.tolist() for v in torch.chunk(x, 2, dim=1)] + [v.tolist() for v in x.chunk(5, 1)])
show(torch.chunk, x, 0)
show(lambda: x.select(1, 2).tolist() + x.select(-1, -1).tolist() + x.select(0, 0).tolist())
from torch.cuda.amp import GradScaler, autocast, custom_bwd, custom_fwd


class Cast(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    @custom_bwd
    def backward(ctx, gradient):
        return gradient * ctx.factor, None


class Plain(Cast):
    forward = staticmethod(custom_fwd(lambda ctx, x: x * 2))
    backward = staticmethod(torch.amp.custom_bwd(lambda ctx, g: g * 2, device_type="cuda"))


show(lambda: torch.autograd.grad(Cast.apply(z, 3.0).sum(), z)[0].tolist())
show(lambda: torch.autograd.grad(Plain.apply(z).sum(), z)[0].tolist())
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.int64):
    h = torch.tensor([0, 1, 3]).to(dtype)
    show(lambda: h.clamp(min=1).float().tolist() + torch.clamp(h, 0, 2).float().tolist())
    show(lambda: h.clamp_(max=2).dtype == dtype and h.float().tolist())
for dtype in (torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32):
    small = torch.tensor([3, 0, 2]).to(dtype)
    for operation in (
        *(lambda: small.max(), lambda: small.min(), lambda: torch.max(small), lambda: small.amax()),
        *(lambda: torch.max(input=small), lambda: torch.sum(input=small)),
        *(lambda: small.sort()[0], lambda: small.sort(stable=True)[1], lambda: small.unique()),
        *(lambda: small.cumsum(0), lambda: small.prod(), lambda: small.sum(), lambda: small.abs()),
        *(lambda: small.roll(1), lambda: small.topk(1)[0], lambda: small.max(0)[0]),
        *(lambda: small.index_select(0, torch.tensor([0])), lambda: small.repeat_interleave(2)),
        *(lambda: small.diag(), lambda: torch.diag(small, 1), lambda: small.tile(2), lambda: small.isfinite()),
        *(lambda: small.repeat(2, 1), lambda: torch.diag_embed(small), lambda: small.unique_consecutive()),
        *(lambda: small.logical_or(small), lambda: small.expand_as(small[None])),
    ):
        show(lambda: outcome(operation))
kinds = [torch.tensor([2]).to(d) for d in (torch.bool, torch.uint8, torch.int8, torch.int64)]
kinds += [torch.tensor([1.5]).to(d) for d in (torch.float16, torch.float32, torch.float64)]
kinds += [torch.tensor(2), torch.tensor(1.5, dtype=torch.float64)]
for first in kinds[1:]:
    for second in kinds:
        for operation in (
            *(lambda: first + second, lambda: first * second, lambda: first / second),
            *(lambda: first == second, lambda: first < second, lambda: first.mul(second)),
            lambda: first.clone().add_(second),
        ):
            show(lambda: outcome(operation))
for dtype in (torch.float16, torch.bfloat16):
    half = torch.tensor([1.5, -2.0]).to(dtype)
    other = torch.tensor([[0.5], [3.0]]).to(dtype)
    for operation in (
        *(lambda: half + other, lambda: half - other, lambda: half * other, lambda: half / other),
        *(lambda: half % other, lambda: 2 / half, lambda: half**2, lambda: other @ half[None]),
        *(lambda: half.abs(), lambda: half.mean(), lambda: half.sigmoid(), lambda: half.cumsum(0)),
        *(lambda: other.softmax(0), lambda: half.matmul(other), lambda: half.argmax()),
        *(lambda: half + other.float(), lambda: half.double() / other, lambda: half.amax()),
        *(lambda: half / (other * 0), lambda: half.topk(1)[0], lambda: half.roll(1)),
        *(lambda: half.isposinf(), lambda: torch.isneginf(half), lambda: half.isfinite()),
    ):
        show(lambda: (operation().float().tolist(), str(operation().dtype).split(".")[-1]))
    for name in ("add", "sub", "mul", "div", "ge", "lt"):
        show(lambda: outcome(lambda: getattr(half, name)(half).float()))
        show(lambda: outcome(lambda: getattr(half, name)(2).float()))
    for name in ("add_", "sub_", "mul_", "div_", "true_divide_"):
        show(lambda: outcome(lambda: getattr(half.clone(), name)(half).float()))


F = torch.nn.functional
image, kernel = torch.arange(64.0).sin().reshape(2, 4, 8), torch.arange(36.0).cos().reshape(3, 4, 3)
classes = torch.tensor([1, 2])
for dtype in (torch.float16, torch.bfloat16):
    for operation in (
        *(lambda x: F.linear(x, kernel[0, :, :1].to(x.dtype).expand(4, 8)), lambda x: F.gelu(x), lambda x: F.relu(x)),
        *(lambda x: F.layer_norm(x, (8,)), lambda x: F.group_norm(x, 2), lambda x: F.rms_norm(x, (8,))),
        *(lambda x: F.conv1d(x, kernel.to(x.dtype)), lambda x: F.softmax(x, dim=-1), lambda x: F.silu(x)),
        *(lambda x: F.cross_entropy(x[0, :2], classes), lambda x: F.mse_loss(x, x * 2), lambda x: F.pad(x, (1, 1))),
        *(lambda x: F.normalize(x, dim=-1), lambda x: F.softplus(input=x), lambda x: torch.nn.GELU()(x)),
        lambda x: torch.nn.LayerNorm(8).to(dtype=x.dtype)(x),
        *(lambda x: torch.nn.GroupNorm(2, 4).to(x.dtype)(x), lambda x: torch.nn.RMSNorm(8).to(x.dtype)(x)),
        lambda x: torch.nn.Sequential(torch.nn.LayerNorm(8), torch.nn.SiLU()).to(x.dtype)(x),
    ):
        wide, narrow = image.to(dtype).float().requires_grad_(), image.to(dtype).requires_grad_()
        show(lambda: (operation(narrow).dtype == dtype, (operation(narrow).float() - operation(wide)).abs().max().item() < 0.02))
        grads = [torch.autograd.grad((operation(x).float() * 2).sum(), x, allow_unused=True)[0] for x in (wide, narrow)]
        show(lambda: None in grads or (grads[1].dtype == dtype, ((grads[0] - grads[1].float()).abs() / (1 + grads[0].abs())).max().item() < 0.15))
rows = torch.tensor([[1.0, 2.0, 4.0], [0.5, -1.0, 3.0]])
for arguments in (((3,),), ((3,), torch.tensor([1.0, 2.0, 0.5])), ((3,), None, 0.5), ((2, 3),), ((2,),)):
    show(lambda: outcome(lambda: F.rms_norm(rows, *arguments).mul(1e3).round()))
show(lambda: F.rms_norm(normalized_shape=[3], input=rows, eps=0.5, weight=None).mul(1e3).round().tolist())
for name in "get_device_properties get_device_name get_device_capability current_stream mem_get_info init".split():
    show(lambda: getattr(torch.cuda, name)())
for name in "current_device synchronize empty_cache memory_allocated max_memory_reserved memory_stats seed".split():
    show(lambda: getattr(torch.cuda, name)())
show(lambda: (torch.cuda.get_device_properties, torch.cuda.memory_allocated("cuda:0"), torch.cuda.is_bf16_supported())[1:])
show(lambda: torch.cuda.get_device_properties("cuda:0"))
show(lambda: torch.ones(1).cuda())
for dtype in (torch.float32, torch.float64, torch.float16, torch.int32):
    numbers = torch.tensor([1.0, -2.5, 0.0, 1000.0]).to(dtype)
    show(lambda: [(outcome(lambda: part.double()), str(part.dtype)[-5:]) for part in torch.frexp(numbers)])
    show(lambda: numbers.frexp().exponent.tolist() + torch.frexp(input=numbers).mantissa.tolist())
square = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
taken = torch.zeros(2, 2)
show(lambda: (torch.mm(square, mat2=square, out=taken) is taken, taken.tolist(), torch.mm(input=square, mat2=square).tolist()))
show(lambda: torch.mm(square, square[0]))
sdp = torch.backends.cuda
for name in "flash math mem_efficient cudnn".split():
    show(lambda: (getattr(sdp, f"{name}_sdp_enabled")(), getattr(sdp, f"enable_{name}_sdp")(False), getattr(sdp, f"{name}_sdp_enabled")()))
    show(lambda: (getattr(sdp, f"enable_{name}_sdp")(True), getattr(sdp, f"{name}_sdp_enabled")()))
with sdp.sdp_kernel(enable_flash=False, enable_mem_efficient=False):
    show(lambda: (sdp.flash_sdp_enabled(), sdp.math_sdp_enabled()))
    show(lambda: F.scaled_dot_product_attention(*3 * [image[None]]).shape[1:] == (2, 4, 8))
show(lambda: (sdp.flash_sdp_enabled(), sdp.mem_efficient_sdp_enabled()))
normed = torch.nn.LayerNorm(8).to(torch.bfloat16)
normed(image.bfloat16()).float().sum().backward()
show(lambda: (normed.weight.grad.dtype == torch.bfloat16, normed.bias.grad.tolist(), normed.weight.dtype == torch.bfloat16))
show(lambda: normed(image.bfloat16(), image))


def twice(first):
    """The gradient of a tensor that is changed in place after `first` has changed it in place."""
    start = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    changed = first(start * 2)
    changed.add_(torch.ones([2, 2]))
    return torch.autograd.grad((changed * changed).sum(), start)[0].tolist()


ones = torch.ones([2, 2])
show(lambda: twice(lambda v: v.div_(ones * 2)))
show(lambda: twice(lambda v: v.true_divide_(2)))
show(lambda: twice(lambda v: v.mul_(3)))
show(lambda: twice(lambda v: v.scatter_add_(1, place, ones)))
show(lambda: twice(lambda v: v.scatter_(1, torch.tensor([[0], [1]]), ones)))
wide = torch.tensor([[1.0, 2.0, 4.0], [0.5, -1.0, 3.0]])


def rounded(value):
    return (value * 1e4).round().tolist()


show(lambda: rounded(torch.log_softmax(wide, dim=-1)) + rounded(wide.log_softmax(0)))
show(lambda: rounded(torch.nn.functional.log_softmax(wide, dim=1)))
show(lambda: [rounded(torch.std(wide)), rounded(torch.std(wide, False)), rounded(wide.std(1))])
show(lambda: rounded(torch.std(wide, dim=(0, 1), unbiased=False)) + 0.0)
show(lambda: rounded(torch.std(wide, dim=-1, keepdim=True)))
show(lambda: rounded(wide.std(dim=0, correction=0)))
low = torch.tensor([-1.0, float("-inf"), -90.0])
show(lambda: torch.log_softmax(low, dim=0).tolist() + torch.log_softmax(low.double(), 0).tolist())
show(lambda: torch.log_softmax(low.to(torch.float16), dim=0).float().tolist())
start = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
weights = torch.tensor([1.0, 2.0, 3.0])
show(lambda: rounded(torch.autograd.grad((torch.log_softmax(start, 0) * weights).sum(), start)[0]))
show(lambda: (torch.version.cuda, torch.version.hip))
show(lambda: torch.tensordot(wide, wide, dims=([1], [1])).tolist())
show(lambda: list(torch.tensordot(wide.t(), wide, dims=1).shape))
show(lambda: torch.div(torch.tensor([7, -7]), 2, rounding_mode="floor").tolist())
show(lambda: torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4, 5])).tolist())
show(lambda: [torch.ones(2).fill_(float("nan")).isnan().tolist(), torch.ones(2).fill_(3).tolist()])
show(lambda: [torch.backends.mps.is_available(), torch.backends.cudnn.is_available()])
show(lambda: [torch.backends.mkl.is_available(), torch.backends.openmp.is_available()])
show(lambda: [torch.backends.mkldnn.is_available(), torch.backends.cuda.is_built()])


def zeroed():
    x = torch.ones(3, requires_grad=True)
    (x * 2).sum().backward()
    held = x.grad
    before = held.requires_grad, held.tolist()
    x.grad.zero_()
    x.grad[0] = 5
    (x * 3).sum().backward()
    x.grad += 1
    made = x.grad.tolist(), held.requires_grad
    x.grad = None
    return before, made, x.grad


show(zeroed)
show(lambda: torch.einsum("ij,jk->ik", [torch.ones(2, 3), torch.ones(3, 1)]).tolist())
show(lambda: torch.einsum("ij,jk->ik", torch.ones(2, 3), torch.ones(3, 1)).tolist())


class Chosen(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, index):
        ctx.save_for_backward(index)
        return x * 3

    @staticmethod
    def backward(ctx, gradient):
        (index,) = ctx.saved_tensors
        return gradient * index.sum(), None


def chosen():
    x = torch.tensor([1.0, 3.0, 2.0], requires_grad=True)
    _, index = torch.topk(x * 2, 2)
    Chosen.apply(x, index).sum().backward()
    return x.grad.tolist()


show(chosen)


# devices that are not there, and the CPU as one
show(lambda: [torch.xpu.is_available(), torch.mps.is_available(), torch.mtia.is_available()])
show(lambda: [torch.xpu.device_count(), torch.mps.device_count(), torch.xpu.is_initialized()])
show(lambda: [isinstance(torch.mps.Event, type), torch.mps.manual_seed(0)])
for asked in (
    lambda: torch.mps.Event(enable_timing=True),
    lambda: torch.mps.synchronize(),
    lambda: torch.mps.empty_cache(),
    lambda: torch.mps.current_allocated_memory(),
    lambda: torch.mps.driver_allocated_memory(),
):
    show(asked)
show(lambda: [torch.cpu.is_available(), torch.cpu.device_count(), torch.cpu.current_device()])
show(lambda: [torch.cpu.synchronize(), torch.cpu.set_device("cpu"), torch.cpu.is_initialized()])
show(lambda: isinstance(torch.ones(1), torch.distributed.tensor.DTensor))


# gradients of convolutions
def convolved(dimensions, **options):
    module, sizes = torch.nn.grad, [5, 6, 7][:dimensions]
    count = lambda *shape: (torch.arange(int(np.prod(shape))) % 7 - 3.0).reshape(shape)
    x, w = count(2, 4, *sizes), count(4, 2, *[2, 3, 2][:dimensions])
    y = getattr(torch.nn.functional, f"conv{dimensions}d")(x, w, groups=2, **options)
    of = lambda what: getattr(module, f"conv{dimensions}d_{what}")
    back = count(*y.shape)
    return (
        of("input")(x.shape, w, back, groups=2, **options).flatten().tolist(),
        of("weight")(x, w.shape, back, groups=2, **options).flatten().tolist(),
    )


for dimensions in (1, 2, 3):
    show(lambda: convolved(dimensions))
    show(lambda: convolved(dimensions, stride=2, padding=1))


# an autograd function that gives an argument back, and one whose backward is no static method
class Through(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, sizes, y=None):
        x.mul_(2)
        return x, x + 1

    def backward(ctx, first, second):
        return first + second * 2, None, None


leaf = torch.ones(2, requires_grad=True)
inner = leaf * 3


def through(x):
    first, second = Through.apply(x, [1, 2])
    (found,) = torch.autograd.grad((first * second).sum(), leaf)
    return first.tolist(), second.tolist(), found.tolist(), first is x, x.data_ptr() == first.data_ptr()


show(lambda: through(leaf))
show(lambda: through(inner))
show(lambda: torch.add(input=torch.ones(2), other=torch.ones(2), alpha=3).tolist())
show(lambda: torch.mul(input=torch.ones(2), other=2).tolist())

# a number of elements is a number
for sizes in ([2, 3], [], [0, 4]):
    show(lambda: (type(torch.ones(sizes).numel()), torch.ones(sizes).numel()))

# versions
from torch.torch_version import TorchVersion, __version__ as its_version

v = TorchVersion("2.10.0")
show(lambda: [v > "2.9", v >= "2.10", v < (2, 11), v == (2, 10), v == "2.10", v != "2.10.1", v <= "2.10.0"])
show(lambda: [TorchVersion("2.0.0a0") < "2.0", TorchVersion("2.0.dev1") < "2.0.0", v == "what"])
show(lambda: v > "what")
show(lambda: (str(v), f"{v}", v.split("."), isinstance(its_version, TorchVersion), its_version > (0, 4)))


class Optional(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, wanted):
        return None, x * 2, (x + 1 if wanted else None), 5

    @staticmethod
    def backward(ctx, none, double, more, five):
        print(n, none, more is None, five)
        return double * 2 if more is None else double * 2 + more, None


show(lambda: torch.autograd.grad(Optional.apply(leaf, False)[1].sum(), leaf)[0].tolist())
show(lambda: torch.autograd.grad(sum(Optional.apply(leaf, True)[1:3]).sum(), leaf)[0].tolist())


# names of distributed code that need no second process
def placements():
    from torch.distributed.tensor import Replicate, Shard, distribute_module, distribute_tensor
    from torch.distributed.tensor.parallel import ParallelStyle
    from torch.distributed.tensor.placement_types import Placement

    class Style(ParallelStyle):
        def _apply(self, module, device_mesh):
            return module

    kinds = Shard(1), Shard(1), Shard(0), Replicate()
    same = [one == other for one in kinds for other in kinds]
    try:
        ParallelStyle()
    except TypeError:
        same += [Style()._apply(1, 2), callable(distribute_module), callable(distribute_tensor)]
    return same, [isinstance(one, Placement) for one in kinds], [k.is_shard() for k in kinds]


show(placements)
show(lambda: [isinstance(o, torch.distributed.ProcessGroup) for o in (1, None)])


class Kept(torch.autograd.Function):
    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, x):
        print(n, isinstance(ctx, torch.autograd.function.FunctionCtx))
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient


show(lambda: Kept.apply(leaf).tolist())


class Narrow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x.double() + y

    @staticmethod
    def backward(ctx, gradient):
        return gradient.double(), gradient.to(torch.float16)


narrow = [torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)]
show(lambda: [g.dtype == torch.float32 for g in torch.autograd.grad(Narrow.apply(*narrow).sum(), narrow)])


def added(out):
    x, y, z = torch.ones(2, 2), torch.arange(6.0).reshape(2, 3), torch.arange(6.0).reshape(3, 2)
    made = torch.addmm(input=x, mat1=y, mat2=z, beta=2, alpha=0.5, out=x if out else None)
    narrow = torch.addmm(torch.ones(2), y.bfloat16().float(), z)
    return made.tolist(), made is x, narrow.tolist(), torch.addmm(torch.tensor(1.0), y, z).tolist()


show(lambda: added(False))
show(lambda: added(True))
show(lambda: torch.logcumsumexp(torch.eye(2), dim=1).mul(1000).round().tolist())
show(lambda: torch.eye(2).logcumsumexp(dim=-1).mul(1000).round().tolist())
show(lambda: torch.ones(2).half().logcumsumexp(0).tolist())

# torch.nn.functional, which nothing imports here, has torch's meanings
square = torch.arange(9.0).reshape(3, 3)
show(torch.nn.functional.linear(square, square, square[0]).tolist)
show(torch.nn.functional.pad(square[None], (1, 0, 2, 0)).tolist)
show(lambda: tuple(torch.nn.functional.unfold(square[None, None], 2).shape))
heads = torch.arange(24.0).reshape(1, 2, 4, 3) / 24
attended = torch.nn.functional.scaled_dot_product_attention(heads, heads, heads * heads)
show(lambda: [round(value, 4) for value in attended.flatten().tolist()])

# dropout's third argument is training, by position too
show(lambda: torch.nn.functional.dropout(square, 0.5, False).tolist())
show(lambda: torch.nn.functional.dropout(square, 1.0, True).tolist())
show(lambda: bool(300 < (torch.nn.functional.dropout(torch.ones(1000), 0.5, True) == 0).sum() < 700))
show(lambda: torch.nn.functional.dropout(square.clone(), p=0.5, training=False, inplace=True).tolist())
show(lambda: torch.nn.functional.dropout(square, 1.5, False))

# a version that importlib.metadata tells
version = importlib.metadata.version("torch")
show(lambda: [version == str(torch.__version__), importlib.metadata.metadata("torch")["name"]])
show(lambda: importlib.metadata.version("no-such-distribution"))

# a list as an index: numbers are places; with anything else in it, it is the tuple of its elements
grid, of_rows = torch.arange(24.0).reshape(2, 3, 4), torch.tensor([0, 1])


def written(index):
    copy = grid.clone()
    copy[index] = 0
    return copy.tolist()


for index in (
    *([0, 1], [1], [slice(None), slice(0, 2)], [slice(0, 1)], [None, 0], [..., 0]),
    *([slice(None), [0, 1]], [[0, 1], [0, 2]], [(0, 1), (0, 2)], [of_rows, of_rows + 1], [of_rows, 1]),
):
    show(lambda: grid[index].tolist())
    show(lambda: grid.permute(2, 1, 0)[index[::-1]].tolist())
    show(lambda: written(index))

# the order of elements: of images, of volumes, and what has neither
formats = torch.contiguous_format, torch.channels_last, torch.channels_last_3d
image, volume = torch.arange(120.0).reshape(2, 3, 4, 5), torch.arange(240.0).reshape(1, 2, 3, 5, 8)
turned, turned_volume = image.permute(0, 3, 1, 2), volume.permute(0, 4, 1, 2, 3)
views = (
    *(image, turned, image.permute(0, 2, 3, 1), image[:, :1], image[:, :, :, :1], image[0]),
    *(volume, turned_volume, volume[0], turned[1:], turned[:, 1:], turned[:, :, ::2]),
    *(torch.ones(2, 1, 4, 5), torch.ones(2, 3, 1, 1), torch.ones(1, 1, 1, 1), torch.ones(3)),
    torch.tensor(1.0),
)
for view in (torch.ones(0, 3, 4, 5), torch.ones(2, 0, 4, 5)):  # of these strides mean nothing
    show(lambda: [view.is_contiguous(memory_format=f) for f in formats])
    show(lambda: view.contiguous(memory_format=torch.channels_last).shape == view.shape)
for view in views:
    show(lambda: [view.is_contiguous(), *(view.is_contiguous(memory_format=f) for f in formats)])
    show(lambda: view.is_contiguous(memory_format=torch.preserve_format))
    for f in formats:
        show(lambda: view.contiguous(memory_format=f).is_contiguous(memory_format=f))
        show(lambda: view.contiguous(memory_format=f).tolist() == view.tolist())
        show(lambda: view.contiguous(memory_format=f).data_ptr() == view.data_ptr())
for view in (image, turned, volume, turned_volume):
    for f in formats[: view.ndim - 2]:
        show(lambda: tuple(view.contiguous(memory_format=f).stride()))
show(lambda: turned.contiguous(memory_format=torch.channels_last) is turned)
show(lambda: image.contiguous(memory_format=torch.preserve_format) is image)
show(lambda: turned.contiguous(memory_format=torch.preserve_format))
show(lambda: image.is_contiguous(memory_format=None))
show(lambda: image.contiguous(memory_format=3))
leaf = torch.ones(1, 2, 3, 4, requires_grad=True)
(leaf.contiguous(memory_format=torch.channels_last) * torch.arange(4.0)).sum().backward()
show(lambda: leaf.grad.tolist())
marks = torch.tensor([[1, 0], [1, 1]], dtype=torch.uint8)
show(lambda: [[each.tolist() for each in torch.where(marks)], marks.clone().fill_diagonal_(0).tolist(), torch.nonzero(marks).tolist()])
show(lambda: [bool(torch.tensor(v)) for v in (-1.0, 0.0, 2, -3, True, float("nan"))])
show(lambda: bool(torch.tensor([])))
show(lambda: bool(torch.ones(2) > 0))
show(lambda: [bool(torch.tensor(-1.0, dtype=d)) for d in (torch.float16, torch.bfloat16, torch.complex64)])
show(lambda: [hasattr(marks, "__iter__"), [row.tolist() for row in marks], 1 in marks, 5 in marks, [int(each) for each in reversed(marks[0])]])
show(lambda: list(torch.tensor(1.0)))


class Reflected:
    def __radd__(self, other):
        return "added"

    def __rtruediv__(self, other):
        return "divided"

    def __rmatmul__(self, other):
        return "multiplied"

    def __gt__(self, other):
        return "greater"


pair = torch.ones(2)
show(lambda: [pair + Reflected(), pair / Reflected(), pair @ Reflected(), pair < Reflected(), pair == "a", (pair != None)])  # noqa: E711
show(lambda: pair + "a")
show(lambda: pair - Reflected())
show(lambda: (pair > 0) & Reflected())


class Marked(torch.Tensor):
    def __new__(cls, *args, mark="none", requires_grad=False):
        made = torch.Tensor._make_subclass(cls, args[0].data if len(args) == 1 else torch.Tensor(*args), requires_grad)
        made.mark = mark
        return made


class MarkedParameter(Marked, torch.nn.Parameter):
    def __new__(cls, data, mark="none"):
        return Marked.__new__(cls, data, mark=mark, requires_grad=True)


show(lambda: [type(Marked(pair, mark="a")).__name__, Marked(pair, mark="a").mark, list(Marked(2, 3).shape)])
leaf = MarkedParameter(torch.ones(2), mark="b")
(leaf * 2).sum().backward()
show(lambda: [leaf.mark, leaf.grad.tolist(), leaf.requires_grad, isinstance(leaf, torch.nn.Parameter), type(leaf).__name__])
shared = torch.zeros(2)
with torch.no_grad():
    Marked(shared).add_(1)
show(lambda: shared.tolist())
show(lambda: torch.nn.DataParallel(torch.nn.Identity())(pair).tolist())
import os  # noqa: E402
import pathlib  # noqa: E402
import tempfile  # noqa: E402

import torch.hub  # noqa: E402


def from_file():
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "weights-ba7816bf.bin")
        source.write_bytes(b"abc")
        torch.hub.download_url_to_file(source.as_uri(), f"{folder}/copy", torch.hub.HASH_REGEX.search(source.name)[1])
        torch.hub.set_dir(folder)
        return pathlib.Path(folder, "copy").read_bytes(), os.path.basename(torch.hub.get_dir()) == os.path.basename(folder)


def of_another_hash():
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "a").write_bytes(b"abd")
        torch.hub.download_url_to_file(pathlib.Path(folder, "a").as_uri(), f"{folder}/copy", "ba7816bf")


show(from_file)
show(lambda: of_another_hash() or "no error")

s = torch.Size([1, 2])
wide = torch.ones(2, 3)
show(lambda: (s == (1, 2), (1, 2) == s, s == [1, 2], s + (3,), (3,) + s, type(s + (3,)) is torch.Size))
show(lambda: (isinstance(s, tuple), isinstance(s, list), s[1:], type(s[1:]) is torch.Size, s * 2, s.numel()))
show(lambda: (s < (2,), hash(s) == hash((1, 2)), {s: 1}[torch.Size((1, 2))], {(2, 3): 5}.get(wide.shape), "%d %d" % s))
show(lambda: (repr(s), f"{s}", torch.Size([]) == (), not torch.Size(), torch.Size(torch.tensor([1, 2]))))
show(lambda: (isinstance(wide.shape, torch.Size), isinstance((1, 2), torch.Size), isinstance(wide.size(), tuple)))
show(lambda: (wide.size(0), wide.size(-1), wide.new(wide.shape).shape, torch.broadcast_shapes((2, 1), (3,))))
show(lambda: (copy.deepcopy(s), copy.copy(s), np.zeros(s).shape == s, torch.Tensor(s).shape))
names = {torch.quint8: 1, torch.complex32: 2, torch.float16: 3, torch.float8_e4m3fnuz: 4, torch.int4: 5}
show(lambda: ([*names.values()], torch.chalf is torch.complex32, torch.complex32 == torch.complex64, str(torch.quint8)))
show(lambda: (torch.complex64 != torch.complex32, torch.ones(1).dtype in (torch.qint8, torch.float32)))
show(lambda: (torch.complex32.itemsize, torch.complex32.is_complex, torch.uint4.is_signed, torch.qint32.itemsize))
show(lambda: [torch.Tensor(np.ones(2)).dtype == torch.float32, torch.Tensor(np.array([1, 2])).tolist()])
show(lambda: (torch.Tensor.size(wide), torch.Tensor.size(wide, 1), type(torch.numel(wide)).__name__))

nowhere = torch.tensor([], dtype=torch.int64)
places = torch.tensor([1, 0])[torch.randperm(2)[:0]]
show(lambda: (wide[nowhere].shape, wide[:, nowhere].shape, wide[nowhere, nowhere].shape, wide[0, nowhere].shape))
show(lambda: wide.unsqueeze(0)[:, 1:, nowhere].shape)


def written_nowhere():
    kept, flags = torch.zeros(3, 2), torch.zeros(3, dtype=torch.bool)
    kept[nowhere] = 1.0
    kept[:, nowhere] = 1.0
    kept[nowhere] = torch.ones(0, 2)
    kept[places] += 1
    flags[places] = True
    kept[[]] = 1.0
    return kept.tolist(), flags.tolist()


show(written_nowhere)
show(lambda: (wide[[]].shape, wide[:, []].shape, wide[[], 1].shape, wide[torch.zeros(2, dtype=torch.bool)].shape))
show(lambda: refused(lambda: wide.__setitem__(nowhere, torch.ones(2))))
show(lambda: refused(lambda: wide.__setitem__((nowhere, 7), 1.0)))
