import builtins
import functools
import inspect
import math
import sys
import threading
import types

import paddle
from paddle.base.framework import EagerParamBase

from .asked_functions import _asks
from .fx_graphs import _FxGraph
from .fx_nodes import map_aggregate
from .fx_modules import GraphModule
from .fx_proxies import ParameterProxy, Proxy, TracerBase
from .put_off import _resolved
from .scope import _OWN
from .torchs_meaning import _torch

_wrapped_fns_to_patch: dict = {}  # (id of global names, name): these names
_traces = threading.local()
_LAYERS_OF_TORCH = ("torch.nn.", "paddle.nn.", "paddle.compat.nn.", f"{__name__.rpartition('.')[0]}.")


class PHBase:
    """Marks an argument that is traced, among concrete ones."""

    def __repr__(self):
        return "PH"


class PHWithMeta(PHBase):
    def __init__(self, ph_key=None):
        self.ph_key = ph_key


PH = PHBase()


def is_fx_tracing():
    return bool(getattr(_traces, "running", 0))


is_fx_symbolic_tracing = is_fx_tracing


def wrap(fn_or_name):
    """Let calls of a global function be nodes of a graph: as a decorator, or for a name, at the top of a module."""
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError("Unsupported type for global function! Must be either a callable or string name")
    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    caller = sys._getframe(1)
    if caller.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    _wrapped_fns_to_patch[id(caller.f_globals), name] = caller.f_globals
    return fn_or_name


def _first_proxy(*given):
    found = []
    map_aggregate(given, lambda each: found.append(each) if isinstance(each, Proxy) else None)
    return found[0] if found else None


def _recorded_if_proxies(function):
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        proxy = _first_proxy(args, kwargs)
        if proxy is None:
            return function(*args, **kwargs)
        made = proxy.tracer.create_proxy("call_function", function, args, kwargs)
        made.node.meta["is_wrapped"] = True
        return made

    return wrapped


class _Patches:
    """Other values of names, while a trace runs."""

    def __init__(self):
        self.before, self.visited = [], set()

    def put(self, names, name, value):
        self.before.append((names, name, names.get(name, self)))
        names[name] = value

    def wrap_listed(self):
        for (_, name), names in [*_wrapped_fns_to_patch.items()]:
            found = names.get(name, getattr(builtins, name, None))
            if found is not None:
                self.put(names, name, _recorded_if_proxies(found))

    def wrap_functions(self, names, ids):
        if id(names) not in self.visited:
            self.visited.add(id(names))
            for name, value in [*names.items()]:
                if not name.startswith("_") and callable(value) and id(value) in ids:
                    self.put(names, name, _recorded_if_proxies(value))

    def undo(self):
        for names, name, value in reversed(self.before):
            if value is self:
                del names[name]
            else:
                names[name] = value


def _unwrapped(function):
    """The function itself, where it asks the classes of its arguments."""
    while _asks(function) and hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def _annotated(function, name):
    """What a function of a user says of an argument: Paddle's own say other things than torch's."""
    known = f"{getattr(function, '__module__', None)}.".startswith(_LAYERS_OF_TORCH)
    return None if known else getattr(function, "__annotations__", {}).get(name)


