"""Names in Python for the residue: a resolver of its own, so that it shares no mistake."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from porter.surface.classes import CONTEXT, class_of, distinctive, makes, members_of

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(slots=True)
class Scope:
    """What one module, class or function binds."""

    outer: Scope | None
    is_class: bool = False
    walrus: bool = False  # the file has `:=`, so expressions bind too
    origins: dict[str, str] = field(default_factory=dict)  # imports
    bound: set[str] = field(default_factory=set)  # everything else
    values: dict[str, list[ast.expr]] = field(default_factory=dict)
    annotations: dict[str, ast.expr] = field(default_factory=dict)
    arguments: set[str] = field(default_factory=set)
    context: str = ""  # the first argument of a method of an autograd function

    def holder(self, name: str) -> Scope | None:
        """The scope that binds a name, as seen from here."""
        scope: Scope | None = self
        while scope is not None:
            seen = scope is self or not scope.is_class
            if seen and (name in scope.origins or name in scope.bound):
                return scope
            scope = scope.outer
        return None

    def origin(self, name: str) -> str | None:
        holder = self.holder(name)
        origin = holder.origins.get(name, "") if holder is not None else ""
        if holder is not None and "." in origin and name in holder.bound:
            return None  # also bound otherwise: a fallback stands in for the import
        return origin or None

    def callee_names(self, function: ast.expr) -> tuple[str, ...]:
        """The dotted origins of what is called, one step through variables."""
        name = self.resolve(function)
        if name is not None or not isinstance(function, ast.Name):
            return (name,) if name is not None else ()
        holder = self.holder(function.id)
        values = holder.values.get(function.id, []) if holder is not None else []
        return tuple(n for n in (self.resolve(value) for value in values) if n is not None)

    def resolve(self, node: ast.AST) -> str | None:
        """The dotted origin of a name or chain of attributes; None where it is no import's."""
        words: list[str] = []
        while isinstance(node, ast.Attribute):
            words.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        origin = self.origin(node.id)
        return ".".join([origin, *words]) if origin is not None else None

    def value(self, name: str) -> ast.expr | None:
        """The one expression a variable is given in its scope, if it is one."""
        holder = self.holder(name)
        values = holder.values.get(name, []) if holder is not None else []
        return values[0] if len(values) == 1 else None


@dataclass(frozen=True, slots=True)
class Place:
    """A node with the scope it stands in and what stands around it, outermost first."""

    node: ast.AST
    scope: Scope
    around: tuple[ast.AST, ...]


# The nodes that a finder looks at.
TOLD = (
    ast.alias,
    ast.Attribute,
    ast.Name,
    ast.Call,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.AnnAssign,
    ast.AugAssign,
)
LEAVES = (ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop, ast.Constant)
TARGETS = (ast.Name, ast.Tuple, ast.List, ast.Starred, ast.NamedExpr)
INNER_FIELDS = frozenset({"body", "elt", "key", "value", "generators"})


def places(tree: ast.Module, walrus: bool = True) -> Iterator[Place]:
    """The nodes of a file that tell something, in source order, each with its scope."""
    scope = Scope(None, walrus=walrus)
    _gather(tree.body, scope)
    around: tuple[ast.AST, ...] = (tree,)
    pending: list[tuple[ast.AST, Scope, tuple[ast.AST, ...]]] = [
        (statement, scope, around) for statement in reversed(tree.body)
    ]
    while pending:
        node, scope, around = pending.pop()
        if isinstance(node, TOLD):
            yield Place(node, scope, around)
        if isinstance(node, ast.Name):
            continue
        inside = (*around, node)
        inner = _inner(node, scope, around)
        children = [
            (child, inner if inner is not None and name in INNER_FIELDS else scope, inside)
            for name in node._fields
            for child in _nodes(getattr(node, name, None))
        ]
        children.reverse()
        pending += children


