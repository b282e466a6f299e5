import collections
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class NodeDef(NamedTuple):
    type: Any
    flatten_fn: Callable  # of a container: what is in it, and how to make it again
    unflatten_fn: Callable  # of these two: such a container


_PYTREE_NODES: dict = {}  # class, or namedtuple for those of all named tuples -> NodeDef


@dataclass
class TreeSpec:
    """How containers are nested; a leaf has no type."""

    type: Any
    context: Any = None
    children_specs: list = field(default_factory=list)

    @property
    def num_leaves(self):
        return 1 if self.type is None else sum(each.num_leaves for each in self.children_specs)

    @property
    def num_children(self):
        return len(self.children_specs)

    @property
    def num_nodes(self):
        return 1 + sum(each.num_nodes for each in self.children_specs)

    def is_leaf(self):
        return self.type is None


def register_pytree_node(cls, flatten_fn: Callable, unflatten_fn: Callable, **kwargs):
    """Take instances of a class apart, and make them, with these functions."""
    if cls in _PYTREE_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _PYTREE_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn)


def _items_and_keys(tree):
    return list(tree.values()), list(tree)


for _container in (list, tuple, collections.deque):
    register_pytree_node(_container, lambda tree: (list(tree), None), lambda each, _, make=_container: make(each))
for _mapping in (dict, collections.OrderedDict):
    register_pytree_node(
        _mapping, _items_and_keys, lambda each, keys, make=_mapping: make(zip(keys, each, strict=True))
    )
register_pytree_node(
    collections.defaultdict,
    lambda tree: (list(tree.values()), (tree.default_factory, list(tree))),
    lambda each, how: collections.defaultdict(how[0], zip(how[1], each, strict=True)),
)


register_pytree_node(collections.namedtuple, lambda tree: (list(tree), type(tree)), lambda each, make: make(*each))


def _get_node_type(tree):
    """The class of a tree, or what those of all named tuples are registered by."""
    kind = type(tree)
    named = kind not in _PYTREE_NODES and isinstance(tree, tuple) and hasattr(kind, "_fields")
    return collections.namedtuple if named else kind


def tree_flatten(tree, is_leaf=None):
    """What is in nested containers, as a list, and how they are nested."""
    kind = _get_node_type(tree)
    if kind not in _PYTREE_NODES or (is_leaf is not None and is_leaf(tree)):
        return [tree], TreeSpec(None)
    inside, context = _PYTREE_NODES[kind].flatten_fn(tree)
    pairs = [tree_flatten(each, is_leaf) for each in inside]
    spec = TreeSpec(kind, context, [spec for _, spec in pairs])
    return [leaf for leaves, _ in pairs for leaf in leaves], spec


def tree_unflatten(leaves, treespec):
    """Containers nested so, with these leaves in them."""
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(
            f"tree_unflatten: {len(leaves)} leaves given, {treespec.num_leaves} in the treespec"
        )
    return _nested(iter(leaves), treespec)


def _nested(leaves, spec):
    if spec.type is None:
        return next(leaves)
    inside = [_nested(leaves, each) for each in spec.children_specs]
    return _PYTREE_NODES[spec.type].unflatten_fn(inside, spec.context)


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    """The same containers with the function applied to what is in them."""
    leaves, spec = tree_flatten(tree, is_leaf)
    more = []
    for rest in rests:
        found, own = tree_flatten(rest, is_leaf)
        if own != spec:
            raise ValueError("tree_map: the trees are not nested alike")
        more.append(found)
    return tree_unflatten(map(func, leaves, *more), spec)


def tree_map_only(kinds, func, tree, is_leaf=None):
    """As tree_map, for leaves of a class, or of one of several, or that a function finds."""
    applies = kinds if callable(kinds) and not isinstance(kinds, type) else None

    def applied(leaf):
        chosen = applies(leaf) if applies else isinstance(leaf, kinds)
        return func(leaf) if chosen else leaf

    return tree_map(applied, tree, is_leaf=is_leaf)


def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_leaves(tree, is_leaf)))


def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_leaves(tree, is_leaf)))


_pytree = types.ModuleType("paddle.utils._pytree")
vars(_pytree).update(
    NodeDef=NodeDef,
    PyTree=Any,
    SUPPORTED_NODES=_PYTREE_NODES,
    TreeSpec=TreeSpec,
    LeafSpec=lambda: TreeSpec(None),
    _get_node_type=_get_node_type,
    register_pytree_node=register_pytree_node,
    _register_pytree_node=register_pytree_node,
    _namedtuple_flatten=lambda d: (list(d), type(d)),
    _namedtuple_unflatten=lambda values, context: context(*values),
    tree_all=tree_all,
    tree_any=tree_any,
    tree_flatten=tree_flatten,
    tree_iter=lambda tree, is_leaf=None: iter(tree_leaves(tree, is_leaf)),
    tree_leaves=tree_leaves,
    tree_map=tree_map,
    tree_map_only=tree_map_only,
    tree_structure=tree_structure,
    tree_unflatten=tree_unflatten,
)
