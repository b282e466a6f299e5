"""Graphs of torch.fx, which torch and the polyfill pieces must share, one line each.

Run by tests/test_compat_package.py: `python torch_fx.py`, or with the path of a unit to run
under Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import collections
import contextlib
import copy
import io
import math
import operator
import pickle
import warnings
from typing import Optional

import torch
import torch.fx
import torch.fx as fx
import torch.nn.functional as F
from torch import fx as reached
from torch import nn
from torch.fx import GraphModule
from torch.fx.graph import Graph, PythonCode
from torch.fx.immutable_collections import immutable_dict, immutable_list
from torch.fx.node import Node, map_aggregate, map_arg
from torch.fx.passes.shape_prop import ShapeProp
from torch.fx.proxy import GraphAppendingTracer, Proxy, TraceError
from torch.fx.subgraph_rewriter import Match, replace_pattern

warnings.simplefilter("ignore")
n = 0


def show(call):
    global n
    n += 1
    try:
        print(n, "ok", str(told(call())).replace("\n", "|"))
    except Exception as error:
        print(n, type(error).__name__, str(error).replace("\n", "|")[:90])


def told(value):
    if isinstance(value, torch.Tensor):
        return rounded(value.detach().tolist())
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(map(told, value))
    if isinstance(value, (list, tuple)):
        return [told(each) for each in value]
    return {key: told(each) for key, each in value.items()} if isinstance(value, dict) else value


def rounded(numbers):
    if isinstance(numbers, list):
        return [rounded(each) for each in numbers]
    return round(numbers, 4) if isinstance(numbers, float) else numbers


def code(function, **options):
    return fx.symbolic_trace(function, **options).code


def steps(graph):
    return [(node.op, node.name, *([node.target] if isinstance(node.target, str) else [])) for node in graph.nodes]


# The names.
show(lambda: (fx is reached, fx is torch.fx, fx.Graph is Graph, fx.Node is Node, fx.Proxy is Proxy, fx.GraphModule is GraphModule))
show(lambda: fx.graph_module.GraphModule is GraphModule and fx.interpreter.Interpreter is fx.Interpreter)
show(lambda: fx.subgraph_rewriter.replace_pattern is fx.replace_pattern and fx._symbolic_trace.Tracer is fx.Tracer)
show(lambda: (issubclass(TraceError, ValueError), issubclass(GraphModule, nn.Module), Match._fields))

# A graph that is made by hand.
graph = fx.Graph()
x = graph.placeholder("x", torch.Tensor)
y = graph.placeholder("y", default_value=3)
total = graph.placeholder("sum", default_value=1)
first = fx.Proxy(x) + 1
second = torch.relu(3 * fx.Proxy(x)).new_zeros((2, 3))
end = graph.output((first.node, second.node))
show(lambda: graph)
show(lambda: graph.python_code("self").src)
show(lambda: isinstance(graph.python_code("self"), PythonCode))
show(lambda: [node.name for node in graph.nodes])
show(lambda: [node.name for node in reversed(graph.nodes)])
show(lambda: (len(graph.nodes), graph.output_node(), graph.find_nodes(op="placeholder")))
show(lambda: graph.find_nodes(op="call_method", target="new_zeros"))
show(lambda: graph.find_nodes(op="call_function", target=operator.add))
show(lambda: (x.type is torch.Tensor, y.type, x.op, x.target, x.args, y.args, x.kwargs, x.meta))
show(lambda: ([*x.users], x.all_input_nodes, end.all_input_nodes, end.args))
show(lambda: (x.next, x.next.prev, first.node.next, end.prev))
show(lambda: [node.format_node() for node in (x, y, first.node, second.node, end)])
show(lambda: [node.is_impure() for node in graph.nodes])
show(lambda: graph.erase_node(x))
show(graph.lint)
show(lambda: graph.create_node("other", "x"))
show(lambda: fx.Graph().call_function("relu") and None)
show(lambda: fx.Graph().call_method(3))
show(lambda: (type(first).__name__, repr(first), type(first.T).__name__, repr(first.node)))
show(lambda: GraphModule({}, graph)(torch.ones(2)))
show(lambda: GraphModule({}, graph, "Other"))
show(lambda: GraphModule({}, graph, "Other")._get_name())
show(lambda: str(copy.deepcopy(graph)))
show(lambda: copy.deepcopy(graph) is graph)


def of_other():
    made, known = fx.Graph(), {}
    result = made.graph_copy(graph, known)
    return steps(made), result, [(one.name, other.name) for one, other in known.items()]


def put_between():
    made = copy.deepcopy(graph)
    at = next(node for node in made.nodes if node.name == "mul")
    with made.inserting_before(at):
        made.call_function(torch.sin, (at.prev,))
        made.call_function(torch.cos, (at.prev,))
    with made.inserting_after(at):
        made.call_function(torch.exp, (at,))
        made.call_method("neg", (at,))
    with made.inserting_before():
        made.placeholder("z")
    made.lint()
    return steps(made)


def in_wrong_order():
    made = fx.Graph()
    a = made.placeholder("a")
    b = made.call_function(torch.sin, (a,))
    c = made.call_function(torch.cos, (b,))
    made.output(c)
    b.append(b), c.append(b)
    return made.lint()


def changed_inputs():
    made = fx.Graph()
    a, b = made.placeholder("a"), made.placeholder("b")
    c = made.call_function(torch.add, (a, b), {"alpha": 2})
    d = made.output([c, {"k": c, "s": slice(a, None)}])
    c.update_arg(1, a), c.update_kwarg("alpha", 4), c.insert_arg(0, b)
    found = [c.args, dict(c.kwargs), [*a.users], [*b.users]]
    c.replace_input_with(b, a)
    found += [c.args, [*b.users], d.args]
    e = made.call_function(torch.neg, (a,))
    return [*found, a.replace_all_uses_with(b), str(made), c.replace_all_uses_with(e, lambda user: user.op == "output"), str(made)]


def names_given():
    made = fx.Graph()
    given = "add add add_1 add_1 seq.0 seq.0 sum sum x.y x.y 0 0 add_5 add input if MyLSTMCell2D *args **kw torch inf".split()
    return [made.create_node("placeholder", name).name for name in given]


def named_by_hand():
    made = fx.Graph()
    return [made.create_node("call_function", torch.relu, (), {}, name=name).name for name in ("out", "out", "out_4", None)]


for each in (of_other, put_between, in_wrong_order, changed_inputs, names_given, named_by_hand):
    show(each)
show(lambda: fx.Graph().python_code("self").src)
show(lambda: fx.Graph())


def with_stars():
    made = fx.Graph()
    a, b = made.placeholder("*args"), made.placeholder("**kw")
    made.output((a, b))
    return str(made), made.python_code("self").src, GraphModule({}, made)(1, 2, k=3)


def of_modules(root):
    made = fx.Graph()
    z = made.placeholder("z")
    made.output(made.call_function(operator.mul, (made.call_module("a.b", (z,)), made.get_attr("w.q"))))
    return made.lint(), GraphModule(root, made)


show(with_stars)
show(lambda: of_modules({}))
show(lambda: of_modules(3))
module = of_modules({"a.b": nn.ReLU(), "w.q": torch.ones(2) * 3})[1]
show(lambda: (module(torch.tensor([-1.0, 2])), [*module.state_dict()], [name for name, _ in module.named_modules()]))
show(lambda: module)
show(lambda: module.add_submodule("a.c", nn.Tanh()) and [name for name, _ in module.named_modules()])
show(lambda: module.add_submodule("d.e.f", nn.Tanh()) and [name for name, _ in module.named_modules()])
show(lambda: (module.delete_submodule("d.e.f"), module.delete_submodule("d.x"), [name for name, _ in module.named_modules()]))
show(lambda: (module.delete_all_unused_submodules(), [name for name, _ in module.named_modules()]))
show(lambda: map_arg([x, 1, (y, {"a": x})], lambda node: node.name))
show(lambda: map_aggregate([1, (2, {"a": 3}), slice(4, None)], lambda each: each and each + 1))
show(lambda: [type(each).__name__ for each in map_aggregate([[1], {"a": 1}, (1,)], lambda each: each)])
show(lambda: immutable_list([1]).append(2))
show(lambda: immutable_dict({"a": 1}).update(b=2))
show(lambda: (immutable_list([1, 2]) == [1, 2], pickle.loads(pickle.dumps(immutable_list([1])))))


# What is traced.
class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 4)
        self.seq = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.w = nn.Parameter(torch.arange(4.0))
        self.register_buffer("b", torch.ones(4))
        self.c = torch.full((4,), 2.0)

    def forward(self, x: torch.Tensor, scale=2, *, k=None):
        z = self.seq(self.lin(x)) * self.w + self.b
        q = z.relu().sum(dim=-1) + torch.relu(z).sum(-1) * scale
        a, rest = z[0], z[..., 1:]
        return q, {"c": torch.cat([a, a], dim=0), "t": (rest, z.shape[0])}, self.c - z, self.lin.weight + 1


def filled(module):
    with torch.no_grad():
        for value in module.parameters():
            value.copy_(torch.linspace(-1, 1, value.numel()).reshape(value.shape))
    return module


own = filled(Own())
traced = fx.symbolic_trace(own)
show(lambda: traced.code)
show(lambda: traced.graph)
show(lambda: traced)
show(lambda: [*traced.state_dict()])
show(lambda: sorted(name for name, _ in traced.named_modules()))
show(lambda: traced(torch.ones(2, 3)))
show(lambda: str(told(traced(torch.ones(2, 3)))) == str(told(own(torch.ones(2, 3)))))
show(lambda: (traced.lin is own.lin, traced.w is own.w, traced.training, traced.lin.weight is own.lin.weight))
show(lambda: sum(value.grad is None for value in traced.parameters()))
show(lambda: (traced(torch.ones(2, 3))[0].sum().backward(), own.w.grad is not None))
show(lambda: [node.target for node in traced.graph.nodes if node.op in ("call_module", "get_attr")])
copied = copy.deepcopy(traced)
show(lambda: (copied.code == traced.code, copied.w is traced.w, str(told(copied(torch.ones(2, 3)))) == str(told(traced(torch.ones(2, 3))))))
show(lambda: (copied.graph is traced.graph, copied.graph.owning_module is copied, type(copied).__name__))
again = pickle.loads(pickle.dumps(traced))
show(lambda: (again.code, str(told(again(torch.ones(2, 3)))) == str(told(traced(torch.ones(2, 3))))))
show(lambda: nn.Sequential(fx.symbolic_trace(lambda x: x + 1), nn.ReLU())(torch.tensor([-3.0, 2])))
show(lambda: torch.jit.script(fx.symbolic_trace(nn.Sequential(nn.ReLU())))(torch.tensor([-3.0, 2])))
show(lambda: traced.eval().training)


def several(x, y):
    a, b, c, d = x + y, 1 - x, x @ y, -x
    e, f, g, h = x == y, x[1:2], x.size(0), ~x
    i, j, k, l = x**2, 2**x, x // 2, torch.ones(1) + x
    m, o = x.to(torch.float32).T, x.max(dim=1).values
    p, q, r, s = abs(x), x & y, x < 3, 3 < x
    t, u = torch.max(x, dim=0)[0], x << 2
    return [a, b, c, d, e, f, g, h, i, j, k, l, m, o, p, q, r, s, t, u, slice(1, x, None), x.real]


show(lambda: code(several))
show(lambda: code(lambda x: x + 1.5 - float("inf") + float("nan")))
show(lambda: code(lambda x: torch.sum(x, dtype=torch.int64, dim=(0, 1), keepdim=True)))
show(lambda: code(lambda x: torch.ones_like(x, device=torch.device("cpu"))))
show(lambda: code(lambda x: torch.add(torch.ones(2), x).add(1)))
show(lambda: code(lambda x: torch.ones(2).mul(x) / torch.ones(3)))
show(lambda: code(lambda x: torch.where(x > 0, x, torch.zeros(1))))
show(lambda: code(lambda x: torch.softmax(x, 0).clamp(min=0)))
show(lambda: code(lambda x: (torch.chunk(x, 2, dim=1)[0], torch.stack([x, x]))))
show(lambda: code(lambda x: torch.zeros((x.size(0), 2), dtype=x.dtype) + x))
show(lambda: code(lambda x: (torch.full((x.size(0),), 1.0), torch.rand(x.shape), torch.arange(x.size(1)))))
show(lambda: code(lambda x: torch._assert(x.sum() > 3, "small")))
show(lambda: code(lambda x: [None, ..., True, "a", {"k": x}, (x,), 1j]))
Pair = collections.namedtuple("Pair", "u v")
show(lambda: code(lambda x: Pair(x, x + 1)))
show(lambda: fx.symbolic_trace(lambda x: Pair(x, x + 1))(2))


def annotated(x: torch.Tensor, many: list[int], maybe: Optional[int] = None) -> torch.Tensor:
    return x * maybe


def unpacked(x):
    a, b = x.chunk(2)
    (c, d), e = x, 3
    return a + b + c * d * e


class Stars(nn.Module):
    def forward(self, x, *args, **kw):
        return x + args[0] + kw["k"]


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.lin = Stars(), nn.ModuleList([nn.Linear(2, 2), nn.Tanh()])

    def forward(self, x):
        for each in self.lin:
            x = each(x)
        return self.inner(x, 1, k=2) + self.inner(x, x, k=x)


show(lambda: code(annotated))
show(lambda: code(unpacked))
show(lambda: fx.symbolic_trace(unpacked)(torch.arange(8.0).reshape(2, 4)))
show(lambda: code(Stars()))
show(lambda: fx.symbolic_trace(Stars())(1, 2, k=4))
show(lambda: code(Nested()))
show(lambda: fx.symbolic_trace(filled(Nested()))(torch.ones(1, 2)))
show(lambda: code(nn.Sequential(nn.ReLU(), nn.Sequential(nn.Tanh(), nn.ReLU()))))
show(lambda: code(lambda x, flag=True: x + 1 if flag else x - 1, concrete_args={"flag": False}))
show(lambda: code(lambda x, other=None: x + 1 if other is None else x - 1, concrete_args={"other": None}))
show(lambda: fx.symbolic_trace(lambda x, flag=True: x + 1 if flag else x - 1, concrete_args={"flag": False})(1, False))
show(lambda: fx.symbolic_trace(lambda x, flag=True: x + 1 if flag else x - 1, concrete_args={"flag": False})(1))
show(lambda: code(lambda x: x.__setitem__(0, 1)))


def test_of_branches(x):
    return x if x.sum() > 0 else -x


for each in (
    test_of_branches,
    lambda x: [each for each in x],
    lambda x: len(x),
    lambda x: torch.add(*x),
    lambda x: range(x),
    lambda x: int(x),
    lambda x: 3 in x,
    lambda x: dict(**x),
    lambda x: {x: 1},
    lambda x: object(),
    lambda x: (isinstance(x, torch.Tensor), x in [x], str(x), f"{x}", bool(x is None)),
    lambda x: torch.add(x, 1) if not x else x,
):
    show(lambda: code(each))
show(lambda: [each(torch.ones(1)).shape for each in (nn.Identity(),)])


@fx.wrap
def doubled(value, times=2):
    return value * times


fx.wrap("len")
show(lambda: code(lambda x: doubled(x, times=3) + len(x)))
show(lambda: fx.symbolic_trace(lambda x: doubled(x, times=3) + len(x))(torch.ones(2)))
show(lambda: (doubled(3), len([1, 2])))
show(lambda: code(lambda x: math.sqrt(x) + math.pi))
show(lambda: fx.symbolic_trace(lambda x: math.sqrt(x))(4.0))
show(lambda: fx.wrap(3))
show(lambda: fx.wrap("other"))
show(lambda: pickle.loads(pickle.dumps(fx.symbolic_trace(Nested()))).code)


# Tracers.
class Leaves(fx.Tracer):
    def is_leaf_module(self, m, module_qualified_name):
        return isinstance(m, Stars) or super().is_leaf_module(m, module_qualified_name)


class Buffers(fx.Tracer):
    proxy_buffer_attributes = True


class Named(fx.Tracer):
    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        node = super().create_node(kind, target, args, kwargs, name, type_expr)
        node.meta["number"] = len(self.graph.nodes)
        return node

    def call_module(self, m, forward, args, kwargs):
        return super().call_module(m, forward, args, kwargs).tanh()


class ReadsBuffer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("b", torch.ones(2))

    def forward(self, x):
        return self.b.sum() + x


show(lambda: Leaves().trace(Nested()))
show(lambda: Buffers().trace(ReadsBuffer()))
show(lambda: fx.Tracer().trace(ReadsBuffer()))
show(lambda: Named().trace(Nested()))
show(lambda: [node.meta["number"] for node in Named().trace(Nested()).nodes])
tracer = fx.Tracer()
show(lambda: (steps(tracer.trace(own)), tracer.root is own, tracer.path_of_module(own.seq[0]), tracer.graph is not None))
show(lambda: tracer.path_of_module(nn.ReLU()))
show(lambda: (tracer.is_leaf_module(nn.ReLU(), "a"), tracer.is_leaf_module(own, "a"), tracer.is_leaf_module(nn.Sequential(), "a")))
show(lambda: GraphModule(own, Leaves().trace(own), "Renamed")._get_name())


def appended():
    made = fx.Graph()
    tracer = GraphAppendingTracer(made)
    a, b = (fx.Proxy(made.placeholder(name), tracer=tracer) for name in "ab")
    c = torch.einsum("ij,jk->ik", a, b)
    d = torch.einsum("ij,jk->ik", [a, c]).reshape(-1, 2)
    e = F.gelu(d) + F.silu(a)
    made.output(e.node)
    return [(node.op, node.name) for node in made.nodes], GraphModule({}, made)(torch.eye(2), torch.ones(2, 2))


def of_two_graphs():
    one, other = (fx.Proxy(fx.Graph().placeholder("x")) for _ in range(2))
    try:
        return torch.add(one, other)
    except RuntimeError as error:
        return str(error)[:47]


show(appended)
show(of_two_graphs)


# Graph modules.
class Derived(fx.GraphModule):
    def __init__(self):
        super().__init__(self, fx.Graph())
        self.extra = nn.Linear(2, 2)


show(lambda: (Derived(), isinstance(Derived(), Derived), Derived().code))
show(lambda: Derived()())


def added_to():
    made = fx.symbolic_trace(lambda x, y: x + y)
    for node in made.graph.nodes:
        if node.target is operator.add:
            node.target = operator.mul
    before = made(3, 4)
    made.recompile()
    return before, made(3, 4), made.code


def other_graph():
    one, other = fx.symbolic_trace(lambda x: x + 1), fx.symbolic_trace(lambda x: x * 5)
    one.graph = other.graph
    return one(2), one.graph.owning_module is one, one.code


def readable(function):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        text = fx.symbolic_trace(function).print_readable()
    return said.getvalue() == text + "\n", text


def without_dead():
    made = fx.symbolic_trace(lambda x: ((x + 1) * 2, x * 3, torch.sin(x))[1])
    before = steps(made.graph)
    return before, made.graph.eliminate_dead_code(), made.graph.eliminate_dead_code(), steps(made.graph)


for each in (added_to, other_graph, without_dead):
    show(each)
show(lambda: readable(lambda x: torch.relu(x) + 1))
show(lambda: type(fx.symbolic_trace(own)).__mro__[1] is fx.GraphModule)
show(lambda: type(fx.symbolic_trace(own)) is type(fx.symbolic_trace(own)))
show(lambda: fx.symbolic_trace(fx.symbolic_trace(lambda x: torch.relu(x) + 1)).code)
show(lambda: (traced.train().training, traced.to(torch.float64).w.dtype == torch.float64, traced.to(torch.float32).w.dtype))
show(lambda: traced.load_state_dict(own.state_dict()))


# Interpreters.
class Negating(fx.Interpreter):
    def call_function(self, target, args, kwargs):
        return torch.neg(*args) if target is torch.sigmoid else super().call_function(target, args, kwargs)

    def call_method(self, target, args, kwargs):
        return args[0] * 10 if target == "neg" else super().call_method(target, args, kwargs)


class Counting(fx.Interpreter):
    def run_node(self, n):
        self.seen = [*getattr(self, "seen", []), (n.name, len(self.env))]
        return super().run_node(n)


class Swapping(fx.Transformer):
    def call_function(self, target, args, kwargs):
        return torch.neg(*args) if target is torch.sigmoid else super().call_function(target, args, kwargs)

    def call_method(self, target, args, kwargs):
        return args[0].tanh() if target == "neg" else super().call_method(target, args, kwargs)


def negated(x):
    return torch.sigmoid(x).neg() + x.sum()


small = fx.symbolic_trace(negated)
show(lambda: fx.Interpreter(traced).run(torch.ones(2, 3)))
show(lambda: Negating(small).run(torch.ones(2)))
counting = Counting(traced)
show(lambda: (counting.run(torch.ones(2, 3), 1) and None, counting.seen))
show(lambda: fx.Interpreter(small).run())
show(lambda: fx.Interpreter(traced).fetch_attr("lin.weight").shape)
show(lambda: fx.Interpreter(traced).fetch_attr("lin.other"))
show(lambda: fx.Interpreter(small, garbage_collect_values=False).run(torch.ones(1)))
show(lambda: fx.Interpreter(small).boxed_run([torch.ones(1)]))
show(lambda: Swapping(small).transform().code)
show(lambda: Swapping(small).transform()(torch.ones(2)))
show(lambda: fx.Transformer(traced).transform().code == traced.code)
show(lambda: str(told(fx.Transformer(traced).transform()(torch.ones(2, 3)))) == str(told(traced(torch.ones(2, 3)))))


# Shapes.
def shapes():
    ShapeProp(small).propagate(torch.ones(2, 3))
    return [(node.name, node.meta["tensor_meta"]) for node in small.graph.nodes]


show(shapes)
show(lambda: [node.meta["type"] is torch.Tensor for node in small.graph.nodes])
show(lambda: ShapeProp(traced).propagate(torch.ones(2, 3)) and [
    tuple(node.meta["tensor_meta"].shape) for node in traced.graph.nodes if node.op == "call_module"
])


# Replacement.
def replaced(function, pattern, replacement):
    made = fx.symbolic_trace(function)
    found = replace_pattern(made, pattern, replacement)
    return [(each.anchor, len(each.nodes_map)) for each in found], made.code, made(torch.tensor([1.0, -2]))


show(lambda: replaced(negated, lambda x: torch.sigmoid(x).neg(), lambda x: torch.relu(x) * 2))
show(lambda: replaced(lambda x: torch.relu(x) + torch.relu(x * 2), lambda x: torch.relu(x), lambda x: x.abs()))
show(lambda: replaced(lambda x: torch.sin(x) + 1, lambda x: torch.cos(x), lambda x: x))
show(lambda: replaced(lambda x: x * 2 + 3, lambda a, b: a * 2 + b, lambda a, b: (a + b).exp()))
show(lambda: replaced(lambda x: x * 2 + x * 3, lambda a: a * 3, lambda a: a - 3))
show(lambda: replaced(lambda x: torch.relu(torch.relu(x)), lambda a: torch.relu(torch.relu(a)), lambda a: torch.relu(a)))
show(lambda: replaced(lambda x: (torch.sin(x), torch.sin(x) + 1), lambda a: torch.sin(a) + 1, lambda a: a))


def to_proxies():
    """The retracing of the guide: each node of a graph is done again with proxies."""
    made, env = fx.Graph(), {}
    tracer = GraphAppendingTracer(made)
    for node in small.graph.nodes:
        if node.op == "call_function" and node.target is torch.sigmoid:
            args = [fx.Proxy(env[each.name], tracer) if isinstance(each, Node) else each for each in node.args]
            env[node.name] = (1 / (1 + torch.exp(-args[0]))).node
        else:
            env[node.name] = made.node_copy(node, lambda each: env[each.name])
    made.lint()
    return GraphModule({}, made).code, GraphModule({}, made)(torch.zeros(2))


show(to_proxies)
