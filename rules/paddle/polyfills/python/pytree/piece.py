import collections
import dataclasses
import enum
import functools
import importlib
import json
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol


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


class KeyEntry(Protocol):
    """What leads from a container to something in it."""

    def __hash__(self) -> int: ...

    def __eq__(self, other: object) -> bool: ...

    def get(self, parent: Any) -> Any: ...


_PYTREE_NODES: dict = {}  # class, or namedtuple for those of all named tuples -> NodeDef


@dataclass(repr=False)
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

    def children(self):
        return [*self.children_specs]

    def child(self, index):
        return self.children_specs[index]

    def __repr__(self, indent=0):
        if self.type is None:
            return "*"
        inner = [each.__repr__(indent + 2) for each in self.children_specs]
        apart = ",\n" + " " * (indent + 2)
        return f"TreeSpec({self.type.__name__}, {self.context}, [{apart.join(inner)}])"


class _OfLeaves(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, TreeSpec) and instance.is_leaf()


class LeafSpec(TreeSpec, metaclass=_OfLeaves):
    """The structure of a leaf alone."""

    def __new__(cls):
        return TreeSpec(None)


class _WrittenContext(NamedTuple):
    """How the context of a class is written as text: its name there, and what makes it fit for JSON, and back."""

    name: Any
    to_dumpable: Any = None
    from_dumpable: Any = None


_written_contexts: dict = {}  # by class


def register_pytree_node(
    cls, flatten_fn: Callable, unflatten_fn: Callable, *, serialized_type_name=None, to_dumpable_context=None,
    from_dumpable_context=None, flatten_with_keys_fn=None,
):  # fmt: skip
    """Take instances of a class apart, and make them, with these functions."""
    if cls in _PYTREE_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    if (to_dumpable_context is None) != (from_dumpable_context is None):
        raise ValueError(f"Both to_dumpable_context and from_dumpable_context for {cls} must be None or registered.")
    _written_contexts[cls] = _WrittenContext(serialized_type_name, to_dumpable_context, from_dumpable_context)
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
def _written_factory(context):
    made = context[0]
    return {"default_factory_module": made.__module__, "default_factory_name": made.__qualname__, "dict_context": context[1]}


def _factory_that_is_written(written):
    module = importlib.import_module(written["default_factory_module"])
    return [getattr(module, written["default_factory_name"]), written["dict_context"]]


_NAMED_CONTAINERS = {
    **{kind: _WrittenContext(f"builtins.{kind.__name__}") for kind in (list, tuple, dict)},
    **{kind: _WrittenContext(f"collections.{kind.__name__}") for kind in (collections.deque, collections.OrderedDict)},
    collections.defaultdict: _WrittenContext("collections.defaultdict", _written_factory, _factory_that_is_written),
}
_of_containers = {}
for _kind_of_tree, (_taken_apart, _put_together, _key_of_a_part) in _CONTAINERS_OF_TREES.items():
    register_pytree_node(_kind_of_tree, _taken_apart, _put_together, flatten_with_keys_fn=_with_keys(_taken_apart, _key_of_a_part))
    for _of_part in ("flatten", "unflatten", "flatten_with_keys"):
        _of_containers[f"_{_kind_of_tree.__name__.lower()}_{_of_part}"] = getattr(_PYTREE_NODES[_kind_of_tree], f"{_of_part}_fn")

_written_contexts.update(_NAMED_CONTAINERS)


def _get_node_type(tree):
    """The class of a tree, or what those of all named tuples are registered by."""
    kind = type(tree)
    if kind not in _PYTREE_NODES and is_structseq_class(kind):  # torch registers those of torch.return_types
        taken_apart, _, key_of = _CONTAINERS_OF_TREES[tuple]
        with_keys = _with_keys(taken_apart, key_of)
        register_pytree_node(kind, taken_apart, lambda values, _: kind(values), flatten_with_keys_fn=with_keys)
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


def map_only(type_or_types_or_pred, /):
    """A decorator: the function is applied to such arguments, others are left as they are."""
    chosen = type_or_types_or_pred
    if not (isinstance(chosen, (type, tuple, types.UnionType)) or callable(chosen)):
        raise TypeError("Argument must be a type, a tuple of types, or a callable.")
    is_one = (lambda leaf: isinstance(leaf, chosen)) if isinstance(chosen, (type, tuple, types.UnionType)) else chosen

    def wrapper(func):
        @functools.wraps(func)
        def applied(leaf):
            return func(leaf) if is_one(leaf) else leaf

        return applied

    return wrapper


