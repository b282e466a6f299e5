import copy

from .assertions import typename
from .fx_names import _name_of_target, _name_of_type

_LEGAL_OPS = ("placeholder", "call_method", "call_module", "call_function", "get_attr", "output", "root")
_side_effectful_functions: set = set()


def has_side_effect(fn):
    """Keep calls of a function whose result is not used."""
    _side_effectful_functions.add(fn)
    return fn


def _without_changes(kind):
    def refuse(self, *args, **kwargs):
        advice = "If you are attempting to modify the kwargs or args of a torch.fx.Node, instead create a new copy"
        said = f"'{kind.__name__}' object does not support mutation. {advice} of it and assign the copy to the node."
        raise TypeError(said)

    changing = "__delitem__ __iadd__ __imul__ __ior__ __setitem__ append clear extend insert pop popitem remove reverse"
    for name in f"{changing} setdefault sort update".split():
        if hasattr(kind.__base__, name):
            setattr(kind, name, refuse)
    return kind


@_without_changes
class immutable_list(list):
    """The list among the arguments of a node, which has to be told of changes."""

    def __reduce__(self):
        return immutable_list, ([*self],)

    def __hash__(self):
        return hash(tuple(self))


@_without_changes
class immutable_dict(dict):
    def __reduce__(self):
        return immutable_dict, ({**self},)

    def __hash__(self):
        return hash(frozenset(self.items()))


def map_aggregate(a, fn):
    """Arguments with what a function makes of each, also of those in containers."""
    if isinstance(a, tuple):
        made = [map_aggregate(each, fn) for each in a]
        return type(a)(*made) if hasattr(a, "_fields") else tuple(made)
    if isinstance(a, list):
        return immutable_list([map_aggregate(each, fn) for each in a])
    if isinstance(a, dict):
        return immutable_dict({key: map_aggregate(each, fn) for key, each in a.items()})
    if isinstance(a, slice):
        return slice(*(map_aggregate(each, fn) for each in (a.start, a.stop, a.step)))
    return fn(a)


def map_arg(a, fn):
    """Arguments with what a function makes of each node in them."""
    if not callable(fn):
        raise AssertionError("torch.fx.map_arg(a, fn): fn must be a callable")
    return map_aggregate(a, lambda each: fn(each) if isinstance(each, _FxNode) else each)


def _shown_argument(value):
    """An argument in a line of the text of a graph, where % marks nodes."""
    if isinstance(value, _FxNode):
        return f"%{value.name}"
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return repr(value)
    if isinstance(value, (list, tuple)):
        inner = ", ".join(map(_shown_argument, value))
        single = isinstance(value, tuple) and len(value) == 1
        return f"[{inner}]" if isinstance(value, list) else f"({inner},)" if single else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown_argument(each)}" for key, each in value.items()) + "}"
    return str(value)


