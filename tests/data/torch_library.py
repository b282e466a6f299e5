"""Operators of torch.library: what they give and refuse, one line of output for each call.

Run by tests/test_unit_pieces.py: `python torch_library.py`, or with the path of a unit to run
under Paddle's proxy. Of an exception the type is printed, not its words.
"""

import sys
import typing
import warnings

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import numpy as np
import torch
import torch.library
from torch import Tensor
from torch.library import CustomOpDef, Library, custom_op, infer_schema

warnings.simplefilter("ignore")


def plain(value):
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).rpartition('.')[2]}{list(value.shape)}{value.tolist()}"
    if isinstance(value, torch.dtype):
        return str(value).rpartition(".")[2]
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return value


def show(label, f, /, *args, **kwargs):
    try:
        print(label, plain(f(*args, **kwargs)))
    except Exception as error:
        print(label, "raises", type(error).__name__)


def grads(*args, **kwargs):
    return [*torch.autograd.grad(*args, **kwargs)]


def said(f):
    try:
        f()
    except Exception as error:
        return type(error).__name__
    return "nothing"


seen = []
x = torch.ones(2)
g = torch.ones(2, requires_grad=True)


@custom_op("pt::times", mutates_args=())
def times(x: Tensor, factor: float, k: int = 2, flag: bool = False) -> Tensor:
    """It scales."""
    seen.append((type(factor).__name__, factor, type(k).__name__, k, type(flag).__name__, flag))
    return x * factor * k


op = torch.ops.pt.times
calls = {
    "all": ((x, 2.0, 3, True), {}),
    "int for float": ((x, 2), {}),
    "keywords in another order": ((), {"factor": 3.0, "x": x}),
    "missing": ((x,), {}),
    "too many": ((x, 1.0, 2, True, 5), {}),
    "unknown keyword": ((x, 1.0), {"z": 3}),
    "given twice": ((x, 1.0), {"x": x}),
    "str for float": ((x, "a"), {}),
    "float for int": ((x, 1.0, 2.5), {}),
    "bool for int": ((x, 1.0, True), {}),
    "tensor for float": ((x, torch.tensor(2.0)), {}),
    "tensor for int": ((x, 1.0, torch.tensor(3)), {}),
    "int for bool": ((x, 1.0, 2, 1), {}),
    "none for bool": ((x, 1.0, 2, None), {}),
    "none for int": ((x, 1.0, None), {}),
    "str for bool": ((x, 1.0, 2, "a"), {}),
    "number for tensor": ((2.0, 1.0), {}),
    "list for tensor": (([x], 1.0), {}),
    "none for tensor": ((None, 1.0), {}),
    "float32 of numpy": ((x, np.float32(2)), {}),
    "int64 of numpy": ((x, 1.0, np.int64(2)), {}),
    "complex for float": ((x, 1j), {}),
    "default given": ((x, 1.0, 2, False), {}),
}
for label, (args, kwargs) in calls.items():
    for form in (times, op, op.default):
        show(label, form, *args, **kwargs)
print(seen)
show("isinstance", isinstance, times, CustomOpDef)
show("callable", callable, times)
show("repr", repr, times)
show("name", lambda: times.__name__)
show("qualname", lambda: times._qualname)
show("strings", lambda: (str(op), repr(op), str(op.default), repr(op.default)))
show("names", lambda: (op._qualified_op_name, op.__name__, op.default.name(), op.default._name))
show("parts", lambda: (op.default.namespace, op.default._opname, op.default._overloadname))
show("overloads", lambda: (op.overloads(), op.default.__name__))
show("schema", lambda: str(op.default._schema))
show("same", lambda: (torch.ops.pt.times is op, op.default is op.default))
show("hasattr", lambda: (hasattr(torch.ops.pt, "times"), hasattr(torch.ops.pt, "nope")))
show("hasattr of op", lambda: (hasattr(op, "default"), hasattr(op, "out")))
show("getattr", lambda: getattr(torch.ops.pt, "nope", None))
show("no such", lambda: torch.ops.pt.nope)
show("no overload", lambda: op.nope)
show("dir", lambda: "times" in dir(torch.ops.pt))

