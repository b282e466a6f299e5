"""What is seen of a use beyond literals: variables, annotations, tensors, its fate."""

from __future__ import annotations

import ast
import re

from porter.languages.python import Module
from porter.languages.python_tree import parameter
from porter.model import Given
from porter.surface import arguments
from porter.surface.classes import TENSOR, distinctive, tensor_methods
from porter.uses.checks import find_check
from porter.uses.fate import describe_fate, is_last_use
from porter.uses.floating import describe_dtype
from porter.uses.in_place import OF_TENSORS as ALONE
from porter.uses.members import is_dtype, receiver
from porter.uses.reaching import is_augmented, stores_reaching
from porter.uses.tensors import SIZED, describe_tensor, is_asserted, is_temporary

ANNOTATED = {
    "int": "number whole ?",
    "float": "number ?",  # an int is one, too
    "bool": "number truth ?",
    "str": "text ?",
    "list": "sequence list ?",
    "tuple": "sequence ?",
}


MOST = 4  # values of a variable
INITIAL = re.compile("init|reset")  # in the name of a function that makes a layer
INTEGRAL = re.compile(r"torch\.(?:bool|u?int\d+|int|long|short)\Z")
OF_TENSORS = frozenset(  # functions whose first argument is a tensor, and no number
    f"torch.{name}"
    for name in (
        *("abs", "bmm", "clamp", "cos", "cumsum", "exp", "log", "matmul", "max", "mean", "min"),
        *("mm", "norm", "prod", "sigmoid", "sign", "sin", "softmax", "sqrt", "sum", "tanh"),
    )
)


OF_NO_NUMBER = ALONE | {"device", "dim", "grad", "size", "to"}


def read_use(module: Module, node: ast.AST) -> Given | None:
    """The arguments of the call of a name or attribute, its receiver, and what becomes of what it
    gives; None for a name that is not called. Read once a node."""
    known, key = module.remembered, (read_use, node)
    if key not in known:
        known[key] = _read_use(module, node)
    given: Given | None = known[key]
    return given


def _read_use(module: Module, node: ast.AST) -> Given | None:
    call = module.parents.get(node)
    owner = node.value if isinstance(node, ast.Attribute) else None
    name = module.resolve(node) if isinstance(node, ast.Attribute | ast.Name) else None
    of_object = owner is not None and name is None
    seen = f"{arguments.TENSOR} {_describe(module, owner)}" if of_object and owner else ""
    if name is not None and name.startswith("torch.nn."):
        seen = arguments.BY_IMPORT if _imports_nn(module) else arguments.BY_ATTRIBUTES
    if isinstance(owner, ast.Name) and is_last_use(module, owner):
        seen += " temporary"
    if isinstance(call, ast.Call) and call.func is node:
        found = arguments.read_arguments(call, lambda value: _look(module, value))
        put = found.positional, found.keywords, found.more
        return Given(*put, receiver=seen.rstrip(), fate=describe_fate(module, call))
    if isinstance(node, ast.expr) and is_annotation(module, node):
        return Given(fate=arguments.ANNOTATED, called=False)
    if not of_object or not isinstance(node, ast.expr):
        return Given(receiver=seen, called=False)
    fate = describe_fate(module, node)
    initial = INITIAL.search(getattr(module.function(node), "name", ""))
    if fate == "written" and (initial or (owner is not None and is_temporary(module, owner))):
        fate = "filled"  # before anything is computed with it
    return Given(receiver=seen.rstrip(), fate=fate, called=False)


def _imports_nn(module: Module) -> bool:
    """Whether it imports torch.nn, or what is below, by that name."""
    known, key = module.remembered, (_imports_nn,)
    if key not in known:
        known[key] = any(
            f"{node.module if isinstance(node, ast.ImportFrom) else name}.".startswith("torch.nn.")
            for name, _, node in module.imports
        )
    found: bool = known[key]
    return found


def is_annotation(module: Module, node: ast.AST) -> bool:
    """Whether it is, or is a part of, the annotation of an argument, result or variable; not
    `x | y`, which is worked out."""
    for outer in module.ancestors(node):
        if isinstance(outer, ast.BinOp):
            return False
        if isinstance(outer, ast.arg):
            return True
        if isinstance(outer, ast.AnnAssign | ast.FunctionDef | ast.AsyncFunctionDef):
            noted = outer.annotation if isinstance(outer, ast.AnnAssign) else outer.returns
            return noted is node
        if isinstance(outer, ast.stmt | ast.Call):
            return False
        node = outer
    return False


def _look(module: Module, node: ast.expr) -> str:
    kind = _look_at_kind(module, node)
    return f"{kind} {_describe(module, node)}".strip() if kind in ("", arguments.TENSOR) else kind


