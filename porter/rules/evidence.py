"""What a Python file says about a value, for rules that need to know what a receiver is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from porter.languages.kernels import is_in_kernel
from porter.languages.python import SCOPES, Module, parameter

STREAMS = frozenset(
    f"torch.cuda.{name}"
    for name in (
        "Stream",
        "ExternalStream",
        "current_stream",
        "default_stream",
        "get_stream_from_external",
    )
)

EVENT = "torch.cuda.Event"
TORCH_VERSION = "torch.__version__"
CONTRARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.NotEq: ast.Eq,
}


def imports_torch(module: Module) -> bool:
    return any(name.partition(".")[0] == "torch" for name, _, _ in module.imports)


def is_in_device_function(module: Module, node: ast.AST) -> bool:
    """Whether a node stands in the body of a device function (@triton.jit, @T.prim_func, ...) or
    in an f-string, where columns are not those of the file before Python 3.12."""
    in_text = any(isinstance(outer, ast.JoinedStr) for outer in module.ancestors(node))
    return in_text or is_in_kernel(module, node)


def uses(module: Module, attribute: str) -> Iterator[ast.Attribute]:
    """Reads of `<anything>.attribute`, in source order, outside of kernels and f-strings."""
    found = [
        node for node in module.attributes.get(attribute, ()) if isinstance(node.ctx, ast.Load)
    ]
    found.sort(key=lambda node: module.span(node))
    return (node for node in found if not is_in_device_function(module, node))


def method_calls(module: Module, method: str) -> Iterator[ast.Call]:
    """Calls `<anything>.method(...)` outside of kernels and f-strings."""
    for attribute in uses(module, method):
        call = module.parents[attribute]
        if isinstance(call, ast.Call) and call.func is attribute:
            yield call


def defines_attribute(module: Module, name: str) -> bool:
    """Whether the file gives objects an attribute of this name: assigned, a method, a field."""
    stored = any(node.attr == name for node in module.changed_attributes)
    return stored or any(name in _members(node) for node in module.nodes_of(ast.ClassDef))


def _members(node: ast.ClassDef) -> set[str]:
    members: set[str] = set()
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef):
            members.add(statement.name)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            members.add(statement.target.id)
        elif isinstance(statement, ast.Assign):
            members |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
    return members


def is_made_by(module: Module, value: ast.expr, makers: frozenset[str]) -> bool:
    """Whether an expression surely is what one of these callables returned, or such an instance:
    the call itself, a variable or attribute only ever assigned from such calls, or a parameter
    annotated with one of them."""
    if isinstance(value, ast.Call):
        method = value.func.attr if isinstance(value.func, ast.Attribute) else ""
        if EVENT in makers and method == "record_event":  # only streams have it
            return True
        return module.resolve(value.func) in makers
    if isinstance(value, ast.IfExp):
        return is_made_by(module, value.body, makers) and is_made_by(module, value.orelse, makers)
    if isinstance(value, ast.BoolOp):
        return all(is_made_by(module, one, makers) for one in value.values)
    if isinstance(value, ast.Name):
        return _variable(module, value, makers)
    if isinstance(value, ast.Attribute):
        return _attribute(module, value, makers)
    return False


def _variable(module: Module, name: ast.Name, makers: frozenset[str]) -> bool:
    scope = module.function(name)
    argument = parameter(scope, name.id)
    annotated = argument is not None and _is_annotated(module, argument.annotation, makers)
    if annotated or any(
        _is_annotated(module, a, makers) for a in _find_annotations(module, scope, name.id)
    ):
        return True
    if argument is not None and not _none_by_default(scope, argument):
        return False
    values = module.bindings(scope, name.id)
    return bool(values) and all(_is_or_none(module, value, name.id, makers) for value in values)


def _is_or_none(module: Module, value: ast.expr | None, name: str, makers: frozenset[str]) -> bool:
    if isinstance(value, ast.IfExp):  # s = make() if s is None else s
        parts = (value.body, value.orelse)
        kept = [part for part in parts if not (isinstance(part, ast.Name) and part.id == name)]
        return bool(kept) and all(_is_or_none(module, part, name, makers) for part in kept)
    if isinstance(value, ast.BoolOp):  # s = s or make()
        return is_made_by(module, value.values[-1], makers)
    return isinstance(value, ast.Call) and is_made_by(module, value, makers)


def _find_annotations(module: Module, scope: ast.AST, name: str) -> list[ast.expr]:
    """Annotations that a scope gives a variable."""
    return [
        node.annotation
        for node in module.nodes_of(ast.AnnAssign)
        if isinstance(node.target, ast.Name)
        and node.target.id == name
        and module.function(node.target) is scope
    ]


def _attribute(module: Module, attribute: ast.Attribute, makers: frozenset[str]) -> bool:
    """`self.x` where every `<anything>.x = ...` of the file is such a call."""
    stores = [
        module.parents[node]
        for node in module.attributes.get(attribute.attr, ())
        if isinstance(node.ctx, ast.Store)
    ]
    values = [_stores_value(module, statement, makers) for statement in stores]
    return any(values) and all(value is not False for value in values)


def _stores_value(module: Module, statement: ast.AST, makers: frozenset[str]) -> bool | None:
    """Whether an assignment stores such a value; None where it stores None."""
    if isinstance(statement, ast.AnnAssign) and _is_annotated(module, statement.annotation, makers):
        return True
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return False
    if _is_none(statement.value):
        return None
    return isinstance(statement.value, ast.Call) and is_made_by(module, statement.value, makers)


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _none_by_default(scope: ast.AST, argument: ast.arg) -> bool:
    assert isinstance(scope, SCOPES)
    arguments = scope.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(
        zip(reversed([a.arg for a in positional]), reversed(arguments.defaults), strict=False)
    )
    defaults |= {
        a.arg: default
        for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    }
    return argument.arg in defaults and _is_none(defaults[argument.arg])


def _is_annotated(module: Module, annotation: ast.expr | None, makers: frozenset[str]) -> bool:
    """Whether an annotation is one of these classes, or that or None."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value in makers  # quoted, spelt in full
    if isinstance(annotation, ast.BinOp):
        sides = [side for side in (annotation.left, annotation.right) if not _is_none(side)]
        return all(_is_annotated(module, side, makers) for side in sides)
    if isinstance(annotation, ast.Subscript):
        optional = module.resolve(annotation.value) == "typing.Optional"
        return optional and _is_annotated(module, annotation.slice, makers)
    return annotation is not None and module.resolve(annotation) in makers