# what a kernel must not return
for label, hint, body in (
    ("the input", Tensor, lambda x: x),
    ("a view", Tensor, lambda x: x.view(1, 2)),
    ("one twice", tuple[Tensor, Tensor], lambda x: (x * 2,) * 2),
    ("two", tuple[Tensor, Tensor], lambda x: (x * 2, x * 3)),
    ("two in a list", tuple[Tensor, int], lambda x: [x * 2, 3]),
    ("a number", Tensor, lambda x: 3),
    ("one for two", tuple[Tensor, int], lambda x: x * 1),
    ("something for nothing", None, lambda x: x * 1),
    ("nothing", None, lambda x: None),
    ("a list", list[Tensor], lambda x: [x * 1, x * 2]),
    ("an int", int, lambda x: len(x)),
    ("a float", float, lambda x: 2),
    ("a bool", bool, lambda x: True),
    ("none for a tensor", Tensor, lambda x: None),
):

    def body_of(x: Tensor, body=body):
        return body(x)

    def kernel(x):
        return kernel.body(x)

    kernel.body = body
    kernel.__annotations__ = {"x": Tensor, "return": hint}
    show(f"returns {label}", lambda: custom_op(f"pt::r_{label.replace(' ', '_')}", kernel, mutates_args=())(x))


@custom_op("pt::write", mutates_args={"y"})
def write(x: Tensor, y: Tensor) -> None:
    y.copy_(x * 2)


y = torch.zeros(2)
show("mutates", lambda: (write(x, y), y))
show("mutates by keyword", lambda: (write(y=y, x=y + 1), y))
e = g.exp()
write(x, e.detach())
show("what was saved is written to", lambda: said(lambda: grads(e.sum(), g)) != "nothing")
show("mutates for a gradient", lambda: (write(g.detach().requires_grad_(), y), y.requires_grad))
show("no gradient of a writer", write.register_autograd, lambda ctx: None)
show("no gradient of a writer", torch.library.register_autograd, "pt::write", lambda ctx: None)


@custom_op("pt::unknown", mutates_args="unknown")
def unknown(x: Tensor, n: int) -> None:
    x.add_(n)


show("unknown", lambda: (unknown(y, 2), y, str(torch.ops.pt.unknown.default._schema)))

# devices
for device in ("cuda", ("cuda", "xpu"), "cpu", ["cpu"], None):

    @custom_op(f"pt::on_{len(seen)}", mutates_args=(), device_types=device)
    def on(x: Tensor) -> Tensor:
        return x * 1

    seen.append(device)
    show(f"on {device}", on, x)
    show("with a kernel", lambda: (on.register_kernel("cpu")(lambda x: x * 7)(x), on(x)))
    show("with another", lambda: (on.register_kernel("cpu", lambda x: x * 8), on(x))[1])
    show("with one for all", lambda: (on.register_kernel(None, lambda x: x * 9), on(x))[1])
    with on.set_kernel_enabled("cpu", False):
        show("disabled", on, x)
    show("enabled", on, x)


def nodevice(n: int) -> Tensor:
    return torch.ones(n)


def made_on(n: int, device: torch.device) -> Tensor:
    seen.append((type(device).__name__, device.type))
    return torch.ones(n)


show("no device", lambda: custom_op("pt::nd2", mutates_args=(), device_types="cpu")(nodevice))
show("any device", lambda: custom_op("pt::nd3", mutates_args=())(nodevice)(3))
show("a device", lambda: custom_op("pt::nd4", made_on, mutates_args=(), device_types="cpu")(3, "cpu"))
show("a device", lambda: torch.ops.pt.nd4(3, torch.device("cpu")))
show("another device", lambda: said(lambda: torch.ops.pt.nd4(3, "cuda")) != "nothing")
print(seen[-2:] == [seen[-1]] * 2, seen[-1][1])


# definitions
def again():
    @custom_op("pt::again", mutates_args=())
    def first(x: Tensor) -> Tensor:
        return x * 2

    @custom_op("pt::again", mutates_args=())
    def second(x: Tensor, k: int = 3) -> Tensor:
        return x * k

    # torch freed what `first` calls when `second` took its name: calling it reads freed memory
    return type(first) is type(second), second(x), torch.ops.pt.again(x, 4)


