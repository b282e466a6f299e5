"""Checks given right and wrong things: each line says what became of one.

Run by tests/test_unit_checks.py: `python torch_checks.py` under torch, or with the path of a unit
under Paddle's proxy. A name begins with what must be said, under both frameworks.
"""

import sys

PADDLE = len(sys.argv) > 1
if PADDLE:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
from torch.autograd import gradcheck, gradgradcheck
from torch.autograd.gradcheck import GradcheckError
from torch.autograd.gradcheck import gradcheck as the_same
from torch.testing import assert_close

KINDS = (NotImplementedError, RuntimeError, ValueError, AssertionError, TypeError)


def say(name, check, *args, **options):
    """One line: what a check of that name said."""
    try:
        said = check(*args, **options)
        word = "says False" if said is False else "accepts"
    except Exception as error:
        kind = next((k.__name__ for k in KINDS if isinstance(error, k)), type(error).__name__)
        word = f"refuses: {kind}"
    print(f"{name} = {word}")


def double(*shape, start=0.3):
    size = 1
    for each in shape:
        size *= each
    numbers = torch.arange(size, dtype=torch.float64).reshape(shape) * 0.37 + start
    return numbers.detach().requires_grad_()


def function(backward, forward=lambda x: x * x):
    """An autograd function of one input that saves it, with this backward(x, grad)."""

    class Made(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return forward(x)

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return backward(x, grad)

    return Made.apply


class Product(torch.autograd.Function):
    """x * y, with a gradient for y that `change` makes wrong."""

    change = staticmethod(lambda grad: grad)

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        return grad * y, Product.change(grad * x)


class Pair(torch.autograd.Function):
    """(x * x, x * 3), the gradient of the second with a factor."""

    factor = 3

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x, x * 3

    @staticmethod
    def backward(ctx, first, second):
        (x,) = ctx.saved_tensors
        return first * 2 * x + second * Pair.factor


calls = [0]


def drifting(x, grad):
    calls[0] += 1
    return grad * 2 * x + calls[0] * 1e-9 * grad


def product(change):
    def run(x, y):
        Product.change = staticmethod(change)
        return Product.apply(x, y)

    return run


def pair(factor):
    def run(x):
        Pair.factor = factor
        return Pair.apply(x)

    return run


right = function(lambda x, grad: grad * 2 * x)
x, y = double(2, 3), double(2, 3, start=1.1)
one_wrong = torch.tensor([[2.0, 2, 2], [2, 2.01, 2]], dtype=torch.float64)

# Right ones.
say("accepts a right gradient", gradcheck, right, (x,))
say("accepts a tensor alone", gradcheck, right, x)
say("accepts a list of inputs", gradcheck, product(lambda grad: grad), [x, y])
say("accepts several inputs and outputs", gradcheck, lambda a, b: (a * b, a.sin(), b.sum()), (x, y))
say("accepts several outputs of one function", gradcheck, pair(3), (x,))
say("accepts built-in operators", gradcheck, lambda a, b: a @ b.t(), (x, y))
say("accepts inputs that are no tensors", gradcheck, lambda a, n, s: a * n if s else a, (x, 3, "s"))
say("accepts a scalar", gradcheck, lambda a: a * a, (double(),))
say("accepts an input that wants no gradient", gradcheck, lambda a, b: a * b, (x, y.detach()))
say("accepts an output that does not depend", gradcheck, lambda a, b: (a * 2, b * 3), (x, y))
say("accepts an output that is no number", gradcheck, lambda a: (a * 2, torch.argmax(a)), (x,))
say("accepts single precision with wide steps", gradcheck, right, (x.detach().float().requires_grad_(),), eps=1e-2, atol=1e-2)
say("accepts what the tolerance allows", gradcheck, function(lambda x, g: g * one_wrong * x), (x,), atol=1)
say("accepts the fast mode", gradcheck, right, (x,), fast_mode=True)
say("accepts a transposed input", gradcheck, right, (double(2, 3).t(),))
say("accepts a little drift if told", gradcheck, function(drifting), (x,), nondet_tol=1e-5)
say("accepts a constant", gradcheck, lambda a: torch.ones(2, dtype=torch.float64), (x,))

# Complex numbers: the gradient of |z|^2 is 2 z, that of z^2 2 conj(z) times what comes in.
wide = torch.complex(double(2, 3).detach(), double(2, 3, start=-0.7).detach()).requires_grad_()
holomorphic = function(lambda z, grad: grad * (2 * z).conj())
say("accepts complex numbers", gradcheck, holomorphic, (wide,))
say("accepts complex outputs of real inputs", gradcheck, torch.complex, (x, y))
say("accepts real outputs of complex inputs", gradcheck, lambda z: z.abs(), (wide,))
say("accepts complex and real inputs", gradcheck, lambda z, a: (z * a, a * a), (wide, x))
say("accepts second gradients of complex numbers", gradgradcheck, holomorphic, (wide,))

# Planted faults.
assert the_same is gradcheck is torch.autograd.gradcheck and issubclass(GradcheckError, RuntimeError)
say("refuses: RuntimeError no conjugate", gradcheck, function(lambda z, g: g * 2 * z), (wide,))
say("refuses: RuntimeError another phase", gradcheck, function(lambda z, g: g * 2j * z.conj()), (wide,))
say("refuses: RuntimeError the real part", gradcheck, function(lambda z, g: g * 2 * torch.real(z)), (wide,))
WRONG = {
    "a factor": lambda x, g: g * 3 * x,
    "the sign": lambda x, g: -g * 2 * x,
    "one element": lambda x, g: g * one_wrong * x,
    "no gradient": lambda x, g: torch.zeros_like(x),
    "not a number": lambda x, g: g * 2 * x * float("nan"),
    "another order": lambda x, g: (g * 2 * x).flip(0),
    "an offset": lambda x, g: g * 2 * x + 1e-2,
    "the incoming gradient left out": lambda x, g: 2 * x,
}
for what, backward in WRONG.items():
    say(f"refuses: RuntimeError {what}", gradcheck, function(backward), (x,))
    say(f"says False: {what}", gradcheck, function(backward), (x,), raise_exception=False)
total = function(lambda x, g: 2 * x, lambda x: (x * x).sum())
say("refuses: RuntimeError a sum without the incoming gradient", gradcheck, total, (x,))
say("refuses: RuntimeError drift", gradcheck, function(drifting), (x,))
say("refuses: RuntimeError the second input", gradcheck, product(lambda g: g * 2), (x, y))
say("refuses: RuntimeError the second input's is missing", gradcheck, product(lambda g: None), (x, y))
say("refuses: RuntimeError the second output", gradcheck, pair(4), (x,))
say("refuses: RuntimeError a shape", gradcheck, function(lambda x, g: (g * 2 * x).sum(0)), (x,))
say("refuses: RuntimeError a detached result", gradcheck, lambda a: a.detach() * 2, (x,))
say("says False: a detached result", gradcheck, lambda a: a.detach() * 2, (x,), raise_exception=False)
say("refuses: RuntimeError a partly detached result", gradcheck, lambda a: a * a.detach(), (x,))
say("refuses: ValueError no input that wants a gradient", gradcheck, right, (x.detach(),))
say("refuses: ValueError the same, quietly", gradcheck, right, (x.detach(),), raise_exception=False)

if PADDLE:  # said clearly, for torch takes them
    half = torch.ones(2, dtype=torch.bfloat16).detach().requires_grad_()
    say("refuses: NotImplementedError bfloat16", gradcheck, lambda a: a * 2, (half,))
say("refuses: NotImplementedError without jvp", gradcheck, right, (x,), check_forward_ad=True)
say("accepts batches", gradcheck, right, (x,), check_batched_grad=True)
say("refuses: TypeError an unknown option", gradcheck, right, (x,), tolerance=1)

# assert_close
ones, near = torch.ones(2, 3), torch.ones(2, 3)
near[1, 2] += 1e-3
nan = torch.ones(3)
nan[1] = float("nan")
say("accepts equal tensors", assert_close, ones, ones.clone())
say("accepts equal with equal strides", assert_close, ones.t(), ones.clone().t(), check_stride=True)
say("accepts NaN if told", assert_close, nan, nan.clone(), equal_nan=True)
say("accepts other dtypes if told", assert_close, ones, ones.double(), check_dtype=False)
say("accepts other strides", assert_close, torch.ones(3, 2).t(), ones)
say("refuses: AssertionError one value", assert_close, ones, near)
say("refuses: AssertionError a value in a list", assert_close, [ones, ones], [ones, near])
say("refuses: AssertionError a value in a dictionary", assert_close, {"a": [ones]}, {"a": [near]})
say("refuses: AssertionError a double that is off", assert_close, ones.double(), ones.double() + 1e-6)
say("refuses: AssertionError an int that is off", assert_close, ones.int(), ones.int() + 1)
say("refuses: AssertionError a bool", assert_close, ones > 0, near > 1)
say("refuses: AssertionError a dtype", assert_close, ones, ones.double())
say("refuses: AssertionError a dtype in a list", assert_close, [ones], [ones.double()])
say("refuses: AssertionError an integer dtype", assert_close, ones.int(), ones.long())
say("refuses: AssertionError a shape", assert_close, ones, ones[:1])
say("refuses: AssertionError a shape that broadcasts", assert_close, torch.ones(1), torch.tensor(1.0))
say("refuses: AssertionError strides", assert_close, torch.ones(3, 2).t(), ones, check_stride=True)
say("refuses: AssertionError NaN", assert_close, nan, nan.clone())
say("refuses: AssertionError NaN for a number", assert_close, nan, torch.ones(3), equal_nan=True)
say("refuses: AssertionError infinity", assert_close, torch.tensor(float("inf")), torch.tensor(1e30))
say("refuses: AssertionError lengths", assert_close, [ones], [ones, ones])
say("refuses: AssertionError keys", assert_close, {"a": ones}, {"b": ones})
say("refuses: AssertionError None", assert_close, None, ones)
say("refuses: TypeError what is no tensor", assert_close, ones, "ones")
say("refuses: ValueError half a tolerance", assert_close, ones, ones, rtol=1)

# assert_allclose
allclose = torch.testing.assert_allclose
say("accepts what is nearly equal", allclose, ones, ones + 5e-5)
say("accepts other dtypes", allclose, ones.double(), ones)
say("accepts a list", allclose, ones[0], [1, 1, 1])
say("accepts half that is nearly equal", allclose, ones.half(), ones.half() * 1.001)
say("accepts NaN", allclose, nan, nan.clone())
say("refuses: AssertionError one value", allclose, ones, near)
say("refuses: AssertionError a double that is off", allclose, ones.double(), ones.double() + 2e-5)
say("refuses: AssertionError NaN if told", allclose, nan, nan.clone(), equal_nan=False)
say("refuses: AssertionError a shape", allclose, ones, ones[:1])
say("refuses: ValueError half a tolerance", allclose, ones, ones, rtol=1)


# torch.jit.script
@torch.jit.script
def scaled(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    if factor > 2.5:
        return x * factor + 1
    return x * factor


def shifted(x: torch.Tensor, by: int) -> torch.Tensor:
    return scaled(x) + by


class Doubling(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2


function, module = torch.jit.script(shifted), torch.jit.script(Doubling())
w = torch.ones(3).requires_grad_()
scaled(w, 3.0).sum().backward()
say("accepts a decorated function", lambda: scaled(ones).tolist() == (ones * 2).tolist())
say("accepts a keyword", lambda: scaled(ones, factor=3.0).tolist() == (ones * 4).tolist())
say("accepts a gradient through it", lambda: w.grad.tolist() == [3.0, 3.0, 3.0])
say("accepts a function that calls another", lambda: function(ones, 1).tolist() == (ones * 3).tolist())
say("accepts a module", lambda: module(ones).tolist() == (ones * 2).tolist())
say("accepts marks", lambda: torch.jit.ignore(shifted) and not torch.jit.is_scripting())
# A test about scripting itself must not pass where nothing is scripted.
itself = "refuses" if PADDLE else "accepts"
path = sys.argv[-1] + ".pt"
say(f"{itself} a graph", lambda: scaled.graph)
say(f"{itself} code", lambda: scaled.code)
say(f"{itself} the graph of a module", lambda: module.graph)
say(f"{itself} the code of a module", lambda: module.code)
say(f"{itself} a question for the class", lambda: isinstance(function, torch.jit.ScriptFunction))
say(f"{itself} a question for a module's class", lambda: isinstance(module, torch.jit.ScriptModule))
say(f"{itself} saving", lambda: function.save(path))
say(f"{itself} saving a module", lambda: module.save(path))
say(f"{itself} saving a function", lambda: torch.jit.save(function, path))
say(f"{itself} saving by the framework", lambda: torch.jit.save(module, path))
say(f"{itself} loading", lambda: torch.jit.load(path)(ones))
