"""What the source has checked of a variable before a place: `isinstance`, with what follows it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.surface import arguments
from porter.surface.classes import TENSOR, class_of
from porter.uses.reaching import runs_with

_KINDS = {
    "int": "number whole ?",
    "float": "number fraction ?",
    "bool": "number truth ?",
    "str": "text ?",
    "list": "sequence list ?",
    "tuple": "sequence ?",
}
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def find_check(module: Module, name: ast.Name) -> str:
    """What is known of a variable where it is used: `tensor`, another kind, `no_tensor`, or
    nothing."""
    for test, holds in _tests_before(module, name):
        for call, is_so in _parts(test, holds):
            found = _read(module, call, name, is_so)
            if found and not _is_changed(module, name, call):
                return found
    return ""


def _tests_before(module: Module, name: ast.Name) -> Iterator[tuple[ast.expr, bool]]:
    """Tests of which a place sees the outcome, with it, the innermost first."""
    checked = {module.function(call) for call in _checks(module).get(name.id, ())}
    scope = module.function(name)
    if scope not in checked:
        return
    inner: ast.AST = name
    for outer in module.ancestors(name):
        if isinstance(outer, ast.If) and inner is not outer.test:
            yield outer.test, inner in outer.body
        elif isinstance(outer, ast.IfExp) and inner is not outer.test:
            yield outer.test, inner is outer.body
        elif isinstance(outer, ast.BoolOp) and isinstance(outer.op, ast.And):
            yield from ((each, True) for each in outer.values[: outer.values.index(inner)])  # type: ignore[arg-type]
        inner = outer
        if outer is scope:
            break
    for call in _checks(module)[name.id]:
        statement = next(o for o in module.ancestors(call) if isinstance(o, ast.stmt))
        if module.function(call) is not scope or statement.lineno >= name.lineno:
            continue
        if isinstance(statement, ast.Assert) and runs_with(module, statement, name):
            yield statement.test, True
        leaves = isinstance(statement, ast.If) and not statement.orelse
        follows = leaves and not _spans(statement, name) and runs_with(module, statement, name)
        if follows and isinstance(statement.body[-1], _ENDS):  # type: ignore[attr-defined]
            yield statement.test, False  # type: ignore[attr-defined]


def _spans(statement: ast.stmt, name: ast.Name) -> bool:
    return statement.lineno <= name.lineno <= (statement.end_lineno or 0)


def _parts(test: ast.expr, holds: bool) -> Iterator[tuple[ast.Call, bool]]:
    """The calls that a test is made of, each with what it gave."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _parts(operand, not holds)
        case ast.BoolOp(op=operator, values=values):
            if isinstance(operator, ast.And) is holds:
                for value in values:
                    yield from _parts(value, holds)
        case ast.Call():
            yield test, holds


def _checks(module: Module) -> dict[str, list[ast.Call]]:
    """The calls of `isinstance` and `torch.is_tensor`, by the variable that they are of."""
    known, key = module.remembered, (_checks,)
    if key not in known:
        known[key] = {}
        asked = {module.parents[name] for name in module.names_by_id.get("isinstance", ())}
        asked.update(module.calls_to({"torch.is_tensor"}))
        for call in [call for call in module.nodes_of(ast.Call) if call in asked] if asked else ():
            if call.args and isinstance(call.args[0], ast.Name) and _is_check(module, call):
                known[key].setdefault(call.args[0].id, []).append(call)
    found: dict[str, list[ast.Call]] = known[key]
    return found


def _is_check(module: Module, call: ast.Call) -> bool:
    plain = isinstance(call.func, ast.Name) and call.func.id == "isinstance"
    return (plain and len(call.args) == 2) or module.resolve(call.func) == "torch.is_tensor"


def _read(module: Module, call: ast.Call, name: ast.Name, is_so: bool) -> str:
    """What the outcome of one call tells."""
    subject = call.args[0] if call.args and _is_check(module, call) else None
    if not isinstance(subject, ast.Name) or subject.id != name.id:
        return ""
    asked = call.args[1] if len(call.args) == 2 else None
    classes = asked.elts if isinstance(asked, ast.Tuple) else [asked] if asked else []
    tensors = [class_of(module.resolve(each)) == TENSOR for each in classes] or [True]
    if any(tensors):
        return (arguments.TENSOR if all(tensors) else "") if is_so else arguments.NO_TENSOR
    kinds = {_KINDS.get(getattr(each, "id", ""), arguments.NO_TENSOR) for each in classes}
    several = arguments.NO_TENSOR if len(kinds) > 1 else ""
    return (several or kinds.pop()) if is_so else ""


def _is_changed(module: Module, name: ast.Name, call: ast.Call) -> bool:
    """Whether the variable is given another value between a check and a use."""
    stored = module.stored(module.function(name), name.id)
    first, last = (call.lineno, call.col_offset), (name.lineno, name.col_offset)
    between = [s for s in stored if first < (s.lineno, s.col_offset) < last]
    return any(_value_is_seen(module, each, name) for each in between)


def _value_is_seen(module: Module, store: ast.Name, name: ast.Name) -> bool:
    """Whether the place is not in the value that is being stored."""
    value = module.assigned_value(store)
    return value is None or all(each is not name for each in ast.walk(value))
