"""What the entries of the catalogue are about, as torch and the polyfill pieces must both do it.

Run by tests/test_catalogue.py: `python torch_catalogue.py`, or with the path of a unit to run under
Paddle's proxy. One line of output each: the entry, and what was given or raised.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import collections

import numpy as np
import torch
import torch.backends.cudnn as cudnn
import torch.utils.dlpack
from torch.utils import _pytree
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten


def plain(value):
    if isinstance(value, torch.Tensor):
        small = any(word in str(value.dtype) for word in ("float8", "bfloat16"))
        numbers = (value.float() if small else value).tolist()
        return str(value.dtype).rsplit(".", 1)[-1], tuple(value.shape), numbers
    if isinstance(value, (list, tuple)):
        inside = [plain(each) for each in value]
        return type(value)(inside) if type(value) in (list, tuple) else inside
    return str(value).rsplit(".", 1)[-1] if isinstance(value, torch.dtype) else value


def show(entry, function):
    try:
        print(entry, "ok", plain(function()))
    except Exception as error:
        print(entry, "raised", type(error).__name__)


x = torch.tensor([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]])
i = torch.tensor([[3, 1, 2], [6, 5, 4]])
show("Y-01", lambda: x.max(dim=1).values)
show("Y-01", lambda: x.max(1).indices)
show("Y-01", lambda: tuple(torch.min(x, dim=0)))
show("Y-01", lambda: tuple(torch.max(x, 1, keepdim=True)))
show("Y-01", lambda: torch.max(x, x + 1))
show("Y-01", lambda: x.min())
show("Y-01", lambda: torch.max(x, dim=-1)[0])
show("Y-02", lambda: tuple(torch.sort(x, dim=1, descending=True, stable=True)))
show("Y-02", lambda: tuple(x.sort(dim=-1)))
show("Y-02", lambda: x.sort(0).indices)
show("Y-02", lambda: torch.sort(x).values)
show("Y-03", lambda: torch.split(torch.arange(6), 2))
show("Y-03", lambda: torch.split(x, [1, 2], dim=1))
show("Y-03", lambda: x.split(2, dim=-1))
show("Y-04", lambda: torch.equal(x, x))
show("Y-04", lambda: x.equal(x + 1))
show("Y-05", lambda: torch.unique(i, return_inverse=True, return_counts=True))
show("Y-05", lambda: i.unique())
show("Y-05", lambda: tuple(torch.median(x, dim=1)))
show("Y-05", lambda: torch.median(x))
show("Y-05", lambda: x.median(1).indices)
show("Y-05", lambda: tuple(torch.nanmedian(x, 1)))
show("Y-05", lambda: torch.nanmedian(x))
show("Y-05", lambda: [round(float(each), 4) for each in torch.slogdet(x @ x.T)])
show("Y-05", lambda: type(torch.seed()).__name__)
show("Y-05", lambda: torch.unique(i, dim=0, return_counts=True))
show("Y-05", lambda: torch.unique_consecutive(torch.tensor([1, 1, 2]), return_counts=True))
show("Y-05", lambda: torch.unique(torch.tensor([3, 1, 3]), sorted=True))
show("Y-06", lambda: x[tuple([slice(None), slice(0, 1)])])
a32 = torch.arange(3, dtype=torch.int32)
a64 = torch.arange(3)
show("Y-07", lambda: a32 < a64 + 1)
show("Y-07", lambda: a32 + a64)
show("Y-07", lambda: a64 >= a32)
show("Y-07", lambda: a32 == a64)
show("Y-07", lambda: torch.arange(3)[None] < torch.tensor([1, 2], dtype=torch.int32)[:, None])
show("Y-07", lambda: a32.sub(a64))
show("Y-07", lambda: torch.where(a32 > 1, a32, a64))
show("Y-07", lambda: torch.cat([a32, a64]))
show("Y-07", lambda: a32 // a64.clamp(min=1))
show("Y-07", lambda: a32 % (a64 + 1))
show("Y-07", lambda: a32 & a64)
show("Y-07", lambda: torch.maximum(a32, a64))
show("Y-07", lambda: (torch.max(a32, a64), torch.min(a64, other=a32), a32.max(a64)))
show("Y-07", lambda: torch.max(torch.tensor(2.0, dtype=torch.float64), torch.ones(2)))
show("Y-07", lambda: torch.min(torch.tensor([1, 5]), torch.tensor([2.5, 3.0])))
show("Y-08", lambda: a64 & 255)
show("Y-08", lambda: a32 | 4)
show("Y-08", lambda: a32 ^ 1)
show("Y-08", lambda: 3 & a32)
show("Y-08", lambda: a32 << 2)
show("Y-08", lambda: torch.bitwise_and(a32, 1))
show("Y-08", lambda: a32.to(torch.uint8) & 1)
show("Y-08", lambda: a32.bitwise_and(1))


def iand():
    b = a32.clone()
    b &= 1
    return b


show("Y-08", iand)
show("Y-09", lambda: torch.clamp_min(x, 2))
show("Y-09", lambda: x.clamp_max(2.5))
show("Y-09", lambda: x.clamp_min(2.5))
show("Y-09", lambda: x.clone().clamp_min_(2.5))
show("Y-09", lambda: torch.clamp_max(i, 3))
show("Y-09", lambda: torch.clamp_min(x, torch.tensor(2.0)))
show("Y-09", lambda: x.clamp(min=2))
show("Y-10", lambda: torch.pow(2, x))
show("Y-10", lambda: torch.pow(2.0, i))
show("Y-10", lambda: torch.pow(x, 2))
show("Y-10", lambda: 2**i)
show("Y-11", lambda: torch.mul(x, 2))
show("Y-11", lambda: x.mul(2.0))
show("Y-11", lambda: torch.multiply(x, 2))
show("Y-11", lambda: i.mul(2.5))
show("Y-11", lambda: x.clone().mul_(2))
show("Y-11", lambda: torch.add(x, 1, alpha=2))
show("Y-11", lambda: torch.sub(x, 1))
show("Y-11", lambda: torch.div(x, 2))
show("Y-11", lambda: torch.eq(x, 1))
show("Y-11", lambda: x.gt(2))
show("Y-12", lambda: torch.randint(low=0, high=1, size=(2,)))
show("Y-13", lambda: torch.randint(0, 1, (2,), dtype=torch.uint8))
o = torch.ones(1, 1, 3)
show("Y-14", lambda: o.broadcast_to((2, 2, 3)).shape == (2, 2, 3))
show("Y-14", lambda: o.expand(2, 2, 3).shape == (2, 2, 3))
show("Y-14", lambda: torch.broadcast_to(o, (2, 2, 3)).shape == (2, 2, 3))
show("Y-15", lambda: {tuple(x.shape): 1}[(2, 3)])
show("Y-16", lambda: i.t().view(torch.float64).shape == (3, 2))
show("Y-16", lambda: i.t().view(torch.int32))
show("Y-16", lambda: i.t().contiguous().view(torch.int32).shape == (3, 4))
show(
    "Y-17",
    lambda: (
        torch.zeros(4)
        .to(torch.float8_e4m3fn)
        .__setitem__(slice(0, 2), torch.ones(2).to(torch.float8_e4m3fn))
    ),
)


def f8set():
    z = torch.zeros(2, 4).to(torch.float8_e4m3fn)
    z[..., 1:3] = torch.ones(2, 2).to(torch.float8_e4m3fn)
    return z


def f8set2():
    z = torch.zeros(2, 4).to(torch.float8_e4m3fn)
    z[..., 1:3] = torch.ones(2, 2)
    return z


def f8view():
    z = torch.zeros(2, 4).to(torch.float8_e4m3fn)
    z.view(torch.uint8)[..., 1:3] = torch.ones(2, 2).to(torch.float8_e4m3fn).view(torch.uint8)
    return z


show("Y-17", f8set)
show("Y-17", f8set2)
show("Y-17", f8view)


def f8():
    return x.to(torch.float8_e4m3fn)


show("Y-17", lambda: torch.zeros(2, 4, dtype=torch.float8_e4m3fn))
show("Y-17", lambda: torch.empty(2, 4, dtype=torch.float8_e4m3fn).shape == (2, 4))
show("Y-17", lambda: f8()[:, :2])
show("Y-17", lambda: torch.cat([f8(), f8()]))
show("Y-17", lambda: f8().clone().fill_(1.0))
show("Y-17", lambda: f8().copy_(x))
show("Y-18", lambda: f8() == f8())
show("Y-18", lambda: torch.isclose(f8().float(), f8().float()))
show("Y-18", lambda: f8() != f8())
show("Y-18", lambda: torch.isclose(f8(), f8()))
show("Y-18", lambda: torch.equal(f8(), f8()))
show("Y-18", lambda: torch.testing.assert_close(f8(), f8()))
show("Y-18", lambda: torch.testing.assert_close(f8(), f8().float().mul(2).to(torch.float8_e4m3fn)))
show("Y-18", lambda: torch.allclose(f8(), f8()))
show("Y-20", lambda: x.view(torch.int))
show("Y-20", lambda: x.view(torch.int32))
show("Y-21", lambda: torch.tensor(np.ones(2, np.float32), dtype=torch.bfloat16))
show("Y-21", lambda: torch.tensor(np.ones(2), dtype=torch.bfloat16))
show("Y-21", lambda: torch.as_tensor(np.ones(2, np.int64), dtype=torch.bfloat16))
show("Y-21", lambda: torch.from_numpy(np.ones(2)).to(torch.bfloat16))
show("Y-21", lambda: torch.tensor([1.0, 2.0], dtype=torch.bfloat16))
show("Y-21", lambda: torch.tensor(np.ones(2, np.float16), dtype=torch.bfloat16))
show("Y-22", lambda: str(torch.float32).split(".")[-1])
show("Y-22", lambda: str(torch.half).rsplit(".", 1)[-1])
show("Y-22", lambda: getattr(torch, "float32") == torch.float32)
show("Y-24", lambda: torch.inference_mode()(lambda: 1)())
show("Y-26", lambda: torch.use_deterministic_algorithms(True))
show("Y-26", lambda: torch.set_float32_matmul_precision("high"))
show("Y-26", lambda: torch.set_num_threads(1))


def tb():
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.deterministic = True


show("Y-26", tb)
show("Y-26", lambda: torch.get_float32_matmul_precision())
show("Y-26", lambda: torch.are_deterministic_algorithms_enabled())
show("Y-26", lambda: torch.use_deterministic_algorithms(False))
show("Y-27", lambda: torch.utils._pytree.tree_map(lambda v: v + 1, {"a": [1, (2,)]}))


def pt():
    from torch.utils._pytree import tree_map, tree_flatten, tree_unflatten

    l, s = tree_flatten([1, {"b": 2, "a": 3}])
    return l, tree_unflatten([v * 2 for v in l], s)


show("Y-27", pt)
show("Y-28", lambda: x.t().dim_order())
show("Y-28", lambda: torch.ones(2, 3, 4).dim_order())


def ver():
    b = x.clone()
    v = b._version
    b.add_(1)
    return v, b._version


show("Y-29", ver)
b16 = torch.ones(2, dtype=torch.bfloat16)
show("Y-30", lambda: torch.utils.dlpack.from_dlpack(b16))
show("Y-30", lambda: torch.from_dlpack(b16))
show("Y-30", lambda: torch.utils.dlpack.from_dlpack(torch.utils.dlpack.to_dlpack(b16)))
show("Y-30", lambda: torch.from_dlpack(b16.__dlpack__()))
show("Y-30", lambda: torch.from_dlpack(torch.ones(2)).data_ptr() != 0)
show("Y-30", lambda: b16.__dlpack__(stream=-1) is not None)
show("Y-30", lambda: b16.__dlpack_device__()[0] == 1)
z = torch.zeros(2, 3)
show("Y-32", lambda: torch.scatter(z, 1, i % 3, 1.0))
show("Y-32", lambda: z.scatter(1, i % 3, 1.0))
show("Y-32", lambda: z.clone().scatter_(1, i % 3, 2))
show("Y-32", lambda: z.scatter(dim=1, index=i % 3, value=1.5))
show("Y-33", lambda: torch.searchsorted(torch.tensor([1.0, 2.0, 3.0]), 2.0))
show("Y-33", lambda: torch.div(x, 2, rounding_mode="floor"))
show("Y-33", lambda: torch.div(i, 2, rounding_mode="trunc"))
show("Y-33", lambda: torch.searchsorted(torch.tensor([1, 2, 3]), torch.tensor(2), right=True))
show("Y-33", lambda: torch.searchsorted(torch.tensor([1, 2, 3]), 2, right=True))
show("Y-33", lambda: torch.bucketize(torch.tensor([1.5]), torch.tensor([1.0, 2.0])))
show("Y-33", lambda: torch.bucketize(1.5, torch.tensor([1.0, 2.0])))
show(
    "Y-33",
    lambda: torch.searchsorted(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([2.0]), side="right"),
)
show("Y-33", lambda: x.div(2, rounding_mode="floor"))


def nv():
    with torch.cuda.nvtx.range("a"):
        pass


def rf():
    with torch.profiler.record_function("a"):
        return 1


def rf2():
    with torch.autograd.profiler.record_function("a"):
        return 1


show("K-03", nv)
show("K-03", rf)
show("K-03", rf2)
show("K-03", lambda: torch.profiler.record_function("f")(lambda: 3)())


def prof():
    with torch.profiler.profile() as p:
        x + 1
    return type(p.key_averages()).__name__


def flags():
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = False
    cudnn.benchmark = True
    with cudnn.flags(enabled=False, deterministic=True):
        inside = cudnn.enabled, torch.backends.cudnn.deterministic
    return (
        inside,
        (cudnn.enabled, cudnn.deterministic, cudnn.benchmark, cudnn.allow_tf32),
        torch.backends.cuda.matmul.allow_tf32,
        cudnn.is_available(),
        torch.backends.cudnn.version(),
    )


def unknown_flag():
    torch.backends.cuda.matmul.nonsense = 1


show("Y-26", flags)
show("Y-26", unknown_flag)

Point = collections.namedtuple("Point", "x y")
TREES = [
    1,
    None,
    [],
    [1, (2, [3])],
    {"b": 1, "a": [2]},
    Point(1, [2, 3]),
    collections.OrderedDict(b=1, a=2),
    collections.deque([1, 2]),
]
for tree in TREES:
    show("Y-27", lambda: tree_flatten(tree)[0])
    show("Y-27", lambda: tree_unflatten(*tree_flatten(tree)))
    show("Y-27", lambda: tree_map(lambda v: (v, v), tree))
    show("Y-27", lambda: _pytree.tree_structure(tree) == tree_flatten(tree)[1])
    show("Y-27", lambda: _pytree.tree_structure(tree).num_leaves)
show("Y-27", lambda: tree_map(lambda a, b: a + b, [1, {"k": 2}], [3, {"k": 4}]))
show("Y-27", lambda: tree_map(lambda a, b: a + b, [1, 2], [3]))
show("Y-27", lambda: tree_unflatten([1], tree_flatten([1, 2])[1]))
show("Y-27", lambda: _pytree.tree_map_only(int, lambda v: -v, [1, "a", (2.0, 3)]))
show("Y-27", lambda: _pytree.tree_map_only((int, str), lambda v: v * 2, [1, "a", (2.0, 3)]))
show("Y-27", lambda: _pytree.tree_any(lambda v: v > 1, [1, (2,)]))
show("Y-27", lambda: _pytree.tree_all(lambda v: v > 1, [1, (2,)]))
show("Y-27", lambda: tree_map(len, [[1, 2], [3]], is_leaf=lambda v: isinstance(v, list) and 3 in v))
show("Y-27", lambda: list(_pytree.tree_iter({"a": (1, 2)})))


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b


_pytree.register_pytree_node(Pair, lambda p: ([p.a, p.b], None), lambda v, _: Pair(*v))
show("Y-27", lambda: vars(tree_map(lambda v: v + 1, Pair(1, 2))))
show("Y-27", lambda: _pytree.tree_leaves([Pair(1, (2,)), 3]))


def copied(into, what):
    made = into.copy_(what)
    return made is into, into


zeros, T = torch.zeros, torch.tensor
show("Y-17", lambda: copied(zeros(2), T([1, 2])))
show("Y-17", lambda: copied(zeros(2, dtype=torch.int32), T([1.5, 2.5])))
show("Y-17", lambda: copied(zeros(2, 3), torch.ones(3)))
show("Y-17", lambda: copied(zeros(2, 3), T(4)))
show("Y-17", lambda: copied(zeros(3), torch.ones(2, 3)))
show("Y-17", lambda: copied(zeros(2, 3)[:, 1:], torch.ones(2, 2)))
show("Y-17", lambda: copied(zeros(2, 3).t(), torch.ones(3, 1)))
show("Y-17", lambda: copied(zeros(2).half(), T([1.0, 2.0])))
show("Y-17", lambda: copied(zeros(2, dtype=torch.bool), T([0.5, 0.0])))
show("Y-17", lambda: zeros(2).copy_(torch.ones(2), True))


def part_of_a_base():
    base = zeros(2, 3)
    base[:, 1].copy_(T([1, 2]))
    base.t()[2].copy_(T([5.0, 6.0]))
    return base


def gradient_of_a_copy(dtype):
    weight = torch.ones(2, requires_grad=True)
    into = zeros(2, dtype=dtype)
    into.copy_(weight * 2)
    into.sum().backward()
    return weight.grad


show("Y-17", part_of_a_base)
show("Y-17", lambda: gradient_of_a_copy(torch.float32))
show("Y-17", lambda: gradient_of_a_copy(torch.float64))
f16 = torch.ones(2).half()
show("Y-07", lambda: torch.where(a32 > 1, 1, 0))
show("Y-07", lambda: torch.where(a32 > 1, a32, 0.5))
show("Y-07", lambda: torch.where(a32 > 1))
show("Y-07", lambda: torch.where(a32 > 1, f16[0], T(3)))
show("Y-07", lambda: a64.where(a32 > 1, 0))
show("Y-07", lambda: torch.stack([a32, a64 * 0.5]))
show("Y-07", lambda: torch.cat([f16, f16]))
show("Y-07", lambda: torch.cat((x, i), dim=1))
show("Y-07", lambda: torch.minimum(a32, a64 * 0.5))
show("Y-08", lambda: T([True, False]) & 1)
show("Y-08", lambda: T([True, False]) & True)
show("Y-08", lambda: a64 & 1.5)
show("Y-08", lambda: T([True, False]) ^ a64[:2])
show("Y-08", lambda: a32.clone().bitwise_or_(4))
show("Y-08", lambda: a32.bitwise_or(a64))
show("Y-08", lambda: a32.to(torch.uint8) & 255)
show("Y-10", lambda: torch.pow(2.5, a64))
show("Y-10", lambda: torch.pow(-1, a64))
show("Y-10", lambda: (-1) ** a64)
show("Y-33", lambda: torch.searchsorted(T([1, 2, 3]), 1.5))
show("Y-33", lambda: torch.searchsorted(T([1.0, 2.0, 3.0]), 2, out_int32=True))
show("Y-33", lambda: torch.searchsorted(T([[1.0, 2.0, 3.0]]), 2))
show("Y-33", lambda: torch.bucketize(2, T([1.0, 2.0, 3.0]), right=True))
show("Y-05", lambda: i.unique(dim=0))
show("Y-05", lambda: torch.unique(T([1.5, 1.5]), True, True))
show("L-02", lambda: torch._C._log_api_usage_once("ops.import"))
leaf = torch.ones(2, requires_grad=True)
show("K-02", lambda: torch.from_dlpack(leaf.detach().__dlpack__(stream=-1)))
show("K-02", lambda: torch.from_dlpack(torch.ones(2, dtype=torch.bfloat16).t()))
show("Y-20", lambda: torch.zeros(2, dtype=torch.float32).view(torch.int))


def included():
    """Where the headers and libraries of extensions are; under torch nothing is asked."""
    import os

    from torch.utils.cpp_extension import include_paths, library_paths

    headers = [os.path.join(folder, "torch", "extension.h") for folder in include_paths()]
    libraries = [name for folder in library_paths() for name in os.listdir(folder)]
    return any(map(os.path.isfile, headers)), any(name.endswith(".so") for name in libraries)


show("J-02", included)
show("J-01", lambda: "parallel backend: OpenMP" in torch.__config__.parallel_info())
show("J-01", lambda: torch._C._parallel_info() == torch.__config__.parallel_info())
show("J-01", lambda: torch.__config__.show().splitlines()[0])
show("J-01", lambda: "USE_CUDA=" in torch._C._show_config())
show("Y-22", lambda: [str(torch.float32), repr(a32.dtype), f"{a32.dtype} {torch.bool!r}", "%s" % a64.dtype])
show("Y-23", lambda: getattr(torch, str(a32.dtype).split(".")[1]) is a32.dtype)
show("Y-22", lambda: [torch.float16.itemsize, torch.int8.is_signed, torch.bool.is_signed])
show("Y-22", lambda: [torch.half.is_floating_point, torch.complex64.is_complex, torch.int8.is_complex])
show("Y-22", lambda: [torch.complex128.to_real(), torch.bfloat16.to_complex(), torch.int8.to_real()])
show("Y-22", lambda: torch.int8.to_complex())
show("Y-22", lambda: torch.get_default_dtype() == torch.float32)
show("Y-22", lambda: [torch.get_autocast_gpu_dtype(), torch.get_autocast_cpu_dtype()])
show("D-05", lambda: torch.zeros(2, device=0))
show("D-05", lambda: torch.zeros(2).to(0))
