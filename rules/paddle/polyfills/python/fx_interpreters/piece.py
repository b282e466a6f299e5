
from typing import Any, NamedTuple

import paddle

from .fx_graphs import _FxGraph
from .fx_modules import _make_graph_module
from .fx_names import _for_users
from .fx_nodes import map_aggregate, map_arg
from .fx_proxies import Proxy
from .fx_tracing import Tracer
from .overrides import _function


class Interpreter:
    """Runs a graph node by node, each by a method of its kind, which a class may replace."""

    def __init__(self, module, garbage_collect_values=True, graph=None):
        self.module = module
        self.graph = module.graph if graph is None else graph
        self.env = {}
        self.name, self.garbage_collect_values, self.extra_traceback = "Interpreter", garbage_collect_values, True
        self.submodules = {name: each for name, each in module.named_sublayers(include_self=True)}
        self.user_to_last_uses = {}
        seen = set()
        for node in reversed(self.graph.nodes) if garbage_collect_values else ():
            self.user_to_last_uses[node] = [each for each in node.all_input_nodes if each not in seen]
            seen.update(node.all_input_nodes)

    def run(self, *args, initial_env=None, enable_io_processing=True):
        """The result of the graph for these arguments, with the values of some nodes if they are known."""
        self.env = {} if initial_env is None else initial_env
        if enable_io_processing:
            args = self.graph.process_inputs(*args)
        self.args_iter = iter(args)
        for node in self.graph.nodes:
            if node not in self.env:
                try:
                    self.env[node] = self.run_node(node)
                except Exception as error:
                    note = f"While executing {node.format_node()}"
                    if error.args and isinstance(error.args[0], str) and self.extra_traceback:
                        error.args = (f"{error.args[0]}\n\n{note}", *error.args[1:])
                    raise
            for each in self.user_to_last_uses.get(node, ()):
                self.env.pop(each, None)
            if node.op == "output":
                found = self.env[node]
                return self.graph.process_outputs(found) if enable_io_processing else found
        return None

    def boxed_run(self, args_list):
        args = [*args_list]
        args_list.clear()
        return self.run(*args)

    def run_node(self, n):
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        return getattr(self, n.op)(n.target, args, kwargs)

    def placeholder(self, target, args, kwargs):
        if target.startswith("*"):
            return [*self.args_iter]
        try:
            return next(self.args_iter)
        except StopIteration:
            if args:
                return args[0]
            said = f"Expected positional argument for parameter {target}, but one was not passed in!"
            raise RuntimeError(said) from None

    def get_attr(self, target, args, kwargs):
        return self.fetch_attr(target)

    def call_function(self, target, args, kwargs):
        return _for_users().call(target, args, kwargs)

    def call_method(self, target, args, kwargs):
        return _for_users().call_method(args[0], target, args[1:], kwargs)

    def call_module(self, target, args, kwargs):
        return _for_users().call(self.fetch_attr(target), args, kwargs)

    def output(self, target, args, kwargs):
        return args[0]

    def fetch_attr(self, target):
        """What the words of a target lead to from the module."""
        found, words = self.module, target.split(".")
        for at, name in enumerate(words):
            if not hasattr(found, name):
                raise RuntimeError(f"Node referenced nonexistent target {'.'.join(words[: at + 1])}")
            found = getattr(found, name)
        return found

    def fetch_args_kwargs_from_env(self, n):
        return self.map_nodes_to_values(n.args, n), self.map_nodes_to_values(n.kwargs, n)

    def map_nodes_to_values(self, args, n):
        def value(node):
            if node not in self.env:
                hint = "Run Graph.lint() to diagnose such issues"
                raise RuntimeError(f"Node {n} referenced nonexistent value {node}! {hint}")
            return self.env[node]

        return _plainly(map_arg(args, value))


