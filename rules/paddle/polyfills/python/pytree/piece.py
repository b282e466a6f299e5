import collections
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class NodeDef(NamedTuple):
    type: Any
    flatten_fn: Callable  # of a container: what is in it, and how to make it again
    unflatten_fn: Callable  # of these two: such a container
    flatten_with_keys_fn: Callable | None = None  # what is in it after its keys, and how to make it


@dataclass(frozen=True)
class SequenceKey:
    idx: int

    def __str__(self):
        return f"[{self.idx!r}]"

    def get(self, sequence):
        return sequence[self.idx]


@dataclass(frozen=True)
class MappingKey:
    key: Any

    def __str__(self):
        return f"[{self.key!r}]"

    def get(self, mapping):
        return mapping[self.key]


@dataclass(frozen=True)
class GetAttrKey:
    name: str

    def __str__(self):
        return f".{self.name}"

    def get(self, obj):
        return getattr(obj, self.name)


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


class _OfLeaves(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, TreeSpec) and instance.is_leaf()


class LeafSpec(TreeSpec, metaclass=_OfLeaves):
    """The structure of a leaf alone."""

    def __new__(cls):
        return TreeSpec(None)


def register_pytree_node(cls, flatten_fn: Callable, unflatten_fn: Callable, *, flatten_with_keys_fn=None, **kwargs):
    """Take instances of a class apart, and make them, with these functions."""
    if cls in _PYTREE_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _PYTREE_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, flatten_with_keys_fn)


def _with_keys(flatten, key_of):
    def flatten_with_keys(tree):
        values, context = flatten(tree)
        return [*zip(key_of(tree), values, strict=True)], context

    return flatten_with_keys


def _numbered(tree):
    return map(SequenceKey, range(len(tree)))


def _keyed(tree):
    return map(MappingKey, tree)


def _as_attributes(tree):
    return map(GetAttrKey, tree._fields)


_CONTAINERS_OF_TREES: dict[Any, tuple] = {  # what is in one with how to make it again, what makes it, and the keys
    list: (lambda d: (list(d), None), lambda values, context: list(values), _numbered),
    tuple: (lambda d: (list(d), None), lambda values, context: tuple(values), _numbered),
    collections.deque: (
        lambda d: (list(d), d.maxlen),
        lambda values, context: collections.deque(values, maxlen=context),
        _numbered,
    ),
    dict: (lambda d: (list(d.values()), list(d)), lambda values, context: dict(zip(context, values, strict=True)), _keyed),
    collections.OrderedDict: (
        lambda d: (list(d.values()), list(d)),
        lambda values, context: collections.OrderedDict(zip(context, values, strict=True)),
        _keyed,
    ),
    collections.defaultdict: (
        lambda d: (list(d.values()), [d.default_factory, list(d)]),
        lambda values, context: collections.defaultdict(context[0], zip(context[1], values, strict=True)),
        _keyed,
    ),
    collections.namedtuple: (lambda d: (list(d), type(d)), lambda values, context: context(*values), _as_attributes),
}
_of_containers = {}
for _kind_of_tree, (_taken_apart, _put_together, _key_of_a_part) in _CONTAINERS_OF_TREES.items():
    register_pytree_node(_kind_of_tree, _taken_apart, _put_together, flatten_with_keys_fn=_with_keys(_taken_apart, _key_of_a_part))
    for _of_part in ("flatten", "unflatten", "flatten_with_keys"):
        _of_containers[f"_{_kind_of_tree.__name__.lower()}_{_of_part}"] = getattr(_PYTREE_NODES[_kind_of_tree], f"{_of_part}_fn")


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


def _with_paths(tree, is_leaf, path=()):
    kind = _get_node_type(tree)
    if kind not in _PYTREE_NODES or (is_leaf is not None and is_leaf(tree)):
        yield path, tree
        return
    flatten_with_keys = _PYTREE_NODES[kind].flatten_with_keys_fn
    if flatten_with_keys is None:
        raise ValueError(f"Did not find a flatten_with_keys_fn for type: {kind}")
    for key, each in flatten_with_keys(tree)[0]:
        yield from _with_paths(each, is_leaf, (*path, key))


def tree_leaves_with_path(tree, is_leaf=None):
    return [*_with_paths(tree, is_leaf)]


def tree_flatten_with_path(tree, is_leaf=None):
    """What is in nested containers, each after the keys that lead to it, and how they are nested."""
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    """As tree_map; the function takes the keys that lead to a leaf first."""
    paths = iter([path for path, _ in _with_paths(tree, is_leaf)])
    return tree_map(lambda *leaves: func(next(paths), *leaves), tree, *rests, is_leaf=is_leaf)


def keystr(kp):
    return "".join(map(str, kp))


def tree_is_leaf(tree, is_leaf=None):
    return (is_leaf is not None and is_leaf(tree)) or _get_node_type(tree) not in _PYTREE_NODES


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
    Context=Any,
    GetAttrKey=GetAttrKey,
    MappingKey=MappingKey,
    NodeDef=NodeDef,
    PyTree=Any,
    SUPPORTED_NODES=_PYTREE_NODES,
    SequenceKey=SequenceKey,
    TreeSpec=TreeSpec,
    LeafSpec=LeafSpec,
    _get_node_type=_get_node_type,
    register_pytree_node=register_pytree_node,
    _register_pytree_node=register_pytree_node,
    is_namedtuple_instance=lambda obj: _get_node_type(obj) is collections.namedtuple,
    keystr=keystr,
    tree_all=tree_all,
    tree_any=tree_any,
    tree_flatten=tree_flatten,
    tree_flatten_with_path=tree_flatten_with_path,
    tree_is_leaf=tree_is_leaf,
    tree_iter=lambda tree, is_leaf=None: iter(tree_leaves(tree, is_leaf)),
    tree_leaves=tree_leaves,
    tree_leaves_with_path=tree_leaves_with_path,
    tree_map=tree_map,
    tree_map_only=tree_map_only,
    tree_map_with_path=tree_map_with_path,
    tree_structure=tree_structure,
    tree_unflatten=tree_unflatten,
    **_of_containers,
)
