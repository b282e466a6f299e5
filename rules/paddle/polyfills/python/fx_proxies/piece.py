import dataclasses
import dis
import enum
import functools
import inspect
import operator

import paddle

from .fx_nodes import _FxNode, map_aggregate
from .fx_names import _is_method_of_tensors, _qualified_name
from .overrides import _function


class TraceError(ValueError):
    """Of what depends on the value that something has when a graph runs."""


@functools.lru_cache(None)
def _simple_kinds():
    """The classes of arguments that a node takes as they are."""
    of_torch = [kind for name in ("device", "memory_format", "layout") if isinstance(kind := _function(name), type)]
    plain = (str, bytes, int, float, bool, complex, enum.Enum, type(None), type(...))
    return (*plain, paddle.dtype, paddle.Tensor, *of_torch)


class TracerBase:
    """Adds nodes to a graph for what is done with proxies."""

    graph = None
    record_stack_traces = trace_asserts = proxy_buffer_attributes = False
    traced_func_name = "forward"

    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        return self.graph.create_node(kind, target, args, kwargs, name, type_expr)

    def proxy(self, node):
        return Proxy(node, self)

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        """Add a node, whose arguments may have proxies among them, and return what stands for its result."""
        args, kwargs = self.create_arg(args), self.create_arg(kwargs)
        if not isinstance(args, tuple) or not isinstance(kwargs, dict):
            raise AssertionError("args must be a tuple and kwargs a dict")
        node = self.create_node(kind, target, args, kwargs, name, type_expr)
        return (proxy_factory_fn or self.proxy)(node)

    def create_arg(self, a):
        """A value as an argument of a node: with nodes for proxies."""
        if isinstance(a, Proxy):
            return a.node
        if isinstance(a, _FxNode) or isinstance(a, _simple_kinds()):
            return a
        if hasattr(a, "__fx_create_arg__"):
            return a.__fx_create_arg__(self)
        if isinstance(a, tuple) and hasattr(a, "_fields"):
            made = tuple(self.create_arg(each) for each in a)
            return self.create_node("call_function", type(a), made, {}) if _has_nodes(made) else type(a)(*made)
        if isinstance(a, (tuple, list)):
            made = [self.create_arg(each) for each in a]
            return tuple(made) if isinstance(a, tuple) else made
        if isinstance(a, dict):
            made = {self.create_arg(key): self.create_arg(each) for key, each in a.items()}
            for key in made:
                map_aggregate(key, functools.partial(_refuse_node, key))
            return made
        if isinstance(a, slice):
            return slice(*(self.create_arg(each) for each in (a.start, a.stop, a.step)))
        if isinstance(a, range):
            return range(*(self.create_arg(each) for each in (a.start, a.stop, a.step)))
        if dataclasses.is_dataclass(a) and not isinstance(a, type):
            fields = {each.name: self.create_arg(getattr(a, each.name)) for each in dataclasses.fields(a)}
            return self.create_node("call_function", type(a), (), fields)
        if callable(a) and _qualified_name(a).startswith("torch."):
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")

    def to_bool(self, obj):
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def iter(self, obj):
        raise TraceError(
            "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a loop or as a *args or "
            "**kwargs function argument. See the torch.fx docs on pytorch.org for a more detailed explanation of what "
            "types of control flow can be traced, and check out the Proxy docstring for help troubleshooting "
            "Proxy iteration errors"
        )

    def keys(self, obj):
        return Attribute(obj, "keys")()


def _has_nodes(args):
    found = []
    map_aggregate(args, lambda each: found.append(each) if isinstance(each, _FxNode) else None)
    return bool(found)


def _refuse_node(key, value):
    if isinstance(value, _FxNode):
        said = "Keys for dictionaries used as an argument cannot contain a Node."
        raise RuntimeError(f"{said} Got key: {key}")
    return value


class GraphAppendingTracer(TracerBase):
    """A tracer that only adds to a graph."""

    def __init__(self, graph):
        self.graph, self.scope, self.module_stack = graph, Scope("", None), {}


@dataclasses.dataclass
class Scope:
    module_path: str
    module_type: object


