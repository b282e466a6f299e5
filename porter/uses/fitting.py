"""Whether a use of an attribute is one that an object of torch's allows."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache

from porter.languages.python import Module
from porter.languages.python_tree import parameter
from porter.model import Given, Symbol
from porter.surface.arguments import Parameter, bind, parameters, read_arguments
from porter.surface.classes import PAIRS, receivers
from porter.surface.load import load_torch

_Signatures = tuple[tuple[Parameter, ...], ...] | None  # None: not known
SAME = {"axis": "dim", "keepdims": "keepdim", "x1": "input", "x2": "other"}  # as NumPy's
TENSORS = frozenset(("H", "T", "data", "grad", "imag", "mH", "mT", "real"))  # are tensors
PLAIN = frozenset(("itemsize", "layout", "nbytes"))  # have no attributes that anybody asks for
OF_TEXTS = frozenset({"encode", "decode", "getvalue", "join", "format", "read"})
OF_TEXT = frozenset(  # parameters that take a text, beside those that have one for a default
    ("device", "driver", "dtype", "indexing", "layout", "mode", "reduce", "rounding_mode", "side")
)
LISTS = frozenset(  # parameters that take several numbers in the place of one list of them
    ("dim", "dims", "repeats", "reps", "shape", "shifts", "size", "sizes")
)


def fits(module: Module, node: ast.Attribute) -> bool:
    """Whether a class of torch's has such an attribute, or a method that takes the arguments.

    What is compared, calculated with, or asked for more is no method.
    """
    parent, methods = module.parents.get(node), _methods(node.attr)
    if isinstance(parent, ast.Call) and parent.func is node:
        if node.attr in PAIRS and _is_taken_for_one(module, parent):
            return False
        given = read_arguments(parent, lambda value: _look(module, value)) if methods else None
        return given is not None and any(one is None or _takes(one, given) for one in methods)
    if isinstance(parent, ast.Attribute):
        of_a_tensor = parent.attr in receivers() or parent.attr.startswith("__")
        if node.attr in PLAIN or (node.attr in TENSORS and not of_a_tensor):
            return False
    plain = isinstance(parent, ast.Attribute | ast.BinOp | ast.Compare | ast.Subscript)
    return not plain or len(methods) < len(receivers()[node.attr])


def _is_taken_for_one(module: Module, call: ast.Call) -> bool:
    """Whether the extremes along a dimension are used as one array, not as values and indices."""
    first = call.args[0] if call.args else None
    if not isinstance(first, ast.Constant) and all(k.arg != "axis" for k in call.keywords):
        return False  # it may be the other one of two tensors
    user = module.parents.get(call)
    while isinstance(user, ast.Tuple | ast.List):
        user = module.parents.get(user)
    if isinstance(user, ast.Call):
        return (module.resolve(user.func) or "").startswith("numpy.")
    if isinstance(user, ast.Attribute):
        return user.attr not in ("values", "indices")
    return isinstance(user, ast.BinOp | ast.Compare | ast.UnaryOp)


@cache
def _methods(attribute: str) -> tuple[_Signatures, ...]:
    """How the classes of torch's that have a method of this name take calls of it."""
    names = (f"{owner}.{attribute}" for owner in receivers()[attribute])
    symbols = (load_torch().python[name] for name in names)
    return tuple(_read(symbol) for symbol in symbols if symbol.kind != "attribute")


def _read(symbol: Symbol) -> _Signatures:
    found = [parameters(text, member=True) for text in symbol.signatures]
    known = [one for one in found if one is not None]
    return tuple(known) if known and len(known) == len(found) else None


def _takes(expected: Iterable[tuple[Parameter, ...]], given: Given) -> bool:
    """Whether one of these signatures takes the arguments of a call."""
    if not SAME.keys().isdisjoint(name for name, _ in given.keywords):
        keywords = tuple((SAME.get(name, name), value) for name, value in given.keywords)
        given = given._replace(keywords=keywords)
    return any(_binds(one, given) for one in expected)


def _look(module: Module, node: ast.expr) -> str:
    """`text` where an argument is annotated so, or has that for a default, or is what `getvalue`
    of a buffer gives."""
    if isinstance(node, ast.Call):
        return "text ?" if getattr(node.func, "attr", "") in OF_TEXTS else ""
    argument = parameter(module.function(node), node.id) if isinstance(node, ast.Name) else None
    annotation = argument.annotation if argument is not None else None
    return "text ?" if annotation is not None and getattr(annotation, "id", "") == "str" else ""


def _binds(expected: tuple[Parameter, ...], given: Given) -> bool:
    first = expected[0] if expected else None
    if first is not None and (first.many or first.name in LISTS) and len(given.positional) > 1:
        if not any("sequence" in value or "text" in value for value in given.positional):
            return True  # several numbers
        if first.many:
            return False
    bound = bind(given, expected) or {}
    texts = [name for name, value in bound.items() if "text" in value.split()]
    usual = {one.name for one in expected if "text" in (one.default or "")} | OF_TEXT
    return bind(given, expected) is not None and usual.issuperset(texts)


def acts_otherwise(module: Module, node: ast.expr) -> bool:
    """Whether it is a variable with one value, of which its function also asks what no class of
    torch's has, nor one of the file's. What its methods give may still be torch's."""
    if not isinstance(node, ast.Name):
        return False
    scope = module.function(node)
    values = len(module.bindings(scope, node.id)) + (parameter(scope, node.id) is not None)
    if (_calls,) not in module.remembered:
        module.remembered[_calls,] = _calls(module)
    called: dict[tuple[ast.AST, str], set[str]] = module.remembered[_calls,]
    return values == 1 and (scope, node.id) in called


def _calls(module: Module) -> dict[tuple[ast.AST, str], set[str]]:
    """The attributes that variables are asked for and that torch has not, by function and name."""
    own = {function.name for function in module.nodes_of(ast.FunctionDef)}
    own |= {n.attr for n in module.changed_attributes if type(n.ctx) is ast.Store}
    found: dict[tuple[ast.AST, str], set[str]] = {}
    for name in module.attributes.keys() - receivers().keys() - own:
        for node in module.attributes[name] if not name.startswith("__") else ():
            owner = node.value
            if type(owner) is ast.Name and type(node.ctx) is ast.Load:
                found.setdefault((module.function(owner), owner.id), set()).add(name)
    return found
