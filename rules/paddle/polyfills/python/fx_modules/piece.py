import copy

import paddle

from .fx_graphs import _FxGraph
from .fx_names import _defined_as_users
from .fx_nodes import _found
from .fx_text import _common_globals
from .methods_of_tensors import _static
from .overrides import _function
from .put_off import _resolved
from .scope import _OWN


class _PlainModule(paddle.nn.Layer):
    """A module that only has others."""


_PlainModule.__name__ = "Module"  # as it is shown


def _place_for(root, target):
    """The module that is to have the last word of a target, and this word: modules are made where none are."""
    *path, last = target.split(".")
    for name in path:
        inner = getattr(root, name, None)
        if inner is None:
            inner = _PlainModule()
            setattr(root, name, inner)
        root = inner
    return root, last


def _assign_attr(value, to_module, target):
    holder, name = _place_for(to_module, target)
    if isinstance(value, paddle.Tensor) and not isinstance(value, paddle.base.framework.EagerParamBase):
        holder.register_buffer(name, value)
    else:
        setattr(holder, name, value)


def _copy_attr(from_module, to_module, target):
    """Give a module what another one has by the words of a target, if it has that."""
    value = _found(from_module, target)
    if value is not None and _found(to_module, target) is not value:
        _assign_attr(value, to_module, target)


def _used_targets(graph):
    return [node.target for node in graph.nodes if node.op in ("get_attr", "call_module")]