show("defined again", again)
show("no namespace", lambda: custom_op("plain", mutates_args=())(nodevice))
show("two namespaces", lambda: custom_op("a::b::c", mutates_args=())(nodevice))
show("no mutates_args", lambda: custom_op("pt::nm", nodevice))
show("schema", lambda: custom_op("pt::s1", lambda x, y=2: x * y, mutates_args=(), schema="(Tensor x, int y=3) -> Tensor")(x))
show("schema", lambda: torch.ops.pt.s1(x, 3))
show("schema", lambda: torch.ops.pt.s1(y=5, x=x))
show("its default is dropped", lambda: custom_op("pt::s2", lambda x, y: x * y, mutates_args=(), schema="(Tensor x, int y=3) -> Tensor")(x))
show("mutates what it does not say", lambda: custom_op("pt::s3", lambda x: None, mutates_args=("x",), schema="(Tensor x) -> ()"))
show("says what it does not mutate", lambda: custom_op("pt::s4", lambda x: None, mutates_args=(), schema="(Tensor(a!) x) -> ()"))
show("mutates what it says", lambda: custom_op("pt::s5", lambda x: None, mutates_args=("x",), schema="(Tensor(a!) x) -> ()")(x.clone()))
show("a wrong schema", lambda: custom_op("pt::s6", lambda x: x, mutates_args=(), schema="(Tensr x) -> Tensor"))
show("a wrong schema", lambda: custom_op("pt::s7", lambda x: x, mutates_args=(), schema="Tensor x"))
show("a wrong schema", lambda: custom_op("pt::s8", lambda x: x, mutates_args=(), schema="(x) -> Tensor"))
show("a tensor by name", lambda: custom_op("pt::s9", lambda *, x: x * 1, mutates_args=(), schema="(*, Tensor x) -> Tensor"))
show("two results", lambda: custom_op("pt::s10", lambda x, s: (x * 1, None), mutates_args=(), schema="(Tensor x, Tensor? s) -> (Tensor, Tensor?)")(x, None))
show("by name", lambda: custom_op("pt::s11", lambda x, *, k=1: x * k, mutates_args=(), schema="(Tensor x, *, int k=1) -> Tensor")(x, k=4))
show("by name", lambda: torch.ops.pt.s11(x, 4))

# kinds of arguments
schema = (
    "(Tensor[] xs, int[] k, float? f, bool b=True, ScalarType? dtype=None, Device? d=None, int[3] z=0,"
    ' Scalar s=1, float[] q=[1.0, 2.0], str name="a, b", SymInt n=-1) -> int'
)


def kinds(*args):
    seen.append([str(each.type) if type(each).__name__ in ("device", "Device") else each for each in args])
    return len(args)


many = custom_op("pt::many", kinds, mutates_args=(), schema=schema)
many_calls = [
    (([x], [1], None), {}),
    (((x, x), (1, 2), 2), {"dtype": torch.float64, "z": (1, 2, 3), "s": 2.5, "name": "zz", "q": (1,)}),
    (([x], 5, None), {}),
    ((), {"xs": [x], "k": [], "f": None, "z": 2}),
    ((x, [1], None), {}),
    (([x, None], [1], None), {}),
    (([], [], 1.5, False), {}),
    (([x], [1.5], None), {}),
    (([x], [True], None), {}),
    (([x], [1], "a"), {}),
    (([x], [1], None), {"dtype": "float16"}),
    (([x], [1], None), {"name": 3}),
    (([x], [1], None), {"name": "a, b", "n": -1}),
    (([x], [1], None), {"d": "cpu"}),
    (([x], [1], None), {"s": torch.tensor(2)}),
    (([x], [1], None), {"s": True}),
    (([x], [1], None), {"s": "2"}),
    (([x], [1], None), {"n": 2.0}),
    (([x], "12", None), {}),
    (({1: x}, [1], None), {}),
    (([x], None, None), {}),
]
for number, (args, kwargs) in enumerate(many_calls):
    before = len(seen)
    show(f"many {number}", many, *args, **kwargs)
    print(plain(seen[before:]))

# gradients
r = times(g, 2.0)
show("without a formula", lambda: (r.requires_grad, r.is_leaf, r.detach()))
show("without a formula", lambda: said(lambda: r.sum().backward()))
with torch.no_grad():
    show("no_grad", lambda: times(g, 2.0).requires_grad)


def setup(ctx, inputs, output):
    x, factor, k, flag = inputs
    seen.append((len(inputs), k, flag, type(output).__name__))
    ctx.save_for_backward(x)
    ctx.factor = factor * k


def back(ctx, gradient):
    seen.append((ctx.needs_input_grad, len(ctx.saved_tensors), gradient.tolist()))
    return gradient * ctx.factor, None, None, None


