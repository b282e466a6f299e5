"""torch.autograd.Function, word by word: one line of output for each call.

Run by tests/test_unit_pieces.py: `python torch_autograd_functions.py`, or with the path of a unit
to run under Paddle's proxy. Of an exception the type is printed, not its words.
"""

import sys
import warnings

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
import torch.autograd.function
from torch.autograd import Function
from torch.autograd.function import once_differentiable

warnings.simplefilter("ignore")


def plain(value):
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).rpartition('.')[2]}{value.detach().tolist()}"
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return value


def show(label, f, /, *args, **kwargs):
    try:
        print(label, plain(f(*args, **kwargs)))
    except Exception as error:
        print(label, "raises", type(error).__name__)


def grads(output, *inputs, **options):
    found = torch.autograd.grad(output, inputs, **options)
    return [*found]


def fails(f):
    try:
        f()
    except Exception:
        return True
    return False


def leaf(*values):
    return torch.tensor(values or (1.0, 2.0), requires_grad=True)


seen = []
x = torch.tensor([1.0, 2.0])


def function(forward, backward, setup_context=None):
    """An autograd function of these, defined as operator libraries do."""
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    if setup_context is not None:
        members["setup_context"] = staticmethod(setup_context)
    return type("Made", (Function,), members)


# what forward saves
class Multiply(Function):
    @staticmethod
    def forward(ctx, a, b, factor=1.0, extra=None):
        ctx.save_for_backward(a, b, extra)
        ctx.factor, ctx.shape = factor, a.shape
        seen.append(("forward", ctx.needs_input_grad, torch.is_grad_enabled()))
        return a * b * factor

    @staticmethod
    def backward(ctx, gradient):
        a, b, extra = ctx.saved_tensors
        seen.append(("backward", ctx.needs_input_grad, torch.is_grad_enabled(), extra is None))
        seen.append((a.requires_grad, b.requires_grad, torch.is_grad_enabled() or gradient.requires_grad))
        first = gradient * b * ctx.factor if ctx.needs_input_grad[0] else None
        second = gradient * a * ctx.factor if ctx.needs_input_grad[1] else None
        return first, second, None, None


a, b = leaf(), leaf(3.0, 4.0)
show("both", lambda: grads(Multiply.apply(a, b).sum(), a, b))
show("all arguments", lambda: grads(Multiply.apply(a, b, 2.0, torch.ones(1)).sum(), a, b))
show("first", lambda: grads(Multiply.apply(a, x, 2.0).sum(), a))
show("second", lambda: grads(Multiply.apply(x, b, 2.0).sum(), b))
show("none", lambda: Multiply.apply(x, x, 2.0).requires_grad)
show("same twice", lambda: grads(Multiply.apply(a, a).sum(), a))
show("non-leaf", lambda: grads(Multiply.apply(a * 2, b + 1).sum(), a, b))
show("chain", lambda: grads(Multiply.apply(Multiply.apply(a, b), b).sum(), a, b))
with torch.no_grad():
    show("no_grad", lambda: Multiply.apply(a, b).requires_grad)
show("requires_grad", lambda: (Multiply.apply(a, b).requires_grad, Multiply.apply(a, b).is_leaf))
show("keywords", lambda: Multiply.apply(a, b, factor=2.0))
show("keywords", lambda: Multiply.apply(a=a, b=b))
show("called", lambda: Multiply.forward(type("Ctx", (), {"save_for_backward": lambda *t: None, "needs_input_grad": ()})(), x, x))
show("integers", lambda: grads(Multiply.apply(a, torch.tensor([2, 3])).sum(), a))
show("double backward", lambda: grads(grads(Multiply.apply(a, b).sum(), a, create_graph=True)[0].sum(), b))
show("double backward", lambda: grads((grads(Multiply.apply(a, a).sum(), a, create_graph=True)[0] ** 2).sum(), a))
y = Multiply.apply(a, b)
show("retained", lambda: (grads(y.sum(), a, retain_graph=True), grads(y.sum(), a)))
show("backward", lambda: (Multiply.apply(a, b, 3.0).sum().backward(), a.grad, b.grad)[1:])
for line in seen:
    print(line)


# gradients of another number or kind
def forward2(ctx, a, b):
    return a + 0 * b if isinstance(b, torch.Tensor) else a * b