def _describe(module: Module, node: ast.expr) -> str:
    """What is known of a tensor beside that it is one."""
    if not isinstance(node, ast.Name):
        return f"{describe_dtype(module, node)} {describe_tensor(module, node)}".strip()
    known = module.remembered
    key = (_describe, module.function(node), node.id, stores_reaching(module, node))
    if key not in known:
        known[key] = f"{describe_dtype(module, node)} {describe_tensor(module, node)}".strip()
    words: str = known[key]
    return f"{words} contiguous" if is_asserted(module, node) else words


def _look_at_kind(module: Module, node: ast.expr) -> str:
    if _is_indexed_as_a_tensor(node) or _is_of_tensors(module, node):
        return arguments.TENSOR
    if receiver(module, node) == TENSOR:
        return arguments.TENSOR
    if is_dtype(module, node):
        integral = INTEGRAL.match(module.resolve(node) or "")
        return "dtype integral" if integral else "dtype known"
    if isinstance(node, ast.Attribute) and node.attr == "dtype":
        return "dtype"
    if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self":
        return _look_at_attribute(module, node.attr)
    return _look_at_variable(module, node) if isinstance(node, ast.Name) else ""


def _look_at_attribute(module: Module, attribute: str) -> str:
    """What is seen of an attribute of `self`: what each of its values in the file is."""
    known, key = module.remembered, (_look_at_attribute, attribute)
    if key not in known:
        known[key] = ""  # of what is made of itself
        stores = [n for n in module.attributes[attribute] if not isinstance(n.ctx, ast.Load)]
        values = [module.assigned_value(each) for each in stores]
        seen = {_describe_value(module, each) if each is not None else "" for each in values}
        tensors = bool(seen) and all(arguments.TENSOR in each.split() for each in seen)
        known[key] = arguments.NO_NUMBER if tensors else ""
    found: str = known[key]
    return found


def _look_at_variable(module: Module, node: ast.Name) -> str:
    """What is seen of each value that a variable may have, and of what it is asked for."""
    stores = stores_reaching(module, node)
    if not stores and node.id in ("bool", "float", "int"):
        return "dtype"
    seen = {_describe_store(module, node, each) for each in stores} if len(stores) <= MOST else {""}
    known = seen.pop() if len(seen) == 1 else _merge(seen)
    if known and known not in arguments.PROPERTIES:
        changed = "number" in known and is_augmented(module, node)
        return "" if changed else known
    if _is_used_as_a_tensor(module, node):
        return arguments.TENSOR
    if _is_used_as_a_size(module, node):
        return "number whole ?"
    known = known or find_check(module, node)
    return known or (arguments.NO_NUMBER if _is_asked_as_a_tensor(module, node, stores) else "")


def _merge(seen: set[str]) -> str:
    """What is seen of each of several values."""
    common = set.intersection(*(set(one.split()) for one in seen)) if seen else set()
    if "number" in common:
        finite = all("nan" not in one and "infinite" not in one for one in seen if "?" not in one)
        known = finite and not any("?" in one for one in seen)
        return " ".join([*sorted(common), "finite" if known else "", "?"]).replace("  ", " ")
    no_number = bool(seen) and all(one and "number" not in one.split() for one in seen)
    return arguments.NO_NUMBER if no_number else ""


def _describe_store(module: Module, node: ast.Name, store: ast.Name | None) -> str:
    if store is None:
        argument = parameter(module.function(node), node.id)
        annotation = argument.annotation if argument is not None else None
        if (module.resolve(annotation) or "" if annotation else "").startswith("numpy."):
            return "array"
        text = _default_text(module.function(node), node.id) if annotation is None else ""
        return ANNOTATED.get(getattr(annotation, "id", ""), text)
    value = module.assigned_value(store)
    if value is not None:
        return _describe_value(module, value)
    return _describe_element(module, store)


def _default_text(function: ast.AST, name: str) -> str:
    """The text that an argument is without another, as it mostly is."""
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ""
    args = function.args
    first = [*args.posonlyargs, *args.args]
    pairs = [*zip(reversed(first), reversed(args.defaults), strict=False)]
    pairs += [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d]
    value = next((d.value for a, d in pairs if a.arg == name and isinstance(d, ast.Constant)), None)
    return f"text {value!r}" if isinstance(value, str) and " " not in value else ""


def _describe_element(module: Module, store: ast.Name) -> str:
    """What is seen of the variable of a loop over literals, a range or what is counted."""
    target = module.parents[store]
    place = target.elts.index(store) if isinstance(target, ast.Tuple) else 0
    loop = module.parents[target] if isinstance(target, ast.Tuple) else target
    values = getattr(loop, "iter", None)
    if isinstance(values, ast.List | ast.Tuple) and values.elts and target is loop:
        return _merge({_describe_value(module, each) for each in values.elts})
    called = getattr(getattr(values, "func", None), "id", "")
    counted = called == "range" if target is loop else called == "enumerate" and place == 0
    return "number whole ?" if counted else ""