times.register_autograd(back, setup_context=setup)
show("gradient", lambda: grads(times(g, 2.0, 3, True).sum(), g))
show("gradient of op", lambda: grads((op(factor=3, x=g, k=4) * 2).sum(), g))
show("of a non-leaf", lambda: grads(times(g * 3, 2.0, flag=True).sum(), g))
show("none wanted", lambda: times(x, 2.0).requires_grad)
print(seen[-6:])
for label, formula in {
    "too few": lambda ctx, gradient: gradient,
    "too many": lambda ctx, gradient: (gradient, None, None, None, None),
    "for what is no tensor": lambda ctx, gradient: (gradient, gradient, None, None),
    "none": lambda ctx, gradient: (gradient, None),
    "that raises": lambda ctx, gradient: 1 / 0,
}.items():
    times.register_autograd(formula)
    show(f"{label}", lambda: said(lambda: grads(times(g, 2.0).sum(), g)) != "nothing")


@custom_op("pt::pair", mutates_args=())
def pair(x: Tensor, y: typing.Optional[Tensor], ws: list[float]) -> tuple[Tensor, Tensor, int]:
    return x * ws[0], x.to(torch.int64), 3


def pair_setup(ctx, inputs, output):
    seen.append([type(each).__name__ for each in output])
    ctx.w = inputs[2][0]


def pair_back(ctx, *gradients):
    seen.append([None if each is None else list(each.shape) for each in gradients])
    seen.append(ctx.needs_input_grad)
    return gradients[0] * ctx.w, None if not ctx.needs_input_grad[1] else gradients[0] * 0, None


torch.library.register_autograd("pt::pair", pair_back, setup_context=pair_setup)
show("pair", lambda: [each.requires_grad if isinstance(each, Tensor) else each for each in pair(g, None, [2.0])])
show("pair", lambda: grads(pair(g, None, (2, 3))[0].sum(), g))
h = torch.ones(2, requires_grad=True)
show("pair", lambda: grads(pair(g, h, (2, 3))[0].sum(), [g, h]))
show("pair", lambda: grads(pair(x, h, (2, 3))[0].sum(), [h]))
print(seen[-9:])


@custom_op("pt::summed", mutates_args=())
def summed(xs: list[Tensor], k: int) -> list[Tensor]:
    return [each * k for each in xs]


def summed_back(ctx, gradients):
    seen.append((type(gradients).__name__, len(gradients), ctx.needs_input_grad))
    return [each * ctx.k for each in gradients], None


def keep_k(ctx, inputs, output):
    ctx.k = inputs[1]


summed.register_autograd(summed_back, setup_context=keep_k)
show("list", lambda: grads(sum(each.sum() for each in summed([g, h], 3)), [g, h]))
show("list", lambda: grads(sum(each.sum() for each in summed([x, h], 3)), [h]))
print(seen[-2:])
summed.register_autograd(lambda ctx, gradients: (None, None), setup_context=keep_k)
show("no list", lambda: said(lambda: grads(summed([g, h], 3)[0].sum(), [g, h])) != "nothing")


@custom_op("pt::cube", mutates_args=())
def cube(x: Tensor) -> Tensor:
    return torch.from_numpy(x.detach().numpy() ** 3)


def cube_setup(ctx, inputs, output):
    ctx.save_for_backward(inputs[0], output)
    ctx.set_materialize_grads(False)


cube.register_autograd(lambda ctx, gradient: gradient * 3 * ctx.saved_tensors[0] ** 2, setup_context=cube_setup)
z = torch.tensor([2.0, 3.0], requires_grad=True)
show("cube", lambda: grads(cube(z).sum(), z))


def second():
    (first,) = grads(cube(z).sum(), z, create_graph=True)
    return grads(first.sum(), z)


show("twice", second)
show("backward", lambda: (cube(z).sum().backward(), z.grad)[1])


@custom_op("pt::keyword", mutates_args=())
def keyword(x: Tensor, *, k: float = 2.0, tag: str = "q") -> Tensor:
    return x * k


def keyword_setup(ctx, inputs, keyword_only_inputs, output):
    seen.append((len(inputs), sorted(keyword_only_inputs.items())))
    ctx.k = keyword_only_inputs["k"]


keyword.register_autograd(lambda ctx, gradient: gradient * ctx.k, setup_context=keyword_setup)
show("keyword", lambda: grads(keyword(g).sum(), g))
show("keyword", lambda: grads(keyword(g, k=5).sum(), g))
show("keyword by place", lambda: keyword(g, 5.0))
print(seen[-2:])


@custom_op("pt::outer", mutates_args=())
def outer(x: Tensor) -> Tensor:
    return times(x, 1.0) + cube(x)