def _plainly(value):
    """Arguments in plain lists and dictionaries, as code passes them."""
    if isinstance(value, tuple):
        made = [_plainly(each) for each in value]
        return type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    if isinstance(value, list):
        return [_plainly(each) for each in value]
    return {key: _plainly(each) for key, each in value.items()} if isinstance(value, dict) else value


class _TransformerTracer(Tracer):
    def __init__(self, graph, module):
        super().__init__()
        self.graph, self.root, self.submodule_paths = graph, module, {}
        self.tensor_attrs = {}

    def is_leaf_module(self, m, module_qualified_name):
        return True


class _FxTransformer(Interpreter):
    """An interpreter of proxies: its results are a new graph."""

    def __init__(self, module):
        super().__init__(module)
        self.new_graph = _FxGraph()
        self.new_graph.set_codegen(module.graph._codegen)
        self.tracer = _TransformerTracer(self.new_graph, module)

    def placeholder(self, target, args, kwargs):
        default = args[0] if args else ...
        return Proxy(self.new_graph.placeholder(target, default_value=default), self.tracer)

    def get_attr(self, target, args, kwargs):
        return self.tracer.create_proxy("get_attr", target, args, kwargs)

    def call_module(self, target, args, kwargs):
        if not isinstance(target, str):
            raise AssertionError(f"Expected target to be str, got {type(target)}")
        module = self.fetch_attr(target)
        return self.tracer.call_module(module, module.forward, args, kwargs)

    def call_function(self, target, args, kwargs):
        return self.tracer.create_proxy("call_function", target, args, kwargs)

    def transform(self):
        """The module of the new graph."""
        result = super().run(enable_io_processing=False)
        if result is not None:
            old = self.graph.output_node()
            nodes = map_aggregate(result, lambda a: a.node if isinstance(a, Proxy) else a)
            made = self.new_graph.output(nodes, old.type)
            made.meta.update(old.meta)
        return _make_graph_module(self.module, self.new_graph)


class TensorMetadata(NamedTuple):
    """What is known of a tensor without its values."""

    shape: Any
    dtype: Any
    requires_grad: bool
    stride: Any
    memory_format: Any
    is_quantized: bool
    qparams: Any


def _extract_tensor_metadata(result, include_contiguity=True):
    of, formats = _for_users(), []
    if include_contiguity:
        for name in ("contiguous_format", "channels_last", "channels_last_3d"):
            known = _function(name)
            if known is not None and _is_so_laid_out(result, name, known):
                formats.append(known)
    return TensorMetadata(
        of.read(result, "shape"), result.dtype, not result.stop_gradient, of.call_method(result, "stride", (), {}),
        formats[0] if formats else None, False, {},
    )  # fmt: skip


def _is_so_laid_out(tensor, name, known):
    dims = {"channels_last": 4, "channels_last_3d": 5}.get(name, tensor.ndim)
    return tensor.ndim == dims and _for_users().call_method(tensor, "is_contiguous", (), {"memory_format": known})


class ShapeProp(Interpreter):
    """Notes with each node the shape and kind of its result, for some arguments."""

    def __init__(self, gm, fake_mode=None):
        super().__init__(gm)
        if fake_mode is not None:
            raise NotImplementedError("Under Paddle there are no fake tensors")

    def run_node(self, n):
        result = super().run_node(n)
        found = []

        def note(value):
            if not isinstance(value, paddle.Tensor):
                return value
            found.append(_extract_tensor_metadata(value))
            return found[-1]

        meta = map_aggregate(result, note)
        if found:
            n.meta["tensor_meta"] = meta
        n.meta["type"] = type(result)
        return result

    def propagate(self, *args):
        return super().run(*args)


Interpreter.__module__ = _FxTransformer.__module__ = "torch.fx.interpreter"
_FxTransformer.__name__ = _FxTransformer.__qualname__ = "Transformer"
fx_Transformer = _FxTransformer
interpreter_Transformer = _FxTransformer
ShapeProp.__module__ = TensorMetadata.__module__ = "torch.fx.passes.shape_prop"
