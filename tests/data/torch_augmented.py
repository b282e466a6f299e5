"""Operators in place, `x += y` and the like, word by word: one line of output for each.

Run by tests/test_unit_pieces.py: `python torch_augmented.py`, or with the path of a unit to run
under Paddle's proxy. Of an exception the type is printed, not its words.
"""

import operator
import sys
import warnings

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch

warnings.simplefilter("ignore")
OPERATORS = "iadd isub imul itruediv ifloordiv imod ipow iand ior ixor ilshift irshift".split()


def plain(value):
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).rpartition('.')[2]}{plain(value.detach().tolist())}"
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return float(f"{value:.6g}") if isinstance(value, float) else value


def show(label, f, /, *args):
    try:
        print(label, plain(f(*args)))
    except Exception as error:
        print(label, "raises", type(error).__name__)


# values, dtypes and errors, of each operator: written into the tensor, or nothing is
def written(name, x, y):
    alias, view, address = x, x[...], x.data_ptr()
    try:
        x = getattr(operator, name)(x, y)
        raised = ""
    except Exception as error:
        raised = type(error).__name__
    same = x is alias and x.data_ptr() == address and x.tolist() == view.tolist()
    return raised, same, x


FLOATS = [torch.float32, torch.float64]
INTEGERS = [torch.int64, torch.int32]
for name in OPERATORS:
    bits = name in ("iand", "ior", "ixor", "ilshift", "irshift")
    for dtype in INTEGERS if bits else [*FLOATS, *INTEGERS]:
        for other in (
            torch.tensor([[3, 1], [2, 1]], dtype=dtype),
            torch.tensor([3, 2], dtype=dtype),
            torch.tensor(2, dtype=dtype),
            torch.ones(3, 2, 2, dtype=dtype),
            2,
            1.5,
            None,
        ):
            if bits and not isinstance(other, torch.Tensor):
                continue  # what `x & y` takes is of another piece
            start = torch.tensor([[7, 4], [9, 6]], dtype=dtype)
            what = plain(other) if isinstance(other, torch.Tensor) else repr(other)
            show(f"{name} {dtype.__str__().rpartition('.')[2]} {what}", written, name, start, other)

MIXED = [
    (torch.int64, torch.tensor(1.5)),
    (torch.int64, torch.tensor([1.5, 2.5])),
    (torch.int64, True),
    (torch.int64, 1j),
    (torch.bool, 1),
    (torch.bool, torch.tensor([1, 0])),
    (torch.float32, 1j),
    (torch.float32, torch.tensor(1.5, dtype=torch.float64)),
    (torch.float32, torch.tensor([1.5, 2.5], dtype=torch.float64)),
    (torch.float64, torch.tensor([1.5, 2.5])),
    (torch.uint8, 3),
]
for dtype, other in MIXED:
    for name in ("iadd", "imul"):
        start = torch.tensor([1, 0]).to(dtype)
        show(f"{name} {str(dtype).rpartition('.')[2]} {plain(other)}", written, name, start, other)
for name in ("iand", "ior", "ixor"):
    start, other = torch.tensor([True, True, False]), torch.tensor([True, False, False])
    show(f"{name} bool", written, name, start, other)
show("0-d and a row", written, "iadd", torch.tensor(1.0), torch.ones(1))
show("0-d and a number", written, "iadd", torch.tensor(1.0), 2)
show("one and a row", written, "imul", torch.ones(1), torch.ones(3))
show("nothing", written, "iadd", torch.ones(0), 1.0)
show("nothing of two", written, "iadd", torch.ones(0, 2), torch.ones(2))
show("itself", lambda: [x := torch.tensor([1.0, 2.0]), operator.imul(x, x)][0])


# views and what they are of, and every other name of the tensor
VIEWS = {
    "slice": lambda x: x[1:],
    "element": lambda x: x[1, 2],
    "row": lambda x: x[0],
    "column": lambda x: x[:, 1],
    "steps": lambda x: x[:, ::2],
    "view": lambda x: x.view(-1),
    "transposed": lambda x: x.t(),
    "permuted": lambda x: x.permute(1, 0)[1],
    "unsqueezed": lambda x: x.unsqueeze(0),
    "narrow": lambda x: x.narrow(1, 1, 2),
    "diagonal": lambda x: x.diagonal(),
    "detached": lambda x: x.detach(),
    "empty": lambda x: x[:0],
}
for label, made in VIEWS.items():

    def both(x):
        v = made(x)
        v += 10
        w = made(x)
        x *= 2
        return x, v, w

    show(f"a view: {label}", both, torch.arange(6.0).view(2, 3))


class Holder:
    def __init__(self):
        self.sum = torch.zeros(2)
        self.parts = [torch.zeros(2), torch.zeros(2)]
        self.named = {"a": torch.zeros(2)}