show("nested", lambda: (outer(z), outer(z).requires_grad))
show("fake", lambda: cube.register_fake(lambda x: torch.empty_like(x)) is not None)
show("vmap", lambda: cube.register_vmap(lambda info, dims, x: (cube(x), dims[0])) is not None)


@cube.register_fake
def _(x):
    return torch.empty_like(x)


print(callable(_))

# schemas of functions
T = torch.Tensor
hints = [
    *(T, int, float, bool, str, torch.dtype, torch.device, object, dict, np.ndarray, type(None), complex),
    *(typing.Optional[T], T | None, list[T], typing.List[T], typing.Sequence[T], tuple[T, T]),
    *(typing.Optional[list[T]], list[typing.Optional[T]], list[list[T]], dict[str, T]),
    *(list[int], typing.Sequence[int], typing.Optional[list[int]], list[typing.Optional[int]], tuple[int, int]),
    *(typing.Optional[int], list[float], typing.Optional[typing.Sequence[float]], list[bool], list[str]),
    *(typing.Optional[str], typing.Optional[bool], typing.Union[int, float, bool], typing.Union[int, float]),
    *(typing.Optional[typing.Union[int, float, bool]], list[typing.Union[int, float, bool]]),
    *(typing.Optional[torch.dtype], list[torch.dtype], typing.Optional[torch.device], list[torch.device]),
    *("Tensor", "int", "typing.Optional[T]", "nothing", list["Tensor"], typing.Optional["int"], "list['T']"),
    *(typing.Any, list, tuple, typing.Callable, typing.Union[T, int], typing.Union[T, int, None]),
]
for hint in hints:
    for result in (T, hint):

        def function(x, y):
            pass

        function.__annotations__ = {"x": hint, "y": T, "return": result}
        written = str(hint).replace("paddle", "torch").replace("Device", "device").rpartition(".")[2]
        show(f"hint {written}", infer_schema, function, mutates_args=())
for result in (
    *(None, tuple[T], tuple[T, T], tuple[T, int], tuple[list[T], float], tuple[T, ...], tuple[()], list[int]),
    *(typing.Tuple[T, bool], tuple[typing.Optional[T], T], list[tuple[T, T]], "None", "tuple[T, T]"),
):
    function.__annotations__ = {"x": T, "y": T, "return": result}
    show("result", infer_schema, function, mutates_args=())


def by_name(x: T, *, y: int, z: float = 2) -> T: ...
def starred(*args: T) -> T: ...
def keywords(**args: T) -> T: ...
def only_placed(x: T, /) -> T: ...
def unhinted(x) -> T: ...
def no_result(x: T): ...
def defaults(x: T, a: int = 3, b: float = 1.5, c: bool = True, d: str = "hello", e: typing.Optional[T] = None) -> T: ...
def of_dtype(x: T, d: torch.dtype = torch.float32, e: typing.Optional[torch.dtype] = None) -> T: ...
def of_lists(x: T, a: list[int] = [1, 2]) -> T: ...
def of_tuples(x: T, a: typing.Sequence[int] = (1, 2)) -> T: ...
def writers(x: T, ys: list[T], z: typing.Optional[T], n: int) -> None: ...
def nothing() -> T: ...


for function in (
    *(by_name, starred, keywords, only_placed, unhinted, no_result, defaults, of_dtype, of_lists, of_tuples),
    *(writers, nothing),
):
    show(function.__name__, infer_schema, function, mutates_args=())
    show(function.__name__, infer_schema, function, mutates_args="unknown", op_name="it")
for names in ({"x"}, ["ys", "z"], ("x", "ys", "z"), {"n"}, {"absent"}, "x", {}, []):
    show(f"mutates {len(names)}", infer_schema, writers, mutates_args=names)
show("no mutates_args", lambda: infer_schema(nothing))

# libraries
lib = Library("pl", "DEF")
show("library", lambda: (repr(lib), lib.ns, lib.kind, lib.dispatch_key))
show("defined twice", Library, "pl", "DEF")
show("wrong kind", Library, "pl", "NEW")
show("reserved", Library, "prim", "DEF")
show("define", lib.define, "f(Tensor x, *, float k=2.0) -> Tensor")
show("define twice", lib.define, "f(Tensor x, *, float k=2.0) -> Tensor")
show("define wrong", lib.define, "f2(Tensr x) -> Tensor")
show("define wrong", lib.define, "f3(Tensor x)")
show("define wrong", lib.define, "f4(Tensor x) -> Tensor", "PURE_FUNCTION")
show("no kernel", lambda: torch.ops.pl.f(x))