def _nodes(value: object) -> Iterable[ast.AST]:
    if isinstance(value, list):
        return [v for v in value if isinstance(v, ast.AST)]
    if isinstance(value, ast.AST) and not isinstance(value, LEAVES):
        return (value,)
    return ()


def _inner(node: ast.AST, scope: Scope, around: tuple[ast.AST, ...]) -> Scope | None:
    """The scope a node opens, with what it binds."""
    if isinstance(node, ast.ClassDef):
        inner = Scope(scope, is_class=True, walrus=scope.walrus)
        _gather(node.body, inner)
        return inner
    if isinstance(node, FUNCTIONS):
        inner = Scope(scope, walrus=scope.walrus)
        arguments = node.args
        for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            inner.bound.add(arg.arg)
            inner.arguments.add(arg.arg)
            if arg.annotation is not None:
                inner.annotations[arg.arg] = arg.annotation
        inner.bound |= {a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None}
        if around and isinstance(around[-1], ast.ClassDef) and arguments.args:
            bases = {scope.resolve(base) for base in around[-1].bases}
            if bases & {"torch.autograd.Function", "torch.autograd.function.Function"}:
                inner.context = arguments.args[0].arg
        _gather(node.body if isinstance(node.body, list) else [node.body], inner)
        return inner
    if isinstance(node, COMPREHENSIONS):
        inner = Scope(scope, walrus=scope.walrus)
        _gather([g.target for g in node.generators], inner)
        return inner
    return None


def _gather(nodes: list[ast.AST] | list[ast.stmt] | list[ast.expr], scope: Scope) -> None:
    """Note what statements bind in this scope; scopes inside of it are not entered."""
    pending: list[ast.AST] = list(reversed(nodes))
    while pending:
        node = pending.pop()
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            if not isinstance(node, ast.Lambda):
                scope.bound.add(node.name)
            continue
        if isinstance(node, COMPREHENSIONS):
            continue
        if isinstance(node, ast.expr) and not isinstance(node, TARGETS) and not scope.walrus:
            continue
        _bind(node, scope)
        for name in node._fields:
            pending += _nodes(getattr(node, name, None))


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Names and what an assignment gives them, as far as it says."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for name, each in zip(target.elts, value.elts, strict=False):  # a wrong count never runs
            yield from _pairs(name, each)


