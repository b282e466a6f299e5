"""Which values a variable may have where it is used: what a later assignment hides is left out."""

from __future__ import annotations

import ast

from porter.languages.python import Module
from porter.languages.python_tree import parameter

LOOPS = (ast.For, ast.AsyncFor, ast.While)
_WITHIN = (*LOOPS, ast.With, ast.AsyncWith)  # what they bind is bound in their body
_Place = tuple[int, int]


def stores_reaching(module: Module, name: ast.Name) -> tuple[ast.Name | None, ...]:
    """Where a variable is given what it may be at a use; None: it may be what was passed.

    `x += y` counts as no new value: a tensor remains the same one.
    """
    scope = module.function(name)
    stored, passed = module.stored(scope, name.id), parameter(scope, name.id) is not None
    if not passed and len(stored) <= 1:
        return tuple(stored)
    known, key = module.remembered, (stores_reaching, name)
    if key not in known:
        known[key] = _find_reaching(module, name, stored, passed)
    found: tuple[ast.Name | None, ...] = known[key]
    return found


def values_reaching(module: Module, name: ast.Name) -> list[ast.expr | None]:
    """The values of a variable at a use; None for each that is not seen, or was passed."""
    stores = stores_reaching(module, name)
    return [module.assigned_value(each) if each is not None else None for each in stores]


def runs_with(module: Module, statement: ast.AST, node: ast.AST) -> bool:
    """Whether a node is below a statement of the same block as this one."""
    parent = module.parents[statement]
    blocks = [block for _, block in ast.iter_fields(parent) if isinstance(block, list)]
    block = next((block for block in blocks if statement in block), [])
    while node in module.parents:
        if module.parents[node] is parent:
            return node in block
        node = module.parents[node]
    return False


def _find_reaching(
    module: Module, name: ast.Name, stored: list[ast.Name], passed: bool
) -> tuple[ast.Name | None, ...]:
    place = name.lineno, name.col_offset
    written = {each: _statement(module, each) for each in stored}
    timed = sorted(
        (_time(each, statement), index, each)
        for index, (each, statement) in enumerate(written.items())
        if not isinstance(statement, ast.AugAssign) and _is_seen(module, each, name)
    )
    before = [each for time, _, each in timed if time <= place]
    after = [each for time, _, each in timed if time > place]
    found: list[ast.Name | None] = []
    last = None
    for each in reversed(before):
        found.append(each)
        if _always_runs(module, each, written[each], name):
            last = written[each]
            break
    else:
        if passed:
            found.append(None)
    for outer in module.ancestors(name) if after else ():
        if isinstance(outer, LOOPS) and not (last and outer in (last, *module.ancestors(last))):
            again = [each for each in after if _spans(outer, each) and each not in found]
            found += again
        if outer is module.function(name):
            break
    return tuple(found)


def _statement(module: Module, node: ast.AST) -> ast.AST:
    """The statement or comprehension that a name is stored by."""
    for outer in module.ancestors(node):
        if isinstance(outer, ast.stmt | ast.comprehension):
            return outer
    return module.tree


def _time(store: ast.Name, statement: ast.AST) -> _Place:
    """Where in the text what is stored is there: after the whole of an assignment."""
    if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.end_lineno is not None:
        return statement.end_lineno, statement.end_col_offset or 0
    return (-1, 0) if isinstance(statement, ast.comprehension) else (store.lineno, store.col_offset)


def _is_seen(module: Module, store: ast.Name, name: ast.Name) -> bool:
    """Whether a use can see a store at all: that of a comprehension only within it."""
    statement = _statement(module, store)
    whole = module.parents[statement] if isinstance(statement, ast.comprehension) else None
    return whole is None or whole in module.ancestors(name)


def _always_runs(module: Module, store: ast.Name, statement: ast.AST, name: ast.Name) -> bool:
    """Whether a store has always run before a use of the name that stands after it."""
    if isinstance(statement, ast.comprehension):
        return True  # which is the one within which the use is
    if isinstance(module.parents[store], ast.NamedExpr):
        return False
    if isinstance(statement, _WITHIN) and statement in module.ancestors(name):
        return all(each is not name for each in ast.walk(_head(statement)))
    return not isinstance(statement, LOOPS) and runs_with(module, statement, name)


def _head(statement: ast.AST) -> ast.AST:
    return getattr(statement, "iter", None) or ast.Pass()


def _spans(outer: ast.AST, node: ast.Name) -> bool:
    end: int = getattr(outer, "end_lineno", 0) or 0
    return bool(getattr(outer, "lineno", 0) <= node.lineno <= end)