for label, backward in {
    "one for two": lambda ctx, g: g,
    "one in a tuple": lambda ctx, g: (g,),
    "a list": lambda ctx, g: [g, g * 2],
    "three with None": lambda ctx, g: (g, g * 2, None),
    "three": lambda ctx, g: (g, g * 2, g),
    "None first": lambda ctx, g: (None, g * 2),
    "None second": lambda ctx, g: (g, None),
    "both None": lambda ctx, g: (None, None),
    "None alone": lambda ctx, g: None,
    "a number": lambda ctx, g: (2.0, g),
    "another shape": lambda ctx, g: (g.repeat(2), g),
    "one to expand": lambda ctx, g: (g.sum(), g),
    "one to reduce": lambda ctx, g: (torch.stack([g, g, g]), g),
    "of double": lambda ctx, g: (g.double(), g * 2),
    "of half": lambda ctx, g: (g.half(), g * 2),
}.items():
    two = function(forward2, backward)
    show(f"two tensors: {label}", lambda: grads(two.apply(a, b).sum(), a, b, allow_unused=True))
    show(f"a tensor and a number: {label}", lambda: grads(two.apply(a, 2.0).sum(), a, allow_unused=True))
    show(f"a tensor that wants none: {label}", lambda: grads(two.apply(a, x).sum(), a, allow_unused=True))
    show(f"only the second: {label}", lambda: grads(two.apply(x, b).sum(), b, allow_unused=True))


# several outputs
def split_forward(ctx, a):
    return a * 2, a * 3, a.to(torch.int64)


def split_backward(ctx, *gs):
    seen.append([None if g is None else plain(g) for g in gs])
    return gs[0] * 2 if gs[0] is not None else None


seen.clear()
several = function(split_forward, split_backward)
show("several", lambda: [(type(o).__name__, o.requires_grad) for o in several.apply(a)])
show("first", lambda: grads(several.apply(a)[0].sum(), a))
show("all", lambda: grads(sum(o.sum() for o in several.apply(a)[:2]), a))
show("not materialized", lambda: grads(function(lambda ctx, a: (ctx.set_materialize_grads(False), split_forward(ctx, a))[1], split_backward).apply(a)[0].sum(), a))
for line in seen:
    print(line)
seen.clear()
for label, forward in {
    "a list": lambda ctx, a: [a * 2, a * 3],
    "with None": lambda ctx, a: (a * 2, None),
    "with a number": lambda ctx, a: (a * 2, 3),
    "with a string": lambda ctx, a: (a * 2, "s", {"k": 1}),
    "one in a tuple": lambda ctx, a: (a * 2,),
    "nested": lambda ctx, a: (a * 2, (a * 3, 4)),
    "None": lambda ctx, a: None,
    "the input": lambda ctx, a: a,
    "a view": lambda ctx, a: a.view(2, 1),
    "the input and more": lambda ctx, a: (a, a * 2),
    "an integer tensor": lambda ctx, a: (a * 2, torch.tensor([1, 2])),
    "only integers": lambda ctx, a: torch.tensor([1, 2]),
    "a bool": lambda ctx, a: (a * 2, a > 1),
    "detached": lambda ctx, a: (a * 2).detach(),
}.items():
    made = function(forward, lambda ctx, *gs: (seen.append([plain(g) for g in gs]), gs[0])[1])
    for given in (a, a * 1, x):
        show(f"gives {label}", lambda: made.apply(given))
    show(f"gives {label}", lambda: [getattr(o, "requires_grad", None) for o in (lambda r: r if isinstance(r, tuple) else (r,))(made.apply(a))])
    show(f"gives {label}", lambda: grads((lambda r: r[0] if isinstance(r, tuple) else r)(made.apply(a)).sum(), a))
for line in seen:
    print(line)
seen.clear()


# marks
def nondiff_forward(ctx, a):
    b, c = a * 2, a * 3
    ctx.mark_non_differentiable(c)
    return b, c


marked = function(nondiff_forward, lambda ctx, g, h: (seen.append((plain(g), plain(h))), g * 2)[1])
show("non-differentiable", lambda: [o.requires_grad for o in marked.apply(a)])
show("non-differentiable", lambda: grads(marked.apply(a)[0].sum(), a))
show("non-differentiable", lambda: grads(marked.apply(a)[1].sum(), a))
print(seen)
seen.clear()