def _bind_imports(node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            scope.origins[alias.asname or top] = alias.name if alias.asname else top
    elif node.level:
        scope.bound |= {alias.asname or alias.name for alias in node.names}
    else:
        for alias in node.names:
            name, origin = alias.asname or alias.name, f"{node.module}.{alias.name}"
            if scope.origins.setdefault(name, origin) != origin:
                scope.bound.add(name)


def _bind(node: ast.AST, scope: Scope) -> None:
    if isinstance(node, ast.Import | ast.ImportFrom):
        _bind_imports(node, scope)
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        scope.bound.add(node.id)
    elif isinstance(node, ast.ExceptHandler) and node.name:
        scope.bound.add(node.name)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            for name, value in _pairs(target, node.value):
                scope.values.setdefault(name, []).append(value)
    elif isinstance(node, ast.NamedExpr):
        scope.values.setdefault(node.target.id, []).append(node.value)
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        scope.annotations[node.target.id] = node.annotation
        if node.value is not None:
            scope.values.setdefault(node.target.id, []).append(node.value)
    elif isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
        scope.values.setdefault(node.optional_vars.id, []).append(node.context_expr)


class Kinds:
    """The kinds that a file shows: of variables, arguments and attributes."""

    def __init__(self, found: Iterable[Place]) -> None:
        self.own: set[str] = set()  # attributes the file gives its own objects
        self.attributes: dict[str, set[str | None]] = {}
        for place in found:
            self._note(place)

    def _note(self, place: Place) -> None:
        node = place.node
        in_class = isinstance(place.around[-1], ast.ClassDef)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.own |= {node.name} if in_class else set()
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            self.own.add(node.attr)
            statement = place.around[-1]
            value = statement.value if isinstance(statement, ast.Assign) else None
            kind = self.class_of(value, place.scope) if value is not None else None
            empty = isinstance(value, ast.Constant) and value.value is None
            if not empty and not isinstance(statement, ast.AugAssign):
                self.attributes.setdefault(node.attr, set()).add(kind)
        elif isinstance(node, ast.AnnAssign) and in_class:
            self.own |= {node.target.id} if isinstance(node.target, ast.Name) else set()

    def class_of(self, node: ast.expr, scope: Scope, depth: int = 0) -> str | None:
        """The torch class of an expression, where the file shows it."""
        if isinstance(node, ast.Call):
            called = scope.resolve(node.func)
            return makes(called) if called else None
        if isinstance(node, ast.Attribute):
            kinds = self.attributes.get(node.attr, set())
            return next(iter(kinds)) if len(kinds) == 1 else None
        if isinstance(node, ast.BoolOp | ast.IfExp):
            return self._one_of(node, scope, depth)
        if not isinstance(node, ast.Name) or depth > 3:
            return None
        holder = scope.holder(node.id)
        if holder is None:
            return None
        if holder.context == node.id:
            return CONTEXT
        return self._variable(node.id, holder, depth)

    def _one_of(self, node: ast.BoolOp | ast.IfExp, scope: Scope, depth: int) -> str | None:
        parts = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
        kinds = {self.class_of(part, scope, depth + 1) for part in parts} - {None}
        return kinds.pop() if len(kinds) == 1 else None

    def _variable(self, name: str, holder: Scope, depth: int) -> str | None:
        annotation = holder.annotations.get(name)
        if annotation is not None:
            kinds = set(_annotation_classes(annotation, holder))
            return kinds.pop() if len(kinds) == 1 else None
        found = {self.class_of(value, holder, depth + 1) for value in holder.values.get(name, ())}
        found -= {None}
        return found.pop() if len(found) == 1 else None

    def member(self, node: ast.Attribute, scope: Scope, sure: bool = False) -> str | None:
        """The full name of an attribute of a torch object: of a known one, else (unless only
        sure ones are asked for) by a name that nothing else has and the file does not give."""
        if scope.resolve(node) is not None:
            return None
        owner = self.class_of(node.value, scope)
        if owner is not None:
            known = node.attr in members_of().get(owner, ())
            return f"{owner}.{node.attr}" if known else None
        if sure or node.attr in self.own or isinstance(node.ctx, ast.Store):
            return None
        return distinctive().get(node.attr)


def is_tensor(annotation: ast.expr | None, scope: Scope) -> bool:
    """Whether an annotation is torch.Tensor, or that or None."""
    if isinstance(annotation, ast.BinOp):
        sides = [annotation.left, annotation.right]
        given = [s for s in sides if not isinstance(s, ast.Constant) or s.value is not None]
        return all(is_tensor(side, scope) for side in given)
    return annotation is not None and {*_annotation_classes(annotation, scope)} == {"torch.Tensor"}


def _annotation_classes(annotation: ast.expr, scope: Scope) -> Iterator[str]:
    """The torch classes an annotation names: `X`, `"X"`, `X | None`, `Optional[X]`."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return
    if isinstance(annotation, ast.BinOp):
        yield from _annotation_classes(annotation.left, scope)
        yield from _annotation_classes(annotation.right, scope)
    elif isinstance(annotation, ast.Subscript):
        name = getattr(annotation.value, "attr", getattr(annotation.value, "id", ""))
        if name == "Optional":
            yield from _annotation_classes(annotation.slice, scope)
    else:
        outer = scope.outer if scope.outer is not None else scope
        found = class_of(outer.resolve(annotation)) or class_of(scope.resolve(annotation))
        if found is not None:
            yield found
