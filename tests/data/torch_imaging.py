"""What libraries for images and metrics ask of torch and Paddle has otherwise, one line each, as torch has it.

Run by tests/test_compat_package.py: `python torch_imaging.py`, or with the path of a unit to run
under Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
import torch.nn.functional as F
from torch.utils import collect_env


def show(make):
    try:
        found = make()
    except Exception as error:
        found = type(error).__name__
    print(sys._getframe(1).f_lineno, found)


def said(make):
    """The first line of an error's text."""
    try:
        return make()
    except Exception as error:
        return type(error).__name__, str(error).split("\n")[0]


INF = float("inf")

# A bound that is not given changes nothing, of whatever dtype.
for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
    x = torch.tensor([INF, -INF, float("nan"), 0.5, 3e4], dtype=dtype)
    show(lambda: (x.clamp(min=0).tolist(), torch.clamp(x, max=1).tolist(), x.clip(0).tolist()))
    show(lambda: (x.clone().clamp_(min=0).tolist(), x.clone().clip_(max=1).tolist(), torch.clip(x, None, 1).tolist()))
    leaf = x.clone().requires_grad_()
    (leaf.clamp(min=0) + leaf.clamp(max=1)).sum().backward()
    show(lambda: leaf.grad.tolist())
show(lambda: torch.tensor([1e300]).clamp_(max=1).tolist())
show(lambda: torch.tensor([1e300, -1e300], dtype=torch.float64).clamp_(min=0).tolist())
for dtype in (torch.int32, torch.int64, torch.uint8, torch.int8, torch.int16):
    x = torch.tensor([torch.iinfo(dtype).max, torch.iinfo(dtype).min, 3], dtype=dtype)
    show(lambda: (x.clamp(min=1).tolist(), x.clamp(max=1).tolist(), x.clone().clamp_(min=0).tolist()))

# Zeros keep their sign.
for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
    zero, negative = torch.zeros(1, dtype=dtype), torch.full((1,), -0.0, dtype=dtype)
    show(lambda: (-zero, zero.neg(), torch.neg(zero), torch.negative(zero), zero.clone().neg_(), -negative))
    show(lambda: (zero * -1, zero * -2.5, -3 * zero, negative * 2, 2.0 * negative, negative * -1))
    show(lambda: (torch.mul(negative, 2), negative.mul(3.0), torch.multiply(zero, -1), negative.clone().mul_(3)))
one = torch.ones(1, dtype=torch.float64)
show(lambda: ((2.0 * (-one * 0)).atan2(-one), 1 / -(one * 0), torch.copysign(one, -(one * 0))))
leaf = torch.tensor([0.0, 0.1, -2.0], dtype=torch.float64, requires_grad=True)
first = torch.autograd.grad((leaf * 0.1 * -leaf).sum(), leaf, create_graph=True)[0]
show(lambda: (first.detach() + 0.0, torch.autograd.grad(first.sum(), leaf)[0]))
show(lambda: (torch.tensor([3, -4]) * 2, -torch.tensor([3, 0]), -torch.tensor([1 + 2j]), torch.tensor([True]) * 2))
show(lambda: (torch.tensor([0.1], dtype=torch.float64) * 0.1).item())

# Letters of an einsum differ from the capital ones.
image, weight = torch.arange(24.0).reshape(1, 2, 3, 4), torch.arange(48.0).reshape(1, 2, 2, 3, 4)
show(lambda: torch.einsum("BCHW,BCcHW->BcHW", image, weight).tolist())
square = torch.arange(9.0).reshape(3, 3)
show(lambda: (torch.einsum("aA", square).tolist(), torch.einsum("aA->Aa", square).tolist()))
show(lambda: (torch.einsum("iI,Ij", square, square).tolist(), torch.einsum("Ii,iJ->iJ", square, square).tolist()))
show(lambda: torch.einsum("...Aa,...aB->...BA", weight, weight.transpose(-1, -2)).sum((0, 1, 2)).tolist())

# Numbers given one by one, and two numbers.
small = torch.arange(4.0).reshape(2, 2)
show(lambda: (small.tile(3, 1, 2).shape, small.tile((2,)).shape, small.tile(2).shape, small.tile(dims=(1, 2)).shape))
show(lambda: (small.broadcast_to(3, 2, 2).shape, small.broadcast_to((1, 2, 2)).shape))
show(lambda: (torch.mul(5, 5), torch.add(5, 2), torch.sub(5, 5.5), torch.div(5, 2), torch.floor_divide(5, 2)))
show(lambda: (torch.add(True, 2), torch.true_divide(1, 2), torch.add(1, 2, alpha=3), torch.multiply(2, 0.5)))
show(lambda: torch.gt(1, 2))