def f(x, *, k=2.0):
    seen.append(k)
    return x * k


show("impl", lib.impl, "f", f, "CPU")
show("call", lambda: torch.ops.pl.f(x))
show("call", lambda: torch.ops.pl.f(x, k=3))
show("call", lambda: torch.ops.pl.f(x, 3.0))
show("call", lambda: torch.ops.pl.f())
show("recorded", lambda: grads(torch.ops.pl.f(g).sum(), g))
show("wrong key", lib.impl, "f", f, "Foo")
show("no function", lib.impl, "f", 3, "CUDA")
show("impl again", lib.impl, "f", lambda x, k=2.0: x * 50, "CPU", allow_override=True)
show("call", lambda: torch.ops.pl.f(x))
show("impl for CUDA", lib.impl, "f", f, "CUDA")
show("impl for Meta", lib.impl, "f", f, "Meta")
show("with its namespace", lib.impl, "pl::f", f, "CompositeExplicitAutograd")
show("of another", lib.impl, "zz::f", f, "CompositeExplicitAutograd")
lib.define("h(Tensor x) -> Tensor")
show("of an overload", lib.impl, torch.ops.pl.h.default, lambda x: x + 1)
show("call", lambda: torch.ops.pl.h(x))
show("recorded", lambda: grads(torch.ops.pl.h(g).sum(), g))
show("before it is defined", lib.impl, "late", lambda x, n: x * n, "CPU")
show("define", lib.define, "late(Tensor x, int n) -> Tensor")
show("call", lambda: torch.ops.pl.late(x, 4))
lib.define("ov(Tensor x, int k) -> Tensor")
lib.define("ov.tensor(Tensor x, Tensor k) -> Tensor")
lib.impl("ov", lambda x, k: x * k, "CPU")
lib.impl("ov.tensor", lambda x, k: x + k + 100, "CPU")
show("overloads", lambda: (torch.ops.pl.ov.overloads(), str(torch.ops.pl.ov.tensor)))
show("overloads", lambda: (torch.ops.pl.ov.tensor.name(), torch.ops.pl.ov.tensor.__name__))
show("overloads", lambda: str(torch.ops.pl.ov.tensor._schema))
show("overloads", lambda: (torch.ops.pl.ov(x, 3), torch.ops.pl.ov(x, x), torch.ops.pl.ov.tensor(x, x)))
show("overloads", lambda: torch.ops.pl.ov(x, "a"))
show("overloads", lambda: torch.ops.pl.ov.default(x, x))
lib.define("add_.one(Tensor(a!) x) -> Tensor(a!)")
lib.impl("add_.one", lambda x: x.add_(1), "CPU")
y = torch.zeros(2)
show("in place", lambda: (torch.ops.pl.add_(y) is y, y))
lib.define("same(Tensor x) -> Tensor")
lib.impl("same", lambda x: x, "CPU")
show("the input", lambda: torch.ops.pl.same(y) is y)
lib.define("nothing(Tensor x) -> ()")
lib.impl("nothing", lambda x: None, "CPU")
show("nothing", lambda: torch.ops.pl.nothing(y))
lib.define("factory(int n) -> Tensor")
lib.impl("factory", lambda n: torch.ones(n), "CPU")
show("no tensor", lambda: torch.ops.pl.factory(2))
lib.impl("factory", lambda n: torch.ones(n), "CompositeExplicitAutograd")
show("no tensor", lambda: torch.ops.pl.factory(2))
only = Library("pl", "IMPL", "CPU")
show("impl library", lambda: (repr(only), only.dispatch_key))
lib.define("k3(Tensor x) -> Tensor")
show("impl library", only.impl, "k3", lambda x: x * 33)
show("impl library", lambda: torch.ops.pl.k3(x))
show("impl library", only.define, "k4(Tensor x) -> Tensor")
fragment = Library("pl", "FRAGMENT")
show("fragment", fragment.define, "k5(Tensor x) -> Tensor")
show("fragment", lambda: hasattr(torch.ops.pl, "k5"))
show("fallback", lib.fallback, f, "CPU")
show("fallthrough", lib.impl, "k3", torch.library.fallthrough_kernel, "AutogradCPU")
show("call", lambda: torch.ops.pl.k3(x))
with torch.library._scoped_library("scoped", "FRAGMENT") as scoped:
    scoped.define("q(Tensor x) -> Tensor")
    scoped.impl("q", lambda x: x * 1, "CPU")
    show("scoped", lambda: torch.ops.scoped.q(x))
