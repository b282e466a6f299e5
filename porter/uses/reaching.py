"""Which values a variable may have where it is used: what a later assignment hides is left out."""

from __future__ import annotations

import ast

from porter.languages.python import Module
from porter.languages.python_tree import parameter

LOOPS = (ast.For, ast.AsyncFor, ast.While)
_WITHIN = (*LOOPS, ast.With, ast.AsyncWith)  # what they bind is bound in their body
BLOCKS = ("body", "orelse", "finalbody", "handlers")
_Place = tuple[int, int]


def stores_reaching(module: Module, name: ast.Name) -> tuple[ast.Name | None, ...]:
    """Where a variable is given what it may be at a use; None: it may be what was passed.

    `x += y` counts as no new value: a tensor remains the same one.
    """
    known, key = module.remembered, (stores_reaching, name)
    if key not in known:
        scope = module.function(name)
        stored, passed = module.stored(scope, name.id), parameter(scope, name.id) is not None
        alone = not passed and len(stored) <= 1
        known[key] = tuple(stored) if alone else _find_reaching(module, name, stored, passed)
    found: tuple[ast.Name | None, ...] = known[key]
    return found


def is_augmented(module: Module, name: ast.Name) -> bool:
    """Whether `x += y` makes something else of a variable, unless it is a tensor."""
    stored = module.stored(module.function(name), name.id)
    return any(type(module.parents[each]) is ast.AugAssign for each in stored)


def values_reaching(module: Module, name: ast.Name) -> list[ast.expr | None]:
    """The values of a variable at a use; None for each that is not seen, or was passed."""
    stores = stores_reaching(module, name)
    return [module.assigned_value(each) if each is not None else None for each in stores]


def runs_with(module: Module, statement: ast.AST, node: ast.AST) -> bool:
    """Whether a node is below a statement of the same block as this one."""
    parents = module.parents
    parent = parents[statement]
    while node in parents and parents[node] is not parent:
        node = parents[node]
    return node in parents and _share_a_block(parent, statement, node)


def _share_a_block(parent: ast.AST, statement: ast.AST, other: ast.AST) -> bool:
    for block in (getattr(parent, name, ()) for name in BLOCKS):
        if type(block) is list and statement in block:
            return other in block
    return False


def _find_reaching(
    module: Module, name: ast.Name, stored: list[ast.Name], passed: bool
) -> tuple[ast.Name | None, ...]:
    place, below = (name.lineno, name.col_offset), _steps_to(module, name)
    timed: list[tuple[_Place, int, ast.Name, ast.AST]] = []
    for index, each in enumerate(stored):
        statement = _statement(module, each)
        if type(statement) is ast.comprehension:  # which is seen only within it
            if below.get(module.parents[statement]) is not None and below.get(statement) is None:
                timed.append((place, index, each, statement))
        elif type(statement) is not ast.AugAssign:
            timed.append((_time(each, statement), index, each, statement))
    timed.sort()
    found: list[ast.Name | None] = [None] if passed else []
    last = None
    for time, _, each, statement in timed:
        if time <= place:
            if _always_runs(module, each, statement, name, below):
                found, last = [], statement
            found.append(each)
    after = [each for time, _, each, _ in timed if time > place]
    hidden = {last, *module.ancestors(last)} if last is not None and after else set()
    for outer in below if after else ():
        again = below[outer] is not getattr(outer, "iter", None)
        if again and isinstance(outer, LOOPS) and outer not in hidden:
            found += [each for each in after if _spans(outer, each) and each not in found]
    return tuple(found)


def _steps_to(module: Module, name: ast.Name) -> dict[ast.AST, ast.AST]:
    """What a name stands in, up to its function, each with the part that leads to it."""
    parents, scope, found = module.parents, module.function(name), {}
    node: ast.AST = name
    while node is not scope and node in parents:
        outer = parents[node]
        found[outer] = node
        node = outer
    return found


def _statement(module: Module, node: ast.AST) -> ast.AST:
    """The statement or comprehension that a name is stored by."""
    parents = module.parents
    while node in parents and not isinstance(node, ast.stmt | ast.comprehension):
        node = parents[node]
    return node


def _time(store: ast.Name, statement: ast.AST) -> _Place:
    """Where in the text what is stored is there: after the whole of an assignment."""
    if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.end_lineno is not None:
        return statement.end_lineno, statement.end_col_offset or 0
    values = getattr(statement, "iter", store)  # of a loop, which are there before
    return values.end_lineno or 0, values.end_col_offset or 0


def _always_runs(
    module: Module,
    store: ast.Name,
    statement: ast.AST,
    name: ast.Name,
    below: dict[ast.AST, ast.AST],
) -> bool:
    """Whether a store has always run before a use of the name that stands after it."""
    if type(statement) is ast.comprehension:
        return True  # which is the one within which the use is
    if type(module.parents[store]) is ast.NamedExpr:
        return False
    if isinstance(statement, _WITHIN) and statement in below:
        return below[statement] is not getattr(statement, "iter", None)
    outer = module.parents[statement]
    alike = outer in below and _share_a_block(outer, statement, below[outer])
    return alike and not isinstance(statement, LOOPS)


def _spans(outer: ast.AST, node: ast.Name) -> bool:
    end: int = getattr(outer, "end_lineno", 0) or 0
    return bool(getattr(outer, "lineno", 0) <= node.lineno <= end)