def dirty_forward(ctx, a):
    ctx.mark_dirty(a)
    a.mul_(3)
    return a


dirty = function(dirty_forward, lambda ctx, g: g * 3)
show("dirty", lambda: (lambda v: (dirty.apply(v) is v, v))(x.clone()))
show("dirty leaf", lambda: dirty.apply(leaf()))
show("dirty non-leaf", lambda: (lambda v: grads(dirty.apply(v * 1).sum(), v))(leaf()))
show("dirty non-leaf", lambda: (lambda w: (dirty.apply(w), w))(leaf() * 1))


def dirty_second(ctx, a, b):
    ctx.mark_dirty(b)
    b.add_(a)
    return a * 2, b


second = function(dirty_second, lambda ctx, g, h: (g * 2 + h, h))
show("dirty second", lambda: (lambda v, w: grads(sum(o.sum() for o in second.apply(v, w * 1)), v, w))(leaf(), leaf()))
show("dirty second", lambda: (lambda v, w: (second.apply(v, w), w))(leaf(), x.clone())[0])
show("dirty second", lambda: (lambda v, w: grads(sum(o.sum() for o in second.apply(v, w)), v))(leaf(), x.clone()))


# once differentiable
class Once(Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a**2

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        seen.append(torch.is_grad_enabled())
        return 2 * a * g


show("once", lambda: grads(Once.apply(a).sum(), a))
show("once, graph", lambda: grads(Once.apply(a).sum(), a, create_graph=True))
show("twice", lambda: fails(lambda: grads(grads(Once.apply(a).sum(), a, create_graph=True)[0].sum(), a)))
print(seen)
seen.clear()


# setup_context
def setup(ctx, inputs, output):
    seen.append((len(inputs), type(inputs).__name__, type(output).__name__))
    ctx.save_for_backward(inputs[0], output if isinstance(output, torch.Tensor) else output[0])
    ctx.k = inputs[1]


with_setup = function(lambda a, k: a**k, lambda ctx, g: (g * ctx.k * ctx.saved_tensors[0] ** (ctx.k - 1), None), setup)
show("setup", lambda: grads(with_setup.apply(a, 3).sum(), a))
show("setup", lambda: grads(grads(with_setup.apply(a, 3).sum(), a, create_graph=True)[0].sum(), a))
show("setup", lambda: with_setup.apply(x, 3))
show("setup, two", lambda: grads(function(lambda a, k: (a * k, k), lambda ctx, g, h: (g * ctx.k, None), setup).apply(a, 3)[0].sum(), a))
show("too few arguments", lambda: with_setup.apply(a))


def marking(ctx, inputs, output):
    ctx.mark_non_differentiable(output[1])
    ctx.set_materialize_grads(False)


quiet = function(lambda a: (a * 2, a * 3), lambda ctx, g, h: (seen.append((g is None, h is None)), g * 2)[1], marking)
show("marks in setup", lambda: [o.requires_grad for o in quiet.apply(a)])
show("marks in setup", lambda: grads(quiet.apply(a)[0].sum(), a))
for line in seen:
    print(line)
seen.clear()

# inputs in containers
boxed = function(lambda ctx, vs, k: vs[0] * k, lambda ctx, g: (None, None))
show("a list", lambda: (boxed.apply([a, b], 2.0), boxed.apply([a, b], 2.0).requires_grad))
show("a tuple", lambda: (boxed.apply((a, b), 2.0), boxed.apply((a, b), 2.0).requires_grad))
show("a dict", lambda: function(lambda ctx, d: d["k"] * 2, lambda ctx, g: None).apply({"k": a}).requires_grad)
mixed = function(lambda ctx, a, vs, d: a * vs[0] * d["k"], lambda ctx, g: (g * 7, None, None))
show("a tensor and containers", lambda: grads(mixed.apply(a, [b, x], {"k": 2}).sum(), a))
show("a tensor and containers", lambda: grads(mixed.apply(a, [b, x], {"k": 2}).sum(), b, allow_unused=True))
star = function(lambda ctx, *vs: sum(vs), lambda ctx, g: (g * 2,) * 3)
show("any number", lambda: grads(star.apply(a, b, x).sum(), a, b))
options = function(lambda ctx, a, f: f(a), lambda ctx, g: (g * 5, None))
show("a function", lambda: grads(options.apply(a, torch.neg).sum(), a))
show("a type", lambda: grads(options.apply(a, type(a).clone).sum(), a))


# errors, attributes, inheritance
failing = function(lambda ctx, a: a * 2, lambda ctx, g: 1 / 0)
show("raises", lambda: grads(failing.apply(a).sum(), a))
show("raises", lambda: failing.apply(a).sum().backward())
show("raises in forward", lambda: function(lambda ctx, a: 1 / 0, lambda ctx, g: g).apply(a))
show("abstract", lambda: grads(type("No", (Function,), {"forward": staticmethod(lambda ctx, a: a * 2)}).apply(a).sum(), a))
show("abstract", lambda: type("No", (Function,), {"backward": staticmethod(lambda ctx, g: g)}).apply(a))


class Base(Function):
    scale = 2.0

    @classmethod
    def scaled(cls, v):
        return v * cls.scale

    @staticmethod
    def forward(ctx, v):
        ctx.tag = "t"
        return Base.scaled(v)

    @staticmethod
    def backward(ctx, g):
        seen.append((ctx.tag, hasattr(ctx, "nothing")))
        return g * Base.scale


class Derived(Base):
    @staticmethod
    def backward(ctx, g):
        return Base.backward(ctx, g) * 10


class Helped(Base):
    @staticmethod
    def forward(ctx, v):
        return Base.forward(ctx, v) + 1


show("base", lambda: grads(Base.apply(a).sum(), a))
show("derived", lambda: grads(Derived.apply(a).sum(), a))
show("helped", lambda: (Helped.apply(a), grads(Helped.apply(a).sum(), a)))
show("subclass", lambda: (issubclass(Base, Function), Base.__name__, Base.forward.__name__))
alias = Base.apply
show("apply alone", lambda: grads(alias(a).sum(), a))
show("mapped", lambda: [plain(v) for v in map(Base.apply, [a, x])])
print(seen)
seen.clear()
show("no tensor saved", lambda: function(lambda ctx, a: (ctx.save_for_backward(a, 3), a)[1], lambda ctx, g: g).apply(a))
nothing_saved = function(lambda ctx, a: a * 2, lambda ctx, g: (seen.append(ctx.saved_tensors), g)[1])
show("nothing saved", lambda: grads(nothing_saved.apply(a).sum(), a))
print(seen)
seen.clear()
inside = function(lambda ctx, a: Multiply.apply(a, a), lambda ctx, g: g * 100)
show("one in another", lambda: grads(inside.apply(a).sum(), a))


class Recorded(Function):
    @staticmethod
    def forward(ctx, a):
        with torch.enable_grad():
            v = a.detach().requires_grad_()
            o = (v**3).sum()
        ctx.pair = v, o
        return o.detach()

    @staticmethod
    def backward(ctx, g):
        v, o = ctx.pair
        (found,) = torch.autograd.grad(o, v, retain_graph=True)
        return found * g


v = leaf()
show("a graph inside", lambda: (Recorded.apply(v).backward(), v.grad)[1])

# torch.amp
for home in ("torch.amp", "torch.cuda.amp"):
    amp = torch.amp if home == "torch.amp" else torch.cuda.amp
    device = {"device_type": "cuda"} if home == "torch.amp" else {}
    for label, fwd, bwd in (
        ("plain", amp.custom_fwd(**device), (amp.custom_bwd(**device) if device else amp.custom_bwd)),
        ("cast", amp.custom_fwd(cast_inputs=torch.float32, **device), (amp.custom_bwd(**device) if device else amp.custom_bwd)),
        ("half", amp.custom_fwd(cast_inputs=torch.float16, **device), (amp.custom_bwd(**device) if device else amp.custom_bwd)),
    ):
        def scaled_forward(ctx, a, k):
            """It scales."""
            ctx.k = k
            return a * k

        wrapped = function(fwd(scaled_forward), bwd(lambda ctx, g: (g * ctx.k, None)))
        show(f"{home} {label}", lambda: grads(wrapped.apply(a, 3).sum(), a))
        show(f"{home} {label}", lambda: (fwd(scaled_forward).__doc__, fwd(scaled_forward).__name__))
show("a wrong device", lambda: torch.amp.custom_fwd(lambda ctx, a: a, device_type=3))
show("a wrong device", lambda: torch.amp.custom_bwd(lambda ctx, a: a, device_type=3))


class Bare(Function):
    @staticmethod
    @torch.cuda.amp.custom_fwd
    def forward(ctx, a):
        return a * 2

    @staticmethod
    @torch.cuda.amp.custom_bwd
    def backward(ctx, g):
        return g * 2


show("bare", lambda: grads(Bare.apply(a).sum(), a))
with torch.autocast("cpu", enabled=False):
    show("autocast off", lambda: (x @ x).dtype == torch.float32)
with torch.amp.autocast("cuda", enabled=False):
    show("autocast off", lambda: torch.is_autocast_enabled())
with torch.cuda.amp.autocast(enabled=False):
    show("autocast off", lambda: torch.is_autocast_enabled("cuda"))
scaler = torch.cuda.amp.GradScaler(enabled=False)
show("scaler", lambda: (scaler.is_enabled(), scaler.scale(x)))
show("scaler", lambda: torch.amp.GradScaler("cuda", enabled=False).is_enabled())
scaler = torch.amp.GradScaler("cuda", 1024.0, 3.0, backoff_factor=0.25, growth_interval=7, enabled=False)
show("scaler", lambda: (scaler.get_scale(), scaler.is_enabled()))
show("scaler", torch.cuda.amp.GradScaler, wrong=1)

# computed again for the gradient
from torch.utils.checkpoint import CheckpointFunction, checkpoint, checkpoint_sequential
from torch.utils.checkpoint import detach_variable, get_device_states

calls = []
weight = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def scaled(x, k=2, *, scale=1.0):
    calls.append(x.requires_grad)
    return (x * weight).exp() * k * scale


def noisy(x):
    calls.append((torch.rand(3) > 0.5).float())
    return x * calls[-1]


def backward(*args, **kwargs):
    weight.grad = args[0].grad = None
    del calls[:]
    checkpoint(scaled, *args, **kwargs).sum().backward()
    return weight.grad, args[0].grad, len(calls)


leaf = torch.tensor([0.5, 0.25, 0.125], requires_grad=True)
for options in ({}, {"use_reentrant": True}, {"use_reentrant": False}):
    show(f"again {options}", backward, leaf, **options)
    show(f"again {options}", backward, leaf, 3, **options, preserve_rng_state=False)
    show(f"again {options}", backward, leaf, **options, scale=2.0)
    show(f"again {options}", backward, leaf, **options, unknown=2.0)
    show(f"not recorded {options}", lambda: checkpoint(scaled, leaf.detach(), **options).requires_grad)
    show(f"others {options}", lambda: checkpoint(lambda x: (x * 2, None, 3), leaf, **options)[1:])
    del calls[:]
    checkpoint(noisy, leaf, **options).sum().backward()
    show(f"the same noise {options}", lambda: (len(calls), calls[0].tolist() == calls[1].tolist()))
show("by grad", lambda: torch.autograd.grad(checkpoint(scaled, leaf, use_reentrant=False).sum(), [weight, leaf]))
show("debug", checkpoint, scaled, leaf, use_reentrant=True, debug=True)
with torch.no_grad():
    show("no_grad", lambda: checkpoint(scaled, leaf, use_reentrant=False).requires_grad)

class OwnCheckpoint(CheckpointFunction):
    @staticmethod
    def forward(ctx, run, preserve, *args):
        ctx.noted = len(args)
        return super(OwnCheckpoint, OwnCheckpoint).forward(ctx, run, preserve, *args)

    @staticmethod
    def backward(ctx, *gradients):
        return super(OwnCheckpoint, OwnCheckpoint).backward(ctx, *gradients)[: 2 + ctx.noted]


for preserve in (True, False):
    leaf.grad = weight.grad = None
    torch.manual_seed(4)
    checkpointed = OwnCheckpoint.apply(scaled if not preserve else noisy, preserve, leaf)
    torch.rand(3)
    checkpointed.sum().backward()
    show(f"own checkpoint {preserve}", lambda: (leaf.grad, weight.grad, torch.rand(1) if preserve else None))
show("own checkpoint of two", lambda: OwnCheckpoint.apply(lambda x, y, n: (x * n, y, n), True, leaf, weight, 3)[2])
show("own checkpoint by grad", lambda: torch.autograd.grad(OwnCheckpoint.apply(scaled, True, leaf).sum(), leaf))
show("own checkpoint of what wants none", lambda: OwnCheckpoint.apply(scaled, True, leaf.detach()).sum())
show("detached", lambda: [getattr(each, "requires_grad", each) for each in detach_variable((leaf, leaf.detach(), 3))])
show("detached list", detach_variable, [leaf])
show("states", get_device_states, leaf)
kept = checkpoint(scaled, leaf, use_reentrant=False).sum()
show("two times", lambda: [torch.autograd.grad(kept, leaf, retain_graph=True) for _ in range(2)])
parts = [lambda x: x * 2, lambda x: x.exp(), lambda x: x + 1]
for segments in (1, 2, 3):
    of_parts = lambda: checkpoint_sequential(parts, segments, leaf, use_reentrant=False)
    show("in segments", lambda: (of_parts(), torch.autograd.grad(of_parts().sum(), leaf)))
show("unknown", checkpoint_sequential, parts, 2, leaf, unknown=1)


class TwoOutputs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(factor)
        return x * factor, x + 1

    @staticmethod
    def backward(ctx, first, second):
        (factor,) = ctx.saved_tensors
        return first * factor + second, None


class ByGrad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, arrived):
        with torch.enable_grad():
            own = ctx.saved_tensors[0].detach().requires_grad_()
            cube = own * own * own
            middle = cube * 2
            return torch.autograd.grad(middle, [own, cube], torch.full_like(own, 0.5))[0] * arrived


