"""`loss.backward()` and `torch.autograd.grad(...)` -> a function that MindSpore differentiates."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from porter.targets.mindspore.plugin.counterparts import HELPER
from porter.targets.mindspore.plugin.source import Edit, Foreign, Source, defined_by

GRAD = "torch.autograd.grad"
_HARMLESS = ("retain_graph", "gradient", "grad_outputs")
Function = ast.FunctionDef | ast.AsyncFunctionDef
Render = Callable[[ast.expr | ast.stmt], str]


@dataclass(frozen=True, slots=True)
class Differentiated:
    """A call of `backward` or `grad`: of what, for which variables, with which gradient."""

    statement: ast.stmt
    call: ast.Call
    before: tuple[ast.stmt, ...]  # what runs before it, in the function
    result: ast.expr
    given: ast.expr | None
    variables: tuple[str, ...]
    is_backward: bool
    is_read: bool = True  # whether its gradients are


@dataclass(slots=True)
class Differentiation:
    """The edits of one function, the nodes that they are for, and what stands for others."""

    edits: list[Edit] = field(default_factory=list)
    replaced: dict[ast.AST, str | None] = field(default_factory=dict)


def differentiate(source: Source, function: Function, render: Render) -> Differentiation:
    """How a function's gradients are those of functions; `render` gives a node's text for
    MindSpore. Raises Foreign where it is not mechanical."""
    done = Differentiation()
    found = [*_find(source, function)]
    _require_apart(function, found)
    for one in found:
        done.replaced[one.statement if one.is_backward else one.call] = None
        done.edits += _rewrite(source, function, one, render)
    names = {name for one in found if one.is_backward for name in one.variables}
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and node.attr == "grad" and _name(node.value) in names:
            done.replaced[node] = _gradient_name(function, _name(node.value))
    return done


def _find(source: Source, function: Function) -> Iterator[Differentiated]:
    for before, statement in _statements(function.body, ()):
        value = statement.value if isinstance(statement, ast.Expr) else None
        result = _differentiated_by(source, value)
        if isinstance(value, ast.Call) and result is not None:
            variables = tuple(dict.fromkeys(_read_after(function, statement)))
            variables = variables or tuple(dict.fromkeys(_requiring(before)))
            if not variables:
                raise Foreign("`.backward()` without a variable that requires a gradient")
            given, is_read = _given(value, 0), any(_read_after(function, statement))
            yield Differentiated(statement, value, before, result, given, variables, True, is_read)
        for call in _calls(statement):
            if source.is_call_of(call, (GRAD,)):
                yield _read_grad(statement, call, before)


def _differentiated_by(source: Source, value: ast.expr | None) -> ast.expr | None:
    """What `backward` is called of."""
    method = value.func if isinstance(value, ast.Call) else None
    if not isinstance(method, ast.Attribute) or method.attr != "backward":
        return None
    return method.value if source.dotted(method) is None else None


def _statements(
    body: list[ast.stmt], before: tuple[ast.stmt, ...]
) -> Iterator[tuple[tuple[ast.stmt, ...], ast.stmt]]:
    """Each statement with those that run before it."""
    for statement in body:
        yield before, statement
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for name in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, name, []), before)
        before = (*before, statement)


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """Those in a statement itself, not in the ones that it has."""
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            yield from (node for node in ast.walk(child) if isinstance(node, ast.Call))


def _read_grad(statement: ast.stmt, call: ast.Call, before: tuple[ast.stmt, ...]) -> Differentiated:
    given = _given(call, 2)
    result, inputs = call.args[:2] if len(call.args) > 1 else (None, None)
    listed = inputs.elts if isinstance(inputs, (ast.Tuple, ast.List)) else [inputs]
    variables = [_name(each) for each in listed]
    if result is None or isinstance(result, (ast.Tuple, ast.List)) or not all(variables):
        raise Foreign(f"`{GRAD}` of other than one result and variables")
    return Differentiated(statement, call, before, result, given, tuple(variables), False)


def _given(call: ast.Call, place: int) -> ast.expr | None:
    """The gradient that is passed in. Raises Foreign for options without a counterpart."""
    for keyword in call.keywords:
        if keyword.arg not in _HARMLESS:
            raise Foreign(f"gradients with `{keyword.arg}`")
    named = [k.value for k in call.keywords if k.arg in ("gradient", "grad_outputs")]
    value = next(iter([*call.args[place:], *named]), None)
    return None if isinstance(value, ast.Constant) and value.value is None else value


def _name(node: ast.AST | None) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _read_after(function: Function, statement: ast.stmt) -> Iterator[str]:
    """The variables whose `.grad` is read after a statement, up to the next `backward`."""
    own = {arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)}
    own |= {name for _, one in _statements(function.body, ()) for name in defined_by(one)}
    nodes = [
        n for n in ast.walk(function) if isinstance(n, ast.Attribute) and _is_after(n, statement)
    ]
    for node in sorted(nodes, key=lambda n: (n.lineno, n.col_offset)):
        if node.attr == "backward":
            return
        if node.attr == "grad" and isinstance(node.ctx, ast.Load):
            if (name := _name(node.value)) not in own:
                raise Foreign(f"`{ast.unparse(node)}` of other than a variable")
            yield name


def _requiring(before: tuple[ast.stmt, ...]) -> Iterator[str]:
    """The variables that are said to require gradients."""
    for statement in before:
        if isinstance(statement, ast.Assign) and "requires_grad" in ast.unparse(statement.value):
            yield from sorted(defined_by(statement))
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            method = statement.value.func
            if isinstance(method, ast.Attribute) and method.attr == "requires_grad_":
                yield _name(method.value)


def _is_after(node: ast.AST, statement: ast.stmt) -> bool:
    return getattr(node, "lineno", 0) > (statement.end_lineno or 0)


def _require_apart(function: Function, found: list[Differentiated]) -> None:
    """Raise Foreign where torch adds up gradients of several `backward`."""
    for number, one in enumerate(found):
        for earlier in found[:number]:
            again = {*one.variables} & {*earlier.variables} if one.is_backward else set()
            for name in again if earlier.is_backward else ():
                if not any(
                    _is_after(node, earlier.statement) and not _is_after(node, one.statement)
                    for node in _resets(function, name)
                ):
                    raise Foreign("gradients that several `.backward()` add up")


def _resets(function: Function, name: str) -> Iterator[ast.AST]:
    for node in ast.walk(function):
        stored = isinstance(getattr(node, "ctx", None), ast.Store)
        if stored and isinstance(node, ast.Attribute):
            stored = node.attr == "grad"
            node = node.value
        if stored and _name(node) == name:
            yield node


def _gradient_name(function: Function, variable: str) -> str:
    taken = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)}
    taken |= {arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)}
    names = (f"{variable}_grad", f"grad_of_{variable}")
    free = next((name for name in names if name not in taken), None)
    if free is None:
        raise Foreign(f"the names {' and '.join(names)} are taken")
    return free


def _rewrite(
    source: Source, function: Function, one: Differentiated, render: Render
) -> Iterator[Edit]:
    parameters = ", ".join(one.variables)
    inputs = f"({parameters},)" if len(one.variables) == 1 else f"({parameters})"
    given = f", {render(one.given)}" if one.given is not None else ""
    between = _computed_between(one)
    what = f"lambda {parameters}: {render(one.result)}"
    indent = " " * one.statement.col_offset
    definition = ""
    if between:
        lines = [textwrap.dedent(render(each)) for each in between]
        lines.append(f"return {render(one.result)}")
        body = textwrap.indent("\n".join(lines), f"{indent}    ")
        what = "differentiated"
        definition = f"def {what}({parameters}):\n{body}\n\n{indent}"
    call = f"{HELPER}.gradients({what}, {inputs}{given})"
    start, end = source.start(one.statement), source.end(one.statement)
    if one.is_backward:
        names = [_gradient_name(function, name) for name in one.variables]
        left = f"({names[0]},)" if len(names) == 1 else ", ".join(names)
        left = f"{left} = " if one.is_read else ""
        yield start, end, f"{definition}{left}{call}"
        return
    if definition:
        yield start, start, definition
    yield source.start(one.call), source.end(one.call), call


def _computed_between(one: Differentiated) -> list[ast.stmt]:
    """The statements before, in their order, that compute what is differentiated of its variables.
    Raises Foreign where they are more than assignments."""
    last = {
        name: number
        for number, each in enumerate(one.before)
        for name in defined_by(each) & {*one.variables}
    }
    depending, computing = {*one.variables}, list[tuple[ast.stmt, set[str]]]()
    for number, each in enumerate(one.before):
        stored = _stored(each)
        if stored & {*one.variables} and number <= max(last.values(), default=-1):
            continue
        if number > min(last.get(name, -1) for name in one.variables):
            changed = {*_changed(each)} & depending - {*one.variables}
            if changed or (stored and _loaded(each) & depending):
                computing.append((each, stored | changed))
                depending |= stored
    needed, kept = _loaded(one.result), list[ast.stmt]()
    for each, stored in reversed(computing):
        if stored & needed - {*one.variables}:
            if not isinstance(each, (ast.Assign, ast.AnnAssign)):
                raise Foreign("a gradient of what is computed by more than assignments")
            needed |= _loaded(each)
            kept.insert(0, each)
    return kept


def _changed(statement: ast.stmt) -> Iterator[str]:
    """The variables that a statement may change: `scale_(y, 2)`, `y.mul_(2)`."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("_"):
        yield from _loaded(call)


def _loaded(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _stored(node: ast.AST) -> set[str]:
    return {
        n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
