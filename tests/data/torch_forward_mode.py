"""Forward mode and what gradcheck does with it: one line of output for each call.

Run by tests/test_unit_pieces.py: `python torch_forward_mode.py`, or with the path of a unit to run
under Paddle's proxy. Of an exception the type is printed, not its words.
"""

import sys
import warnings

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
import torch.autograd.forward_ad as fwAD
from torch.autograd import Function, gradcheck, gradgradcheck

warnings.simplefilter("ignore")


def show(label, f):
    try:
        print(label, f())
    except Exception as error:
        print(label, "raises", type(error).__name__)


def numbers(tensor):
    return None if tensor is None else [round(each, 9) for each in tensor.flatten().tolist()]


class Squared(Function):
    """Two outputs of two tensors and a number, with both derivatives."""

    @staticmethod
    def forward(x, y, n):
        return x * x * y, x + n

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y, _ = inputs
        ctx.save_for_backward(x, y)
        ctx.save_for_forward(x, y)

    @staticmethod
    def backward(ctx, g, h):
        x, y = ctx.saved_tensors
        return 2 * x * y * g + h, x * x * g, None

    @staticmethod
    def jvp(ctx, dx, dy, _):
        x, y = ctx.saved_tensors
        return 2 * x * y * dx + x * x * dy, dx.clone()


class Wrong(Squared):
    @staticmethod
    def jvp(ctx, dx, dy, _):
        return dx, dy


class Apart(Squared):
    """Keeps other tensors for forward, and wants no zeros."""

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*inputs[:2])
        ctx.save_for_forward(output[1])

    @staticmethod
    def jvp(ctx, dx, dy, _):
        (kept,) = ctx.saved_tensors
        return dx * kept, dx if dy is None else dy


class OneWay(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


def leaf(*values, dtype=torch.float64):
    return torch.tensor(values, dtype=dtype, requires_grad=True)


x, y = torch.tensor([1.0, 2.0]).double(), torch.tensor([3.0, 4.0]).double()
with fwAD.dual_level():
    dual = fwAD.make_dual(x, torch.ones_like(x))
    found = fwAD.unpack_dual((dual.sin() * y).sum())
    print("sum", numbers(found.primal), numbers(found.tangent), fwAD.unpack_dual(y).tangent)
    made, moved = Squared.apply(dual.exp(), y, 3)
    print("function", *map(numbers, fwAD.unpack_dual((made + moved * dual).log())))
    made, moved = Apart.apply(dual, y, 3)
    print("apart", *(numbers(fwAD.unpack_dual(each).tangent) for each in (made, moved)))
    print("constant", fwAD.unpack_dual(Squared.apply(x, y, 3)[0]).tangent)
    print("itself", numbers(fwAD.unpack_dual(dual).tangent))
    show("no jvp", lambda: OneWay.apply(dual))
    show("nested", fwAD.enter_dual_level)
    show("of integers", lambda: fwAD.make_dual(torch.arange(2), torch.arange(2)))
    show("another shape", lambda: fwAD.make_dual(x, torch.ones(3).double()))
print("after", fwAD.unpack_dual(dual).tangent)
show("no level", lambda: fwAD.make_dual(x, x))
show("no level to end", fwAD.exit_dual_level)
print("level", fwAD.enter_dual_level())
fwAD.exit_dual_level()
with fwAD.dual_level():
    weight = leaf(2.0)
    tangent = fwAD.unpack_dual(fwAD.make_dual(weight, torch.ones(1).double()) ** 3).tangent
    print("and back", numbers(tangent), numbers(torch.autograd.grad(tangent, weight)[0]))
layer = torch.nn.Linear(2, 2).double()
with fwAD.dual_level():
    ones = torch.ones(1, 2, dtype=torch.float64)
    tangent = fwAD.unpack_dual(layer(fwAD.make_dual(ones, ones))).tangent
    print("of a layer", torch.allclose(tangent, layer.weight.sum(1)), [*tangent.shape])

pair = leaf(1.0, 2.0), leaf(3.0, 4.0)
forward = {"check_forward_ad": True}
print("both", gradcheck(lambda x, y: Squared.apply(x, y, 2.0), pair, **forward))
only = {**forward, "check_backward_ad": False}
print("only", gradcheck(lambda x, y: Squared.apply(x.cos(), y, 2.0), pair, **only))
print("batched", gradcheck(lambda x, y: Squared.apply(x, y, 2.0), pair, check_batched_grad=True))
show("wrong", lambda: gradcheck(lambda x, y: Wrong.apply(x, y, 2.0), pair, **forward))
print("backward is right", gradcheck(lambda x, y: Wrong.apply(x, y, 2.0), pair))
told = gradcheck(lambda x, y: Wrong.apply(x, y, 2.0), pair, **forward, raise_exception=False)
print("told", told)
show("no jvp", lambda: gradcheck(OneWay.apply, pair[:1], **forward))
show("neither", lambda: gradcheck(OneWay.apply, pair[:1], check_backward_ad=False))
wide = leaf(1 + 2j, 0.5 - 1j, dtype=torch.complex128)
print("complex", gradcheck(lambda c: (c * c).abs() + c.exp(), (wide,), **forward))
print("second", gradgradcheck(lambda x: x.sin() * x**3, pair[:1], check_fwd_over_rev=True))