class GraphModule(paddle.nn.Layer):
    """A module whose forward is made of a graph."""

    def __new__(cls, *args, **kwargs):
        base = next(each for each in cls.__mro__ if "_of_one_graph" not in vars(each))
        members = {"_of_one_graph": True, "__module__": base.__module__}
        return super().__new__(type("GraphModuleImpl", (base,), members))

    def __init__(self, root, graph, class_name="GraphModule"):
        super().__init__()
        type(self).__name__ = class_name
        if isinstance(root, paddle.nn.Layer):
            self.training = getattr(root, "training", True)
            for target in _used_targets(graph):
                _copy_attr(root, self, target)
        elif isinstance(root, dict):
            for node in graph.nodes:
                if node.op in ("get_attr", "call_module") and node.target not in root:
                    said = f"Node {node} referenced target {node.target} but that target was not provided in ``root``!"
                    raise RuntimeError(said)
            for target in sorted(dict.fromkeys(_used_targets(graph)), key=lambda target: target.count(".")):
                _assign_attr(root[target], self, target)
        else:
            raise RuntimeError(f"Unsupported type {root} passed for root!")
        self.meta = {}
        self.graph = graph

    @property
    def graph(self):
        """The graph; recompile() makes forward anew after changes to it."""
        return vars(self)["_graph"]

    @graph.setter
    def graph(self, graph):
        self._set_graph(graph)

    def _set_graph(self, graph):
        if not isinstance(graph, _FxGraph):
            raise AssertionError(f"Expected a Graph instance, but got {type(graph)}")
        vars(self)["_graph"] = graph
        graph.owning_module = self
        self.recompile()

    def __setattr__(self, name, value):
        if name == "graph":
            return self._set_graph(value)
        return super().__setattr__(name, value)

    @property
    def code(self):
        if "_code" not in vars(self):
            raise RuntimeError("Code has not been generated! Please report a bug to PyTorch")
        return vars(self)["_code"]

    def recompile(self):
        made = self.graph.python_code("self")
        vars(self).update(_code=made.src, _used_globals=made.globals)
        type(self).forward = _defined_as_users(made.src, {**made.globals})["forward"]
        return made

    def add_submodule(self, target, m):
        """Add a module by the words of a target, with the modules before it; whether it could be added."""
        holder = self
        for name in target.split(".")[:-1]:
            holder = getattr(holder, name, None)
            if holder is not None and not isinstance(holder, paddle.nn.Layer):
                return False
            if holder is None:
                break
        holder, name = _place_for(self, target)
        setattr(holder, name, m)
        return True

    def delete_submodule(self, target):
        holder, _, last = target.rpartition(".")
        owner = _found(self, holder) if holder else self
        if not isinstance(owner, paddle.nn.Layer) or not isinstance(getattr(owner, last, None), paddle.nn.Layer):
            return False
        delattr(owner, last)
        return True

    def delete_all_unused_submodules(self):
        """Delete the modules that no node of the graph uses, nor those that are used."""
        used = set()
        for target in _used_targets(self.graph):
            words = target.split(".")
            used |= {".".join(words[:count]) for count in range(1, len(words) + 1)}
            module = _found(self, target)
            if isinstance(module, paddle.nn.Layer):
                used |= {f"{target}.{name}" for name, _ in module.named_sublayers()}
        for name in [name for name, _ in self.named_sublayers()]:
            if name not in used:
                self.delete_submodule(name)

    def print_readable(self, print_output=True, include_stride=False, include_device=False, colored=False, **options):
        """The text of a class with this forward, and of those of the graph modules in it."""
        text = self.graph.python_code("self", verbose=True).src.strip("\n").rstrip(" ")
        inner = [each for _, each in self.named_children() if isinstance(each, GraphModule)]
        parts = [text, *(each.print_readable(print_output=False) for each in inner)]
        lines = "\n".join(parts).split("\n")
        body = "\n".join(f"    {line}" if line.strip() else "" for line in lines)
        found = f"class {type(self).__name__}(torch.nn.Module):\n{body}"
        if print_output:
            print(found)
        return found

    def __str__(self):
        own = _static(type(self), "__repr__")
        own = _resolved(getattr(own, "homes", {}).get(_OWN, own))
        return "\n".join([own(self), self.code, "# To see more debug info, please use `graph_module.print_readable()`"])

    def __deepcopy__(self, memo):
        made = type(self).__new__(type(self))
        memo[id(self)] = made
        kept = ("_graph", "_code", "_used_globals")
        state = {name: copy.deepcopy(value, memo) for name, value in vars(self).items() if name not in kept}
        vars(made).update(state)
        type(made).__name__ = "GraphModule"
        made.graph = copy.deepcopy(self.graph, memo)
        return made

    def __copy__(self):
        return _make_graph_module(self, self.graph, type(self).__name__)

    def __reduce__(self):
        state = {name: value for name, value in vars(self).items() if name not in ("_graph", "_used_globals")}
        common = _common_globals()
        known = {name: value for name, value in self._used_globals.items() if name not in common}
        base = next(each for each in type(self).__mro__ if "_of_one_graph" not in vars(each))
        return _graph_module_again, (base, type(self).__name__, state, known, self.graph._tracer_cls)


class _Retraced(paddle.nn.Layer):
    """Has what a graph module had, for its forward to be traced."""


def _graph_module_again(base, class_name, state, known, tracer_class):
    """A graph module that was pickled: its graph is traced again."""
    holder = type("_Holder", (_Retraced,), {})()
    vars(holder).update(state)
    type(holder).forward = _defined_as_users(state["_code"], {**_common_globals(), **known})["forward"]
    own = _function("fx.Tracer")
    tracer = type("KeepModules", (own,), {"is_leaf_module": lambda self, module, name: True})()
    graph = tracer.trace(holder)
    graph._tracer_cls = tracer_class
    made = base.__new__(base)
    vars(made).update({name: value for name, value in state.items() if name != "_code"})
    type(made).__name__ = class_name
    made.graph = graph
    return made


def _make_graph_module(root, graph, class_name=None):
    return GraphModule(root, graph, class_name or type(root).__name__)


def reduce_graph_module(body, import_block):
    raise NotImplementedError("Under Paddle, a graph module that torch pickled is not read")


GraphModule.__module__ = "torch.fx.graph_module"