class _FxNode:
    """One step of a graph: what it calls or reads, and with which arguments."""

    def __init__(self, graph, name, op, target, args, kwargs, return_type=None):
        if op not in _LEGAL_OPS:
            raise AssertionError(f"op '{op}' is not in _legal_ops")
        if op == "call_function" and not callable(target):
            place = f"Node [graph = {graph}, name = '{name}'] target {target}"
            raise ValueError(f"{place} has type {typename(target)} but a Callable is expected")
        if op != "call_function" and not isinstance(target, str):
            place = f"Node [graph = {graph}, name = '{name}'] target {target}"
            raise ValueError(f"{place} has type {typename(target)} but a str is expected")
        self.graph, self.name, self.op, self.target, self.type = graph, name, op, target, return_type
        self.users, self.meta, self._input_nodes = {}, {}, {}
        self._prev = self._next = self
        self._erased, self._repr_fn = False, None
        self._args, self._kwargs = (), immutable_dict()
        self._change_inputs(args, kwargs)

    def _change_inputs(self, args, kwargs):
        for node in self._input_nodes:
            node.users.pop(self, None)
        self._input_nodes = {}

        def note(node):
            self._input_nodes.setdefault(node)
            node.users.setdefault(self)
            return node

        self._args, self._kwargs = map_arg(tuple(args), note), map_arg({**kwargs}, note)

    args = property(lambda self: self._args, lambda self, value: self._change_inputs(value, self._kwargs))
    kwargs = property(lambda self: self._kwargs, lambda self, value: self._change_inputs(self._args, value))
    next = property(lambda self: self._next)
    prev = property(lambda self: self._prev)
    all_input_nodes = property(lambda self: [*self._input_nodes])
    stack_trace = property(
        lambda self: self.meta.get("stack_trace"), lambda self, text: self.meta.update(stack_trace=text)
    )

    def _remove_from_list(self):
        self._prev._next, self._next._prev = self._next, self._prev

    def prepend(self, x):
        """Move a node of the same graph to the place before this one."""
        if self.graph is not x.graph:
            raise AssertionError("Attempting to move a Node into a different Graph")
        if x is self:
            return
        x._remove_from_list()
        before = self._prev
        before._next, x._prev = x, before
        x._next, self._prev = self, x

    def append(self, x):
        self._next.prepend(x)

    def insert_arg(self, idx, arg):
        if not 0 <= idx <= len(self.args):
            raise AssertionError("insert_args index must be between 0 and len(self.args)")
        self.args = (*self.args[:idx], arg, *self.args[idx:])

    def update_arg(self, idx, arg):
        args = [*self.args]
        args[idx] = arg
        self.args = tuple(args)

    def update_kwarg(self, key, arg):
        self.kwargs = {**self.kwargs, key: arg}

    def replace_input_with(self, old_input, new_input):
        def changed(node):
            return new_input if node is old_input else node

        self._change_inputs(map_arg(self.args, changed), map_arg(self.kwargs, changed))

    def replace_all_uses_with(self, replace_with, delete_user_cb=lambda user: True, *, propagate_meta=False):
        """Let the users of this node use another one, and return those that do so now."""
        if propagate_meta:
            if replace_with.meta:
                raise AssertionError("replace_all_uses_with(propagate_meta=True), but replace_with has meta")
            replace_with.meta.update(self.meta)
        changed = [user for user in self.users if delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        return changed

    def is_impure(self, impure_random=True):
        """Whether it has an effect beside its result."""
        if self.op == "call_function":
            named = getattr(self.target, "__name__", "")
            return self.target in _side_effectful_functions or named in ("_assert", "_assert_is_none")
        if self.op == "call_module":
            owner = self.graph.owning_module
            return owner is not None and getattr(_found(owner, self.target), "is_impure", False)
        return self.op in ("placeholder", "output")

    def _pretty_print_target(self, target):
        return _name_of_target(target)

    def format_node(self, placeholder_names=None, maybe_return_typename=None, **options):
        """The line that it has in the text of the graph."""
        if self.op == "output":
            if self.type and maybe_return_typename:
                maybe_return_typename[0] = f" -> {_name_of_type(self.type)}"
            return f"return {self.args[0] if self.args else None}"
        kind = f"{_name_of_type(self.type)} " if self.type is not None else ""
        start = f"%{self.name} : {kind}[num_users={len(self.users)}] = {self.op}[target="
        if self.op == "placeholder":
            default = f"(default={self.args[0]})" if self.args else ""
            return f"{start}{self.target}]{default}"
        if self.op == "get_attr":
            return f"{start}{self.target}]"
        args, kwargs = _shown_argument(self.args), _shown_argument(self.kwargs)
        return f"{start}{_name_of_target(self.target)}](args = {args}, kwargs = {kwargs})"

    def _position(self):
        return next((at for at, node in enumerate(self.graph.nodes) if node is self), -1)

    def __lt__(self, other):
        return self._position() < other._position()

    def __repr__(self):
        return self._repr_fn(self) if self._repr_fn else self.name

    def __deepcopy__(self, memo):
        return memo.get(id(self), self)


def _found(module, target):
    """What the words of a target lead to from a module; None if nothing."""
    for name in target.split("."):
        module = getattr(module, name, None)
    return module


def _copied_meta(node):
    return copy.copy(node.meta)


_FxNode.__module__, _FxNode.__name__, _FxNode.__qualname__ = "torch.fx.node", "Node", "Node"
fx_Node = _FxNode
node_Node = _FxNode