def passes(function, *more):
    """The gradients of leaves after each of several passes through one graph."""
    module, x, found = torch.nn.Linear(2, 2), torch.ones(2, 2, requires_grad=True), []
    torch.nn.init.ones_(module.weight)
    torch.nn.init.zeros_(module.bias)
    x.register_hook(lambda gradient: gradient * 2)
    made = function(module(x) - module.bias, *more)
    for each in made if isinstance(made, tuple) else (made, made):
        each.sum().backward(retain_graph=True)
        found.append((x.grad.tolist(), module.weight.grad.tolist()))
    return found


show("passes", passes, TwoOutputs.apply, torch.full((2, 2), 3.0))
show("passes with grad inside", passes, ByGrad.apply)
one, other = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
(one * other * 2).sum().backward(inputs=[one])
show("into inputs", lambda: (one.grad, other.grad is None))
torch.autograd.backward([one * other], [torch.ones(2)], inputs=other)
show("into one input", lambda: (one.grad, other.grad))
twice = torch.tensor([0.3, 0.6], requires_grad=True)
for name in ("erf", "cumsum", "prod", "softmax", "amax", "norm"):
    of = {"cumsum": lambda x: x.cumsum(0), "softmax": lambda x: x.softmax(0), "amax": lambda x: x.max()}
    made = of.get(name, lambda x: getattr(torch, name)(x))(twice)
    first = torch.autograd.grad((made**2).sum(), twice, create_graph=True)[0]
    show(f"second gradient of {name}", lambda: [round(v, 4) for v in torch.autograd.grad(first.sum(), twice)[0].tolist()])


