"""Types of results, scaled losses, complex parameters and other names, one line each, as torch has them.

Run by tests/test_compat_package.py: `python torch_results.py`, or with the path of a unit to run
under Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import copy
import pickle

import torch
import torch.nn as nn
from torch.nn.utils import parametrizations, parametrize
import torch.utils._pytree as pytree


def show(name, make, *args, **kwargs):
    try:
        print(name, "ok", make(*args, **kwargs))
    except Exception as e:
        print(name, type(e).__name__)


x = torch.arange(6.0).reshape(2, 3)
m = torch.max(x, 1)
show("type", lambda: (type(m).__module__, type(m).__name__, type(m).n_fields, type(m) is torch.return_types.max))
show("text", lambda: m)
show("text", lambda: repr(x.sort(descending=True)))
show("fields", lambda: (m.values.tolist(), m.indices.tolist(), m[0] is m.values, len(m), hasattr(m, "_fields")))
show("pickle", lambda: type(pickle.loads(pickle.dumps(m))) is type(m))
show("tree", lambda: pytree.tree_flatten(m)[1].type is type(m))
show("tree", lambda: pytree.tree_map(lambda t: t * 2, m))
show("wrong", lambda: torch.return_types.max((1, 2, 3)))
show("made", lambda: torch.return_types.topk([1, 2]))
for name, made in {
    "min": x.min(0),
    "topk": x.topk(2),
    "median": torch.median(x, 1),
    "mode": x.mode(1),
    "kthvalue": torch.kthvalue(x, 1),
    "cummax": torch.cummax(x, 0),
    "slogdet": torch.linalg.slogdet(torch.eye(2)),
    "slogdet_": torch.slogdet(torch.eye(2)),
    "frexp": torch.frexp(x),
    "aminmax": torch.aminmax(x),
    "qr": torch.linalg.qr(torch.eye(2)),
    "svd": torch.linalg.svd(torch.eye(2)),
    "eigh": torch.linalg.eigh(torch.eye(2)),
    "lu": torch.linalg.lu(torch.eye(2)),
    "histogram": torch.histogram(x, 2),
    "inv_ex": torch.linalg.inv_ex(torch.eye(2)),
    "cholesky_ex": torch.linalg.cholesky_ex(torch.eye(2)),
    "lu_factor": torch.linalg.lu_factor(torch.eye(2)),
    "nanmedian": x.nanmedian(0),
    "geqrf": torch.geqrf(torch.eye(2)),
    "sort": torch.sort(x, dim=0),
    "lstsq": torch.linalg.lstsq(torch.eye(2), torch.eye(2)),
}.items():
    show(name, lambda: (type(made).__module__, type(made).__name__, len(made), type(made).__match_args__))
v, i = torch.zeros(2), torch.zeros(2, dtype=torch.int64)
show("out", lambda: (torch.max(x, 1, out=(v, i))[0] is v, v, i))
show("half", lambda: x.half().max(1))
show("ints", lambda: x.int().sort(1))
show("bool", lambda: type(torch.sort(torch.tensor([True, False]))).__name__)
y = x.clone().requires_grad_()
y.max(1).values.sum().backward()
show("gradient", lambda: y.grad)
show("vmap", lambda: torch.vmap(lambda t: torch.max(t, 0))(x))


def checked(shape, kind, trivial, name="weight"):
    torch.manual_seed(0)
    layer = nn.Linear(*shape)
    parametrizations.orthogonal(layer, name, kind, use_trivialization=trivial)
    q = layer.weight
    small = q if q.shape[0] <= q.shape[1] else q.mT
    even = torch.allclose(small @ small.mT, torch.eye(small.shape[0]), atol=1e-5)
    (q * torch.arange(q.numel()).reshape(q.shape)).sum().backward()
    p = layer.parametrizations[name].original
    return even, tuple(q.shape), sorted(k for k in layer.state_dict()), tuple(p.shape), bool(p.grad.abs().sum() > 0)


for shape in ((3, 3), (4, 2), (2, 4)):
    for kind in (None, "matrix_exp", "cayley", "householder"):
        for trivial in (True, False):
            show(f"orthogonal {shape} {kind} {trivial}", checked, shape, kind, trivial)
show("wrong", parametrizations.orthogonal, nn.Linear(2, 2), "weight", "other")
show("wrong", parametrizations.orthogonal, nn.Linear(2, 2), "none")
show("wrong", parametrizations.orthogonal, nn.Linear(2, 2), "bias")
layer = parametrizations.orthogonal(nn.Linear(3, 3))
q = torch.linalg.qr(torch.arange(9.0).reshape(3, 3) + 5 * torch.eye(3))[0]
layer.weight = q
show("set", lambda: torch.allclose(layer.weight, q, atol=1e-5))
layer = parametrizations.orthogonal(nn.Linear(3, 5), orthogonal_map="householder", use_trivialization=False)
given = torch.linalg.qr(torch.arange(15.0).reshape(5, 3) + torch.eye(5, 3))[0]
layer.weight = given
show("set", lambda: torch.allclose(layer.weight, given, atol=1e-5))
show("set", setattr, parametrizations.orthogonal(nn.Linear(3, 3), use_trivialization=False), "weight", q)
parametrize.remove_parametrizations(layer, "weight")
show("removed", lambda: torch.allclose(layer.weight, given, atol=1e-5))

from torch.nn.functional import (
    handle_torch_function,
    has_torch_function,
    has_torch_function_unary,
    has_torch_function_variadic,
)
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts

show("functional", lambda: (has_torch_function((x,)), has_torch_function_unary(x), has_torch_function_variadic(x, x)))


def policy(ctx, op, *args, **kwargs):
    return CheckpointPolicy.PREFER_RECOMPUTE


y = x.clone().requires_grad_()
made = checkpoint(
    lambda t: (t * t).sin(), y, use_reentrant=False, context_fn=lambda: create_selective_checkpoint_contexts(policy)
)
made.sum().backward()
show("selective", lambda: (made, y.grad))
show("selective", create_selective_checkpoint_contexts, 3)
show("policy", lambda: [each.name for each in CheckpointPolicy][:4])
z = torch.tensor([2.0, 3.0], dtype=torch.float64)
show("power", lambda: (z.float_power_(2), z))
show("power", lambda: torch.ones(2).float_power_(2))
show("power", lambda: torch.ones(2, dtype=torch.float64).float_power_(torch.tensor([1, 2])))
from typing import Dict, List, Optional, Set, Tuple, Union

for value, kind in (
    ([1, 2], List[int]),
    ([1, "a"], List[int]),
    ((1, "a"), Tuple[int, str]),
    ((1,), Tuple[int, str]),
    ({"a": 1}, Dict[str, int]),
    ({"a": "b"}, Dict[str, int]),
    (None, Optional[int]),
    (3, Optional[int]),
    ("a", Optional[int]),
    ([[1.0]], List[List[float]]),
    (x, torch.Tensor),
    ([x], List[torch.Tensor]),
    (3, Union[int, str]),
    (3, (str, int)),
    ([1], List),
):
    show("isinstance", torch.jit.isinstance, value, kind)
for value in (1, {1}):
    show("isinstance of a set", torch.jit.isinstance, value, Set[int])


class Doubled(nn.Module):
    def forward(self, t):
        return 2 * t


scripted = torch.jit.script(Doubled())
show("freeze", torch.jit.freeze, scripted)
show("freeze", lambda: torch.jit.freeze(scripted.eval())(x))
show("freeze", torch.jit.freeze, Doubled().eval())
show("infer", lambda: torch.jit.optimize_for_inference(torch.jit.script(Doubled().eval()))(x))

# Scripts and traces are other modules, with the same tensors, and raise errors of their own class.
class Picky(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.dropped = nn.Linear(2, 1, bias=False), nn.Dropout(0.5)
        self.register_buffer("factor", torch.ones(1))

    def forward(self, t, kind: int = 0):
        if kind == 1:
            raise ValueError("one")
        assert kind != 2, "two"
        if kind == 3:
            return torch.ones(2) @ torch.ones(3)
        if kind == 4:
            raise KeyError("four")
        return self.factor * self.dropped(self.inner(t))


picky, two = Picky().eval(), torch.ones(1, 2)
scripts = (
    torch.jit.script(picky),
    torch.jit.trace(picky, two),
    torch.jit.trace_module(picky, {"forward": two}),
    torch.jit.trace(picky.forward, two),
)
picky.train()
for script in scripts:
    show("another", lambda: (script is picky, script.inner is picky.inner, script.inner.weight is picky.inner.weight))
    show("question", lambda: [isinstance(each, torch.jit.ScriptModule) for each in (picky, picky.inner)])
    show("again", lambda: (torch.jit.script(script) is script, list(script.state_dict())))
    show("mode", lambda: (script.eval().training, script.dropped.training, picky.training, picky.dropped.training))
    show("copy", lambda: torch.equal(torch.jit.freeze(copy.deepcopy(script).eval())(two), script(two)))
    show("gradient", lambda: (script(two).sum().backward(), picky.inner.weight.grad.tolist()))
    show("buffers", lambda: (script.double().inner.weight.dtype, picky.inner.weight.dtype, picky.factor.dtype))
    script.float()
for kind in range(5):
    try:
        print("raises", scripts[0](two, kind).numel())
    except (torch.jit.Error, RuntimeError) as e:
        print("raises", type(e).__name__, isinstance(e, RuntimeError))
show("raises", lambda: scripts[0]())
show("raises", lambda: scripts[1]())

# scaled losses
import warnings

warnings.simplefilter("always")


def run(scaler, bad=()):
    torch.manual_seed(0)
    p = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    o = torch.optim.SGD([p], lr=0.1)
    for i in range(4):
        o.zero_grad()
        loss = (p * (float("inf") if i in bad else 1.0)).sum()
        scaler.scale(loss).backward()
        scaler.step(o)
        scaler.update()
        print(i, p.tolist(), scaler.get_scale(), scaler._get_growth_tracker())


run(torch.GradScaler("cpu", init_scale=8.0, growth_interval=2))
run(torch.amp.GradScaler("cpu", init_scale=8.0, growth_interval=3), {1})
s = torch.amp.GradScaler("cpu", 16.0, growth_interval=5)
show("state", s.state_dict)
t = torch.tensor([1.0, 2.0])
show(
    "list",
    lambda: [s.scale([t, t])[1].tolist(), s.scale((t, [t]))[1][0].tolist(), [x.tolist() for x in s.scale(iter([t]))]],
)
for d in (torch.float16, torch.float64, torch.bfloat16):
    show(d, lambda: (s.scale(t.to(d)), s.scale(t.to(d)[0])))
show("wrong", s.scale, 3)
show("update", s.update)
p = torch.nn.Parameter(torch.ones(2))
o = torch.optim.Adam([p])
show("step", s.step, o)
p.grad = torch.ones(2) * 32
show("un", s.unscale_, o)
print(p.grad.tolist())
show("un2", s.unscale_, o)
show("step", s.step, o)
show("step2", s.step, o)
show("un3", s.unscale_, o)
show("pickle", pickle.dumps, s)
show("closure", s.step, o, closure=1)
s.update(3.0)
print(s.get_scale(), s.state_dict())
c = pickle.loads(pickle.dumps(s))
print(c.state_dict())
c.load_state_dict({**s.state_dict(), "scale": 2.0})
print(c.get_scale(), c.get_growth_factor(), c.get_backoff_factor(), c.get_growth_interval())
show("load", c.load_state_dict, {})
show("bad", torch.amp.GradScaler, "cpu", growth_factor=1.0)
show("bad", torch.amp.GradScaler, "cpu", backoff_factor=1.0)
with warnings.catch_warnings(record=True) as w:
    d = torch.cuda.amp.GradScaler()
    print(
        [(x.category.__name__, str(x.message)[:50]) for x in w],
        d.is_enabled(),
        d.state_dict(),
        d.get_scale(),
        isinstance(d, torch.amp.GradScaler),
        type(d).__name__,
    )
print(d.scale(t) is t, d.unscale_(o), d.update())
show("x", torch.GradScaler, wrong=1)
h = torch.nn.Parameter(torch.ones(2, dtype=torch.float16))
h.grad = torch.ones(2, dtype=torch.float16)
show("half", torch.GradScaler("cpu").unscale_, torch.optim.SGD([h], 0.1))
z = torch.GradScaler("cpu")
z.scale(t)
show("half", z.unscale_, torch.optim.SGD([h], 0.1))

# complex parameters: layers, draws and optimizers
for dtype in (torch.complex64, torch.complex128):
    torch.manual_seed(0)
    layer = nn.Linear(2, 3, dtype=dtype)
    layer(torch.ones(4, 2, dtype=dtype)).abs().sum().backward()
    show("complex layer", lambda: (layer.weight, layer.bias, layer.weight.grad.dtype))
    show("complex draws", lambda: (torch.rand(3, dtype=dtype), torch.empty(2, dtype=dtype).uniform_(-1, 1)))
    for kind in "SGD Adam AdamW RMSprop Adagrad NAdam RAdam Adadelta Adamax ASGD Rprop".split():
        p = nn.Parameter(torch.tensor([1 + 2j, 3 - 1j], dtype=dtype))
        optimizer = getattr(torch.optim, kind)([p], lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            (p.abs() ** 2).sum().backward()
            optimizer.step()
        state = optimizer.state[p]
        show(
            f"complex {kind}",
            lambda: (p, sorted(k for k, v in state.items() if torch.is_tensor(v) and v.is_complex())),
        )
p = torch.tensor([-3 + 0.5j, 2 - 1j], requires_grad=True)
torch.acosh(p).real.sum().backward()
show("acosh", lambda: p.grad)
for dtype in (torch.bfloat16, torch.float16):
    for kind in "SGD Adam AdamW Adagrad Adadelta Adamax ASGD Rprop".split():
        p = nn.Parameter(torch.tensor([[1, 2], [3, -1]], dtype=dtype))
        optimizer = getattr(torch.optim, kind)([p], lr=0.1, **({} if kind == "Rprop" else {"weight_decay": 0.01}))
        (p * p).sum().backward()
        optimizer.step()
        state = optimizer.state[p]
        show(f"half {kind}", lambda: (p.dtype, {k: v.dtype for k, v in sorted(state.items()) if torch.is_tensor(v)}))
show("norms", lambda: [t.dtype for t in torch._foreach_norm([torch.ones(2, dtype=torch.bfloat16), x])])

# sums over no dimensions, one tensor alone, gradients in another order, and where a tensor is already
x = torch.arange(24.0).reshape(2, 3, 4)
for equation, operands in (
    ("vn...o->vno", (x,)),
    ("vn...o->vo", (x,)),
    ("vn...o,o->v", (x, torch.ones(4))),
    ("...->", (x,)),
):
    given = [each.clone().requires_grad_() for each in operands]
    made = torch.einsum(equation, *given)
    made.square().sum().backward()
    show(f"einsum {equation}", lambda: (made.detach(), [each.grad.sum() for each in given]))
y = torch.ones(2, 1, requires_grad=True)
torch.broadcast_tensors(y)[0].sum().backward()
show("broadcast of one", lambda: y.grad)
w = nn.Parameter(torch.arange(6.0).reshape(3, 2))
for _ in range(2):
    (w.t() * torch.arange(3.0)).sum().backward()
    show("gradient in order", lambda: (w.grad.view(-1), w.grad.stride()))
w.grad.view(-1)[0] = 9
show("gradient written to", lambda: w.grad)
for args, kwargs in (
    (("cpu",), {}),
    ((), {"device": "cpu"}),
    ((torch.float64,), {}),
    ((), {"dtype": torch.float32}),
    ((), {"foo": "cpu"}),
):
    show(f"to {args} {kwargs}", lambda: (x.to(*args, **kwargs) is x, x.to(*args, **kwargs).dtype))
for make in (torch.empty, torch.zeros, torch.randn, lambda n, device: torch.arange(n, device=device)):
    show("CPU with a number", lambda: make(2, device="cpu:0").device)
for move in (
    lambda: x.to("cpu:0").device,
    lambda: x.to("cpu:0", torch.float64).dtype,
    lambda: torch.tensor([1], device="cpu:0").device,
    lambda: torch.zeros_like(x, device="cpu:0").device,
    lambda: x.new_zeros(2, device="cpu:0").device,
    lambda: nn.Linear(2, 2, device="cpu:0").to("cpu:0").weight.device,
    lambda: torch.tril_indices(2, 2, device="cpu:0").device,
    lambda: torch.autocast("cpu:0", enabled=False).device,
):
    show("CPU with a number", move)
torch.set_default_device("cpu:0")
show("default CPU with a number", lambda: torch.zeros(1).device)
torch.set_default_device("cpu")
singular = torch.stack([torch.eye(2), torch.zeros(2, 2)])
for name, matrix, options in (
    ("lu_factor", singular, {}),
    ("lu_factor", singular[1], {}),
    ("lu_factor", singular[0], {}),
    ("lu_factor", singular[0], {"pivot": False}),
    ("lu_factor", torch.zeros(0, 2, 2), {}),
    ("lu_factor", torch.zeros(3, 2), {}),
    ("lu_factor", singular[1].to(torch.complex64), {}),
    ("lu_factor_ex", singular, {}),
    ("lu_factor_ex", singular, {"check_errors": True}),
    ("lu_factor_ex", singular[1], {"check_errors": True}),
):
    show(f"{name} of a singular matrix", lambda: tuple(getattr(torch.linalg, name)(matrix, **options)))
rebuilt = torch._utils._rebuild_parameter(torch.ones(2), True, {})
show("rebuilt parameter", lambda: (isinstance(rebuilt, nn.Parameter), rebuilt.requires_grad, rebuilt))
rebuilt = torch._utils._rebuild_parameter_with_state(torch.ones(2), False, {}, {"note": 3})
show("rebuilt parameter", lambda: (rebuilt.requires_grad, rebuilt.note))
storage = torch.arange(6.0).storage()
show("rebuilt tensor", lambda: torch._utils._rebuild_tensor(storage, 1, (2, 2), (2, 1)))
show("rebuilt tensor", lambda: torch._utils._rebuild_tensor_v2(storage, 1, (2, 2), (2, 1), True, {}).requires_grad)
for device in (3, "cuda:1", "cpu", None, torch.device("cuda", 2)):
    for allowed in (False, True):
        show("number of a device", lambda: torch._utils._get_device_index(device, allow_cpu=allowed))
show("numbers of all devices", lambda: torch._utils._get_all_device_indices())
for kind in (KeyError, ValueError, UnicodeError):
    try:
        raise kind("text")
    except kind:
        wrapped = torch._utils.ExceptionWrapper(where="in a thread")
    try:
        wrapped.reraise()
    except kind as error:
        show("error of a worker", lambda: (type(error).__name__, str(error).splitlines()[0], "Traceback" in str(error)))


class WithName:
    @torch._utils.classproperty
    def name(cls):
        return cls.__name__


show("property of a class", lambda: (WithName.name, WithName().name))
show("by a name with dots", lambda: torch._utils._import_dotted_name("pickle.loads") is pickle.loads)
for seldom in (
    lambda: x.is_pinned(),
    lambda: x.is_inference(),
    lambda: torch.arange(4.0).resize(2, 2),
    lambda: torch.arange(4.0).resize(3),
    lambda: torch.arange(4.0).resize_as(torch.ones(2, 2)),
    lambda: torch.arange(4.0).map_(torch.ones(1), lambda a, b: a + 2 * b),
    lambda: torch.arange(4.0).map2_(torch.ones(4), torch.ones(4), lambda a, b, c: a + b + c),
    lambda: torch.arange(4.0).requires_grad_().map_(torch.ones(4), lambda a, b: a),
):
    show("seldom method", seldom)
compiled = nn.Linear(2, 2)
show("module that compiles itself", lambda: (compiled.compile(), compiled(torch.ones(2)).shape))
import torch.nn._reduction as reductions  # noqa: E402
import torch.nn.modules.linear  # noqa: E402
import torch.optim  # noqa: E402
from torch._jit_internal import List as JitList  # noqa: E402
from torch._jit_internal import Optional as JitOptional  # noqa: E402
from torch._jit_internal import boolean_dispatch, is_list, is_optional  # noqa: E402
from torch.nn.modules.linear import Module as ModuleThere  # noqa: E402
from torch.nn.modules.normalization import Parameter as ParameterThere  # noqa: E402
from torch.nn.modules.normalization import _shape_t  # noqa: E402, F401
from torch.nn.modules.pooling import _size_2_t  # noqa: E402, F401
from torch.optim.adagrad import Adagrad  # noqa: E402
from torch.optim.radam import RAdam  # noqa: E402
from torch.optim.rprop import Rprop  # noqa: E402
from torch.utils._contextlib import _DecoratorContextManager, context_decorator  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode, is_traceable_wrapper_subclass  # noqa: E402

show("names of modules", lambda: (ModuleThere is nn.Module, ParameterThere is nn.Parameter, torch.optim.RAdam is RAdam))
show("names of optimizers", lambda: (torch.optim.Adagrad is Adagrad, torch.optim.Rprop is Rprop))
for reduction in ("none", "mean", "sum", "other"):
    show("number of a reduction", lambda: reductions.get_enum(reduction))
for averaged, reduced in ((None, None), (False, None), (None, False)):
    show("old reduction", lambda: reductions.legacy_get_string(averaged, reduced, emit_warning=False))
show("reductions of functional", lambda: nn.functional._Reduction.get_enum("sum"))


def with_indices(x, both=False):
    return "with"


def without_indices(x, both=False):
    return "without"


either = boolean_dispatch("both", 1, False, with_indices, without_indices, "here", "either")
show("one of two functions", lambda: (either(1), either(1, True), either(1, both=True), either.__name__, either.__module__))
show("annotations", lambda: (is_optional(JitOptional[int]), is_optional(int), is_list(JitList[int]), is_list(int)))
show("annotation without contents", lambda: is_list(JitList))


class Counting(_DecoratorContextManager):
    entered = []

    def __enter__(self):
        self.entered.append("in")

    def __exit__(self, *raised):
        self.entered.append("out")


@Counting()
def steps():
    yield 1
    yield len(Counting.entered)


show("decorator of a generator", lambda: (list(steps()), Counting.entered))
show("decorator of a function", lambda: context_decorator(Counting, lambda: len(Counting.entered))())
show("decorator of a class", lambda: context_decorator(Counting, Counting))


class SeeingOperators(TorchDispatchMode):
    pass


show("wrapper of tensors", lambda: is_traceable_wrapper_subclass(x))
points = [0.0, -0.0, 1e-9, 0.01, 0.3, 1.0, 1.9, 2.0, 2.05, 2.9, 3.1, 5.0, 8.9, 9.1, 14.9, 24.9, 25.1, 40.0, 123.4, 600.0, 1e4]
points += [-each for each in points] + [float("inf"), -float("inf"), float("nan")]
for name in (
    *("airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_i0", "modified_bessel_i1"),
    *("modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1"),
    "spherical_bessel_j0",
):
    function = getattr(torch.special, name)
    values = torch.tensor(points, dtype=torch.float64)
    show(name, lambda: [f"{each:.6g}" if abs(each) > 1e-9 else f"{each:.3g}" for each in function(values).tolist()])
    show(name, lambda: function(torch.tensor([0, 1, 2])))
    show(name, lambda: function(torch.tensor([0.5, 3.0], requires_grad=True)).requires_grad)
    show(name, lambda: function(torch.ones(2, dtype=torch.float16)))
    kept = torch.zeros(2)
    show(name, lambda: (function(torch.tensor([0.5, 3.0]), out=kept), kept))


def with_rows(**options):
    """What SparseAdam makes of a table of which some rows are used."""
    table = nn.Embedding(4, 3, sparse=True)
    table.weight.data.copy_(torch.arange(12.0).reshape(4, 3) / 10)
    optimizer = torch.optim.SparseAdam(table.parameters(), **options)
    for rows in ([0, 2], [2, 2], [1], [0, 3]):
        optimizer.zero_grad()
        table(torch.tensor(rows)).square().sum().backward()
        optimizer.step()
    state = optimizer.state_dict()["state"][0]
    return table.weight.detach(), sorted(state), state["exp_avg"], state["exp_avg_sq"]


for options in ({}, {"lr": 0.1, "betas": (0.5, 0.9), "eps": 1e-3}, {"lr": 0.1, "maximize": True}, {"lr": 0}, {"eps": 0}, {"betas": (1, 0.5)}):
    show("SparseAdam", lambda: with_rows(**options))
one, other = torch.arange(3.0), torch.ones(2, 2, requires_grad=True)
one.note = 1
torch.utils.swap_tensors(one, other)
show("swapped", lambda: (one, other, one.requires_grad, other.requires_grad, hasattr(one, "note"), other.note))
one.mul(2).sum().backward()
show("gradient of swapped", lambda: one.grad)
layer = nn.Linear(2, 2)
parameter, own = nn.Parameter(torch.ones(2, 2), requires_grad=False), layer.weight
torch.utils.swap_tensors(own, parameter)
show("swapped parameter", lambda: (layer.weight is own, own.detach(), own.requires_grad, parameter.requires_grad))
import torch.quasirandom  # noqa: E402

engine = torch.quasirandom.SobolEngine(3)
for made in (
    lambda: (engine, engine.draw(5), engine.num_generated, engine.quasi),
    lambda: engine.draw(3, dtype=torch.float64),
    lambda: (engine.fast_forward(3), engine.draw(2), engine.reset(), engine.draw(2), engine.num_generated)[1:],
    lambda: (engine.reset(), engine.draw_base2(2), engine.sobolstate),
    lambda: engine.draw_base2(4),
    lambda: torch.quasirandom.SobolEngine(0),
    lambda: torch.quasirandom.SobolEngine(21202),
    lambda: torch.quasirandom.SobolEngine(1100).draw(50)[:, -20:],
    lambda: (torch.quasirandom.SobolEngine(2).fast_forward(5), torch.quasirandom.SobolEngine(2).fast_forward(5).draw(2)),
    lambda: torch.quasirandom.SobolEngine(2).draw(2, out=torch.zeros(0)),
    lambda: (torch.quasirandom.SobolEngine.MAXBIT, torch.quasirandom.SobolEngine.MAXDIM),
):
    show("Sobol", made)
mixed = torch.quasirandom.SobolEngine(3, scramble=True, seed=5)
show("scrambled Sobol", lambda: (mixed, mixed.draw(4), mixed.shift.dtype, mixed.sobolstate.shape))
points = torch.quasirandom.SobolEngine(4, scramble=True).draw(64)
show("scrambled points", lambda: [(points[:, at] * 8).long().bincount().tolist() for at in range(4)])


# autocast: its settings, and what it casts on a CPU
def settings():
    devices = ("cpu", "cuda", "xla", "mps", "hpu", "xpu")
    return [(torch.is_autocast_enabled(each), torch.get_autocast_dtype(each)) for each in devices]


for step in (
    lambda: (torch.is_autocast_enabled(), torch.is_autocast_cpu_enabled(), torch.is_autocast_cache_enabled()),
    settings,
    lambda: (torch.set_autocast_cache_enabled(False), torch.is_autocast_cache_enabled(), torch.set_autocast_cache_enabled(True)),
    lambda: (torch.autocast_increment_nesting(), torch.autocast_increment_nesting()),
    lambda: (torch.autocast_decrement_nesting(), torch.autocast_decrement_nesting()),
    lambda: (torch.set_autocast_dtype("cpu", torch.float16), settings()),
    lambda: (torch.set_autocast_cpu_dtype(torch.bfloat16), torch.set_autocast_gpu_dtype(torch.bfloat16), settings()),
    lambda: (torch.set_autocast_gpu_dtype(torch.float16), torch.get_autocast_gpu_dtype(), torch.get_autocast_cpu_dtype()),
    lambda: (torch.set_autocast_enabled("cpu", True), settings(), (torch.ones(2, 2) @ torch.ones(2, 2)).dtype),
    lambda: (torch.set_autocast_enabled("cpu", False), settings(), (torch.ones(2, 2) @ torch.ones(2, 2)).dtype),
    lambda: (torch.set_autocast_enabled(True), settings(), torch.set_autocast_enabled(False)),
    lambda: (torch.set_autocast_cpu_enabled(True), torch.is_autocast_cpu_enabled(), torch.set_autocast_cpu_enabled(False)),
    lambda: torch.get_autocast_dtype("meta"),
    lambda: torch.is_autocast_enabled("meta"),
    lambda: torch.set_autocast_dtype("cpu", 3),
):
    show("settings of autocast", step)
wide, half, images = torch.ones(4, 4), torch.ones(4, 4, dtype=torch.bfloat16), torch.ones(1, 2, 8, 8)
batch, signal, classes = torch.ones(2, 4, 4), torch.ones(1, 2, 8), torch.zeros(4, dtype=torch.long)
F = nn.functional
with torch.autocast("cpu"):
    for cast in (
        lambda: torch.mm(wide,wide),
        lambda: wide@wide,
        lambda: wide.matmul(wide),
        lambda: torch.bmm(batch,batch),
        lambda: torch.addmm(wide,wide,wide),
        lambda: F.linear(wide,wide),
        lambda: nn.Linear(4,4)(wide),
        lambda: nn.Conv2d(2,3,3)(images),
        lambda: F.conv1d(signal,torch.ones(3,2,3)),
        lambda: wide+half,
        lambda: half*half,
        lambda: torch.softmax(half,-1),
        lambda: half.exp(),
        lambda: nn.LayerNorm(4)(wide),
        lambda: F.layer_norm(half,(4,)),
        lambda: nn.BatchNorm2d(2)(images),
        lambda: F.mse_loss(half,half),
        lambda: F.cross_entropy(half,classes),
        lambda: nn.CrossEntropyLoss()(half,classes),
        lambda: F.nll_loss(half,classes),
        lambda: torch.cat([wide,half]),
        lambda: torch.stack([wide,half]),
        lambda: half.prod(),
        lambda: half.sum(),
        lambda: torch.einsum("ij,jk",wide,wide),
        lambda: F.scaled_dot_product_attention(batch,batch,batch),
        lambda: F.relu(wide),
        lambda: F.binary_cross_entropy_with_logits(half,half),
        lambda: F.binary_cross_entropy(half*0.5,half),
        lambda: wide.double()@wide.double(),
        lambda: wide.long()@wide.long(),
        lambda: nn.Sequential(nn.Linear(4,4),nn.ReLU(),nn.Linear(4,2))(wide),
        lambda: torch.mv(wide,wide[0]),
        lambda: torch.dot(wide[0],wide[0]),
        lambda: torch.outer(wide[0],wide[0]),
        lambda: F.l1_loss(half,half),
        lambda: F.huber_loss(half,half),
        lambda: F.kl_div(half,half),
        lambda: torch.linalg.inv(torch.eye(3).bfloat16()),
        lambda: half.norm(),
        lambda: torch.fft.fft(half[0]) ,
        lambda: torch.quantile(wide,.5),
        lambda: torch.cdist(half,half),
        lambda: half.trace(),
        lambda: nn.Embedding(4,4)(torch.zeros(2,dtype=torch.long)),
        lambda: F.gelu(wide),
        lambda: F.interpolate(images,scale_factor=2),
        lambda: F.interpolate(images.bfloat16(),scale_factor=2,mode="bilinear"),
        lambda: F.grid_sample(images,torch.zeros(1,2,2,2)),
        lambda: F.conv_transpose2d(images,torch.ones(2,3,3,3)),
        lambda: torch.baddbmm(batch,batch,batch),
        lambda: torch.tensordot(wide,wide,1),
        lambda: half.cumsum(0),
        lambda: half.mean(),
        lambda: half.max(),
        lambda: F.pad(images.bfloat16(),(1,1,1,1),mode="reflect"),
        lambda: F.avg_pool3d(torch.ones(1,1,2,2,2).bfloat16(),2),
        lambda: torch.linalg.multi_dot([wide,wide,wide]),
        lambda: F.bilinear(wide,wide,torch.ones(2,4,4)),
        lambda: torch.chain_matmul(wide,wide),
        lambda: torch.addbmm(wide,batch,batch),
        lambda: torch.addmv(wide[0],wide,wide[0]),
        lambda: torch.linalg.vecdot(wide,wide),
        lambda: torch.ones(4)@wide,
        lambda: nn.MultiheadAttention(4,2)(batch,batch,batch)[0],
        lambda: nn.GRU(4,3)(wide)[0],
        lambda: nn.LSTM(4, 3)(wide)[0],
    ):
        show("autocast", lambda: cast().dtype)
    inner = nn.Linear(4, 2)
    made = inner(wide)
    loss = F.mse_loss(made, torch.zeros(4, 2))
    with torch.autocast("cpu", enabled=False):
        show("no autocast", lambda: (torch.is_autocast_enabled("cpu"), (wide @ wide).dtype))
    with torch.autocast("cpu", dtype=torch.float16, cache_enabled=False):
        show("other autocast", lambda: (settings()[0], torch.is_autocast_cache_enabled(), (wide @ wide).dtype))
    show("autocast again", lambda: (settings()[:2], torch.is_autocast_cache_enabled()))
loss.backward()
show("gradients of autocast", lambda: (made.dtype, loss.dtype, inner.weight.grad.dtype, inner.weight.dtype))
show("after autocast", lambda: (settings()[:2], (wide @ wide).dtype, torch.autocast("cpu")(lambda: wide @ wide)().dtype))


class CastForward(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx, x):
        return x * 2

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, grad):
        return grad


with torch.autocast("cpu"):
    show("cast of an autograd function", lambda: CastForward.apply(half).dtype)
show("no cast of an autograd function", lambda: CastForward.apply(half).dtype)

# stores, and what a process alone has of torch.distributed
import datetime  # noqa: E402
import os  # noqa: E402
import tempfile  # noqa: E402
import threading  # noqa: E402

import torch.distributed as dist  # noqa: E402


def used(store):
    """What a store answers."""
    store.set("a", "x")
    found = [store.get("a"), store.add("n", 3), store.add("n", 2), store.check(["a"]), store.check(["other"]), store.get("n")]
    found += [store.compare_set("a", "x", "y"), store.compare_set("a", "q", "z"), store.delete_key("a")]
    store.append("b", "p")
    store.append("b", "q")
    inner = dist.PrefixStore("before", store)
    inner.set("k", "v")
    return [*found, store.get("b"), inner.get("k"), store.get("before/k"), isinstance(store, dist.Store)]


def waiting(store):
    store.wait(["none"], datetime.timedelta(milliseconds=50))


with tempfile.TemporaryDirectory() as folder:
    on_disk = dist.FileStore(os.path.join(folder, "store"), 1)
    show("store in a file", lambda: used(on_disk))
    del on_disk
server = dist.TCPStore("127.0.0.1", 0, 1, True)
show("store of a server", lambda: (used(server), server.port > 0, server.host))
client = dist.TCPStore("127.0.0.1", server.port, None, False)
show("client of a store", lambda: (client.get("b"), client.set("more", "1"), server.get("more"), client.add("n", 1)))
try:
    waiting(client)
except dist.DistStoreError:
    show("store that waits", lambda: "DistStoreError")
threading.Timer(0.1, lambda: client.set("late", "1")).start()
show("store that waited", lambda: server.get("late"))
show("bucket of gradients", lambda: dist.GradBucket())
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
for alone in (
    lambda: len(dist.new_subgroups(1)[1]),
    lambda: dist.get_world_size(dist.new_subgroups(1)[0]),
    lambda: dist.new_subgroups(2),
    lambda: dist.new_subgroups(0),
    lambda: dist.new_subgroups_by_enumeration([]),
    lambda: dist.new_subgroups_by_enumeration([[0], [0]]),
    lambda: dist.monitored_barrier(),
    lambda: dist.monitored_barrier(timeout=datetime.timedelta(seconds=1)),
):
    show("process alone", alone)
for shape, names in (((1,), None), ((1, 1), ("dp", "tp"))):
    mesh = dist.init_device_mesh("cpu", shape, mesh_dim_names=names)
    show("mesh", lambda: (mesh.device_type, mesh.ndim, tuple(mesh.shape), mesh.mesh_dim_names, mesh.get_local_rank(0)))
for shape, names in (((2,), None), ((1, 1), ("a", "a")), ((1, 1), ("a",))):
    try:
        dist.init_device_mesh("cpu", shape, mesh_dim_names=names)
    except RuntimeError:
        show("no mesh", lambda: (shape, names))
dist.destroy_process_group()

# stubs of quantization, and modules that are fused
from torch.ao.quantization import DeQuantStub, QConfig, QuantStub, QuantWrapper, fuse_modules  # noqa: E402


class Quantized(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant, self.dequant = QuantStub(), DeQuantStub()
        self.conv, self.bn, self.relu = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU()
        self.inner = nn.Sequential(nn.Linear(2, 2), nn.ReLU())

    def forward(self, x):
        return self.dequant(self.inner(self.relu(self.bn(self.conv(self.quant(x)))).mean([2, 3])))


model = Quantized().eval()
model.bn.running_mean.add_(0.5)
seen = torch.arange(36.0).reshape(1, 1, 6, 6) / 36
fused = fuse_modules(model, [["conv", "bn", "relu"], ["inner.0", "inner.1"]])
show("fused modules", lambda: torch.allclose(fused(seen), model(seen), atol=1e-6))
show("fused away", lambda: (type(fused.bn).__name__, type(fused.relu).__name__, type(model.bn).__name__, len(fused.conv)))
show("fused pair", lambda: type(fuse_modules(model, ["conv", "bn"]).conv).__name__)
show("not fused in training", lambda: fuse_modules(Quantized().train(), ["conv", "bn"]))
show("not fused", lambda: type(fuse_modules(model, ["relu", "conv"])))
show("wrapped", lambda: torch.equal(QuantWrapper(nn.Identity())(seen), seen))
show("settings of quantization", lambda: QConfig(activation=1, weight=2))

# settings of sharded modules
import functools  # noqa: E402

from torch.distributed.fsdp import (  # noqa: E402
    CPUOffload, FullStateDictConfig, FullyShardedDataParallel, MixedPrecision, ShardingStrategy, StateDictType,
)  # fmt: skip
from torch.distributed.fsdp.wrap import (  # noqa: E402
    ModuleWrapPolicy, size_based_auto_wrap_policy, transformer_auto_wrap_policy,
)  # fmt: skip

show("settings of sharding", lambda: (CPUOffload(True), FullStateDictConfig(rank0_only=True)))
show("kinds of sharding", lambda: ([each.name for each in ShardingStrategy], [each.name for each in StateDictType]))
show("dtypes of sharding", lambda: (MixedPrecision(torch.float16).param_dtype, MixedPrecision().cast_root_forward_inputs))
show("not sharded", lambda: isinstance(nn.Linear(2, 2), FullyShardedDataParallel))
of_classes = functools.partial(transformer_auto_wrap_policy, transformer_layer_cls={nn.Linear})
wrapped = nn.Linear(2, 2)
show("wrapped by class", lambda: (of_classes(wrapped, False, 3), of_classes(nn.ReLU(), False, 3), of_classes(nn.ReLU(), True, 3)))
show("wrapped by size", lambda: [size_based_auto_wrap_policy(wrapped, each, 10, min_num_params=5) for each in (True, False)])
show("wrapped by policy", lambda: [ModuleWrapPolicy({nn.Linear})(each, False) for each in (wrapped, nn.ReLU())])