def _describe_value(module: Module, value: ast.expr) -> str:
    """What is seen of a value of a variable, which may be a variable in turn."""
    known, key = module.remembered, (_describe_value, value)
    if key not in known:
        known[key] = ""  # of what is made of itself
        known[key] = arguments.describe(value, lambda inner: _look(module, inner))
    found: str = known[key]
    return found


def _is_of_tensors(module: Module, node: ast.expr) -> bool:
    """Whether it is `x.grad`, a method that only tensors have and that gives one, or what another
    one gives of such a tensor."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        method = node.func.attr
        if method in ALONE or method == "to":
            return True
        if method not in tensor_methods() or module.resolve(node.func) is not None:
            return False
        return method in distinctive() or _look_at_kind(module, node.func.value) == arguments.TENSOR
    return isinstance(node, ast.Attribute) and node.attr in ("grad", "data")


def _is_indexed_as_a_tensor(node: ast.expr) -> bool:
    """Whether it is `x[:, None]`: of no Python object, and no number."""
    if not isinstance(node, ast.Subscript):
        return False
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    several = len(parts) > 1 and any(isinstance(part, ast.Slice) for part in parts)
    return several or any(isinstance(p, ast.Constant) and p.value in (None, ...) for p in parts)


def _is_used_as_a_tensor(module: Module, name: ast.Name) -> bool:
    """Whether its function also passes it to what takes tensors only."""
    if (_passed_tensors,) not in module.remembered:
        module.remembered[_passed_tensors,] = _passed_tensors(module)
    passed: dict[tuple[ast.AST, str], list[ast.Name]] = module.remembered[_passed_tensors,]
    return any(other is not name for other in passed.get((module.function(name), name.id), ()))


def _is_used_as_a_size(module: Module, name: ast.Name) -> bool:
    """Whether its function also makes a tensor of it and other sizes."""
    if (_is_used_as_a_size,) not in module.remembered:
        sizes: set[tuple[ast.AST, str]] = set()
        for made, call in module.calls():
            if (made in SIZED or made[-6:] == "Tensor") and len(call.args) > 1:
                names = (each for each in call.args if type(each) is ast.Name)
                sizes |= {(module.function(each), each.id) for each in names}
        module.remembered[_is_used_as_a_size,] = sizes
    return (module.function(name), name.id) in module.remembered[_is_used_as_a_size,]


def _is_asked_as_a_tensor(
    module: Module, name: ast.Name, stores: tuple[ast.Name | None, ...]
) -> bool:
    """Whether its function asks the same value for what no number has."""
    if (_asked_tensors,) not in module.remembered:
        module.remembered[_asked_tensors,] = _asked_tensors(module)
    asked: dict[tuple[ast.AST, str], list[ast.Name]] = module.remembered[_asked_tensors,]
    others = asked.get((module.function(name), name.id), ())
    return any(stores_reaching(module, other) == stores for other in others)


def _asked_tensors(module: Module) -> dict[tuple[ast.AST, str], list[ast.Name]]:
    """The names that are taken apart, or asked for an attribute that tensors have and numbers have
    not, NumPy's neither, by function and name."""
    found: dict[tuple[ast.AST, str], list[ast.Name]] = {}
    for attribute in (distinctive().keys() | OF_NO_NUMBER) & module.attributes.keys():
        for node in module.attributes[attribute]:
            if isinstance(node.value, ast.Name):
                owner = node.value
                found.setdefault((module.function(owner), owner.id), []).append(owner)
    for part in module.nodes_of(ast.Subscript):
        if type(part.value) is ast.Name:
            owner = part.value
            found.setdefault((module.function(owner), owner.id), []).append(owner)
    for statement in module.nodes_of(ast.Assign):
        if type(statement.value) is ast.Name and type(statement.targets[0]) is ast.Tuple:
            owner = statement.value
            found.setdefault((module.function(owner), owner.id), []).append(owner)
    return found


def _takes_tensors(function: str) -> bool:
    return function in OF_TENSORS or function.startswith("torch.nn.functional.")


def _passed_tensors(module: Module) -> dict[tuple[ast.AST, str], list[ast.Name]]:
    """The names that are passed to what takes tensors only, by function and name."""
    found: dict[tuple[ast.AST, str], list[ast.Name]] = {}
    for called, call in module.calls():
        first = call.args[0] if call.args else None
        if isinstance(first, ast.Name) and _takes_tensors(called):
            found.setdefault((module.function(first), first.id), []).append(first)
    return found