def held():
    holder = Holder()
    seen = holder.sum, *holder.parts, holder.named["a"]
    holder.sum += torch.ones(2)
    holder.parts[1] -= 3
    holder.named["a"] += 4
    for part in holder.parts:
        part *= 2
    return seen, [s is t for s, t in zip(seen, (holder.sum, *holder.parts, holder.named["a"]))]


def added(x, y):
    x += y


def of_a_caller():
    x = torch.zeros(2)
    added(x, 1)
    added(x[:1], torch.ones(1))
    return x


def by_index():
    x, mask = torch.arange(6.0).view(2, 3), torch.tensor([True, False])
    v = x[0]
    x[0, 1:] += 10
    x[mask] *= 2
    x[:, torch.tensor([0, 2])] -= 1
    x[1, 1] /= 4
    return x, v


show("held", held)
show("of a caller", of_a_caller)
show("by index", by_index)
show("a number and a tensor", lambda: [t := torch.ones(2), operator.iadd(1, t)])
show("a list", lambda: operator.iadd([1], [2]))


# what autograd records
def leaf(*values):
    return torch.tensor(values or (1.0, 2.0, 3.0), requires_grad=True)


def of_a_leaf():
    x = leaf()
    x += 1


def of_a_leaf_unseen():
    x = leaf()
    with torch.no_grad():
        x += 1
        x[1:] *= 2
    return x, x.requires_grad, x.is_leaf


def by_another_name():
    x, w = leaf(), leaf(2.0, 3.0, 4.0)
    y = x * 1
    other = y
    y *= w
    y += x
    y -= 1
    y /= w
    other.sum().backward()
    return other, other is y, x.grad, w.grad


def of_a_result(f):
    x, w = leaf(0.5, 0.25, 0.125), leaf()
    y = f(x, w)
    y += 1
    y *= w
    y.sum().backward()
    return y, x.grad, w.grad


def of_a_buffer():
    x, total = leaf(), torch.zeros(3)
    other = total
    for scale in (2.0, 3.0):
        total += x * scale
        total *= x
    other.sum().backward()
    return other, other.requires_grad, x.grad


def of_a_part_of_a_buffer():
    x, total = leaf(), torch.zeros(2, 3)
    part = total[0]
    part += x
    return total, part.requires_grad


def of_a_buffer_in_parts():
    x, total = leaf(), torch.zeros(2, 3)
    part = total[0]
    part += x
    return total.requires_grad


def of_a_view():
    x = leaf()
    v = (x * 2).view(3, 1)
    v *= 3
    v += x.view(3, 1)
    v.sum().backward()
    return v, x.grad


def of_a_view_and_its_base():
    x = leaf()
    y = x * 2
    v = y[1:]
    v *= 3
    y.sum().backward()
    return y, x.grad


def of_an_index():
    x = leaf()
    y = x * 1
    y[1:] *= 3
    y[0] += x[1]
    y.sum().backward()
    return y, x.grad


def of_a_gradient():
    x = leaf()
    (x * x).sum().backward()
    x.grad *= 2
    seen = x.grad
    seen += 1
    return x.grad


def of_no_gradient_any_more():
    x = leaf()
    (x * x).sum().backward()
    del x.grad
    gone = x.grad is None
    (x * x).sum().backward()
    return gone, x.grad


def saved():
    x = leaf()
    y = x * 1
    total = y.exp().sum()
    with torch.no_grad():
        y += 1
    return total.item(), y


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = x.clone()
        out *= 2
        return out

    @staticmethod
    def backward(ctx, grad):
        grad = grad.clone()
        grad *= 2
        return grad


def of_a_function():
    x = leaf()
    y = Doubled.apply(x)
    y += x
    y.sum().backward()
    return y, x.grad


show("a leaf", of_a_leaf)
show("a leaf, not recorded", of_a_leaf_unseen)
show("by another name", by_another_name)
for label, f in {
    "product": lambda x, w: x * w,
    "quotient": lambda x, w: x / w,
    "silu": lambda x, w: torch.nn.functional.silu(x * w),
    "matmul": lambda x, w: x.view(3, 1) @ w.view(1, 3),
    "softplus": lambda x, w: torch.nn.functional.softplus(x - w),
}.items():
    show(f"a result: {label}", of_a_result, f)
leaves = (of_a_buffer, of_a_part_of_a_buffer, of_a_view, of_an_index)
for f in (*leaves, of_a_gradient, of_no_gradient_any_more, saved):
    show(f.__name__, f)
show("in a function", of_a_function)
show("recorded view", of_a_view_and_its_base)
show("recorded view of a buffer", of_a_buffer_in_parts)