class Proxy:
    """Stands for the result of a node: what is done with it is added to the graph."""

    _stands_for_numbers = True

    def __init__(self, node, tracer=None):
        self.tracer = GraphAppendingTracer(node.graph) if tracer is None else tracer
        self.node = node

    def __repr__(self):
        return f"Proxy({self.node.name})"

    def __getattr__(self, name):
        if name in ("node", "tracer", "__deepcopy__", "__setstate__", "_asks_as"):
            raise AttributeError(name)
        return Attribute(self, name)

    def __getstate__(self):
        return self.__dict__

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self):
        frame = inspect.currentframe()
        caller = frame.f_back if frame else None
        at = [] if caller is None else [i for i in dis.get_instructions(caller.f_code) if i.offset == caller.f_lasti]
        if at and at[0].opname == "UNPACK_SEQUENCE":
            return (self[place] for place in range(at[0].arg or 0))
        return self.tracer.iter(self)

    def __abs__(self):
        return self.tracer.create_proxy("call_function", operator.abs, (self,), {})

    def __bool__(self):
        return self.tracer.to_bool(self)

    def keys(self):
        return self.tracer.keys(self)

    def __len__(self):
        raise RuntimeError(
            "'len' is not supported in symbolic tracing by default. If you want this call to be recorded, "
            "please call torch.fx.wrap('len') at module scope"
        )

    @classmethod
    def __torch_function__(cls, orig_method, types, args=None, kwargs=None):
        """What functions of torch, and methods of tensors, do that are given proxies."""
        args, kwargs = args or (), kwargs or {}
        tracers = {}

        def note(each):
            if isinstance(each, Proxy):
                tracers[id(each.tracer)] = each.tracer

        map_aggregate((args, kwargs), note)
        if len(tracers) > 1:
            said = f"Found multiple different tracers {[*tracers.values()]} while trying to trace operations"
            raise RuntimeError(said)
        (tracer,) = tracers.values()
        method = _is_method_of_tensors(orig_method)
        if method:
            return tracer.create_proxy("call_method", orig_method.__name__, args, kwargs)
        return tracer.create_proxy("call_function", orig_method, args, kwargs)


class Attribute(Proxy):
    """An attribute of what a proxy stands for, of which a call is a call of a method."""

    def __init__(self, root, attr):
        self.root, self.attr, self.tracer, self._node = root, attr, root.tracer, None

    @property
    def node(self):
        if self._node is None:  # only where it is used, as most are called
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


class ParameterProxy(Proxy):
    """Stands for a parameter, of which the shape is known."""

    def __init__(self, tracer, node, name, param):
        super().__init__(node, tracer)
        self.param, self.name = param, name

    def __repr__(self):
        return f"ParameterProxy({self.name})"

    shape = property(lambda self: self.param.shape)

    def size(self, *args):
        return self.param.size(*args)

    def dim(self):
        return self.param.dim()

    ndim = property(lambda self: self.param.ndim)

    def numel(self):
        return self.param.numel()

    def nelement(self):
        return self.param.nelement()


def _operator_of_proxies(name):
    function = getattr(operator, name)

    def operation(self, *args):
        return self.tracer.create_proxy("call_function", function, (self, *args), {})

    operation.__name__ = f"__{name.strip('_')}__"
    return operation


def _reflected_operator_of_proxies(name):
    function = getattr(operator, name)

    def operation(self, other):
        return self.tracer.create_proxy("call_function", function, (other, self), {})

    operation.__name__ = f"__r{name.strip('_')}__"
    return operation


def _give_operators():
    of_two = "add sub mul floordiv truediv mod pow lshift rshift and_ or_ xor matmul".split()
    made = [_operator_of_proxies(name) for name in [*of_two, *"getitem eq ne lt gt le ge pos neg invert".split()]]
    for each in [*made, *map(_reflected_operator_of_proxies, of_two)]:
        setattr(Proxy, each.__name__, each)


_give_operators()
for _class_of_proxies in (TraceError, TracerBase, GraphAppendingTracer, Scope, Proxy, Attribute, ParameterProxy):
    _class_of_proxies.__module__ = "torch.fx.proxy"