show("scoped", lambda: torch.ops.scoped.q(x))
show("destroyed", scoped.define, "q(Tensor x) -> Tensor")

# gradients of operators of a library
lib.define("pair(Tensor x, *, float k=2.0) -> (Tensor, Tensor)")
lib.impl("pair", lambda x, *, k=2.0: (x.detach() * k, x.detach() + k), "CPU")


def named_setup(ctx, inputs, keyword_only_inputs, output):
    seen.append((len(inputs), keyword_only_inputs, type(output).__name__))
    ctx.k = keyword_only_inputs["k"]


torch.library.register_autograd("pl::pair", lambda ctx, a, b: a * ctx.k + b, setup_context=named_setup)
show("pair", lambda: grads(sum(each.sum() for each in torch.ops.pl.pair(g)), g))
show("pair", lambda: grads(torch.ops.pl.pair(g, k=5)[0].sum(), g))
print(seen[-2:])
torch.library.register_autograd(torch.ops.pl.pair.default, lambda ctx, a, b: a * 7, setup_context=named_setup)
show("again", lambda: grads(sum(each.sum() for each in torch.ops.pl.pair(g)), g))
show("no such", torch.library.register_autograd, "pl::absent", lambda ctx, a: a)
show("no overload", torch.library.register_autograd, torch.ops.pl.pair, lambda ctx, a: a)
show("of what writes", torch.library.register_autograd, "pl::add_.one", lambda ctx, a: a)
lib.define("ag(Tensor x) -> Tensor")
lib.impl("ag", lambda x: x * 4, "CPU")