# What is written where there is nothing, to a tensor of one element, and to what was recorded.
rows, nothing = torch.ones(3, 2), torch.zeros(3, dtype=torch.bool)
rows[nothing] = torch.tensor([0.0, 1.0])
rows[:, 2:] = torch.zeros(3, 0)
rows[3:, :1] = torch.zeros(0, 1)
rows[1:1] = torch.zeros(2)
show(lambda: rows.tolist())
show(lambda: said(lambda: rows.__setitem__(slice(3, None), torch.zeros(3)))[0])
x = torch.rand(3, dtype=torch.float64, requires_grad=True)
torch.autograd.grad((x * x).sum(), x, create_graph=True)  # from here on operators have second gradients
for condition in (True, False):
    value = torch.full((), 7.0, dtype=torch.float64)
    value[torch.tensor(condition)] = (x.sum() * 2)[torch.tensor(condition)] ** 2
    show(lambda: (value * 3 + x.sum()).sub(x.sum()).item() == 21.0)
    show(lambda: torch.autograd.grad(value * 1 + x.sum() * 0, x)[0].div(x.detach().sum()).tolist())
for write in ("/= other + 1", "*= other", "-= other", "+= other", "/= 2"):
    part, other = x * 3, x * 2
    exec(f"part {write}")
    show(lambda: torch.allclose(torch.autograd.grad(part.sum(), x)[0], {
        "/= other + 1": 3 / (2 * x + 1) ** 2, "*= other": 12 * x, "-= other": x * 0 + 1,
        "+= other": x * 0 + 5, "/= 2": x * 0 + 1.5,
    }[write]))  # fmt: skip
leaf = torch.ones(2, requires_grad=True)
(leaf * 3).sum().backward()
show(lambda: (leaf._grad.tolist(), leaf._grad.shape))

# Parts of tensors of seven dimensions.
many = torch.arange(2.0**7).reshape([2] * 7)
show(lambda: (many[..., 1].sum(), many[0].sum(), many[:, 1:].shape, many[:, :, 0, ..., 1:].sum(), many[..., ::2].sum()))
show(lambda: (many[None, ..., -1].shape, many[1, 0, 1, 0, 1, 0, 1], many.select(6, 0).sum(), many[1, ..., 0].shape))
show(lambda: said(lambda: many[2])[0])
leaf = many.clone().requires_grad_()
(leaf[1, ..., 0] ** 2).sum().backward()
show(lambda: (leaf.grad.sum(), leaf.grad[1, ..., 0].sum()))
many[0, :, 1] = 3.0
many[..., 1, 1] = torch.tensor([5.0, 6.0])
many[1, ..., 0].add_(1)
show(lambda: many.sum())


class Wrapped:
    """An object that functions of torch take for a tensor."""

    def __init__(self, data):
        self.data = data

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        plain = [each.data if isinstance(each, Wrapped) else each for each in args]
        return Wrapped(func(*plain, **(kwargs or {})))


up, right = torch.tensor([0.0, 1.0, 0.0]), torch.tensor([1.0, 0.0, 0.0])
show(lambda: torch.linalg.cross(Wrapped(up), Wrapped(right), dim=-1).data)
show(lambda: (up.add(Wrapped(right)).data, torch.atan2(Wrapped(up), right).data, up.dot(Wrapped(up)).data))
show(lambda: (F.cosine_similarity(Wrapped(up), up, dim=0).data, torch.linalg.norm(Wrapped(up)).data))
show(lambda: type(up.add(object())))

# What errors say.
a, b = torch.rand(2, 3), torch.rand(2, 2)
for work in ("a + b", "a * b", "a - b", "a / b", "a == b", "a < b", "torch.maximum(a, b)", "torch.where(a > 0, a, b)",
             "a.add_(b)", "a + torch.rand(4, 2, 5)", "a @ b", "torch.mm(a, b)", "a.view(5)", "a.reshape(5, -1)",
             "a.sum(2)", "a.mean(-3)", "a.squeeze(4)", "a.unsqueeze(4)", "a.transpose(0, 2)", "a.flip(2)", "a.flip(-3)",
             "a.flip(0, 0)", "a.cumsum(2)", "a.softmax(3)", "a.unbind(2)", "a.select(2, 0)", "a.select(0, 5)",
             "a[3]", "a[0, 5]", "a.amax(2)", "a.all(2)", "torch.rand(4).flip(-2)"):  # fmt: skip
    show(lambda: (work, said(lambda: eval(work))))
show(lambda: (torch.tensor(2.0).flip(0), a.flip(()).shape))

# What a report of the system is made of.
show(lambda: collect_env.run("echo here; exit 3"))
show(lambda: collect_env.run(["echo", "there"]))
show(lambda: collect_env.run_and_parse_first_match(collect_env.run, "echo version 12", r"version (\d+)"))
show(lambda: (collect_env.run_and_read_all(collect_env.run, "false"), collect_env.get_platform()))
show(lambda: collect_env.run_and_return_first_line(collect_env.run, "printf 'a\nb'"))
for name in "cpu_info gcc_version clang_version cmake_version nvidia_driver_version gpu_info os".split():
    show(lambda: (name, getattr(collect_env, f"get_{name}")(collect_env.run)))
show(lambda: (collect_env.get_libc_version(), collect_env.get_python_platform()))

# Where elements of any dtype are not zero.
for dtype in (torch.float16, torch.bfloat16, torch.uint8, torch.int8, torch.bool, torch.complex64):
    marks = torch.tensor([[0, 1], [2, 0]]).to(dtype)
    show(lambda: ([each.tolist() for each in torch.where(marks)], [each.tolist() for each in torch.where(marks[0, 1])]))
