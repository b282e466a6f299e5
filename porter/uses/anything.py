"""Attributes of what may be an object of torch's, or of something else."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator

from porter.languages.python import Module
from porter.languages.python_tree import parameter
from porter.surface import arguments
from porter.surface.classes import TENSOR, builtin_attributes, receivers
from porter.uses.assumed import holds_throughout
from porter.uses.checks import find_check
from porter.uses.fitting import acts_otherwise, fits
from porter.uses.members import receiver
from porter.uses.reaching import is_augmented, stores_reaching

ANYTHING = "?."  # before such an attribute, as the name of a use
MOST = 4  # values of a variable
DIMENSIONS = frozenset({"dim", "dims", "keepdim"})  # as nobody else calls them
CONTAINERS = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
WITHOUT_TORCH = sys.stdlib_module_names | {
    *("PIL", "cupy", "cv2", "h5py", "imageio", "jax", "matplotlib", "networkx", "nltk", "numpy"),
    *("onnx", "pandas", "plotly", "requests", "scipy", "skimage", "sklearn", "tensorflow", "tqdm"),
    *("triton", "wandb", "yaml"),
}
HANDED_ON = frozenset({"PIL", "cv2", "matplotlib", "numpy", "pandas", "scipy"})
PLAIN = frozenset({"str", "int", "float", "bool", "bytes"})  # whose methods give no tensors
OF_BUILTINS = PLAIN | {"list", "dict", "set", "tuple"}


def find_attributes(module: Module) -> Iterator[ast.Attribute]:
    """The attributes that a tensor, dtype or generator of torch has, of what is not known to be
    something else, nor one of these: that has been told."""
    owners = receivers()
    for attr in owners.keys() & module.attributes.keys():
        for node in module.attributes[attr]:
            usual = attr in builtin_attributes() and not _has_dimensions(module, node)
            if not isinstance(node.ctx, ast.Load) or usual or _is_other(module, node.value):
                continue
            if fits(module, node) and not acts_otherwise(module, node.value):
                yield node


def name_of(node: ast.Attribute) -> str:
    """`?.select`; of what is called a dtype `?.dtype.itemsize`."""
    owner = getattr(node.value, "attr", getattr(node.value, "id", ""))
    of_dtype = owner.endswith("dtype") and "torch.dtype" in receivers()[node.attr]
    return f"{ANYTHING}{'dtype.' if of_dtype else ''}{node.attr}"


def _has_dimensions(module: Module, node: ast.Attribute) -> bool:
    call = module.parents.get(node)
    if not isinstance(call, ast.Call) or call.func is not node:
        return False
    return any(keyword.arg in DIMENSIONS for keyword in call.keywords)


def _is_other(module: Module, node: ast.expr) -> bool:
    """Whether an expression is no object of torch's: a literal, a module or what it has, an object
    of another class, what a function of a library without torch gives."""
    if type(node) in CONTAINERS or module.resolve(node) is not None:
        return True
    if receiver(module, node) not in (None, TENSOR):  # which is reported as that
        return True
    if type(node) is ast.Name and (node.id in ("self", "cls") or _is_checked(module, node)):
        return True
    if type(node) is ast.Call:
        called = module.resolve(node.func) or ""
        if called.rpartition(".")[2][:1].isupper() and not called.startswith("torch."):
            return True
    return _is_of_all_values(module, node, _is_other) or _is_foreign(module, node)


def _is_checked(module: Module, name: ast.Name) -> bool:
    """Whether a check has shown that a variable is no tensor."""
    return find_check(module, name) not in ("", arguments.TENSOR)


def _is_foreign(module: Module, node: ast.expr) -> bool:
    """Whether an expression is of Python itself or a library without torch, as is what its methods
    give: not those of containers, which may hold tensors."""
    if type(node) in (ast.Constant, ast.JoinedStr):
        return True
    name = module.resolve(node.func if type(node) is ast.Call else node)
    if name is None and type(node) is ast.Attribute:
        return _is_foreign(module, node.value)
    if name is not None:
        return _is_without_torch(name)
    if type(node) is ast.Call:
        called = node.func
        return type(called) is ast.Attribute and _is_foreign(module, called.value)
    return _is_of_all_values(module, node, _is_foreign)


def _is_without_torch(name: str) -> bool:
    """Whether a name is of a library without torch, also where a module of the project hands that
    on: `project.common.cv2.imread`."""
    return name.partition(".")[0] in WITHOUT_TORCH or not HANDED_ON.isdisjoint(name.split("."))


def _is_of_all_values(
    module: Module, node: ast.expr, holds: Callable[[Module, ast.expr], bool]
) -> bool:
    """Whether something holds of a variable: of each of its values, or by its annotation."""
    if type(node) is not ast.Name:
        return False
    stores = stores_reaching(module, node)
    if any(each is not None and _is_context(module, each) for each in stores):
        return True  # `with ... as x`: a tensor is no context
    key = holds, module.function(node), node.id, stores
    known = 0 < len(stores) <= MOST and holds_throughout(
        module, key, lambda: all(_holds_of_store(module, node, each, holds) for each in stores)
    )
    return known and not is_augmented(module, node)


def _is_context(module: Module, store: ast.Name) -> bool:
    return isinstance(module.parents[store], ast.withitem)


def _holds_of_store(
    module: Module,
    node: ast.Name,
    store: ast.Name | None,
    holds: Callable[[Module, ast.expr], bool],
) -> bool:
    """Whether something holds of a value that is stored, or by the annotation of one passed."""
    if store is not None:
        value = module.assigned_value(store)
        return value is not None and holds(module, value)
    argument = parameter(module.function(node), node.id)
    name = _annotation_of(module, argument.annotation if argument is not None else None)
    if holds is _is_foreign:
        return _is_without_torch(name) or name in PLAIN
    return bool(name) and not name.startswith(("torch.", "typing.", "jaxtyping."))


def _annotation_of(module: Module, annotation: ast.expr | None) -> str:
    """The name of the class that an annotation is of; empty where it is none that is imported,
    nor one of Python's."""
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    if isinstance(annotation, ast.Name) and annotation.id in OF_BUILTINS:
        return annotation.id
    return (module.resolve(annotation) if annotation is not None else None) or ""
