import builtins
import importlib

from .asked_functions import _ask_classes
from .fx_nodes import _FxNode, _copied_meta, _found, map_arg
from .fx_text import CodeGen, _Namespace, _snake_case


class _NodesInOrder:
    """The nodes of a graph: those that come later are found also where nodes are erased or added meanwhile."""

    def __init__(self, graph, direction="_next"):
        self.graph, self.direction = graph, direction

    def __len__(self):
        return self.graph._len

    def __iter__(self):
        root, way = self.graph._root, self.direction
        node = getattr(root, way)
        while node is not root:
            if not node._erased:
                yield node
            node = getattr(node, way)

    def __reversed__(self):
        return _NodesInOrder(self.graph, "_prev" if self.direction == "_next" else "_next")


class _InsertPoint:
    def __init__(self, graph, insert):
        self.graph, self.before, graph._insert = graph, graph._insert, insert

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.graph._insert = self.before


class _FxGraph:
    """The steps of a function, each of which uses the results of earlier ones."""

    def __init__(self, owning_module=None, tracer_cls=None, tracer_extras=None):
        _ask_classes()  # proxies are asked by torch's functions, which have torch's names then
        self._root = _FxNode(self, "", "root", "", (), {})
        self._insert, self._len, self._graph_namespace = self._root.prepend, 0, _Namespace()
        self._codegen, self.owning_module = CodeGen(), owning_module
        self._tracer_cls, self._tracer_extras = tracer_cls, tracer_extras

    nodes = property(_NodesInOrder)

    def find_nodes(self, *, op, target=None, sort=True):
        return [node for node in self.nodes if node.op == op and (target is None or node.target == target)]

    def output_node(self):
        return next(iter(self.find_nodes(op="output")))

    def create_node(self, op, target, args=None, kwargs=None, name=None, type_expr=None):
        args, kwargs = () if args is None else args, {} if kwargs is None else kwargs
        if not isinstance(args, tuple):
            raise AssertionError(f"args must be a tuple, got {type(args)}")
        if not isinstance(kwargs, dict):
            raise AssertionError(f"kwargs must be a dict, got {type(kwargs)}")
        name = self._graph_namespace.create_name(name if name is not None else self._target_to_str(target), None)
        node = _FxNode(self, name, op, target, args, kwargs, type_expr)
        self._insert(node)
        self._len += 1
        return node

    def _target_to_str(self, target):
        if not isinstance(target, str) and not callable(target):
            raise AssertionError(f"Expected target to be str, got {type(target)}")
        name = target if isinstance(target, str) else getattr(target, "__name__", type(target).__name__)
        if name.startswith("__") and name.endswith("__"):
            name = name[2:-2]
        return _snake_case(name)

    def placeholder(self, name, type_expr=None, default_value=...):
        args = () if default_value is ... else (default_value,)
        return self.create_node("placeholder", name, args=args, type_expr=type_expr)

    def get_attr(self, qualified_name, type_expr=None):
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(self, module_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(self, method_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(self, the_function, args=None, kwargs=None, type_expr=None, name=None):
        return self.create_node("call_function", the_function, args, kwargs, name=name, type_expr=type_expr)

    def output(self, result, type_expr=None):
        return self.create_node("output", "output", args=(result,), type_expr=type_expr)

    def node_copy(self, node, arg_transform=lambda x: x):
        """Add a copy of a node, perhaps of another graph, whose inputs are what the function gives for its."""
        args, kwargs = map_arg(node.args, arg_transform), map_arg(node.kwargs, arg_transform)
        made = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        made.meta = _copied_meta(node)
        return made

    def graph_copy(self, g, val_map, return_output_node=False):
        """Add copies of the nodes of a graph, and return the result that it has, of copies."""
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                result = map_arg(node.args[0], lambda n: val_map[n])
                return (result, node) if return_output_node else result
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo=None):
        made = _FxGraph(tracer_cls=self._tracer_cls)
        made._codegen = self._codegen
        copied = {}
        found = made.graph_copy(self, copied, return_output_node=True)
        if found is not None:
            result, old = found
            made.output(result, type_expr=old.type).meta = _copied_meta(old)
        if memo is not None:
            memo[id(self)] = made
            memo.update({id(old): new for old, new in copied.items()})
        return made

    def erase_node(self, to_erase):
        if to_erase.users:
            users = f"{len(to_erase.users)} users in the graph: {to_erase.users}"
            raise RuntimeError(f"Tried to erase Node {to_erase} but it still had {users}!")
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if not to_erase._erased:
            to_erase._remove_from_list()
            to_erase._erased = True
            self._len -= 1
            to_erase._change_inputs((), {})

    def inserting_before(self, n=None):
        """Within, new nodes come before this one, or at the start."""
        return _InsertPoint(self, self._root.append if n is None else self._own(n).prepend)

    def inserting_after(self, n=None):
        return _InsertPoint(self, self._root.prepend if n is None else self._own(n).append)

    def _own(self, node):
        if node.graph is not self:
            raise AssertionError("Node to insert before/after is not in graph.")
        return node

    def eliminate_dead_code(self, is_impure_node=None):
        """Erase the nodes whose results nothing uses, and tell whether there were some."""
        self.lint()
        before = len(self.nodes)
        for node in reversed(self.nodes):
            if not node.users and not (is_impure_node or _FxNode.is_impure)(node):
                if node.op not in ("placeholder", "output"):
                    self.erase_node(node)
        return len(self.nodes) != before

    def lint(self):
        """Raise RuntimeError for nodes that are used before they are there, and for names without a module."""
        seen = {}
        for node in self.nodes:
            if node.graph is not self:
                raise RuntimeError(f"Node '{node}' does not belong to this Graph!")
            for needed in node.all_input_nodes:
                place = f"Argument '{needed}' of Node '{node}'"
                if needed.graph is not self:
                    said = "does not belong to this Graph, but was used as an argument! If you are copying nodes"
                    hint = "from another graph, make sure to use ``arg_transform`` on node_copy() to remap values"
                    raise RuntimeError(f"{place} {said} {hint}\n{self}")
                if needed not in seen:
                    said = "was used before it has been defined! Please check that Nodes are ordered"
                    raise RuntimeError(f"{place} {said}")
            if node.name in seen.values():
                raise RuntimeError(f"Node redefined name {node.name}!")
            seen[node] = node.name
            owned = node.op in ("get_attr", "call_module") and self.owning_module is not None
            if owned and _found(self.owning_module, node.target) is None:
                said = "references nonexistent attribute of owning module"
                raise RuntimeError(f"Node {node} target {node.target} {said}")

    def python_code(self, root_module, *, verbose=False, **options):
        """The text of a function that takes these steps, for which a module has this name."""
        names = _Namespace()
        for node in self.nodes:
            names._used_names.add(node.name)
            names._obj_to_name[id(node)] = node.name
        for node in self.nodes:
            if node.op == "placeholder":
                names._used_names.add(node.target.replace("*", ""))
        return self._codegen._gen_python_code(self.nodes, root_module, names, verbose=verbose, **options)

    def set_codegen(self, codegen):
        self._codegen = codegen

    def process_inputs(self, *args):
        return self._codegen.process_inputs(*args)

    def process_outputs(self, out):
        return self._codegen.process_outputs(out)

    def print_tabular(self):
        try:
            tabulate = importlib.import_module("tabulate").tabulate
        except ImportError:
            builtins.print(
                "`print_tabular` relies on the library `tabulate`, which could not be found on this machine. "
                "Run `pip install tabulate` to install the library."
            )
            raise
        rows = [[node.op, node.name, node.target, node.args, node.kwargs] for node in self.nodes]
        builtins.print(tabulate(rows, headers=["opcode", "name", "target", "args", "kwargs"]))

    def __str__(self):
        returned = [""]
        lines = [node.format_node(maybe_return_typename=returned) for node in self.nodes]
        return "".join([f"graph(){returned[0]}:", *(f"\n    {line}" for line in lines)])


_FxGraph.__module__, _FxGraph.__name__, _FxGraph.__qualname__ = "torch.fx.graph", "Graph", "Graph"
fx_Graph = _FxGraph
graph_Graph = _FxGraph