class Multiplied(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch._C._AutoDispatchBelowAutograd():
            return torch.ops.pl.ag(x)

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 40


lib.impl("ag", lambda x: seen.append("autograd") or Multiplied.apply(x), "Autograd")
show("autograd", lambda: (torch.ops.pl.ag(x), torch.ops.pl.ag(g).requires_grad))
show("autograd", lambda: grads(torch.ops.pl.ag(g).sum(), g))
with torch.no_grad():
    show("autograd", lambda: torch.ops.pl.ag(g))
print(seen[-4:])

# functions
show("define", torch.library.define, "pf::a", "(Tensor x, int[2] k, str s='q', Tensor? o=None) -> Tensor")


@torch.library.impl("pf::a", "cpu")
def a(x, k, s="q", o=None):
    seen.append((k, s, o is None))
    return x * k[0]


print(a)
show("call", lambda: torch.ops.pf.a(x, 3))
show("call", lambda: torch.ops.pf.a(x, [3, 4], s="z", o=x))
show("call", lambda: torch.ops.pf.a(x, (3, 4), o=None))
print(seen[-3:])
for name, schema in (
    *(("pf::b", "Tensor x -> Tensor"), ("pf::b", "(Tensor x)"), ("pfb", "(Tensor x) -> Tensor")),
    *(("pf::c", "(Tensr x) -> Tensor"), ("pf::a", "(Tensor x) -> Tensor"), (3, "(Tensor x) -> Tensor")),
):
    show(f"define {name}", torch.library.define, name, schema)
show("a tag", torch.library.define, "pf::tagged", "(Tensor x) -> Tensor", tags=torch.Tag.pt2_compliant_tag)
show("tags", torch.library.define, "pf::tagged2", "(Tensor x) -> Tensor", tags=(torch.Tag.needs_fixed_stride_order,))
show("default", torch.library.impl, "pf::tagged", "default", lambda x: x * 2)
show("call", lambda: torch.ops.pf.tagged(x))
show("some", torch.library.impl, "pf::tagged", ("cuda", "cpu"), lambda x: x * 3)
show("call", lambda: torch.ops.pf.tagged(x))
show("no device", torch.library.impl, "pf::tagged", "foo", lambda x: x * 3)
show("key", lambda: torch.library.impl("pf::tagged2", "CompositeImplicitAutograd")(lambda x: x * 5))
show("call", lambda: torch.ops.pf.tagged2(x))


@torch.library.impl(lib, "k5", "CPU")
def k5(x):
    return x * 5


show("older", lambda: (k5(x), torch.ops.pl.k5(x)))


@torch.library.define(lib, "old(Tensor x) -> Tensor")
def old(x):
    return x - 1


show("older", lambda: (old(x), torch.ops.pl.old(x)))
show("kernel", lambda: torch.library.register_kernel("pf::a", "cpu", lambda x, k, s="q", o=None: x * 9))
show("call", lambda: torch.ops.pf.a(x, 3))
show("kernel of a packet", torch.library.register_kernel, torch.ops.pf.a, "cpu", f)
show("kernel", lambda: torch.library.register_kernel(times, "cpu")(lambda x, f, k=2, flag=False: x * 70)(x, 1))
show("call", lambda: times(x, 1.0))
show("kernel", lambda: torch.library.register_kernel("pt::times", None)(lambda x, f, k=2, flag=False: x * 80)(x, 1))
show("fake", lambda: torch.library.register_fake("pf::a", lambda x, k, s="q", o=None: torch.empty_like(x)) is None)
show("fake", lambda: torch.library.register_fake("pf::a")(f) is f)
show("fake", torch.library.register_fake, "pf::absent", f)
show("fake", torch.library.register_fake, "absent", f)
show("fake", lambda: lib._register_fake("ag", f))
show("fake", lambda: torch.library.register_fake(times, f) is f)
show("vmap", torch.library.register_vmap, "pf::a", f)
show("loaded", lambda: callable(torch.ops.load_library))


# autocast and tags of custom operators
@custom_op("pt::tagged", mutates_args=(), tags=(torch.Tag.needs_fixed_stride_order,))
def tagged(x: Tensor, y: Tensor) -> Tensor:
    seen.append(str(x.dtype).rpartition(".")[2])
    return x * 1


tagged.register_autocast("cpu", torch.bfloat16)
show("autocast off", tagged, x, x)


# opcheck
from torch.library import opcheck  # noqa: E402


def good(x: Tensor, k: float = 1.0) -> Tensor:
    return x.detach() * k


def wrong_fake(x, k=1.0):
    return x.new_empty([7])


def checked(label, op, args, kwargs=None, **options):
    try:
        result = opcheck(op, args, kwargs, raise_exception=False, **options)
        print(label, {name: answer == "SUCCESS" for name, answer in result.items()})
    except Exception as error:
        print(label, "raises", type(error).__name__)


some = ("test_schema", "test_autograd_registration", "test_faketensor")
fine = custom_op("pc::good", good, mutates_args=())
checked("no fake", fine, (x,), test_utils=some)
fine.register_fake(lambda x, k=1.0: torch.empty_like(x))
checked("good", fine, (x,), {"k": 2.0}, test_utils=some)
checked("good", torch.ops.pc.good, (x, 3.0), test_utils=some)
checked("good", torch.ops.pc.good.default, (g,), test_utils=list(some))
checked("one", fine, (x,), test_utils="test_schema")
checked("unknown", fine, (x,), test_utils="test_nothing")
checked("rtol alone", fine, (x,), rtol=1.0)
checked("wrong arguments", fine, ("a",), test_utils="test_schema")
show("all", lambda: sorted(opcheck(fine, (x,))))
bad = custom_op("pc::bad", good, mutates_args=())
bad.register_fake(wrong_fake)
checked("wrong fake", bad, (x,), test_utils=some)
show("wrong fake", opcheck, bad, (x,))
bad.register_fake(lambda x, k=1.0: torch.empty_like(x, dtype=torch.float64))
checked("wrong dtype", bad, (x,), test_utils=some)
bad.register_fake(lambda x, k=1.0: (x, x))
checked("wrong number", bad, (x,), test_utils=some)
hidden = Library("pc2", "DEF")
hidden.define("writes(Tensor x) -> Tensor")
hidden.impl("writes", lambda x: x.add_(1) * 2, "CPU")
hidden.define("returns(Tensor x) -> Tensor")
hidden.impl("returns", lambda x: x.view(-1), "CPU")
hidden.define("tells(Tensor(a!) x, Tensor(b) y) -> Tensor(b)")
hidden.impl("tells", lambda x, y: (x.add_(1), y.view(-1))[1], "CPU")
hidden.define("records(Tensor x) -> Tensor")
hidden.impl("records", lambda x: x * 2, "CPU")
hidden.define("composed(Tensor x) -> Tensor")
hidden.impl("composed", lambda x: x * 2, "CompositeImplicitAutograd")
for name in ("writes", "returns", "records", "composed"):
    checked(name, getattr(torch.ops.pc2, name), (x.clone(),), test_utils="test_schema")
checked("tells", torch.ops.pc2.tells, (x.clone(), x.clone()), test_utils="test_schema")
for name in ("records", "composed"):
    checked(name, getattr(torch.ops.pc2, name), (g,), test_utils="test_autograd_registration")
checked("write", write, (x, x.clone()), test_utils=some)
