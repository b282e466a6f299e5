import functools
import re
import weakref

from .errors_in_backward import _leaves_at, _node_of
from .methods_of_tensors import _methods

_contexts: weakref.WeakValueDictionary = weakref.WeakValueDictionary()  # of autograd functions, by their nodes
_nodes: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
_NAMED_OTHERWISE = {
    "Multiply": "Mul", "Subtract": "Sub", "Divide": "Div", "Concat": "Cat", "SplitWithNum": "Split", "Cast": "ToCopy",
    "Assign": "Clone",
}  # fmt: skip


def _context_of(node):
    """None for other nodes: one may be where that of a function was whose context is still kept."""
    return _contexts.get(node.node_ptr()) if node.name().startswith("GradNodePyLayer_") else None


class graph_Node:
    """A step of a graph. Of an autograd function it has what the function noted in its context."""

    def __init__(self, node):
        self._node = node

    def __eq__(self, other):
        return isinstance(other, graph_Node) and other._node.node_ptr() == self._node.node_ptr()

    def __hash__(self):
        return self._node.node_ptr()

    def __getattr__(self, name):
        context = None if name == "_node" else _context_of(self._node)
        if context is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(context, name)

    def name(self):
        return type(self).__name__

    @property
    def next_functions(self):
        return tuple((each and _with_torchs_class(each), 0) for each in self._node.next_functions)


class AccumulateGrad(graph_Node):
    """Where the gradient of a leaf is added up."""

    next_functions = ()

    def name(self):
        return "torch::autograd::AccumulateGrad"

    @property
    def variable(self):
        return _leaves_at([self._node.node_ptr()])[0]


@functools.lru_cache(None)
def _class_of(name):
    if name == "GradNodeAccumulation":
        return AccumulateGrad
    own = re.fullmatch("GradNodePyLayer_(?!Torchs)(.*)", name)
    operator = re.sub("GradNodePyLayer_Torchs|(Double)?GradNode(Final)?$", "", name)
    return type(f"{own[1]}Backward" if own else f"{_NAMED_OTHERWISE.get(operator, operator)}Backward0", (graph_Node,), {})


def _with_torchs_class(node):
    at = node.node_ptr()
    known, context = _nodes.get(at), _context_of(node)
    if known is None:  # else it is the same object, as in torch
        kind = _class_of(node.name()) if context is None else context._node_class
        known = _nodes[at] = kind(node)
    return known


def _node_of_result(self):
    node = None if self.is_leaf else _node_of(self)
    return node and _with_torchs_class(node)


_methods(grad_fn=property(_node_of_result))