def stands_alone(module: Module, node: ast.expr) -> bool:
    """Whether `a or b` may replace a node without parentheses: an argument, a whole value."""
    parent = module.parents[node]
    if isinstance(parent, ast.Call):
        return node is not parent.func
    if isinstance(parent, ast.Dict):
        return True
    if isinstance(parent, ast.IfExp):
        return node is not parent.test
    return isinstance(
        parent,
        ast.keyword | ast.Assign | ast.AnnAssign | ast.Return | ast.List | ast.Tuple | ast.Lambda,
    )


def conditions(module: Module, node: ast.AST) -> Iterator[ast.expr]:
    """What holds where a node is reached: the tests whose bodies it is in, what stands before it in
    an `and`, and the contrary of what stands before it in an `or`."""
    for inner, outer in pairwise((node, *module.ancestors(node))):
        if isinstance(outer, ast.If | ast.IfExp):
            body = outer.body if isinstance(outer, ast.If) else [outer.body]
            yield from _parts(outer.test) if inner in body else ()
        elif isinstance(outer, ast.BoolOp):
            for value in outer.values[: outer.values.index(inner)]:  # type: ignore[arg-type]
                both = isinstance(outer.op, ast.And)
                yield from _parts(value if both else ast.UnaryOp(ast.Not(), value))


def _parts(test: ast.expr) -> list[ast.expr]:
    together = isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And)
    return test.values if together else [test]  # type: ignore[attr-defined]


def is_asked_for(module: Module, node: ast.AST, name: str) -> bool:
    """Whether a node is reached only where `hasattr(..., "name")` says yes."""
    for test in conditions(module, node):
        match test:
            case ast.Call(ast.Name("hasattr"), [_, ast.Constant(asked)]) if asked == name:
                return True
    return False


def torch_alias(module: Module, node: ast.AST) -> str | None:
    """The name that stands for the module torch at a place of the file, or None."""
    names = module.identifiers("torch")
    return next((name for name in names if module.origin(name, node) == "torch"), None)


def depends_on_torch_version(module: Module, value: ast.expr) -> bool:
    """Whether torch's version takes part in a value, or in the only one of a variable."""
    names = (_values(module, node) for node in ast.walk(value) if isinstance(node, ast.Name))
    given = (made[0] for made in names if len(made) == 1)
    return any(each is not None and _names_version(module, each) for each in (value, *given))


def is_for_torch_1(module: Module, node: ast.AST) -> bool:
    """Whether a node is reached only where torch's version is below 2."""
    for inner, outer in pairwise((node, *module.ancestors(node))):
        if isinstance(outer, ast.If) and inner in outer.orelse:
            match outer.test:
                case ast.Compare(left, [operator], [other]) if type(operator) in CONTRARY:
                    contrary = ast.Compare(left, [CONTRARY[type(operator)]()], [other])
                    if is_below_torch_2(module, contrary):
                        return True
    return any(is_below_torch_2(module, test) for test in conditions(module, node))


def is_below_torch_2(module: Module, test: ast.expr) -> bool:
    """Whether a comparison of torch's version is false of every torch since 2.0."""
    match test:
        case ast.Compare(left, [ast.Lt() | ast.LtE() | ast.Eq() as operator], [other]):
            version = _written_version(module, left, other)
            oldest = version == (2, 0) and isinstance(operator, ast.Lt)
            below = version is not None and (version < (2, 0) or oldest)
            return below and depends_on_torch_version(module, left)
    return False


def _written_version(module: Module, left: ast.expr, other: ast.expr) -> tuple[int, int] | None:
    """The version that another is compared with: of '1.8', of (1, 8), and of 1 beside a major."""
    text = ast.unparse(other)
    if found := re.search(r"(?<![\w.])(\d+)(?:\.|, )(\d+)", text):
        return int(found[1]), int(found[2])
    made = _values(module, left) if isinstance(left, ast.Name) else [left]
    value = ast.unparse(made[0]) if len(made) == 1 and made[0] is not None else ""
    major = value.rstrip(")").endswith(("[0]", ".major"))
    return (int(text), 0) if major and text.isdecimal() else None


def _values(module: Module, name: ast.Name) -> list[ast.expr | None]:
    """The values of a variable in its function, or else in the module."""
    own = module.bindings(module.function(name), name.id)
    return own or module.bindings(module.tree, name.id)


def _names_version(module: Module, value: ast.expr) -> bool:
    return any(
        isinstance(node, ast.Attribute | ast.Name)
        and (module.resolve(node) or "").startswith((TORCH_VERSION, "torch.version.__version__"))
        for node in ast.walk(value)
    )