class Tracer(TracerBase):
    """Makes a graph of a module or a function, by a call with proxies."""

    def __init__(self, autowrap_modules=(math,), autowrap_functions=(), param_shapes_constant=False):
        named = [(name, each) for module in autowrap_modules for name, each in vars(module).items()]
        self._autowrap_function_ids = {id(each) for name, each in named if name[0] != "_" and callable(each)}
        self._autowrap_function_ids |= {*map(id, autowrap_functions)}
        self._autowrap_search = [*autowrap_modules]
        self.param_shapes_constant, self.submodule_paths = param_shapes_constant, None
        self.root_module_name, self.root, self.graph, self._constants = "", None, None, {}

    def create_arg(self, a):
        if isinstance(a, EagerParamBase):
            for name, parameter in self.root.named_parameters():
                if a is parameter:
                    return self.create_node("get_attr", name, (), {})
            raise NameError("parameter is not a member of this module")
        if isinstance(a, paddle.Tensor):
            return self.create_node("get_attr", self._name_of_tensor(a), (), {})
        if isinstance(a, paddle.nn.Layer):
            return self.create_node("get_attr", self.path_of_module(a), (), {})
        return super().create_arg(a)

    def _name_of_tensor(self, tensor):
        for name, buffer in self.root.named_buffers():
            if buffer is tensor:
                return name
        for name, module in self.root.named_sublayers(include_self=True):
            for key, value in vars(module).items():
                if value is tensor:
                    return f"{name}.{key}" if name else key
        number = 0
        while hasattr(self.root, f"_tensor_constant{number}"):
            number += 1
        setattr(self.root, f"_tensor_constant{number}", tensor)
        return f"_tensor_constant{number}"

    def is_leaf_module(self, m, module_qualified_name):
        """Whether calls of a module are nodes of their own: else what it does is traced."""
        place = f"{type(m).__module__}."
        return place.startswith(_LAYERS_OF_TORCH) and not isinstance(m, (paddle.nn.Sequential, GraphModule))

    def path_of_module(self, mod):
        if self.submodule_paths and mod in self.submodule_paths:
            return self.submodule_paths[mod]
        for name, module in self.root.named_sublayers(include_self=True):
            if module is mod:
                return name
        raise NameError("module is not installed as a submodule")

    def call_module(self, m, forward, args, kwargs):
        """What a call of a module is: a node, or what the module does."""
        name = self.path_of_module(m)
        if self.is_leaf_module(m, name) or Tracer.is_leaf_module(self, m, name):  # which may call no torch function
            return self.create_proxy("call_module", name, args, kwargs)
        return forward(*args, **kwargs)

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        """What a read of a parameter or buffer gives."""
        is_parameter = isinstance(attr_val, EagerParamBase)
        if not is_parameter and not (self.proxy_buffer_attributes and isinstance(attr_val, paddle.Tensor)):
            return attr_val
        for name, value in self.root.named_parameters() if is_parameter else self.root.named_buffers():
            if value is attr_val:
                if name not in parameter_proxy_cache:
                    factory = functools.partial(_parameter_proxy, self, name, value)
                    kept = {"proxy_factory_fn": factory} if is_parameter and self.param_shapes_constant else {}
                    parameter_proxy_cache[name] = self.create_proxy("get_attr", name, (), {}, **kept)
                return parameter_proxy_cache[name]
        return attr_val

    _module_getattr = getattr

    def create_args_for_root(self, root_fn, is_module, concrete_args=None):
        """The function, with an argument for each of its own, and these."""
        analyzed = inspect.unwrap(root_fn)
        code, known = analyzed.__code__, inspect.signature(analyzed).parameters
        count = code.co_argcount + code.co_kwonlyargcount
        names = code.co_varnames[:count]
        if is_module and not names:
            raise RuntimeError("``self`` argument cannot be part of *args expansion!")
        args = [self.root] if is_module else []
        concrete = []
        for name in names[len(args) :]:
            if concrete_args is not None and name in concrete_args:
                concrete.append(name)
                args.append(self._concrete(name, known[name].default, concrete_args[name], len(concrete)))
            else:
                args.append(self._placeholder(analyzed, name, known[name].default))
        starred = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
        for flag, star in ((inspect.CO_VARARGS, "*"), (inspect.CO_VARKEYWORDS, "**")):
            if code.co_flags & flag:
                args.append(self._placeholder(analyzed, star + code.co_varnames[count], inspect.Parameter.empty))
                count += 1
        if not starred and not code.co_kwonlyargcount:
            return root_fn, args
        plain = code.replace(
            co_flags=code.co_flags & ~starred, co_argcount=len(args), co_kwonlyargcount=0, co_posonlyargcount=0
        )
        made = types.FunctionType(plain, analyzed.__globals__, analyzed.__name__, None, analyzed.__closure__)
        made.__annotations__ = analyzed.__annotations__
        return made, args

    def _placeholder(self, function, name, default):
        given = () if default is inspect.Parameter.empty else (default,)
        return self.create_proxy("placeholder", name, given, {}, type_expr=_annotated(function, name.strip("*")))

    def _concrete(self, name, default, value, number):
        if isinstance(value, PHBase):
            return self.create_proxy("placeholder", name, () if default is inspect.Parameter.empty else (default,), {})
        marks = []
        map_aggregate(value, lambda each: marks.append(each) if isinstance(each, PHBase) else None)
        if marks:
            raise NotImplementedError("Under Paddle, containers with torch.fx.PH are no concrete arguments")
        given = () if default is inspect.Parameter.empty else (default,)
        held = self.create_proxy("placeholder", f"{name}_{number}", given, {})
        said = f"{name} has been specialized to have value {value} but got another value"
        if type(value) in (bool, int, float, str, complex):
            self.create_proxy("call_function", _torch("_assert"), (held == value, said), {})
        elif value is None:
            self.create_proxy("call_function", _assert_is_none, (held, said), {})
        return value

    def trace(self, root, concrete_args=None):
        """The graph of a module, or of a function."""
        is_module = isinstance(root, paddle.nn.Layer)
        function = _unwrapped(getattr(type(root), self.traced_func_name)) if is_module else root
        self.root = root if is_module else paddle.nn.Layer()
        self.root_module_name = type(root).__name__ if is_module else ""
        self.submodule_paths = {module: name for name, module in self.root.named_sublayers(include_self=True)}
        self.graph = _FxGraph(tracer_cls=type(self))
        function, args = self.create_args_for_root(function, is_module, concrete_args)
        patches, layer = _Patches(), vars(paddle.nn.Layer)
        call, read = layer["__call__"], layer["__getattr__"]
        _traces.running = getattr(_traces, "running", 0) + 1
        try:
            paddle.nn.Layer.__call__, paddle.nn.Layer.__getattr__ = self._patched(call, read, patches)
            patches.wrap_listed()
            for names in (getattr(function, "__globals__", {}), *map(vars, self._autowrap_search)):
                patches.wrap_functions(names, self._autowrap_function_ids)
            result = self.create_arg(function(*args))
            self.create_node("output", "output", (result,), {}, type_expr=_annotated(function, "return"))
        finally:
            patches.undo()
            paddle.nn.Layer.__call__, paddle.nn.Layer.__getattr__ = call, read
            _traces.running -= 1
            self.submodule_paths = None
        return self.graph

    def _patched(self, call, read, patches):
        """What calls of modules, and reads of their attributes, are in a trace."""
        own = _resolved(getattr(call, "homes", {}).get(_OWN)) or getattr(call, "theirs", call)
        thread, kept = threading.get_ident(), {}

        def module_call(module, *args, **kwargs):
            if threading.get_ident() != thread:
                return own(module, *args, **kwargs)
            patches.wrap_functions(getattr(module.forward, "__globals__", {}), self._autowrap_function_ids)
            return self.call_module(module, functools.partial(own, module), args, kwargs)

        def module_getattr(module, name):
            value = read(module, name)
            return self.getattr(name, value, kept) if threading.get_ident() == thread else value

        return module_call, module_getattr


def _parameter_proxy(tracer, name, value, node):
    return ParameterProxy(tracer, node, name, value)


def _assert_is_none(value, msg):
    if value is not None:
        raise AssertionError(msg)


def symbolic_trace(root, concrete_args=None):
    """A module of the graph of what a module, or a function, does."""
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, paddle.nn.Layer) else root.__name__
    return GraphModule(tracer.root, graph, name)


class ProxyableClassMeta(type):
    """Of classes whose objects are made, with proxies, by a node of the graph."""

    def __call__(cls, *args, **kwargs):
        made = cls.__new__(cls)
        proxy = _first_proxy(args, kwargs)
        cls.__init__(made, *args, **kwargs)
        if proxy is not None:
            made.__fx_create_arg__ = lambda tracer: tracer.create_node(
                "call_function", cls, tracer.create_arg(args), tracer.create_arg(kwargs)
            )
        return made


Tracer.__module__ = _assert_is_none.__module__ = "torch.fx._symbolic_trace"