def tree_map_only(kinds, /, func, tree, is_leaf=None):
    """As tree_map, for leaves of a class, or of one of several, or that a function finds."""
    return tree_map(map_only(kinds)(func), tree, is_leaf=is_leaf)


def tree_map_(func, tree, *rests, is_leaf=None):
    """Call the function as tree_map does; the containers stay as they are."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def tree_map_only_(kinds, /, func, tree, is_leaf=None):
    return tree_map_(map_only(kinds)(func), tree, is_leaf=is_leaf)


def tree_all_only(kinds, /, pred, tree, is_leaf=None):
    return all(pred(leaf) for leaf in tree_leaves(tree, is_leaf) if isinstance(leaf, kinds))


def tree_any_only(kinds, /, pred, tree, is_leaf=None):
    return any(pred(leaf) for leaf in tree_leaves(tree, is_leaf) if isinstance(leaf, kinds))


def arg_tree_leaves(*args, **kwargs):
    return tree_leaves([*args, *kwargs.values()])


def key_get(obj, kp):
    """What the keys lead to."""
    for key in kp:
        obj = key.get(obj)
    return obj


def register_dataclass(cls, *, field_names=None, drop_field_names=None, serialized_type_name=None):
    """Take instances of a class apart into their fields; the dropped ones get their defaults."""
    if dataclasses.is_dataclass(cls):
        own = {each.name for each in dataclasses.fields(cls) if each.init} - {*(drop_field_names or ())}
        if field_names is None:
            field_names = [each.name for each in dataclasses.fields(cls) if each.init]
        elif own != {*field_names}:
            raise ValueError(f"field_names does not include all dataclass fields: {own ^ {*field_names}}")
    elif field_names is None:
        raise ValueError(f"field_names must be specified with a list of all fields used to initialize {cls}, as it is not a dataclass.")
    named = [*field_names]

    def flatten(instance):
        given = [name for name in named if getattr(instance, name) is not None]
        context = [given, [name for name in named if name not in given]]
        return [getattr(instance, name) for name in given], context

    def unflatten(values, context):
        given, absent = context
        return cls(**dict(zip(given, values, strict=True)), **dict.fromkeys(absent))

    def flatten_with_keys(instance):
        values, context = flatten(instance)
        return [*zip(map(GetAttrKey, context[0]), values, strict=True)], context

    names = {"serialized_type_name": serialized_type_name, "flatten_with_keys_fn": flatten_with_keys}
    register_pytree_node(cls, flatten, unflatten, **names)


@dataclass(frozen=True)
class ConstantNode:
    value: Any


_constant_classes: set = set()


def register_constant(cls):
    """Make an instance of a class a part of how containers are nested, not one of the leaves."""
    for method in ("__eq__", "__hash__"):
        if getattr(cls, method) in (None, getattr(object, method)) and (method == "__eq__" or cls.__hash__ is None):
            raise TypeError(f"register_constant(cls) expects `cls` to have a non-default `{method}` implementation.")
    parts = (lambda instance: ([], ConstantNode(instance))), (lambda _, context: context.value)
    register_pytree_node(cls, *parts, flatten_with_keys_fn=parts[0])
    _constant_classes.add(cls)


def is_constant_class(cls):
    return isinstance(cls, type) and cls in _constant_classes


def is_namedtuple_class(cls):
    return isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields") and hasattr(cls, "_make")


def is_namedtuple(obj):
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


def is_structseq_class(cls):
    return isinstance(cls, type) and cls.__bases__ == (tuple,) and isinstance(getattr(cls, "n_unnamed_fields", None), int)


def is_structseq(obj):
    return is_structseq_class(obj if isinstance(obj, type) else type(obj))


def treespec_leaf():
    return TreeSpec(None)


def _treespec_of(kind, context, children):
    if not all(isinstance(each, TreeSpec) for each in children):
        raise ValueError(f"Expected TreeSpec values, got: {children!r}.")
    return TreeSpec(kind, context, children)


def treespec_tuple(iterable=(), /):
    return _treespec_of(tuple, None, [*iterable])


def treespec_list(iterable=(), /):
    return _treespec_of(list, None, [*iterable])


def treespec_dict(mapping=(), /, **kwargs):
    given = dict(mapping, **kwargs)
    return _treespec_of(dict, [*given], [*given.values()])


class EnumEncoder(json.JSONEncoder):
    def default(self, obj):
        if isinstance(obj, enum.Enum):
            kind = type(obj)
            return {"__enum__": True, "fqn": f"{kind.__module__}:{kind.__qualname__}", "name": obj.name}
        return super().default(obj)


def enum_object_hook(obj):
    if "__enum__" not in obj:
        return obj
    module, _, name = obj["fqn"].partition(":")
    return functools.reduce(getattr, name.split("."), importlib.import_module(module))[obj["name"]]


def _written_spec(spec):
    if spec.type is None:
        return {"type": None, "context": None, "children_spec": []}
    written = _written_contexts[spec.type]
    if written.name is None:
        raise NotImplementedError(f"No registered serialization name for {spec.type} found.")
    convert = written.to_dumpable or functools.partial(json.dumps, cls=EnumEncoder)
    parts = [_written_spec(each) for each in spec.children_specs]
    return {"type": written.name, "context": convert(spec.context), "children_spec": parts}


def treespec_dumps(treespec, protocol=None):
    """How containers are nested, as text."""
    if not isinstance(treespec, TreeSpec):
        raise TypeError(f"Expected a TreeSpec, got {type(treespec)}.")
    if protocol not in (None, 1):
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: [1]")
    return json.dumps((1, _written_spec(treespec)), cls=EnumEncoder)


def _spec_that_is_written(written):
    if written["type"] is None:
        return TreeSpec(None)
    kinds = {way.name: kind for kind, way in _written_contexts.items() if way.name is not None}
    if written["type"] not in kinds:
        raise NotImplementedError(f"Deserializing {written['type']} in pytree is not registered.")
    kind = kinds[written["type"]]
    convert = _written_contexts[kind].from_dumpable or functools.partial(json.loads, object_hook=enum_object_hook)
    return TreeSpec(kind, convert(written["context"]), [_spec_that_is_written(each) for each in written["children_spec"]])


def treespec_loads(serialized):
    protocol, written = json.loads(serialized)
    if protocol != 1:
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: [1]")
    return _spec_that_is_written(written)


class _Star:
    def __repr__(self):
        return "*"


def treespec_pprint(treespec):
    return repr(tree_unflatten([_Star()] * treespec.num_leaves, treespec))


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
    KeyEntry=KeyEntry,
    KeyPath=tuple[KeyEntry, ...],
    _is_leaf=tree_is_leaf,
    _is_namedtuple_instance=is_namedtuple,
    _private_register_pytree_node=register_pytree_node,
    map_only=map_only,
    tree_map_=tree_map_,
    tree_map_only_=tree_map_only_,
    tree_all_only=tree_all_only,
    tree_any_only=tree_any_only,
    arg_tree_leaves=arg_tree_leaves,
    key_get=key_get,
    register_dataclass=register_dataclass,
    ConstantNode=ConstantNode,
    register_constant=register_constant,
    is_constant_class=is_constant_class,
    is_namedtuple_class=is_namedtuple_class,
    is_namedtuple=is_namedtuple,
    is_structseq_class=is_structseq_class,
    is_structseq=is_structseq,
    treespec_leaf=treespec_leaf,
    treespec_tuple=treespec_tuple,
    treespec_list=treespec_list,
    treespec_dict=treespec_dict,
    EnumEncoder=EnumEncoder,
    enum_object_hook=enum_object_hook,
    treespec_dumps=treespec_dumps,
    treespec_loads=treespec_loads,
    treespec_pprint=treespec_pprint,
    BUILTIN_TYPES=frozenset(_CONTAINERS_OF_TREES),
    CONSTANT_NODES=_constant_classes,
    PyTreeSpec=TreeSpec,
    STANDARD_DICT_TYPES=frozenset({dict, collections.OrderedDict, collections.defaultdict}),
    is_structseq_instance=lambda obj: is_structseq_class(type(obj)),
    pytree_to_str=treespec_dumps,
    str_to_pytree=treespec_loads,
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
