"""Derivatives and maps whose answers torch and the polyfill pieces must share, one line each.

Run by tests/test_unit_pieces.py: `python torch_transforms.py`, or with the path of a unit to run
under Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
from torch.autograd import functional, gradgradcheck


def plain(value):
    if isinstance(value, torch.Tensor):
        rounded = (value.detach().double() * 1e6).round() / 1e6 + 0.0
        return [str(value.dtype).rpartition(".")[2], list(value.shape), rounded.tolist()]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, (tuple, list)) else value


def show(call):
    """What a call gives, or the kind of error; torch has its own kinds for some."""
    try:
        print(plain(call()))
    except Exception as error:
        print("refuses", isinstance(error, (ValueError, RuntimeError, TypeError)))


x = torch.tensor([[0.5, 1.0, -2.0], [3.0, 0.25, 1.5]], dtype=torch.float64)
w = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
vmap, jacrev, jacfwd = torch.func.vmap, torch.func.jacrev, torch.func.jacfwd

show(lambda: vmap(lambda a: a * w)(x))
show(lambda: vmap(lambda a: a.sum())(x))
from torch._vmap_internals import _vmap

show(lambda: _vmap(lambda a: a * w)(x))
show(lambda: vmap(lambda a, b: a @ b, in_dims=(0, None))(x, w))
show(lambda: vmap(lambda a, b: a + b, in_dims=(0, 1))(x, x.t()))
show(lambda: vmap(lambda a: a * 2, in_dims=1)(x))
show(lambda: vmap(lambda a: a * 2, in_dims=-1, out_dims=1)(x))
show(lambda: vmap(lambda a: a * 2, out_dims=-1)(x))
show(lambda: vmap(lambda a: (a * 2, a.sum()), out_dims=(1, 0))(x))
show(lambda: vmap(lambda a: {"double": a * 2})(x))
show(lambda: vmap(lambda a, by=1: a * by)(x, by=3))
show(lambda: torch.vmap(vmap(lambda a: a * a))(x))
show(lambda: vmap(lambda a, b: a + b)(x, w))
show(lambda: vmap(lambda a: a, in_dims=(0, 0))(x))
show(lambda: vmap(lambda p, b: b[0] @ p["w"] + b[1], in_dims=(None, 0))({"w": w}, (x, x[:, 0])))
show(lambda: vmap(lambda p, b: p["w"] + b[0] * b[1], in_dims=({"w": 0}, [1, None]))({"w": x}, [x.t(), 2.0]))
show(lambda: vmap(lambda a, b: a * b[0], in_dims=(0, (0, 0)))(x, (x, x))[0])
show(lambda: vmap(lambda b: b[0], in_dims=((0, 0, 0),))((x, x)))
show(lambda: vmap(lambda b: b[0] * b[1])((x, 3)))
show(lambda: vmap(lambda a: 1)(x))
show(lambda: vmap(lambda a: a.float())(x))
leaf = x.clone().requires_grad_()
show(lambda: torch.autograd.grad(vmap(lambda a: (a * w).sum() ** 2)(leaf).sum(), leaf)[0])

for jacobian in (jacrev, jacfwd):
    show(lambda: jacobian(lambda a: a * a * w)(x))
    show(lambda: jacobian(lambda a: a.sum())(x))
    show(lambda: jacobian(lambda a, b: a @ b, argnums=1)(x, w))
    show(lambda: jacobian(lambda a, b: a @ b, argnums=(0, 1))(x, w))
    show(lambda: jacobian(lambda a: (a.sum(), a * 2))(w))
    show(lambda: jacobian(jacrev(lambda a: (a**3).sum()))(w))
    show(lambda: jacobian(lambda a: w * 2)(x))

show(lambda: functional.jacobian(lambda a: a.sum(0), x))
show(lambda: functional.jacobian(lambda a, b: a @ b, (x, w)))
show(lambda: functional.jacobian(lambda a: (a.sum(), a * 2), w))
show(lambda: functional.jacobian(lambda a: w * 2, w))
show(lambda: functional.jacobian(lambda a: a * 2, w).requires_grad)
show(lambda: functional.jacobian(lambda a: a**2, leaf, create_graph=True).requires_grad)
show(lambda: functional.hessian(lambda a: (a**3).sum(), w))
show(lambda: functional.hessian(lambda a: (a**3).sum().reshape([1]), x))
show(lambda: functional.hessian(lambda a, b: ((a @ b) ** 2).sum(), (x, w)))
show(lambda: functional.hessian(lambda a: a * 2, w))
show(lambda: functional.hessian(lambda a: a.sum(), w))


class Cube(torch.autograd.Function):
    factor = 3

    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a**3

    @staticmethod
    def backward(ctx, grad):
        (a,) = ctx.saved_tensors
        return Square.apply(a) * 3 * grad


class Square(torch.autograd.Function):
    factor = 2

    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a**2

    @staticmethod
    def backward(ctx, grad):
        (a,) = ctx.saved_tensors
        return a * Square.factor * grad


class Filling(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, first, second):
        ctx.mark_dirty(first, second)
        first.copy_(a * 2)
        second.copy_(a * 3)
        return first, second

    @staticmethod
    def backward(ctx, grad_first, grad_second):
        return grad_first * 2 + grad_second * 3, None, None


for source in (x, leaf):
    filled = [torch.zeros_like(x), torch.zeros_like(x)]
    kept = list(filled)
    outputs = Filling.apply(source, *filled)
    show(lambda: [outputs, [each.requires_grad for each in outputs], kept])
show(lambda: torch.autograd.grad((outputs[0] + outputs[1] * x).sum(), leaf)[0])


class Refusing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a * 2

    @staticmethod
    def backward(ctx, grad):
        raise LookupError("no gradient")


def raised(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


show(lambda: raised(lambda: Refusing.apply(leaf).sum().backward()))
show(lambda: raised(lambda: torch.autograd.backward(Refusing.apply(leaf).sum())))
show(lambda: raised(lambda: torch.autograd.grad(Refusing.apply(leaf).sum(), leaf)))
show(lambda: raised(lambda: torch.autograd.grad((leaf * 2).sum(), leaf)))

point = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
show(lambda: gradgradcheck(lambda a: a**3, point))
show(lambda: gradgradcheck(lambda a, b: (a * b, a + b), (point, point.detach().clone())))
show(lambda: gradgradcheck(Cube.apply, (point,), fast_mode=True))
show(lambda: gradgradcheck(lambda a: a**3, point, torch.ones_like(point)))
Square.factor = 2.5
show(lambda: gradgradcheck(Cube.apply, (point,)))
show(lambda: gradgradcheck(Cube.apply, (point,), raise_exception=False))
show(lambda: gradgradcheck(lambda a: a * 2, (point.detach(),)))


@torch.library.custom_op("porter_transforms::cube", mutates_args=())
def cube(a: torch.Tensor) -> torch.Tensor:
    return a**3


@torch.library.custom_op("porter_transforms::slope", mutates_args=())
def slope(a: torch.Tensor) -> torch.Tensor:
    return 3 * a**2


held = torch.ops.porter_transforms.slope.default  # before it has a gradient
keep = lambda ctx, inputs, output: ctx.save_for_backward(inputs[0])  # noqa: E731
for name, backward in (
    ("cube", lambda ctx, grad: grad * held(ctx.saved_tensors[0])),
    ("slope", lambda ctx, grad: grad * 6 * ctx.saved_tensors[0]),
):
    torch.library.register_autograd(f"porter_transforms::{name}", backward, setup_context=keep)
cube = torch.ops.porter_transforms.cube
show(lambda: functional.jacobian(lambda a: cube(a).sum(), point))
show(lambda: functional.hessian(lambda a: cube(a).sum(), point))
show(lambda: functional.hessian(lambda a: cube.default(a).sum(), point))
show(lambda: gradgradcheck(cube, (point,)))

show(lambda: torch.compile(lambda a: a * 2)(x))
number = torch.tensor(2.0)
show(lambda: [number.view(1), number.view(1, 1), number.view([]), number.view((1, -1)), x.view(-1)])
show(lambda: x.t().view(-1))
empty = torch.zeros(0, 3)
show(lambda: [empty.view(0), empty.view(3, 0, 1), empty[:, 0].view(0, 1), empty.view(-1, 3)])
show(lambda: empty.view(2, 3))
show(lambda: [torch.div(2.0, x), torch.mul(2.0, x)])
same = number.view(1)
same.fill_(3.0)
show(lambda: number)
show(lambda: [x.is_set_to(x.view(2, 3)), x.is_set_to(x.view(6)), x.is_set_to(x.clone())])
show(lambda: x[0].is_set_to(x[1]))
layer = torch.nn.Linear(2, 1)
show(lambda: [str(layer.to(torch.float64).weight.dtype)[-7:], layer.to(x) is layer])
show(lambda: [str(layer.to(number).weight.dtype)[-7:], str(layer.to("cpu").weight.dtype)[-7:]])
show(lambda: [torch.allclose(x, x[:1]), torch.allclose(x * 0, torch.zeros(3).double())])


def pulled(*args, **kwargs):
    start = torch.ones(2, requires_grad=True)
    (start * 3).backward(*args, **kwargs)
    return start.grad


pull = torch.tensor([1.0, 2.0])
show(lambda: [pulled(pull), pulled(gradient=pull), pulled((pull, pull)), pulled(pull, True)])
show(lambda: pulled(pull, retain_graph=True))
show(lambda: torch.movedim(x, 0, 1))
show(lambda: x.reshape(1, 2, 3).movedim((0, 2), (1, 0)))
for zero in (0, 1):
    show(lambda: torch.cosine_similarity(x, (x + 1) * zero, dim=1))
show(lambda: torch.cosine_similarity(x, w.reshape(1, 3), dim=-1, eps=2.0))
show(lambda: torch.cosine_similarity(x, x * 2, 0))

vjp = functional.vjp
show(lambda: vjp(lambda a: (a * a).sum(), x))
show(lambda: vjp(lambda a, b: a * b, (x, w), x))
show(lambda: vjp(lambda a, b: (a * b, b * 2), (x, w), (x, w)))
show(lambda: vjp(lambda a, b: (a * 3, b.detach()), (x, w), (x, w)))
show(lambda: vjp(lambda a: torch.ones(1, dtype=torch.float64), x))
show(lambda: vjp(lambda a: a * a, x))
show(lambda: vjp(lambda a: a * a, x, w))
show(lambda: [each.requires_grad for each in vjp(lambda a: (a * a).sum(), leaf)])
made, product = vjp(lambda a: (a**3).sum(), leaf, create_graph=True)
show(lambda: torch.autograd.grad(product.sum() + made, leaf)[0])

from torch.func import functional_call, grad, grad_and_value, hessian, jvp, stack_module_state, vjp

functional = torch.autograd.functional
cubes = lambda a: (a**3).sum()
v = torch.tensor([2.0, 0.5, 1.0], dtype=torch.float64)
show(lambda: grad(cubes)(w))
show(lambda: grad(grad(lambda a: a**4))(torch.tensor(2.0)))
show(lambda: [*grad_and_value(cubes)(w), *grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(w, v)])
show(lambda: [*grad(lambda a: (cubes(a), a * 2), has_aux=True)(w)])
show(lambda: [each.requires_grad for each in grad_and_value(lambda a: (cubes(a), a * 2), has_aux=True)(w)[1]])
show(lambda: grad(lambda d: (d["a"] * d["b"][0]).sum())({"a": w, "b": [v]}))
show(lambda: grad(lambda a: a * 2)(w))
show(lambda: grad(lambda a: torch.tensor(1.0))(w))
show(lambda: torch.autograd.grad(grad(cubes)(wanting := w.clone().requires_grad_()).sum(), wanting)[0])
show(lambda: [*vjp(torch.sin, w)[1](torch.ones_like(w))])
show(lambda: [*vjp(lambda a, b: (a * b, a.sum()), w, v)[1]((torch.ones_like(w), torch.tensor(2.0).double()))])
show(lambda: [*jvp(lambda a, b: a * b, (w, v), (v, w))])
show(lambda: hessian(cubes)(w))
show(lambda: vmap(grad(lambda a: a**3))(w))
show(lambda: [*functional.vjp(lambda a: a**2, w, v), *functional.jvp(lambda a: a**2, w, v)])
show(lambda: [*functional.hvp(cubes, w, v), *functional.vhp(cubes, w, v)])
show(lambda: functional.hvp(lambda a, b: (a**2 * b).sum(), (w, v), (v, w)))
linear = torch.nn.Linear(3, 1).double()
linear.weight.data.fill_(2.0), linear.bias.data.fill_(0.5)
held = {name: each.detach() for name, each in linear.named_parameters()}
show(lambda: functional_call(linear, held, (w,)))
show(lambda: functional_call(linear, ({"weight": held["weight"] * 0}, {"bias": held["bias"]}), w))
show(lambda: functional_call(linear, {"weight": held["weight"]}, w, strict=True))
show(lambda: grad(lambda p, a: functional_call(linear, p, (a,)).pow(2).sum())(held, w))
show(lambda: torch.nn.utils.stateless.functional_call(linear, {"bias": held["bias"] * 2}, w))
show(lambda: {name: list(each.shape) for name, each in stack_module_state([linear, linear])[0].items()})
show(lambda: torch.autograd.grad(wanting * wanting, wanting, torch.eye(3).double(), is_grads_batched=True)[0])
for dtype in (torch.float32, torch.float64, torch.complex64, torch.bfloat16):
    for index in (torch.tensor([1, 2]), [0, 2], (..., torch.tensor([True, False, True]))):
        values = torch.tensor([1.0, 2.0]).to(dtype).requires_grad_()
        table = torch.zeros(3, dtype=dtype)
        table[index] = values * 2
        total = (table * torch.tensor([1.0, 10.0, 100.0]).to(dtype)).sum()
        (total.real if dtype.is_complex else total).backward()
        show(lambda: torch.view_as_real(values.grad) if dtype.is_complex else values.grad.float())
show(lambda: x[..., torch.ones(2, 3, dtype=torch.bool)])
show(lambda: torch.autograd.grad(torch.as_tensor(wanting, dtype=torch.float32).sum(), wanting)[0])
for kind in (bool, int, float):
    show(lambda: [str(f(dtype=kind).dtype) for f in (lambda **k: torch.tensor([1], **k), lambda **k: torch.eye(2, **k), w.to)])
    show(lambda: [str(w.new_tensor([1], dtype=kind).dtype), str(torch.empty(1, dtype=kind).dtype), str(w.to(kind).dtype)])
leaf = torch.tensor([1.5, 2.5], dtype=torch.float64, requires_grad=True)
for loss in (
    lambda t: t[1] * t[0],
    lambda t: (1 - t[0]) ** 2 + 100 * (t[1] - t[0] ** 2) ** 2,
    lambda t: t.max() * t.prod() + t.softmax(0)[0] + t.cumsum(0)[1] + t.norm(),
):
    show(lambda: torch.autograd.grad(loss(leaf), leaf, create_graph=True)[0])
    loss(leaf).backward(create_graph=True)
    show(lambda: [leaf.grad, torch.tensor(leaf.grad.requires_grad)])
    leaf.grad = None
(leaf**3).sum().backward(create_graph=True)
show(lambda: torch.autograd.grad(leaf.grad.sum(), leaf)[0])
leaf.grad = None
show(lambda: torch.autograd.grad((leaf * 2).sum(), torch.ones(1, requires_grad=True)))
for curve in (lambda a: a**2, lambda a: 1 / a, torch.tanh, torch.square, lambda a: a[1] * a[0], lambda a: a.norm()):
    show(lambda: [*jvp(curve, (w,), (v,))])
weight = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)  # a leaf that only the function uses
for derived in (
    lambda: grad(lambda a: (a**2 * weight).sum())(w),
    lambda: grad_and_value(lambda a: (a**2 * weight).sum())(w)[0],
    lambda: vjp(lambda a: a**2 * weight, w)[1](v)[0],
    lambda: jvp(lambda a: a**2 * weight, (w,), (v,))[1],
):
    weight.grad = None
    show(lambda: [derived().sum().backward(), weight.grad][1:])
show(lambda: [torch.tensor(each.requires_grad) for each in grad_and_value(grad(lambda a: a**3))(v[0].detach())])
show(lambda: vjp(torch.sin, w)[1](v[:2]))
show(lambda: functional.vjp(torch.sin, w, v[:2]))
show(lambda: functional.jvp(torch.sin, w))
show(lambda: functional.hvp(torch.sin, w, v))
show(lambda: vjp(lambda a: (a, a * 2), w)[1](v))
show(lambda: jacrev(lambda d: d["a"] ** 2)({"a": w})["a"])
show(lambda: jacrev(lambda a: {"b": a**2, "c": (a.sum(),)})(w)["c"][0])
show(lambda: [*jacrev(lambda a, b: (a * b, b * 2), argnums=(0, 1), has_aux=True)(w, v)[0]])
show(lambda: torch.autograd.grad(leaf * 2, leaf))
show(lambda: torch.autograd.grad(leaf * 2, leaf, torch.ones(1, dtype=torch.float64)))
show(lambda: torch.autograd.grad([leaf * 2, leaf * 3], leaf, [torch.ones(2, dtype=torch.float64)]))
show(lambda: torch.autograd.backward([leaf * 2], [torch.ones(3, dtype=torch.float64)]))
show(lambda: torch.ones(1).backward())


def twice(value):
    value.backward()
    value.backward()


show(lambda: twice((leaf**2).sum()))
show(lambda: torch.Size([1.5]))
show(lambda: torch.tensor(torch.Size([torch.tensor(2), 3])))


def twice_inside(value):
    own = value if value.requires_grad else value.clone().requires_grad_()
    (found,) = torch.autograd.grad(torch.log1p(own**2).sum(), own, create_graph=True)
    return found * value


def backward_inside(value):
    own = torch.ones(3, dtype=value.dtype, requires_grad=True)
    torch.log1p(own * value**2).sum().backward(create_graph=True)
    return own.grad * value


steps = torch.arange(1.0, 4, dtype=torch.float64)
show(lambda: functional.jacobian(backward_inside, steps) + 0.0)
for function in (twice_inside, jacrev(torch.log1p), lambda a: functional.jacobian(torch.log1p, a, create_graph=True)):
    show(lambda: functional.jacobian(function, steps) + 0.0)
    show(lambda: jacrev(function)(steps) + 0.0)
show(lambda: torch.autograd.grad(leaf * leaf, leaf, torch.eye(*leaf.shape[:1] * 2, dtype=torch.float64), is_grads_batched=True))
show(lambda: functional.jacobian(lambda a: torch.ones(2, dtype=a.dtype), steps))
