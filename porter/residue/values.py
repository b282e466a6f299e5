"""What kind of torch object a value is, by any evidence in its file."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from porter.residue.resolve import Place, Scope
from porter.surface.classes import CONTEXT, class_of, distinctive, makes, members_of


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
            kind = self.of(value, place.scope) if value is not None else None
            empty = isinstance(value, ast.Constant) and value.value is None
            if not empty and not isinstance(statement, ast.AugAssign):
                self.attributes.setdefault(node.attr, set()).add(kind)
        elif isinstance(node, ast.AnnAssign) and in_class:
            self.own |= {node.target.id} if isinstance(node.target, ast.Name) else set()

    def of(self, node: ast.expr, scope: Scope, depth: int = 0) -> str | None:
        """The torch class of an expression, where the file shows it."""
        if isinstance(node, ast.Call):
            called = scope.qualified(node.func)
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
        kinds = {self.of(part, scope, depth + 1) for part in parts} - {None}
        return kinds.pop() if len(kinds) == 1 else None

    def _variable(self, name: str, holder: Scope, depth: int) -> str | None:
        annotation = holder.annotations.get(name)
        if annotation is not None:
            kinds = set(_annotated(annotation, holder))
            return kinds.pop() if len(kinds) == 1 else None
        found = {self.of(value, holder, depth + 1) for value in holder.values.get(name, ())}
        found -= {None}
        return found.pop() if len(found) == 1 else None

    def member(self, node: ast.Attribute, scope: Scope, sure: bool = False) -> str | None:
        """The full name of an attribute of a torch object: of a known one, else (unless only
        sure ones are asked for) by a name that nothing else has and the file does not give."""
        if scope.qualified(node) is not None:
            return None
        owner = self.of(node.value, scope)
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
    return annotation is not None and {*_annotated(annotation, scope)} == {"torch.Tensor"}


def _annotated(annotation: ast.expr, scope: Scope) -> Iterator[str]:
    """The torch classes an annotation names: `X`, `"X"`, `X | None`, `Optional[X]`."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return
    if isinstance(annotation, ast.BinOp):
        yield from _annotated(annotation.left, scope)
        yield from _annotated(annotation.right, scope)
    elif isinstance(annotation, ast.Subscript):
        name = getattr(annotation.value, "attr", getattr(annotation.value, "id", ""))
        if name == "Optional":
            yield from _annotated(annotation.slice, scope)
    else:
        outer = scope.outer if scope.outer is not None else scope
        found = class_of(outer.qualified(annotation)) or class_of(scope.qualified(annotation))
        if found is not None:
            yield found