# Gradients whose memory something else has.
whole = torch.arange(12.0).reshape(3, 4)


def with_gradient(make):
    class Given(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.kept = whole.clone()
            return a + b

        @staticmethod
        def backward(ctx, gradient):
            return make(gradient, ctx.kept)

    return Given.apply


def added_up(function):
    a, b = (torch.ones(4, requires_grad=True) for _ in range(2))
    made = function(a, b)
    made.sum().backward(retain_graph=True)
    first = [each.grad.tolist() for each in (a, b)]
    made.sum().backward()
    function(a * 2, b * 3).add(function(a * 2, a)).sum().backward()
    a.grad.mul_(10)
    return first, [each.grad.tolist() for each in (a, b)]


for name, make in {
    "both": lambda g, kept: (g, g),
    "row": lambda g, kept: (kept[1], kept[2]),
    "column": lambda g, kept: (kept.t().reshape(-1)[1:5], kept.view(-1)[1:9:2]),
    "parts": lambda g, kept: kept.view(-1)[4:].chunk(2),
    "product": lambda g, kept: (g * kept[1], g * 2),
}.items():
    show(f"gradient in memory of {name}", lambda make=make: added_up(with_gradient(make)))


class Doubled(torch.autograd.function.InplaceFunction):
    @staticmethod
    def forward(ctx: torch.autograd.function.BackwardCFunction, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        ctx_is = isinstance(ctx, torch.autograd.function.BackwardCFunction)
        show("context", lambda: ctx_is and isinstance(Doubled, torch.autograd.function.FunctionMeta))
        return gradient * 2


def doubled():
    x = torch.ones(2, requires_grad=True)
    Doubled.apply(x).sum().backward()
    return x.grad.tolist(), Doubled(True).inplace


show("in-place function", doubled)


class Detached(torch.autograd.Function):
    kept = torch.ones(2, requires_grad=True)

    @staticmethod
    def forward(ctx, count, *inputs):
        return *(each.detach() for each in inputs), Detached.kept

    @staticmethod
    def backward(ctx, *gradients):
        return None, *(each * 2 for each in gradients[:-1])


def detached():
    x, y = torch.ones(2, requires_grad=True), torch.zeros(2)
    first, second, kept = Detached.apply(1, x, y)
    (first + second + kept).sum().backward()
    same = first.data_ptr() == x.data_ptr()
    return first is x, same, second.requires_grad, kept.requires_grad, x.grad.tolist(), y.grad


show("what is given back detached", detached)


class Noting(Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.noted = 5
        ctx.save_for_backward(x)
        return x * 2, y + 1

    @staticmethod
    def backward(ctx, g, h):
        return g * 2, h


def steps(node, seen=None):
    """The names of the steps of a graph, each once."""
    seen = set() if seen is None else seen
    if node is not None and node not in seen:
        seen.add(node)
        for each, _ in node.next_functions:
            steps(each, seen)
    return sorted(type(each).__name__ for each in seen)


first, second = (torch.tensor(each, requires_grad=True) for each in ([1.0, 2.0], [3.0, 4.0]))
doubled, more = Noting.apply(first, second)
ends = [each for each, _ in doubled.grad_fn.next_functions]
show("node", lambda: (type(doubled.grad_fn).__name__, doubled.grad_fn.name(), doubled.grad_fn.noted))
show("node", lambda: (isinstance(doubled.grad_fn, Noting._backward_cls), doubled.grad_fn is more.grad_fn))
show("node", lambda: (doubled.grad_fn.saved_tensors, hasattr(doubled.grad_fn, "no_such"), first.grad_fn))
show("node", lambda: [(each.name(), each.variable is of, each.next_functions) for each, of in zip(ends, (first, second))])
show("node", lambda: issubclass(Noting._backward_cls, torch.autograd.graph.Node))
mixed = torch.cat([doubled * first.detach(), more / second - 1.5]).exp()
alike = ("AccumulateGrad", "NotingBackward", "ExpBackward0", "CatBackward0", "SumBackward0")
show("steps", lambda: [each for each in steps((mixed * mixed).sum().grad_fn) if each in alike])
show("steps", lambda: [each and each.name() for each, _ in (doubled * first.detach()).grad_fn.next_functions])
mixed.sum().backward()
show("steps", lambda: (first.grad, second.grad))


def hooked_leaf(remove=False, create_graph=False, **options):
    """The gradient of a leaf with hooks, and what those were called with."""
    x, seen = torch.tensor([1.0, 2.0], requires_grad=True), []
    handle = x.register_hook(lambda gradient: gradient * x)
    x.register_hook(lambda gradient: seen.append((gradient.tolist(), gradient.requires_grad)))
    if remove:
        handle.remove()
    made = x * x
    found = torch.autograd.grad(made, [x, x], torch.ones_like(made), create_graph=create_graph, **options)
    again = torch.autograd.grad(found[0].sum(), x)[0].tolist() if create_graph else None
    return [each.tolist() for each in found], seen, again


def resized_by_hook():
    x = torch.ones(3, requires_grad=True)
    x.register_hook(lambda gradient: gradient[:2])
    try:
        return torch.autograd.grad(x.sum(), x)
    except RuntimeError as error:
        return str(error)


show("grad of a leaf with hooks", hooked_leaf)
show("grad of a leaf without its hook", hooked_leaf, True)
show("second grad of a leaf with hooks", hooked_leaf, False, True)
show("grad with a hook that resizes", resized_by_hook)
